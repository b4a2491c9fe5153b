package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/app"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestWhatNeverRan(t *testing.T) {
	notStarted := func() *finding.Findings {
		f := causestest.Base(128)
		f.Exit = finding.Exit{Known: true, Code: 128, Reason: "StartError", NotStarted: true, Evidence: []string{"e1"}}
		return f
	}
	unseen := func() *finding.Findings {
		f := causestest.Base(128)
		f.Exit = finding.Exit{Known: true, Code: 128, StartUnseen: true, Evidence: []string{"e1"}}
		return f
	}
	refused := func(reason string) *finding.Findings {
		f := causestest.Base(0)
		f.R.Kind, f.R.From, f.Exit = timeline.KindRefused, &timeline.Instance{}, finding.Exit{}
		f.R.Waiting = timeline.Waiting{Reason: reason, Message: "why", Evidence: []string{"e5"}}
		return f
	}
	told := func(failed bool) *finding.Findings {
		f := refused("")
		f.Exit.LastFailed = failed
		return f
	}
	for name, c := range map[string]struct {
		f             *finding.Findings
		start, create causes.Strength
	}{
		"lines alone tell of the start":     {told(true), causes.Strong, causestest.Out},
		"a later start succeeded":           {told(false), causestest.Out, causestest.Out},
		"the runtime could not start it":    {notStarted(), causes.Decisive, causestest.Out},
		"a code that may be the runtime's":  {unseen(), causes.Weak, causestest.Out},
		"it waits, and could not start":     {refused("RunContainerError"), causes.Decisive, causestest.Out},
		"a configuration that lacks a part": {refused("CreateContainerConfigError"), causestest.Out, causes.Decisive},
		"an image that is not to be had":    {refused("ImagePullBackOff"), causestest.Out, causes.Decisive},
		"a reason that nobody knows":        {refused("Novelty"), causestest.Out, causestest.Out},
		"it ran":                            {causestest.Base(1), causestest.Out, causestest.Out},
	} {
		if got := causestest.Says(t, app.Rules(), causes.StartError, c.f); got != c.start {
			t.Errorf("%s: start-error %v, want %v", name, got, c.start)
		}
		if got := causestest.Says(t, app.Rules(), causes.AppExitError, c.f); c.f.Exit.StartUnseen && got != causes.Weak {
			t.Errorf("%s: app-exit-error %v, want it weak", name, got)
		}
		if got := causestest.Says(t, app.Rules(), causes.CreateError, c.f); got != c.create {
			t.Errorf("%s: create-error %v, want %v", name, got, c.create)
		}
	}
}

// Log lines about a failed start are cited, and quoted where the API is silent.
func TestTheLogsOfAStartThatFailed(t *testing.T) {
	said := func(facts ...evidence.Fact) (marks []timeline.Occurrence) {
		for i, f := range facts {
			marks = append(marks, timeline.Occurrence{At: causestest.End,
				Obs: &evidence.Observation{ID: fmt.Sprintf("l%d", i), Fact: f}})
		}
		return marks
	}
	kubelet := evidence.StartFailed{Reason: "RunContainerError", Message: safetext.Clean("exec: no such file")}
	runtime := evidence.RuntimeFailed{Op: "StartContainer", Message: safetext.Clean("runc: no such file")}
	stop := evidence.RuntimeFailed{Op: "StopContainer", Message: safetext.Clean("busy")}
	for name, c := range map[string]struct {
		marks []timeline.Occurrence
		api   string
		want  string
		cites []string
	}{
		"the kubelet's line":            {said(kubelet), "", "exec: no such file", []string{"e5", "l0"}},
		"the runtime's line comes last": {said(kubelet, runtime), "", "runc: no such file", []string{"e5", "l0", "l1"}},
		"a stop that failed is another": {said(kubelet, stop), "", "exec: no such file", []string{"e5", "l0"}},
		"the API's word goes first":     {said(kubelet), "by the API", "by the API", []string{"e5", "l0"}},
		"of many lines the last ones": {said(kubelet, kubelet, kubelet, kubelet, runtime),
			"", "runc: no such file", []string{"e5", "l2", "l3", "l4"}},
		"no log, and a word of the API": {nil, "by the API", "by the API", []string{"e5"}},
	} {
		for id, reason := range map[causes.ID]string{causes.StartError: "RunContainerError",
			causes.CreateError: "CreateContainerError"} {
			f := causestest.Base(0)
			f.R.Kind, f.R.From, f.Exit = timeline.KindRefused, &timeline.Instance{Marks: c.marks}, finding.Exit{}
			f.R.Waiting = timeline.Waiting{Reason: reason, Message: c.api, Evidence: []string{"e5"}}
			for _, r := range app.Rules() {
				if r.ID != id {
					continue
				}
				root := r.Claim(f).Chain[0]
				if !strings.Contains(root.Text, c.want) || !slices.Equal(root.Evidence, c.cites) {
					t.Errorf("%s, %s: %q cites %v, want %q and %v", id, name, root.Text, root.Evidence, c.want, c.cites)
				}
			}
		}
	}
}

func TestAnInitContainerThatRanAgain(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"in the same sandbox":  {func(*finding.Findings) {}, causes.Strong},
		"whether is not known": {func(f *finding.Findings) { f.Sandbox.Changed = finding.Point{} }, causes.Weak},
		"killed for memory":    {func(f *finding.Findings) { f.OOM.Label = true }, causes.Weak},
		"in a new sandbox":     {func(f *finding.Findings) { f.Sandbox.Changed = causestest.Yes(1) }, causestest.Out},
		"with all containers of the pod": {func(f *finding.Findings) {
			f.RestartedAll = finding.Trigger{Point: causestest.Yes(1), Container: "b"}
		}, causestest.Out},
		"after a failure":           {func(f *finding.Findings) { f.Exit.Code = 1 }, causestest.Out},
		"it did not":                {func(f *finding.Findings) { f.R.To = nil }, causestest.Out},
		"it is none":                {func(f *finding.Findings) { f.R.ContainerKind = evidence.KindApp }, causestest.Out},
		"what it is is not known":   {func(f *finding.Findings) { f.R.ContainerKind = "" }, causestest.None},
		"how it ended is not known": {func(f *finding.Findings) { f.Exit = finding.Exit{} }, causestest.None},
	} {
		f := causestest.Base(0)
		f.R.ContainerKind, f.R.To = evidence.KindInit, &timeline.Instance{ID: "new"}
		c.change(f)
		if got := causestest.Says(t, app.Rules(), causes.InitRerun, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A clean end of something that may be an init container proves nothing.
func TestACleanEndOfSomethingUnknown(t *testing.T) {
	f := causestest.Base(0)
	f.SameAge = 2
	if got := causestest.Says(t, app.Rules(), causes.AppExitZero, f); got != causes.Decisive {
		t.Errorf("an app container that ends again and again: %v", got)
	}
	f.R.ContainerKind = ""
	if got := causestest.Says(t, app.Rules(), causes.AppExitZero, f); got != causes.Strong {
		t.Errorf("a container of an unknown kind: %v", got)
	}
	f.R.ContainerKind, f.RuleDecided = evidence.KindApp, true
	if got := causestest.Says(t, app.Rules(), causes.AppExitZero, f); got != causestest.Out {
		t.Errorf("a restart that a rule decided: %v", got)
	}
}
