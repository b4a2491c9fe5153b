package app

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

type row struct {
	id     causes.ID
	code   int32
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := causestest.Base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := causestest.Says(t, Rules(), c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

func TestEndsOfTheProcessItself(t *testing.T) {
	blind := func(f *finding.Findings) {
		f.Kill.Point, f.Stop, f.KubeletLog, f.RuntimeLog = finding.Point{}, finding.Point{}, false, false
	}
	initial := func(f *finding.Findings) { f.R.ContainerKind = evidence.KindInit }
	run(t, map[string]row{
		"an error code and silent logs": {causes.AppExitError, 3, nil, causes.Decisive},
		"an error code without logs":    {causes.AppExitError, 3, blind, causes.Strong},
		"an error code without logs, with a liveness probe": {causes.AppExitError,
			3, func(f *finding.Findings) { blind(f); f.R.Spec.Liveness = &evidence.Probe{} }, causes.Weak},
		"an error code after a stop request": {causes.AppExitError, 3,
			func(f *finding.Findings) { f.Stop = causestest.Yes(-1) }, causestest.Out},
		"an error code after a kill": {causes.AppExitError, 3, func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillPod)
		}, causestest.Out},
		"an error code, and the kill came later": {causes.AppExitError, 3, func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillLiveness)
			f.Kill.Late, f.Stop = true, causestest.Yes(0)
		}, causes.Strong},
		"an error code in the moment of the kill": {causes.AppExitError,
			3, func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness); f.Kill.Close = true }, causes.Weak},
		"an error code, and only an event has a kill": {causes.AppExitError,
			3, func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness); f.Kill.Unlogged = true }, causes.Strong},
		"a late kill after the kernel struck": {causes.AppExitError, 3, func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillLiveness)
			f.Kill.Late, f.OOM.Point = true, causestest.Yes(-1)
		}, causestest.Out},
		"an error code after the kernel struck": {causes.AppExitError, 3,
			func(f *finding.Findings) { f.OOM.Point = causestest.Yes(-1) }, causestest.Out},
		"a process that never ran": {causes.AppExitError, 127,
			func(f *finding.Findings) { f.Exit.NotStarted, f.Exit.Reason = true, "ContainerCannotRun" }, causestest.Out},
		"a code that a signal leaves":   {causes.AppExitError, 143, nil, causestest.None},
		"128, as of git":                {causes.AppExitError, 128, nil, causes.Decisive},
		"151: signal 23 ends nobody":    {causes.AppExitError, 151, nil, causes.Decisive},
		"151 is no signal's":            {causes.AppSignal, 151, nil, causestest.Out},
		"200":                           {causes.AppExitError, 200, nil, causes.Decisive},
		"a code of Windows":             {causes.AppExitError, -1073741819, nil, causes.Decisive},
		"170 may be a real-time signal": {causes.AppExitError, 170, nil, causes.Strong},
		"170 is not ruled out as one":   {causes.AppSignal, 170, nil, causestest.None},
		"255 may be a runtime's word":   {causes.AppExitError, 255, nil, causes.Strong},
		"255 beside a boot": {causes.AppExitError, 255,
			func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }, causestest.None},
		"255 beside a restarted runtime": {causes.AppExitError, 255,
			func(f *finding.Findings) { f.NodeEvents.Runtime = causestest.Yes(3) }, causestest.None},
		"an error code before the machine went down": {causes.AppExitError, 3,
			func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }, causes.Weak},
		"an error code, and the kubelet went away, too": {causes.AppExitError, 3, func(f *finding.Findings) {
			f.NodeEvents.Between, f.NodeEvents.Boot = causestest.Yes(60), finding.Point{}
		}, causes.Weak},
		"an error code when dockerd went down": {causes.AppExitError,
			3, func(f *finding.Findings) { f.NodeEvents.Down = causestest.Yes(-1) }, causes.Weak},
		"an error code when earlyoom asks somebody": {causes.AppExitError,
			3, func(f *finding.Findings) { f.OOM.Killer = "earlyoom" }, causes.Weak},
		"an error code when systemd-oomd names it": {causes.AppExitError,
			3, func(f *finding.Findings) { f.OOM.Killer, f.OOM.Named = "systemd-oomd", true }, causestest.Out},
		"an error code, and many others end, no logs": {causes.AppExitError,
			3, func(f *finding.Findings) { blind(f); f.Together = 3 }, causes.Weak},
		"an error code, and many others end, logs": {causes.AppExitError, 3,
			func(f *finding.Findings) { f.Together = 3 }, causes.Decisive},
		"an error code, and another of dockerd's ends": {causes.AppExitError, 3, func(f *finding.Findings) {
			blind(f)
			f.Together, f.R.From.Runtime = 1, "docker"
		}, causes.Weak},
		"clean ends at the same second of an hour": {causes.AppExitZero,
			0, func(f *finding.Findings) { f.SameAge, f.Clockwork = 2, true }, causes.Strong},
		"SIGKILL again and again: a shell returns 137, too": {causes.AppSignal,
			137, func(f *finding.Findings) { f.Alike = 1 }, causes.Weak},
		"SIGKILL at the same second of an hour": {causes.AppSignal,
			137, func(f *finding.Findings) { f.Alike, f.Clockwork = 1, true }, causes.Weak},
		"one clean end":              {causes.AppExitZero, 0, nil, causes.Strong},
		"clean ends again and again": {causes.AppExitZero, 0, func(f *finding.Findings) { f.Repeats = 4 }, causes.Strong},
		"clean ends at one age":      {causes.AppExitZero, 0, func(f *finding.Findings) { f.SameAge = 2 }, causes.Decisive},
		"clean ends again and again without logs": {causes.AppExitZero,
			0, func(f *finding.Findings) { f.Repeats, f.SameAge = 4, 4; blind(f) }, causes.Strong},
		"a clean end after a stop request": {causes.AppExitZero,
			0, func(f *finding.Findings) { f.Stop = causestest.Yes(-1) }, causestest.Out},
		"a code of a segmentation fault": {causes.AppSignal, 139, nil, causes.Strong},
		"a segmentation fault": {causes.AppSignal,
			139, func(f *finding.Findings) { f.Exit.Fault = causestest.Yes(0) }, causes.Decisive},
		"a segmentation fault is no code of its own": {causes.AppExitError,
			139, func(f *finding.Findings) { f.Exit.Fault = causestest.Yes(0) }, causestest.Out},
		"a fault in a shared process namespace": {causes.AppSignal,
			139, func(f *finding.Findings) { f.R.Pod.ShareProcessNamespace = true }, causes.Strong},
		"SIGTERM tells nothing about its sender": {causes.AppSignal, 143, nil, causes.Weak},
		"SIGKILL tells nothing about its sender": {causes.AppSignal, 137, nil, causes.Weak},
		"an invented 137 is no signal": {causes.AppSignal,
			137, func(f *finding.Findings) { f.Exit.Invented = true }, causestest.Out},
		"a lost 255 is no signal": {causes.AppSignal,
			255, func(f *finding.Findings) { f.Exit.Lost = true }, causestest.Out},
		"255 of a process that returns it is no signal":    {causes.AppSignal, 255, nil, causestest.Out},
		"an init container":                                {causes.InitContainerFailed, 1, initial, causes.Decisive},
		"an init container that succeeded":                 {causes.InitContainerFailed, 0, initial, causestest.Out},
		"an init container with a SIGKILL":                 {causes.InitContainerFailed, 137, initial, causes.Strong},
		"no init container":                                {causes.InitContainerFailed, 1, nil, causestest.Out},
		"an init container is no error of the application": {causes.AppExitError, 1, initial, causestest.Out},
	})
}
