# Completion of `hermes kata …` for fish:  hermes kata completion fish | source
function __hermes_kata_offers
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    hermes kata complete -- $words[3..-1] "$typed" 2>/dev/null
end
function __hermes_kata_here
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = kata
end
complete -c hermes -n __hermes_kata_here -f -a '(__hermes_kata_offers)'
