#!/usr/bin/env bash
# Builds the site from docs/ in a directory: build.sh DIR; the pages are in DIR/public. It needs node and npm. The
# generator and all of its modules are those of package-lock.json.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
rm -rf "$1/docs" "$1/public"
cp -R "$source/hack/site/." "$source/docs" "$1"
cd "$1"
npm ci --no-audit --no-fund --loglevel=error
RESTARTWHY_SOURCE=$source npx --no-install vitepress build
