# SPDX-License-Identifier: Apache-2.0
# fish completion for bobbin. The command itself tells what may stand where.
function __bobbin_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l typed (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path $typed
            case ':command'
                __fish_complete_command
            case ':process'
                __fish_complete_pids
            case ':program *'
                set -l first (math (string replace ':program ' '' -- $line) + 2)
                complete -C (string join ' ' -- (string escape -- $words[$first..-2]) $typed)
            case '*'
                echo $line
        end
    end
end
complete -c bobbin -f -a '(__bobbin_complete)'
