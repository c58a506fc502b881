#compdef nmt
# Completion of nmt's command lines for zsh, printed by `nmt completion zsh`.

_nmt_commands() {
    local -a commands=(
@names@
    )
    _describe command commands
}

_nmt_topics() {
    local -a topics=(
@topics@
    )
    _describe topic topics
    _nmt_commands
}

# _nmt_setting PREFIX: KEY=VALUE with a key that begins with PREFIX
_nmt_setting() {
    local key values help
    local -a lines keys
    # Each config key, which values it takes (a list of choices, path, or none of them), and what it is.
    lines=(
@keys@
    )
    for line in $lines; do
        IFS=$'\t' read -r key values help <<<$line
        if [[ $PREFIX == $key=* ]]; then
            compset -P '*='
            case $values in
            path) _files ;;
            *'|'*) compadd -- ${(s:|:)values} ;;
            *) _message -e values $help ;;
            esac
            return
        fi
        [[ $key == $1* ]] && keys+=("$key:$help")
    done
    _describe -t keys key keys -S =
}

_nmt() {
    local line state curcontext=$curcontext
    typeset -A opt_args
    _arguments -C ':command:_nmt_commands' '*::argument:->arguments'
    [[ $state == arguments ]] || return
    case $words[1] in
@commands@
    esac
}

if [[ $funcstack[1] == _nmt ]]; then
    _nmt "$@"
else
    compdef _nmt nmt
fi
