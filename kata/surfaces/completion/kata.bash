# Completion of `hermes kata …` for bash:  eval "$(hermes kata completion bash)"
# What completed `hermes` before goes on doing so for everything else.
if [[ $(complete -p hermes 2>/dev/null) =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _hermes_kata ]]; then
  _hermes_kata_before=${BASH_REMATCH[1]}
fi
_hermes_kata() {
  if [[ $COMP_CWORD -lt 2 || ${COMP_WORDS[1]} != kata ]]; then
    [[ -z ${_hermes_kata_before:-} ]] || "$_hermes_kata_before" "$@"
    return
  fi
  COMPREPLY=()
  local word
  while IFS=$'\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <(hermes kata complete -- "${COMP_WORDS[@]:2:COMP_CWORD-1}" 2>/dev/null)
  [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace
}
complete -F _hermes_kata hermes
