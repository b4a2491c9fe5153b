package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file processes statuses as a live run does: lists of the API server, decoded, observed, analysed.

// answered is a status with the program's report on it.
type answered struct {
	*object
	items []report.Item
	// collected is when the objects were read.
	collected time.Time
}

// list is a Kubernetes List of arbitrary objects.
type list struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	Items      []any  `json:"items"`
}

// answer analyses statuses in one snapshot. A panic becomes an error.
func answer(all []status) (out []*answered, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("analyse %d statuses: panic: %v\n%s", len(all), r, debug.Stack())
		}
	}()
	collected := base.Add(time.Duration(len(all))*apart + 12*24*time.Hour)
	l := list{Kind: "List", APIVersion: "v1"}
	by := map[string]*answered{}
	for i, s := range all {
		o := s.object(i)
		a := &answered{object: o, collected: collected}
		out = append(out, a)
		by[string(o.pod.UID)] = a
		l.Items = append(l.Items, o.pod)
		if o.node != nil {
			l.Items = append(l.Items, o.node)
		}
		if o.beside != nil {
			l.Items = append(l.Items, o.beside)
		}
		for _, e := range o.events {
			l.Items = append(l.Items, e)
		}
	}
	data, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("encode objects: %w", err)
	}
	piece := apiobject.Decode([]evidence.File{evidence.Bytes("cluster/all.json", data)}, apiobject.Hasher{})
	snapshot := diag.Observe(diag.Collection{Pieces: []evidence.RawEvidence{piece}}, collected)
	r := analyzer.Analyze(snapshot, analyzer.Options{GeneratedAt: collected})
	if _, err := json.Marshal(r); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	if len(r.Gaps) > 0 && strings.Contains(r.Gaps[0].Why, "broke down") {
		return nil, fmt.Errorf("read objects: %s", r.Gaps[0].Why)
	}
	for _, it := range r.Items {
		if a := by[it.PodUID]; a != nil {
			a.items = append(a.items, it)
		} else {
			return nil, fmt.Errorf("item of a pod that runs on: %s/%s %s: %s", it.Pod, it.Container, it.Kind, it.Verdict.Summary)
		}
	}
	return out, nil
}
