# SPDX-License-Identifier: Apache-2.0
# bash completion for bobbin. The command itself tells what may stand where.
_bobbin() {
  local line offset typed=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file)
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$typed") ;;
      :command)
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -f -- "$typed" | sort -u) ;;
      :process)
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(ps -eo pid=)" -- "$typed") ;;
      :program\ *)
        offset=$((${line#:program } + 1))
        if declare -F _command_offset >/dev/null; then
          _command_offset "$offset"
        else
          compopt -o default 2>/dev/null
        fi ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _bobbin bobbin
