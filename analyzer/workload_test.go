package analyzer

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAnItemSaysWhatItsPodBelongsTo(t *testing.T) {
	pod := func(name, ownerKind, owner, kind, workload string, basis evidence.WorkloadBasis) evidence.Pod {
		return evidence.Pod{Namespace: "shop", Name: name, Owner: evidence.Owner{Kind: ownerKind, Name: owner},
			Workload: evidence.Workload{Kind: kind, Name: workload, Basis: basis}}
	}
	s := &evidence.Snapshot{Pods: []evidence.Pod{
		pod("web-7c5d9f6b4-q8zlm", "ReplicaSet", "web-7c5d9f6b4", "deployment", "web", evidence.WorkloadLabel),
		pod("db-0", "StatefulSet", "db", "statefulset", "db", evidence.WorkloadOwners),
		pod("etcd-n1", "Node", "n1", "static-pod", "etcd", evidence.WorkloadOwners),
		pod("import-28911234-xv7hn", "Job", "import-28911234", "cronjob", "import", evidence.WorkloadOwners),
		pod("alone", "", "", "pod", "alone", evidence.WorkloadOwners),
		{Namespace: "shop", Name: "bare"},
	}}
	w := newWorkloads(s)
	for name, test := range map[string]struct {
		item       report.Item
		pod        *evidence.Pod
		want, from string
		text       string
	}{
		"the API server's owners": {report.Item{Pod: "db-0"},
			&s.Pods[1], "statefulset/db", report.FromOwners, "statefulset/db"},
		"a label": {report.Item{Pod: "web-7c5d9f6b4-q8zlm"},
			&s.Pods[0], "deployment/web", report.FromLabel, "deployment/web (by label)"},
		"a pod without a controller": {report.Item{Pod: "alone"}, &s.Pods[4], "pod/alone", report.FromOwners, "pod/alone"},
		"an earlier pod of the same name": {report.Item{Pod: "db-0"},
			nil, "statefulset/db", report.FromName, "statefulset/db (by name)"},
		"another pod of the StatefulSet": {report.Item{Pod: "db-7"},
			nil, "statefulset/db", report.FromName, "statefulset/db (by name)"},
		"a pod that is gone of a known set": {report.Item{Pod: "web-7c5d9f6b4-zzzzz"},
			nil, "deployment/web", report.FromName, "deployment/web (by name)"},
		"a pod that is gone of an older set": {report.Item{Pod: "web-5b7d4c9f68-lk2vp"},
			nil, "deployment/web", report.FromName, "deployment/web (by name)"},
		"a pod that is gone of an older job": {report.Item{Pod: "import-28911111-xv7hn"},
			nil, "cronjob/import", report.FromName, "cronjob/import (by name)"},
		"a static pod of another node": {report.Item{Pod: "etcd-n2", Node: "n2"},
			nil, "static-pod/etcd", report.FromName, "static-pod/etcd (by name)"},
		"a number does not make a deployment's": {report.Item{Pod: "web-3"}, nil, "web", report.FromName, "web (by name)"},
		"a node's name is no controller's":      {report.Item{Pod: "n1-b7x2k"}, nil, "n1", report.FromName, "n1 (by name)"},
		"a name that nothing else has": {report.Item{Pod: "cache-b7x2k"},
			nil, "cache", report.FromName, "cache (by name)"},
		"a pod that tells nothing of its owners": {report.Item{Pod: "bare"},
			&s.Pods[5], "bare", report.FromName, "bare (by name)"},
		"no pod at all": {report.Item{}, nil, "", "", ""},
		"the same name in another namespace": {report.Item{Pod: "db-7", Namespace: "other"},
			nil, "db", report.FromName, "db (by name)"},
	} {
		t.Run(name, func(t *testing.T) {
			it := test.item
			if it.Namespace == "" {
				it.Namespace = "shop"
			}
			w.fill(&it, &timeline.Restart{Pod: test.pod})
			if it.Workload != test.want || it.WorkloadFrom != test.from || it.WorkloadText() != test.text {
				t.Errorf("%q from %q, shown as %q", it.Workload, it.WorkloadFrom, it.WorkloadText())
			}
		})
	}
}
