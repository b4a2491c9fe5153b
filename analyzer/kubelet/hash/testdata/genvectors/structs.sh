#!/bin/sh
# Writes ../structvectors.tsv: the hash of each container of ../corpus.jsonl for every minor of the struct eras, computed
# with that minor's own types. Needs the Go module proxy; nothing else in the repository needs this.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../sources.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/types"
cp "$here/structcolumn/main.go" "$work/"
cat >"$work/go.mod" <<-EOM
	module column
	go 1.21
	require (
		github.com/davecgh/go-spew v1.1.1
		k8s.io/apimachinery v0.16.15
	)
EOM
go build -o "$work/cut" "$here/types"
struct_sources | while IFS='=' read -r minor file; do
	"$work/cut" "$file" >"$work/types/types.go"
	(cd "$work" && go build -mod=mod -o column .)
	sum=fnv32a
	if [ "$minor" = 5 ]; then sum=adler32; fi
	"$work/column" "1.$minor" $sum <"$here/../corpus.jsonl" >"$work/column-$((100 + minor))"
done
paste "$work"/column-* >"$here/../structvectors.tsv"
