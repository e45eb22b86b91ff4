# What fish completes behind `orch`. orch itself says it, one name a line; nothing of it is evaluated.
function __orch_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l said (command orch complete fish -- $before[2..-1] "$word" 2>/dev/null)
    test (count $said) -gt 1; and printf '%s\n' $said[2..-1]
    test "$said[1]" = files; and __fish_complete_path "$word"
end
complete -c orch -f -a '(__orch_complete)'
