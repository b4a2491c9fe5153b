package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTargetsAreReadAsKubectlReadsThem(t *testing.T) {
	cases := map[string]string{
		"web-0":                  "pod/web-0",
		"pod/web-0 po/web-0":     "pod/web-0",
		"deploy/web sts/db":      "deployment/web statefulset/db",
		"Deployments.apps/web":   "deployment/web",
		"pods web-0 web-1":       "pod/web-0 pod/web-1",
		"cj backup":              "cronjob/backup",
		"deploy":                 "pod/deploy", // alone it is a pod's name
		"ds/agent rs/x job/once": "daemonset/agent replicaset/x job/once",
		"":                       "",
		"pods":                   "", // all of them
		"svc/front Services/b":   "service/front service/b",
	}
	for in, want := range cases {
		got, _, err := parseTargets(strings.Fields(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
		}
		var all []string
		for _, g := range got {
			all = append(all, g.String())
		}
		if strings.Join(all, " ") != want {
			t.Errorf("%q → %v, want %s", in, all, want)
		}
	}
}

func TestNodesAreAScopeOfTheirOwn(t *testing.T) {
	for in, want := range map[string]string{
		"node/n2 no/n1 nodes/n1": "n1 n2", "node n1": "n1", "nodes n2 n1": "n1 n2", "node": "", "pod/node": "",
	} {
		_, nodes, err := parseTargets(strings.Fields(in))
		if err != nil || strings.Join(nodes, " ") != want {
			t.Errorf("%q → %v, %v, want %s", in, nodes, err, want)
		}
	}
	if _, errs, code := run(t, "node/n1", "pod/web-0"); code != exitUsage ||
		!strings.Contains(errs, "not both: node/n1 beside pod/web-0") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestWrongTargetsAreUsageErrors(t *testing.T) {
	for in, want := range map[string]string{
		"shop/web-0": "unknown type", "pod/": "want POD or TYPE/NAME", "pod/a/b": "want POD or TYPE/NAME",
		"/x": "unknown type",
	} {
		_, _, err := parseTargets([]string{in})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
		if fs := failures(err); len(fs) == 0 || fs[0].code != exitUsage && fs[len(fs)-1].code != exitUsage {
			t.Errorf("%q is no usage error", in)
		}
	}
}

func pod(namespace, name, uid, ownerKind, owner string) evidence.Pod {
	return evidence.Pod{Namespace: namespace, Name: name, UID: uid, Owner: evidence.Owner{Kind: ownerKind, Name: owner}}
}

func TestKeepFollowsTheQuestion(t *testing.T) {
	snap := &evidence.Snapshot{Pods: []evidence.Pod{
		pod("shop", "web-5d6-abc", "u1", "ReplicaSet", "web-5d6"),
		pod("shop", "web-0", "u2", "StatefulSet", "web"),
		pod("other", "db-0", "u3", "StatefulSet", "db"),
		pod("shop", "backup-29-xyz", "u4", "Job", "backup-29"),
	}}
	all := []struct{ namespace, pod, uid string }{
		{"shop", "web-5d6-abc", "u1"}, {"shop", "web-0", "u2"}, {"other", "db-0", "u3"}, {"shop", "backup-29-xyz", "u4"},
		{"shop", "web-0", "old"}, // an earlier pod of this name, which only a log knows
		{"shop", "gone-5d6-abc", "u9"},
	}
	cases := map[string]struct {
		scope scope
		live  bool
		want  string
	}{
		"everything":              {scope{}, false, "no filter"},
		"one namespace":           {scope{namespace: "shop"}, true, "u1 u2 u4 old u9"},
		"a pod, also an old one":  {scope{namespace: "shop", targets: []target{{"pod", "web-0"}}}, true, "u1 u2 u4 old"},
		"a recorded pod":          {scope{targets: []target{{"pod", "web-0"}}}, false, "u2 old"},
		"a recorded deployment":   {scope{targets: []target{{"deployment", "web"}}}, false, "u1"},
		"a recorded stateful set": {scope{targets: []target{{"statefulset", "web"}}}, false, "u2 old"},
		"a recorded cron job":     {scope{targets: []target{{"cronjob", "backup"}}}, false, "u4"},
		"a deployment in logs":    {scope{targets: []target{{"deployment", "gone"}}}, false, "u9"},
		"another namespace":       {scope{namespace: "empty"}, false, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := snap
			if c.live { // a live snapshot holds only what was asked for
				s = &evidence.Snapshot{Pods: slices.DeleteFunc(slices.Clone(snap.Pods),
					func(p evidence.Pod) bool { return p.Namespace == "other" })}
			}
			keep := c.scope.keep(s, c.live)
			var got []string
			if keep == nil {
				keep, got = func(_, _, _ string) bool { return false }, []string{"no filter"}
			}
			for _, p := range all {
				if keep(p.namespace, p.pod, p.uid) {
					got = append(got, p.uid)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("kept %v, want %s", got, c.want)
			}
		})
	}
}
