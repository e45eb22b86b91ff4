#compdef orch
# What zsh completes behind `orch`. orch itself says it, one name a line; nothing of it is evaluated.
_orch() {
  local kind name about
  local -a names shown
  {
    IFS= read -r kind
    while IFS=$'\t' read -r name about; do
      names+=("$name")
      shown+=("$name${about:+  -- $about}")
    done
  } < <(command orch complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
  (( $#names )) && compadd -l -d shown -a names
  [[ $kind == files ]] && _files
}
if [[ $funcstack[1] == _orch ]]; then _orch "$@"; else compdef _orch orch; fi
