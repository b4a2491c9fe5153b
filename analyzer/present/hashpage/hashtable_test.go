package hashpage

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// plainText returns a page as linear text.
func plainText(blocks []document.Block) string {
	var b strings.Builder
	for _, l := range layout.Lay(blocks, layout.Options{Bullet: "-"}).Lines {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}

func TestLargeNumbersAreRounded(t *testing.T) {
	for n, want := range map[uint64]string{1: "1", 999: "999", 1000: "1.0 thousand",
		31_814_572: "31.8 million", 1 << 32: "4.3 billion"} {
		if got := rounded(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestAnInstanceIsNamedByWhatIsKnownOfIt(t *testing.T) {
	attempt, at := 3, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for want, a := range map[string]report.Provenance{
		"app":                                 {Container: "app", Kind: "app"},
		"app (sidecar): stored hash 1":        {Container: "app", Kind: "sidecar", Hash: "1"},
		"app, instance 0123, attempt 3":       {Container: "app", Kind: "app", ContainerID: "0123", Attempt: &attempt},
		"app, instance 0123456789ab":          {Container: "app", Kind: "app", ContainerID: "0123456789abcdef"},
		"app, created 2026-03-01T10:00:00Z":   {Container: "app", Kind: "app", Created: &at},
		"app: stored hash 1 by kubelet v1.31": {Container: "app", Kind: "app", Hash: "1", Kubelet: "v1.31"},
	} {
		if got := hashInstance(&a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestHashTablesConclude(t *testing.T) {
	base := func() *report.HashListing {
		return &report.HashListing{Items: []report.HashItem{item("v1.30", "a1", 1), item("v1.31", "b2", 1)}}
	}
	for name, test := range map[string]struct {
		mutate   func(*report.HashListing)
		want, no []string
	}{
		"every container": {func(h *report.HashListing) {
			h.Items = append([]report.HashItem{item("v1.15", "0", 1), item("v1.16", "a1", 1)}, h.Items...)
		}, []string{"  - v1.30 → v1.31 changes the hash of every container\n  - v1.15 → v1.16 changes the hash of every container\n",
			"without a drain"}, []string{"API server"}},
		"many containers": {func(h *report.HashListing) {
			h.Items = []report.HashItem{item("v1.30", "a", 11), item("v1.31", "a", 11)}
			for n, name := range strings.Split("a b c d e f g h i j", " ") {
				was, is := item("v1.30", "a", n+1), item("v1.31", "b", n+1)
				was.Container, is.Container = name, name
				h.Items = append(h.Items, was, is)
			}
		}, []string{"changes the hash of a, b, c, d, e, f, g, h, 2 more\n"}, nil},
		"no step": {func(h *report.HashListing) { h.Items[1].Hash = "a1" },
			[]string{"No step between these versions changes a hash"}, []string{"without a drain"}},
		"one version": {func(h *report.HashListing) { h.Items = h.Items[:1] },
			[]string{"app         app    1.30      a1\n"}, []string{"step"}},
		"the container is named once": {func(*report.HashListing) {},
			[]string{"app         app    1.30      a1\n                   1.31      b2\n"}, nil},
		"a manifest without defaults": {func(h *report.HashListing) { h.Undefaulted = true },
			[]string{"Kubelets up to v1.30 also hash what the API server sets by default", "kubectl get pod POD -o yaml"}, nil},
		"a manifest for kubelets that need no defaults": {func(h *report.HashListing) {
			h.Undefaulted, h.Items = true, h.Items[1:]
		}, nil, []string{"API server"}},
		"a pod": {func(h *report.HashListing) {
			h.Pod, h.Namespace, h.Node, h.NodeKubelet = "web-0", "shop", "n1", "v1.31.0"
			h.Stored = []report.Provenance{{Container: "app", Kind: "app", Hash: "a1",
				Sentence: "made by it", MadeBy: []report.HashMaker{{}}, OneIn: 1 << 29, Tried: 8, Notes: []string{"n"},
				Difference: []report.HashDifference{{Field: "env", Then: "set", Now: "not set"}}}}
		}, []string{"Pod shop/web-0 on n1, kubelet v1.31.0\n", "app: stored hash a1\n",
			"Made by it.\n", "then env: set, now: not set", "note: n",
			"A chance match is one in 536.9 million: 8 hashes were compared."}, nil},
		"nothing found": {func(h *report.HashListing) {
			h.Stored = []report.Provenance{{Container: "app", Kind: "app", Sentence: "x", OneIn: 5}}
		}, nil, []string{"chance"}},
		"no instance": {func(h *report.HashListing) { h.Stored = []report.Provenance{} },
			[]string{"No instance of its containers is known."}, nil},
		"no spec": {func(h *report.HashListing) { h.Stored, h.Items = []report.Provenance{}, nil },
			[]string{"The evidence does not show what these versions store for the present spec."}, nil},
	} {
		h := base()
		test.mutate(h)
		text := plainText(Table(h, false))
		for _, w := range test.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", name, w, text)
			}
		}
		for _, w := range test.no {
			if strings.Contains(text, w) {
				t.Errorf("%s: %q in\n%s", name, w, text)
			}
		}
	}
	if text := plainText(Table(base(), true)); !strings.Contains(text, "HASH   DECIMAL   ALGORITHM") {
		t.Errorf("wide: %s", text)
	}
}

func item(version, hash string, place int) report.HashItem {
	return report.HashItem{Container: "app", Kind: "app", Kubelet: version, Hash: hash, Algorithm: "x", Place: place}
}

func TestReadinessReadsLikeAStory(t *testing.T) {
	r := &report.Replay{Pod: "p", Namespace: "n", Decision: report.Decision{Kubelet: "v1.12"},
		Readiness: []report.ReplayReadiness{
			{Container: "app", If: "the first status is early",
				Status: []report.ReplayStatus{{When: "in the first status", Why: "no worker yet", Ready: true, Started: true},
					{When: "then", Why: "no result yet", Started: true}}},
			{Container: "app", Status: []report.ReplayStatus{{When: "then", Why: "no startup result"}}},
		}}
	text := plainText(present.Replay(r))
	want := `What the status shows after the kubelet's start (the containers keep running)
  - app, if the first status is early
    in the first status: ready (no worker yet)
    then: not ready (no result yet)
  - app
    then: not started, not ready (no startup result)
`
	if !strings.Contains(text, want) {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
	if r.Readiness = nil; strings.Contains(plainText(present.Replay(r)), "status says") {
		t.Error("a heading without a status")
	}
}

func TestTheOutcomeOfAReplayComesFirst(t *testing.T) {
	seven, at := 7, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for want, r := range map[string]report.Replay{
		"nothing: every container stays as it is":                          {},
		"the whole pod is killed and gets no new sandbox":                  {KillPod: true},
		"the whole pod is killed and gets a new sandbox":                   {KillPod: true, CreateSandbox: true},
		"nothing is started and nothing is stopped":                        {NoNetwork: true},
		"the pod is rejected: it fails, its running containers are killed": {Refused: true, KillPod: true},
		"kill a: Container a failed liveness probe": {
			Kill: []report.ReplayKill{{Container: "a", Message: "Container a failed liveness probe"}}},
		"start container a, restart count 7, not before 2026-03-01T10:00:00Z": {
			Start: []report.ReplayStart{{Kind: "container", Container: "a", RestartCount: &seven, NotBefore: &at}}},
		"decided by kubelet v1.40 (modelled as v1.37, the newest that is known)": {Extrapolated: true,
			Decision: report.Decision{Kubelet: "v1.40", ModelledAs: "v1.37"}},
		"yes  Is it? · because\n         → It is killed.": {
			Decision: report.Decision{Branches: []report.Branch{{Function: "f",
				Question: "Is it?", Answer: true, Fact: "because", Then: "It is killed."}}}},
	} {
		if text := plainText(present.Replay(&r)); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
