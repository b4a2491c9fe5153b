# Words for bash and zsh. kwhy web-0, kwhy deploy/web, kwhyall --since 2h
alias kwhy='kubectl restartwhy'
alias kwhyall='kubectl restartwhy -A'
alias kwhynode='kubectl restartwhy node'
alias kincidents='kubectl restartwhy incidents -A'
alias kexplain='kubectl restartwhy explain'
