// Kubectl-restartwhy names the root cause of every Kubernetes container restart
// and says how that is known. kubectl runs it as `kubectl restartwhy`.
//
// # Usage
//
//	kubectl restartwhy [POD | TYPE/NAME … | -f FILE] [-n NS | -A] [-l SELECTOR] [-c CONTAINER] [--since 24h] [--cause ID]
//	kubectl restartwhy node NODE…             everything that restarted there
//	kubectl restartwhy collect [same scope] -o FILE.tar.zst
//	kubectl-restartwhy collect --local -o FILE.tar.zst      on a node, as root
//	kubectl restartwhy analyze PATH…          bundles, logs, directories of them, - for standard input
//	kubectl restartwhy replay POD             the kubelet's decision, branch by branch
//	kubectl restartwhy hash -f POD.yaml       the hash of every container, per kubelet version
//	kubectl restartwhy explain [CAUSE | 137 | OOMKilled | 'MESSAGE' | -]    the catalogue, or what your words mean
//	kubectl restartwhy demo [POD]             a recorded real incident
//	kubectl restartwhy version | completion
//
// The report is printed as -o table, wide, json, yaml, name, markdown, html,
// prometheus, jsonpath=… or go-template=…; docs/REPORT.md describes each.
//
// Every kubectl connection flag works. What may be piped goes to standard
// output; errors, notes and progress go to standard error.
//
// # Exit codes
//
//	0  done, whatever was found
//	1  an error; one line "error: <operation> <object>: <why>", then hints
//	2  wrong usage
//	3  --fail-on matched
//
// # Limitations
//
//   - The API server keeps one earlier instance of each container, and events for
//     an hour by default. What was before that needs logs.
//   - Logs of a node are read through the node log query API, which is off unless
//     the kubelet's enableSystemLogQuery is set, and which needs get on
//     nodes/proxy. Without it: `--evidence pod` (a short-lived pod on the node, see
//     docs/RBAC.md), `collect --local` on the node, or a log file.
//   - Recorded evidence keeps no labels, so -l needs a cluster.
//   - Kubelets newer than the newest modelled minor are treated as that one; the
//     report's profile says so.
package main
