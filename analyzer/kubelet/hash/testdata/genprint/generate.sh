#!/bin/sh
# Writes ../../zz_generated_structs.go and ../../zz_generated_json.go. Needs the Go module proxy; nothing else in the
# repository needs this.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../sources.sh"
# shellcheck disable=SC2046 # one argument a line, none with a space
(
	cd "$here"
	go run . struct $(struct_sources) >"$here/print.tmp"
	mv "$here/print.tmp" "$here/../../zz_generated_structs.go"
	go run . json $(json_sources) >"$here/print.tmp"
	mv "$here/print.tmp" "$here/../../zz_generated_json.go"
)
