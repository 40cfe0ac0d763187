# Completion of `hermes kata …` for zsh:  eval "$(hermes kata completion zsh)"   (after compinit)
# What completed `hermes` before goes on doing so for everything else.
if [[ -n ${_comps[hermes]} && ${_comps[hermes]} != _hermes_kata ]]; then
  _hermes_kata_before=${_comps[hermes]}
fi
# Verbs, options and fixed words stand here; it fails where only Kata knows: ids, names, values.
_hermes_kata_known() {
  case $1 in
# offers
  esac
}
_hermes_kata() {
  if (( CURRENT < 3 )) || [[ ${words[2]} != kata ]]; then
    [[ -z $_hermes_kata_before ]] || $_hermes_kata_before "$@"
    return
  fi
  local -a offers shown
  local line key='' place=0 at
  if (( CURRENT > 3 )); then
    for (( at = 4; at < CURRENT; at++ )); do
      [[ ${words[at]} == -* ]] || place=$((place + 1))
    done
    key="${words[3]} $place"
    [[ ${words[CURRENT-1]} != --kata ]] || key=--kata
    [[ ${words[CURRENT]} != -* ]] || key="${words[3]} -"
  fi
  for line in ${(f)"$(_hermes_kata_known "$key" || hermes kata complete -- "${(@)words[3,CURRENT]}" 2>/dev/null)"}; do
    offers+=("${line%%$'\t'*}")
    shown+=("${line//$'\t'/  – }")
  done
  compadd -l -d shown -a offers
}
compdef _hermes_kata hermes
