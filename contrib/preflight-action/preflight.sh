#!/usr/bin/env bash
# Writes the prediction to the job's summary and ends with the plugin's exit code: 0, 3 if
# FAIL_ON matched, else an error. TO, SCOPE and FAIL_ON come from action.yml.
set -uo pipefail
read -ra scope <<<"${SCOPE:-}"
page=$(mktemp)
trap 'rm -f "$page"' EXIT
code=0
kubectl-restartwhy preflight --to="$TO" --fail-on="${FAIL_ON:-restart}" "${scope[@]}" -o markdown >"$page" || code=$?
if [ -s "$page" ]; then
  cat "$page" >>"$GITHUB_STEP_SUMMARY"
  head -n 1 "$page"
fi
exit "$code"
