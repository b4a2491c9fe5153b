package podref

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestReferencesOfEverySpelling(t *testing.T) {
	for in, want := range map[string]evidence.Subject{
		"s/p":             {Namespace: "s", Pod: "p"},
		"p_s(u)":          {Namespace: "s", Pod: "p", PodUID: "u"},
		"p.a-b_s(u)":      {Namespace: "s", Pod: "p.a-b", PodUID: "u"},
		"p_s(u):Deletion": {Namespace: "s", Pod: "p", PodUID: "u"},
		"p_s":             {Namespace: "s", Pod: "p"},
		"p":               {Pod: "p"},
		"":                {},
	} {
		if diff := cmp.Diff(want, Pod(in)); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
	for in, want := range map[string]string{
		"containerd://abc": "abc", "docker://abc": "abc", "abc": "abc", "{Type:containerd ID:abc}": "abc",
		`{"Type":"containerd","ID":"abc"}`: "abc", `{"docker" "abc"}`: "abc", "{": "", "": "",
	} {
		if got := ContainerID(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]int{
		`["s/p","x/q"]`: 2, "[s/p x/q]": 2, "p_s(u), q_x(v)": 2, "[]": 0, "": 0, `["alone"]`: 0, "p_s(u)": 1,
	} {
		if got := Pods(in); len(got) != want {
			t.Errorf("%q: %+v", in, got)
		}
	}
}
