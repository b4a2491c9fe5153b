#!/usr/bin/env bash
# steps.sh TITLE COMMAND... runs the commands one after another, whatever becomes of each, and ends with the last line
# that each printed. The exit code is 0 only if all of them succeeded.
title=$1 good=0 last=
shift
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for command; do
	bash -c "$command" | tee "$said"
	failed=${PIPESTATUS[0]}
	[ "$failed" = 0 ] || { good=1 && echo "$command: exit $failed" > "$said"; }
	last+="; $(tail -n 1 "$said")"
done
echo "$title: ${last#; }"
exit "$good"
