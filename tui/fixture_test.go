package tui

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
)

// fixture reads the report that all tests look at.
func fixture(t testing.TB) *report.Report {
	t.Helper()
	return sample.Report()
}

// details tells short stories about whatever is in a report.
type details struct{ r *report.Report }

func (t details) ItemDetail(id string) (*report.ItemDetail, error) {
	for i := range t.r.Items {
		it := &t.r.Items[i]
		if it.ID != id {
			continue
		}
		if it.Time == nil || it.Kind == report.Refused {
			return nil, fmt.Errorf("tell story of %s: nothing about it has a time", id)
		}
		end, start := *it.Time, it.Time.Add(-10*time.Minute)
		return &report.ItemDetail{
			Item: id,
			Activity: report.Activity{Start: &start, End: &end, Lanes: []report.Lane{
				{Kind: report.LaneInstance, Name: it.Container,
					Spans: []report.Span{{From: &start, To: &end, Text: "attempt 0: exit code 137",
						Bad: true, Evidence: []string{"e1"}}}},
				{Kind: report.LaneKubelet, Name: "kubelet", Marks: []report.Mark{
					{At: start.Add(time.Minute), Text: "gets ADD for the pod", Evidence: []string{"s1"}},
					{At: end, Text: "decides to kill the container", Decisive: true, Evidence: []string{"e2", "s2"}},
				}}},
				Evidence: []report.Evidence{{ID: "s1", Source: report.Source{Kind: "kubelet-log", Node: it.Node},
					Text: "SyncLoop ADD"}, {ID: "s2", Statement: "kubelet.kill-decided"}},
			},
			Decision: &report.Decision{
				Kubelet: "v1.31.0", ModelledAs: "v1.31", Outcome: "kill and create container " + it.Container, Agrees: true,
				Branches: []report.Branch{
					{Function: "PodSandboxChanged", File: "runtime/util.go", Question: "has the pod no sandbox?", Fact: "1 sandbox"},
					{Function: "computePodActions", File: "kuberuntime_manager.go", Container: it.Container,
						Question: "has its definition changed?", Answer: true, Fact: "the hash differs", Then: "kill"},
				},
			},
			Hashes: &report.HashListing{
				Stored: []report.Provenance{
					{Container: it.Container, Kind: "app", Hash: "c87f01d2", Kubelet: "v1.30.14", Evidence: []string{"e1"},
						Sentence: "computed by a v1.16–1.30 kubelet from the present spec", MadeBy: []report.HashMaker{{}},
						OneIn: 1 << 30, Tried: 4},
					{Container: it.Container, Kind: "app", Hash: "5d6b02aa", Kubelet: "v1.31.0",
						Sentence: "computed by a v1.31 or later kubelet from this name and image, and it hashes nothing else"},
				},
				Items: []report.HashItem{
					{Container: it.Container, Kind: "app", Kubelet: "v1.30", Algorithm: "fnv32a-json", Hash: "c87f01d2", Place: 1},
					{
						Container: it.Container,
						Kind:      "app",
						Kubelet:   "v1.31",
						Algorithm: "fnv32a-name-image",
						Hash:      "5d6b02aa",
						Place:     1,
					},
				},
			},
		}, nil
	}
	return nil, errors.New("tell story of " + id + ": no such item")
}

func (t details) NodeDetail(name string) (*report.NodeDetail, error) {
	if name == "n1" {
		return nil, errors.New("tell story of node n1: nothing of it was collected")
	}
	start := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	end := start.Add(time.Hour)
	return &report.NodeDetail{
		Node: name, KubeletVersion: "v1.31.0", Runtime: "containerd 1.7.13",
		Kernel: "6.8.0", OS: "Debian GNU/Linux 12",
		Activity: report.Activity{Start: &start, End: &end,
			Lanes: []report.Lane{{Kind: report.LaneKubelet, Name: "kubelet", Spans: []report.Span{
				{To: &end, Text: "v1.30.14", Evidence: []string{"n1"}}, {From: &end, Text: "v1.31.0"},
			}}},
			Evidence: []report.Evidence{{ID: "n1", Source: report.Source{Kind: "kubelet-log", Node: name, Where: "kubelet.log"},
				Text: "cgroup driver of the CRI is systemd"}},
		},
		Settings: []string{"cgroupDriver: systemd", "failSwapOn: true"},
		Notes: []report.NodeNote{{Node: name, Text: "kubelet and runtime use different cgroup drivers",
			Hint: "set both to systemd", Evidence: []string{"n1"}}},
	}, nil
}

// Neighbors makes up neighbours; the last one is long.
func (t details) Neighbors(id string, n int) ([]report.Evidence, error) {
	if id == "e3" {
		return nil, errors.New("show lines around e3: its file is gone")
	}
	at := time.Date(2026, 11, 21, 8, 42, 0, 0, time.UTC)
	var out []report.Evidence
	for i := -n; i <= n; i++ {
		e := report.Evidence{ID: fmt.Sprintf("%s.%d", id, i), Time: new(at.Add(time.Duration(i) * 250 * time.Millisecond)),
			Source: report.Source{Kind: "kubelet-log", Node: "n3"}, Text: fmt.Sprintf("line %d", i)}
		switch i {
		case 0:
			e.ID, e.Text = id, "the line itself"
		case n:
			e.Text = fmt.Sprintf("a long line %0300d", i)
		}
		out = append(out, e)
	}
	return out, nil
}

const causePage = "# oom-container-limit: The container exceeded its own memory limit\n\n## What happened\nIt used **more** memory than `limits.memory`.\n\n" +
	"- first, the kernel\n- then the kubelet\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nkubectl get pods\n```\n"

// options are all that a viewer can be given.
func options(r *report.Report) Options {
	return Options{
		Report: r, Details: details{r},
		Causes: []Cause{{ID: "liveness-probe-failed", Title: "The liveness probe failed and the kubelet killed the container"},
			{ID: "oom-container-limit", Title: "The container exceeded its own memory limit"},
			{ID: "unknown", Title: "The evidence does not show the cause"}},
		Explain: func(id string) string {
			if id == "oom-container-limit" {
				return causePage
			}
			return ""
		},
		CannotSave: "nothing to save: this already comes from a recording",
	}
}
