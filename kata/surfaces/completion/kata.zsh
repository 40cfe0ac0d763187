# Completion of `hermes kata …` for zsh:  eval "$(hermes kata completion zsh)"   (after compinit)
# What completed `hermes` before goes on doing so for everything else.
if [[ -n ${_comps[hermes]} && ${_comps[hermes]} != _hermes_kata ]]; then
  _hermes_kata_before=${_comps[hermes]}
fi
_hermes_kata() {
  if (( CURRENT < 3 )) || [[ ${words[2]} != kata ]]; then
    [[ -z $_hermes_kata_before ]] || $_hermes_kata_before "$@"
    return
  fi
  local -a offers shown
  local line
  for line in ${(f)"$(hermes kata complete -- "${(@)words[3,CURRENT]}" 2>/dev/null)"}; do
    offers+=("${line%%$'\t'*}")
    shown+=("${line//$'\t'/  – }")
  done
  compadd -l -d shown -a offers
}
compdef _hermes_kata hermes
