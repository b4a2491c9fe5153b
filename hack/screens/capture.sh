#!/usr/bin/env bash
# Takes docs/screens again: the viewer of the recorded incident, in a real terminal
# (tmux), one text and one picture of each screen. Keys are typed as a reader would.
set -euo pipefail
bin=$1 out=$2 draw=$3
server="restartwhy-screens-$$"
tm() { tmux -L "$server" "$@"; }
frames=$(mktemp -d)
trap 'tm kill-server 2>/dev/null || true; rm -rf "$frames"' EXIT

# appears TEXT waits until the screen shows it.
appears() {
  for _ in $(seq 200); do
    if tm capture-pane -p | grep -qF -- "$1"; then return; fi
    sleep 0.1
  done
  echo "error: take screens: $1 does not appear" >&2
  tm capture-pane -p >&2
  exit 1
}

# shot NAME TITLE keeps what is on the screen.
shot() {
  sleep 0.5
  tm capture-pane -p | sed 's/ *$//' >"$out/$1.txt"
  tm capture-pane -e -p >"$frames/$1"
  "$draw" -title "$2" "$frames/$1" >"$out/$1.svg"
  echo "$1"
}

# back presses escape, and waits so that it is not read as the beginning of a sequence.
back() {
  tm send-keys Escape
  sleep 0.6
}

mkdir -p "$out"
tm -f /dev/null new-session -d -x 120 -y 34 "env TERM=xterm-256color LANG=C.UTF-8 $bin demo"
appears 'restarts on n2'
shot incidents 'kubectl restartwhy demo'
tm send-keys Enter
appears 'steady-pair/worker'
shot incident 'one upgrade, ten containers'
tm send-keys Enter
appears '[1 Verdict]'
shot verdict 'one restart: the verdict'
tm send-keys Enter
appears 'In context'
shot evidence 'a piece of evidence between its neighbours'
back
tm send-keys Tab
appears '[2 Timeline]'
shot timeline 'the timeline around it'
tm send-keys Tab
appears '[3 Decision]'
shot decision "the kubelet's decision, branch by branch"
tm send-keys Tab
appears '[4 Hashes]'
shot hashes 'which spec under which kubelet made the stored hash'
tm send-keys N
appears '[1 Node]'
shot node 'the node'
back && back && back && back
tm send-keys 2
appears '[2 Restarts]'
tm send-keys b
sleep 0.5
shot restarts 'all restarts, grouped by cause'
tm send-keys 4
appears '[4 Causes]'
shot causes 'the catalogue of causes'
tm send-keys '?'
appears 'Confidence'
shot help 'help'

# The same screens as one picture that moves, for the README.
cd "$frames"
"$draw" -title 'kubectl restartwhy demo' -seconds 3.5 incidents incident verdict evidence timeline decision >tour.svg
cd - >/dev/null
mv "$frames/tour.svg" "$out/tour.svg"
echo tour
