# Completion of `hermes kata …` for bash:  eval "$(hermes kata completion bash)"
# What completed `hermes` before goes on doing so for everything else.
if [[ $(complete -p hermes 2>/dev/null) =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _hermes_kata ]]; then
  _hermes_kata_before=${BASH_REMATCH[1]}
fi
# Verbs, options and fixed words stand here; it fails where only Kata knows: ids, names, values.
_hermes_kata_known() {
  case $1 in
# offers
  esac
}
_hermes_kata() {
  if [[ $COMP_CWORD -lt 2 || ${COMP_WORDS[1]} != kata ]]; then
    [[ -z ${_hermes_kata_before:-} ]] || "$_hermes_kata_before" "$@"
    return
  fi
  COMPREPLY=()
  local word place=0 key='' typed=${COMP_WORDS[COMP_CWORD]}
  if [[ $COMP_CWORD -gt 2 ]]; then
    for word in "${COMP_WORDS[@]:3:COMP_CWORD-3}"; do
      [[ $word == -* ]] || place=$((place + 1))
    done
    key="${COMP_WORDS[2]} $place"
    [[ ${COMP_WORDS[COMP_CWORD-1]} != --kata ]] || key=--kata
    [[ $typed != -* ]] || key="${COMP_WORDS[2]} -"
  fi
  while IFS=$'\t' read -r word _; do
    [[ $word != "$typed"* ]] || COMPREPLY+=("$word")
  done < <(_hermes_kata_known "$key" || hermes kata complete -- "${COMP_WORDS[@]:2:COMP_CWORD-1}" 2>/dev/null)
  [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace
}
complete -F _hermes_kata hermes
