#!/bin/sh
# Prints what changed from minor to minor in the types that a static pod's UID covers. Run it in the module's cache of
# k8s.io (go env GOMODCACHE)/k8s.io, with one release of k8s.io/kubernetes per minor downloaded and, from 1.15 on, of
# k8s.io/apimachinery of the same minor.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$(go env GOMODCACHE)/k8s.io"
args=
for minor in $(seq 5 37); do
	release=$(ls -d kubernetes@v1."$minor".* 2>/dev/null | sort -V | tail -1)
	[ -n "$release" ] || { echo "k8s.io/kubernetes 1.$minor is not in the module cache" >&2; exit 1; }
	core=$release/pkg/apis/core/types.go
	[ -f "$core" ] || core=$release/pkg/api/types.go
	meta=
	for file in "$release"/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go \
		"$(ls -d apimachinery@v0."$minor".* 2>/dev/null | sort -V | tail -1)"/pkg/apis/meta/v1/types.go \
		"$release"/pkg/api/unversioned/types.go; do
		if [ -f "$file" ]; then
			meta=$file
			break
		fi
	done
	[ -n "$meta" ] || { echo "k8s.io/apimachinery of 1.$minor is not in the module cache" >&2; exit 1; }
	args="$args 1.$minor=$core,$meta"
done
program=$(mktemp)
trap 'rm -f "$program"' EXIT
(cd "$here" && go build -o "$program" .)
# shellcheck disable=SC2086 # one word per minor
"$program" $args
