#!/bin/sh
# Writes ../../zz_generated_structs.go. Needs the Go module proxy; nothing else in the repository needs this.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../sources.sh"
# shellcheck disable=SC2046 # one argument a line, none with a space
go run "$here" $(struct_sources) >"$here/structs.tmp"
mv "$here/structs.tmp" "$here/../../zz_generated_structs.go"
