package apiobject_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// One field that cannot be read costs itself, and what its absence would say.
func TestAPodWithAFieldThatCannotBeRead(t *testing.T) {
	const base = `{"kind":"Pod","metadata":{"name":"web-0","uid":"u1"},"spec":{"nodeName":"n1","containers":[{"name":"app",
		"resources":{"limits":{"memory":"256Mi"}}}]},"status":{"phase":"Running","startTime":"2026-11-20T08:00:00Z",
		"containerStatuses":[{"name":"app","restartCount":4}]}}`
	for name, c := range map[string]struct {
		from, to, gap string
		refused, spec bool
	}{
		"as it was":         {spec: true},
		"a count in quotes": {from: `"restartCount":4`, to: `"restartCount":"4"`, spec: true},
		"a time that is none": {from: "2026-11-20T08:00:00Z", to: "soon",
			gap: "left out status.startTime:", spec: true},
		"a limit that is none": {from: "256Mi", to: "256mi",
			gap: "left out spec.containers.0.resources.limits.memory:"},
		"a spec that somebody left out": {from: `"spec":{`, to: `"spec":"...","was":{`, gap: "left out spec:"},
		"a deletion at an unread time": {from: `"uid":`, to: `"deletionTimestamp":"soon","uid":`,
			refused: true, gap: "item 0"},
	} {
		t.Run(name, func(t *testing.T) {
			raw := strings.Replace(base, c.from, c.to, 1)
			if c.from == "" {
				raw = base
			}
			s := objecttest.Observed([]evidence.RawEvidence{apiobject.Decode(
				[]evidence.File{evidence.Bytes("pods.json", []byte(raw))}, apiobject.Hasher{})}, nil)
			if gaps := fmt.Sprint(s.Gaps); len(s.Gaps) > 0 != (c.gap != "") || !strings.Contains(gaps, c.gap) {
				t.Errorf("gaps %s, want %q", gaps, c.gap)
			}
			if c.refused {
				if len(s.Pods) != 0 {
					t.Errorf("pods %+v", s.Pods)
				}
				return
			}
			if len(s.Pods) != 1 || (s.Pods[0].Node != "n1") != (c.gap == "left out spec:") ||
				(len(s.Pods[0].Containers) > 0) != c.spec ||
				(s.Pods[0].RestartPolicy == "Always") != c.spec {
				t.Errorf("pods %+v, want a spec: %t", s.Pods, c.spec)
			}
		})
	}
}

// A pod whose spec was lost, and a node that lost a label, are not compared: they would not fit each other.
func TestWhatIsComparedIsWhole(t *testing.T) {
	const base = `{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"u1"},"spec":{
		"nodeName":"n1","nodeSelector":{"disk":"ssd"},"tolerations":[{"key":"gpu","operator":"Exists"}],"containers":[{
		"name":"app","resources":{"limits":{"memory":"256Mi"}}}]}},{"kind":"Node","metadata":{"name":"n1",
		"labels":{"os":"linux","disk":"ssd"}},"spec":{"taints":[{"key":"gpu","effect":"NoExecute"}]}}]}`
	for name, c := range map[string]struct {
		from, to string
		compared bool
	}{
		"as it was":                    {"web-0", "web-1", true},
		"a limit that is none":         {"256Mi", "256mi", false},
		"a label of the node, no text": {`"linux","disk":"ssd"`, `"linux","disk":["ssd"]`, false},
	} {
		s := objecttest.Observed([]evidence.RawEvidence{apiobject.Decode([]evidence.File{evidence.Bytes("all.json",
			[]byte(strings.Replace(base, c.from, c.to, 1)))}, apiobject.Hasher{})}, nil)
		if len(s.Pods) != 1 {
			t.Fatalf("%s: %+v", name, s.Pods)
		}
		if r := s.Pods[0].Readmission; (r != nil) != c.compared || r != nil && len(r.Unmatched)+len(r.Untolerated) > 0 {
			t.Errorf("%s: %+v, want one: %t", name, r, c.compared)
		}
	}
}
