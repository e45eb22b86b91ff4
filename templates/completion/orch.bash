# What bash completes behind `orch`. orch itself says it, one name a line; nothing of it is evaluated.
_orch() {
  local kind name about quoted
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS=$'\t' read -r name about; do
      case ${COMP_WORDS[COMP_CWORD]} in
        \'*) quoted=${name//\'/\'\\\'\'} ;;
        \"*) quoted=${name//[\\\"\$\`]/\\&} ;;
        *) printf -v quoted %q "$name" ;;
      esac
      COMPREPLY+=("$quoted")
    done
  } < <(command orch complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Where orch knows no name, the shell knows files.
  if [[ $kind == files ]]; then compopt -o default; fi
}
complete -F _orch orch
