package dataset

import (
	"cmp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// shortKinds are kubectl's short names, where a kind has one.
var shortKinds = map[string]string{
	"deployment": "deploy", "replicaset": "rs", "statefulset": "sts", "daemonset": "ds",
	"cronjob": "cj", "replicationcontroller": "rc",
}

// workloadName names a group of items: shop/web (deploy). The name comes first, since a narrow column cuts the end. A
// workload whose kind is known is one group, regardless of the basis for each of its pods; a name that was only derived
// from a pod's is marked.
func workloadName(it *report.Item) string {
	kind, name, ok := strings.Cut(it.Workload, "/")
	if !ok {
		kind, name = "by name", cmp.Or(it.Workload, it.Pod)
	}
	return it.Namespace + "/" + name + " (" + cmp.Or(shortKinds[kind], kind) + ")"
}
