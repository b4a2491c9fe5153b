package hashpage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestRunsJoinNeighbouringMinorsOnly(t *testing.T) {
	for name, test := range map[string]struct {
		items []report.HashItem
		want  []string
	}{
		"three minors agree": {[]report.HashItem{item("v1.30", "a", 1),
			item("v1.31", "a", 1), item("v1.32", "a", 1)}, []string{"1.30–1.32 a"}},
		"a change parts them": {[]report.HashItem{item("v1.29", "a", 1),
			item("v1.30", "a", 1), item("v1.31", "b", 1)}, []string{"1.29–1.30 a", "1.31 b"}},
		"what was not asked for is no part": {[]report.HashItem{item("v1.29", "a", 1), item("v1.31", "a", 1)},
			[]string{"1.29 a", "1.31 a"}},
		"patches stay apart": {[]report.HashItem{item("v1.30.1", "a", 1), item("v1.31.2", "a", 1)},
			[]string{"1.30.1 a", "1.31.2 a"}},
		"so do vendors' builds": {[]report.HashItem{item("v1.30", "a", 1), item("v1.31-eks-1", "a", 1)},
			[]string{"1.30 a", "1.31-eks-1 a"}},
		"containers of one hash stay apart": {[]report.HashItem{item("v1.30", "a", 1), item("v1.31", "a", 2)},
			[]string{"1.30 a", "1.31 a"}},
		"an order of one's own is kept": {[]report.HashItem{item("v1.31", "a", 1), item("v1.30", "a", 1)},
			[]string{"1.31 a", "1.30 a"}},
		"a hash that comes back is two runs": {[]report.HashItem{item("v1.29", "a", 1),
			item("v1.30", "b", 1), item("v1.31", "a", 1)}, []string{"1.29 a", "1.30 b", "1.31 a"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range hashRuns(test.items) {
				got = append(got, span(r.first.Kubelet, r.last.Kubelet, "")+" "+r.first.Hash)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStepsBetweenVersionsAreCompared(t *testing.T) {
	item := func(container, version, hash string, place int) report.HashItem {
		return report.HashItem{Container: container, Kubelet: version, Hash: hash, Place: place, Algorithm: "x"}
	}
	for name, test := range map[string]struct {
		items    []report.HashItem
		want     []step
		compared bool
	}{
		"one version":     {[]report.HashItem{item("a", "v1.30", "1", 1)}, nil, false},
		"nothing changes": {[]report.HashItem{item("a", "v1.30", "1", 1), item("a", "v1.31", "1", 1)}, nil, true},
		"all change": {[]report.HashItem{item("a", "v1.30", "1", 1), item("a", "v1.31", "2", 1),
			item("b", "v1.30", "3", 2), item("b", "v1.31", "4", 2)},
			[]step{{from: "v1.30", to: "v1.31", containers: []string{"a", "b"}, all: true}}, true},
		"one of two": {[]report.HashItem{item("a", "v1.30", "1", 1), item("a", "v1.31", "2", 1),
			item("b", "v1.30", "3", 2), item("b", "v1.31", "3", 2)},
			[]step{{from: "v1.30", to: "v1.31", containers: []string{"a"}}}, true},
		"versions in order": {[]report.HashItem{item("a", "v1.30", "1", 1), item("a", "v1.31", "2", 1),
			item("b", "v1.15", "3", 2), item("b", "v1.16", "4", 2)},
			[]step{{from: "v1.15", to: "v1.16", containers: []string{"b"}},
				{from: "v1.30", to: "v1.31", containers: []string{"a"}}}, true},
	} {
		got, compared := stepsOf(test.items)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(step{})); diff != "" || compared != test.compared {
			t.Errorf("%s: compared %v\n%s", name, compared, diff)
		}
	}
}
