# Completion of nmt's command lines for bash, printed by `nmt completion bash`.
# shellcheck shell=bash

_nmt_commands='
@names@
'

_nmt_topics='
@topics@
'

# Each config key, and which values it takes: a list of choices, path, or none of them.
_nmt_keys='
@keys@
'

# _nmt_words WORD...: those that begin as the word at the cursor
_nmt_words() {
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word")
}

# _nmt_files PATTERN: directories, and files of that name
_nmt_files() {
    local text=${word#[\"\']}
    compopt -o filenames
    mapfile -t COMPREPLY < <(
        compgen -d -- "$text"
        [ -z "$1" ] || compgen -f -X "!$1" -- "$text"
    )
}

# _nmt_setting PREFIX: KEY=VALUE with a key that begins with PREFIX
_nmt_setting() {
    local key values
    local -a keys=()
    while read -r key values; do
        if [[ $word == "$key="* ]]; then
            word=${word#*=}
            case $values in
            path) compopt -o default ;;
            *) _nmt_words "${values//|/ }" ;;
            esac
            return
        fi
        [[ $key != "$1"* ]] || [ -z "$key" ] || keys+=("$key=")
    done <<<"$_nmt_keys"
    compopt -o nospace
    _nmt_words "${keys[@]}"
}

# _nmt_argument KIND: what `nmt COMMAND --help` calls the argument
_nmt_argument() {
    case $1 in
    FILE | FILE...) compopt -o default ;;
    DIR) _nmt_files '' ;;
    MODEL) _nmt_files '*.nmt' ;;
    CONFIG) _nmt_files '*.json' ;;
    KEY=VALUE) _nmt_setting '' ;;
    decoding.KEY=VALUE) _nmt_setting decoding. ;;
    TOPIC) _nmt_words "$_nmt_commands $_nmt_topics" ;;
    *\|*) _nmt_words "${1//|/ }" ;;
    esac
}

_nmt() {
    local word='' before='' options='' argument='' bare='' part glued=no
    local typed breaks='' cut='' i
    local -a words=()
    COMPREPLY=()
    # bash cuts at = and : (COMP_WORDBREAKS); KEY=VALUE and --model=MODEL are one word here.
    for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ -n $part && ${#words[@]} -gt 0 && ($glued == yes || $part == [=:]*) ]]; then
            words[-1]+=$part
        else
            words+=("$part")
        fi
        if [[ $part == *[=:] ]]; then glued=yes; else glued=no; fi
    done
    word=${words[-1]}
    typed=$word
    [ ${#words[@]} = 1 ] || before=${words[-2]}
    if [[ $before == *[\<\>] ]]; then
        compopt -o default
        return
    fi
    if [ ${#words[@]} = 1 ]; then
        _nmt_words "$_nmt_commands --help --version"
        return
    fi
    if [[ $word == --*=* ]]; then
        before=${word%%=*}
        word=${word#*=}
    fi
    case ${words[0]} in
@commands@
    esac
    if [ -n "$argument" ]; then
        _nmt_argument "$argument"
    elif [[ $word == -* || -z $bare ]]; then
        _nmt_words "$options"
    else
        _nmt_argument "$bare"
    fi
    # Before a reply stands what is typed of the word already, but for what bash has cut off.
    [[ $COMP_WORDBREAKS != *=* ]] || breaks+='='
    [[ $COMP_WORDBREAKS != *:* ]] || breaks+=':'
    [ -z "$breaks" ] || cut=${typed%"${typed##*[$breaks]}"}
    for i in "${!COMPREPLY[@]}"; do
        part=${typed%"$word"}${COMPREPLY[i]}
        COMPREPLY[i]=${part#"$cut"}
    done
}

complete -F _nmt nmt
