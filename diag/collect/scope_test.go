package collect

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

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
		scope Scope
		live  bool
		want  string
	}{
		"everything":              {Scope{}, false, "no filter"},
		"one namespace":           {Scope{Namespace: "shop"}, true, "u1 u2 u4 old u9"},
		"a pod, also an old one":  {Scope{Namespace: "shop", Targets: []Target{{"pod", "web-0"}}}, true, "u1 u2 u4 old"},
		"a recorded pod":          {Scope{Targets: []Target{{"pod", "web-0"}}}, false, "u2 old"},
		"a recorded deployment":   {Scope{Targets: []Target{{"deployment", "web"}}}, false, "u1"},
		"a recorded stateful set": {Scope{Targets: []Target{{"statefulset", "web"}}}, false, "u2 old"},
		"a recorded cron job":     {Scope{Targets: []Target{{"cronjob", "backup"}}}, false, "u4"},
		"a deployment in logs":    {Scope{Targets: []Target{{"deployment", "gone"}}}, false, "u9"},
		"another namespace":       {Scope{Namespace: "empty"}, false, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := snap
			if c.live { // a live snapshot holds only what was asked for
				s = &evidence.Snapshot{Pods: slices.DeleteFunc(slices.Clone(snap.Pods),
					func(p evidence.Pod) bool { return p.Namespace == "other" })}
			}
			keep := c.scope.Keep(s, c.live)
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
