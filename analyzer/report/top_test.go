package report_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestWhatToFixFirst(t *testing.T) {
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	at := func(hours, seconds int) *time.Time {
		t := from.Add(time.Duration(hours)*time.Hour + time.Duration(seconds)*time.Second)
		return &t
	}
	item := func(kind report.ItemKind, workload, node, cause string, hours, down int) report.Item {
		it := report.Item{
			Kind:      kind,
			Namespace: "shop",
			Pod:       workload + "-0",
			Workload:  workload,
			Node:      node,
			Time:      at(hours, 0),
			From:      &report.Instance{FinishedAt: at(hours, 0)},
		}
		if kind == report.Restart {
			it.To = &report.Instance{StartedAt: at(hours, down)}
		}
		it.Verdict.Cause = cause
		return it
	}
	r := &report.Report{APIVersion: "v", Items: []report.Item{
		item(report.Restart, "web", "n1", "oom-container-limit", 20, 10),
		item(report.Restart, "web", "n2", "app-exit-error", 21, 5),
		item(report.Restart, "web", "n1", "oom-container-limit", 1, 5),
		item(report.Death, "db", "n1", "evicted-memory", 2, 0),
		item(report.Refused, "db", "n1", "start-error", 2, 0),
		item(report.None, "db", "n1", "readiness-flip", 2, 0),
	}}
	r.Items[5].Workload = ""
	got := report.NewTop(r, from, *at(24, 0))
	want := &report.Top{
		APIVersion: "v", Kind: "RestartTop", From: from, Until: *at(24, 0), Restarts: 4,
		Workloads: []report.TopRow{
			{
				Namespace:   "shop",
				Name:        "web",
				Restarts:    3,
				DownSeconds: 20,
				DownKnown:   3,
				Cause:       "oom-container-limit",
				Share:       2,
				Older:       1,
				Newer:       2,
			},
			{Namespace: "shop", Name: "db", Restarts: 1, Cause: "evicted-memory", Share: 1, Older: 1},
		},
		Nodes: []report.TopRow{
			{Name: "n1", Restarts: 3, DownSeconds: 15, DownKnown: 2, Cause: "oom-container-limit", Share: 2, Older: 2, Newer: 1},
			{Name: "n2", Restarts: 1, DownSeconds: 5, DownKnown: 1, Cause: "app-exit-error", Share: 1, Newer: 1},
		},
		Causes: []report.TopRow{
			{
				Name:        "oom-container-limit",
				Restarts:    2,
				DownSeconds: 15,
				DownKnown:   2,
				Cause:       "web",
				Share:       2,
				Older:       1,
				Newer:       1,
			},
			{Name: "app-exit-error", Restarts: 1, DownSeconds: 5, DownKnown: 1, Cause: "web", Share: 1, Newer: 1},
			{Name: "evicted-memory", Restarts: 1, Cause: "db", Share: 1, Older: 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
