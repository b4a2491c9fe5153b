#!/bin/sh
# Writes ../corpus.jsonl and ../vectors.tsv: containers, and the hash of each for every kubelet minor from 1.16 on,
# computed with that minor's own k8s.io/api types. Needs the Go module proxy; nothing else in the repository needs this.
#
# Minors up to 1.29 are built with Go 1.21, as their kubelets were: Go 1.22 changed how encoding/json writes a backspace.
# Late patches of 1.27 to 1.29 were built with Go 1.22, so 1.29 has a second column for those.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go run "$here/corpus/main.go" >"$here/../corpus.jsonl"

# column NUMBER HEADING KIND API_VERSION TOOLCHAIN
column() {
	dir=$work/src-$4-$5
	if [ ! -x "$dir/column" ]; then
		mkdir -p "$dir"
		cp "$here/column/main.go" "$dir/"
		cat >"$dir/go.mod" <<-EOF
			module column
			go 1.18
			require (
				github.com/davecgh/go-spew v1.1.1
				k8s.io/api $4
				k8s.io/apimachinery $4
			)
		EOF
		(cd "$dir" && GOTOOLCHAIN=$5 go build -mod=mod -o column .)
	fi
	"$dir/column" "$2" "$3" <"$here/../corpus.jsonl" >"$work/column-$1"
}

old=go1.21.13
new=local
n=100
while read -r minor version toolchain; do
	n=$((n + 1))
	column $n "1.$minor" json "$version" "$toolchain"
	if [ "$minor" -ge 27 ]; then
		column $((n + 100)) "1.$minor/without-resources" without-resources "$version" "$toolchain"
	fi
done <<EOF
16 v0.16.15 $old
17 v0.17.17 $old
18 v0.18.19 $old
19 v0.19.16 $old
20 v0.20.15 $old
21 v0.21.14 $old
22 v0.22.17 $old
23 v0.23.17 $old
24 v0.24.17 $old
25 v0.25.16 $old
26 v0.26.15 $old
27 v0.27.16 $old
28 v0.28.15 $old
29 v0.29.14 $old
30 v0.30.14 $new
EOF
column 150 "1.29/late" json v0.29.14 $new
column 151 "1.31" name-image v0.31.0 $new
column 152 "1.36" name-image v0.36.3 $new
paste "$work"/column-* >"$here/../vectors.tsv"
