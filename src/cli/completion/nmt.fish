# Completion of nmt's command lines for fish, printed by `nmt completion fish`.

# Is the command NAME on the line?
function __nmt_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

function __nmt_no_command
    test (count (commandline -opc)) -eq 1
end

# Directories, and files whose name ends with SUFFIX
function __nmt_files
    __fish_complete_directories (commandline -ct) ''
    __fish_complete_suffix $argv[1]
end

# KEY= and KEY=VALUE of all keys that begin with PREFIX
function __nmt_settings
    echo '
@keys@
' | string match -- "$argv[1]*=*"
end

# What nmt help shows
function __nmt_topics
    echo '
@topics@
' | string match -r '.+'
    complete -C 'nmt '
end

complete -c nmt -f
@names@
@commands@
