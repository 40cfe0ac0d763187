# Completion of `hermes kata …` for fish:  hermes kata completion fish | source
# Verbs, options and fixed words stand here; it fails where only Kata knows: ids, names, values.
function __hermes_kata_known
    switch $argv[1]
# offers
    end
    return 0
end
function __hermes_kata_offers
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l key ''
    if test (count $words) -ge 3
        set -l place -3
        for word in $words
            string match -q -- '-*' $word; or set place (math $place + 1)
        end
        set key "$words[3] $place"
        test "$words[-1]" = --kata; and set key --kata
        string match -q -- '-*' "$typed"; and set key "$words[3] -"
    end
    __hermes_kata_known "$key"; or hermes kata complete -- $words[3..-1] "$typed" 2>/dev/null
end
function __hermes_kata_here
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = kata
end
complete -c hermes -n __hermes_kata_here -f -a '(__hermes_kata_offers)'
