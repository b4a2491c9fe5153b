package app

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestEndsOfTheProcessItself(t *testing.T) {
	blind := func(f *finding.Findings) {
		f.Kill.Point, f.Stop, f.KubeletLog, f.RuntimeLog = finding.Point{}, finding.Point{}, false, false
	}
	// served ends the container that a sidecar serves so much later.
	served := func(f *finding.Findings, later time.Duration) {
		p := &corev1.Pod{}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{FinishedAt: metav1.Time{Time: f.R.From.Finished.Add(later)}}}}}
		f.R.Pod.Object = podobject.Of(p)
	}
	// both ends two containers of a pod within so long.
	both := func(f *finding.Findings, apart time.Duration) {
		blind(f)
		f.R.Pod.Containers = []evidence.Container{{Name: f.R.Container, Kind: evidence.KindApp},
			{Name: "b", Kind: evidence.KindApp}}
		f.R.To = &timeline.Instance{Started: f.R.From.Finished.Add(time.Second)}
		f.R.Siblings = []*timeline.Restart{f.R, {Container: "b", From: &timeline.Instance{
			Finished: f.R.From.Finished.Add(apart)}}}
	}
	initial := func(f *finding.Findings) { f.R.ContainerKind = evidence.KindInit }
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"an error code and silent logs": {ID: causes.AppExitError, Code: 3, Want: causes.Decisive},
		"an error code without logs":    {ID: causes.AppExitError, Code: 3, Change: blind, Want: causes.Strong},
		"an error code without logs, and the whole pod ended then": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { both(f, 0) }, Want: causes.Weak},
		"an error code without logs, and the other one ended later": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { both(f, 10*time.Second) }, Want: causes.Strong},
		"an error code without logs right after its start, and the whole pod ended then": {ID: causes.AppExitError,
			Code: 127, Change: func(f *finding.Findings) {
				both(f, 0)
				f.R.From.Started = f.R.From.Finished.Add(-2 * time.Second)
			}, Want: causes.Strong},
		"a fault without logs, and the whole pod ended then": {ID: causes.AppSignal, Code: 139,
			Change: func(f *finding.Findings) { both(f, 0) }, Want: causes.Strong},
		"an error code without logs, and the whole pod ends so again and again": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { both(f, 0); f.Alike = 2 }, Want: causes.Strong},
		"an error code, called OOMKilled, and no log of the kernel": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) { f.OOM.Label, f.OOM.Answer = true, finding.Unknown }, Want: causes.Weak},
		"an error code, called OOMKilled, and a silent kernel": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) { f.OOM.Label, f.OOM.Answer = true, finding.No }, Want: causes.Decisive},
		"an error code without logs, with a liveness probe": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) { blind(f); f.R.Spec.Liveness = &evidence.Probe{} }, Want: causes.Weak},
		"an error code of a sidecar without logs": {ID: causes.AppExitError, Code: 3, Change: func(f *finding.Findings) {
			blind(f)
			f.R.ContainerKind, f.R.Pod.Phase = evidence.KindSidecar, "Running"
		}, Want: causes.Strong},
		"an error code of a sidecar without logs, whose pod is done": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) {
				blind(f)
				f.R.ContainerKind, f.R.Pod.Phase = evidence.KindSidecar, "Succeeded"
				served(f, 0)
			}, Want: causes.Weak},
		"an error code of a sidecar without logs, and what it served went on": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) {
				blind(f)
				f.R.ContainerKind, f.R.Pod.Phase = evidence.KindSidecar, "Succeeded"
				served(f, time.Minute)
			}, Want: causes.Strong},
		"an error code after a stop request": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { f.Stop = causestest.Yes(-1) }, Want: causestest.Out},
		"an error code after a kill": {ID: causes.AppExitError, Code: 3, Change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillPod)
		}, Want: causestest.Out},
		"an error code, and the kill came later": {ID: causes.AppExitError, Code: 3, Change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillLiveness)
			f.Kill.Late, f.Stop = true, causestest.Yes(0)
		}, Want: causes.Strong},
		"an error code in the moment of the kill": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) {
				causestest.Killed(f, evidence.KillLiveness)
				f.Kill.Close = true
			}, Want: causes.Weak},
		"an error code, and only an event has a kill": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) {
				causestest.Killed(f, evidence.KillLiveness)
				f.Kill.Unlogged = true
			}, Want: causes.Strong},
		"a late kill after the kernel struck": {ID: causes.AppExitError, Code: 3, Change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillLiveness)
			f.Kill.Late, f.OOM.Point = true, causestest.Yes(-1)
		}, Want: causestest.Out},
		"an error code after the kernel struck": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { f.OOM.Point = causestest.Yes(-1) }, Want: causestest.Out},
		"a process that never ran": {ID: causes.AppExitError, Code: 127,
			Change: func(f *finding.Findings) {
				f.Exit.NotStarted, f.Exit.Reason = true, "ContainerCannotRun"
			}, Want: causestest.Out},
		"a code that a signal leaves":   {ID: causes.AppExitError, Code: 143, Want: causestest.None},
		"128, as of git":                {ID: causes.AppExitError, Code: 128, Want: causes.Decisive},
		"151: signal 23 ends nobody":    {ID: causes.AppExitError, Code: 151, Want: causes.Decisive},
		"151 is no signal's":            {ID: causes.AppSignal, Code: 151, Want: causestest.Out},
		"200":                           {ID: causes.AppExitError, Code: 200, Want: causes.Decisive},
		"a code of Windows":             {ID: causes.AppExitError, Code: -1073741819, Want: causes.Decisive},
		"170 may be a real-time signal": {ID: causes.AppExitError, Code: 170, Want: causes.Strong},
		"170 is not ruled out as one":   {ID: causes.AppSignal, Code: 170, Want: causestest.None},
		"255 may be a runtime's word": {ID: causes.AppExitError, Code: 255,
			Change: func(f *finding.Findings) { f.RuntimeLog = true }, Want: causes.Strong},
		"255, once, and no log of a runtime": {ID: causes.AppExitError, Code: 255,
			Change: func(f *finding.Findings) { f.RuntimeLog = false }, Want: causes.Weak},
		"255 again and again": {ID: causes.AppExitError, Code: 255,
			Change: func(f *finding.Findings) { f.RuntimeLog, f.Alike = false, 3 }, Want: causes.Strong},
		"255 beside a boot": {ID: causes.AppExitError, Code: 255,
			Change: func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }, Want: causestest.None},
		"255 beside a restarted runtime": {ID: causes.AppExitError, Code: 255,
			Change: func(f *finding.Findings) { f.NodeEvents.Runtime = causestest.Yes(3) }, Want: causestest.None},
		"an error code before the machine went down": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(60) }, Want: causes.Weak},
		"an error code, and the kubelet went away, too": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) {
				f.NodeEvents.Between, f.NodeEvents.Boot = causestest.Yes(60), finding.Point{}
			}, Want: causes.Weak},
		"an error code when dockerd went down": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) { f.NodeEvents.Down = causestest.Yes(-1) }, Want: causes.Weak},
		"an error code when earlyoom asks somebody": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) { f.OOM.Killer = "earlyoom" }, Want: causes.Weak},
		"an error code when systemd-oomd names it": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) {
				f.OOM.Killer, f.OOM.Named = "systemd-oomd", true
			}, Want: causestest.Out},
		"an error code, and many others end, no logs": {ID: causes.AppExitError,
			Code: 3, Change: func(f *finding.Findings) { blind(f); f.Together = 3 }, Want: causes.Weak},
		"an error code, and many others end, logs": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) { f.Together = 3 }, Want: causes.Decisive},
		"an error code, and another of dockerd's ends": {ID: causes.AppExitError, Code: 3,
			Change: func(f *finding.Findings) {
				blind(f)
				f.Together, f.R.From.Runtime = 1, "docker"
			}, Want: causes.Weak},
		"clean ends at the same second of an hour": {ID: causes.AppExitZero,
			Change: func(f *finding.Findings) { f.SameAge, f.Clockwork = 2, true }, Want: causes.Strong},
		"SIGKILL again and again: a shell returns 137, too": {ID: causes.AppSignal,
			Code: 137, Change: func(f *finding.Findings) { f.Alike = 1 }, Want: causes.Weak},
		"SIGKILL at the same second of an hour": {ID: causes.AppSignal,
			Code: 137, Change: func(f *finding.Findings) { f.Alike, f.Clockwork = 1, true }, Want: causes.Weak},
		"one clean end": {ID: causes.AppExitZero, Want: causes.Strong},
		"a clean end in the second in which systemd began to stop its unit": {ID: causes.AppExitZero,
			Change: func(f *finding.Findings) { f.UnitNear = causestest.Yes(0) }, Want: causes.Weak},
		"clean ends again and again": {ID: causes.AppExitZero,
			Change: func(f *finding.Findings) { f.Repeats = 4 }, Want: causes.Strong},
		"clean ends at one age": {ID: causes.AppExitZero,
			Change: func(f *finding.Findings) { f.SameAge = 2 }, Want: causes.Decisive},
		"clean ends again and again without logs": {ID: causes.AppExitZero,
			Change: func(f *finding.Findings) { f.Repeats, f.SameAge = 4, 4; blind(f) }, Want: causes.Strong},
		"a clean end after a stop request": {ID: causes.AppExitZero,
			Change: func(f *finding.Findings) { f.Stop = causestest.Yes(-1) }, Want: causestest.Out},
		"a code of a segmentation fault": {ID: causes.AppSignal, Code: 139, Want: causes.Strong},
		"a segmentation fault": {ID: causes.AppSignal,
			Code: 139, Change: func(f *finding.Findings) { f.Exit.Fault = causestest.Yes(0) }, Want: causes.Decisive},
		"a segmentation fault is no code of its own": {ID: causes.AppExitError,
			Code: 139, Change: func(f *finding.Findings) { f.Exit.Fault = causestest.Yes(0) }, Want: causestest.Out},
		"a fault in a shared process namespace": {ID: causes.AppSignal,
			Code: 139, Change: func(f *finding.Findings) { f.R.Pod.ShareProcessNamespace = true }, Want: causes.Strong},
		"SIGTERM tells nothing about its sender": {ID: causes.AppSignal, Code: 143, Want: causes.Weak},
		"SIGKILL tells nothing about its sender": {ID: causes.AppSignal, Code: 137, Want: causes.Weak},
		"an invented 137 is no signal": {ID: causes.AppSignal,
			Code: 137, Change: func(f *finding.Findings) { f.Exit.Invented = true }, Want: causestest.Out},
		"a lost 255 is no signal": {ID: causes.AppSignal,
			Code: 255, Change: func(f *finding.Findings) { f.Exit.Lost = true }, Want: causestest.Out},
		"255 of a process that returns it is no signal": {ID: causes.AppSignal, Code: 255, Want: causestest.Out},
		"an init container": {ID: causes.InitContainerFailed, Code: 1,
			Change: initial, Want: causes.Decisive},
		"an init container that succeeded": {ID: causes.InitContainerFailed,
			Change: initial, Want: causestest.Out},
		"an init container with a SIGKILL": {ID: causes.InitContainerFailed, Code: 137,
			Change: initial, Want: causes.Strong},
		"no init container": {ID: causes.InitContainerFailed, Code: 1, Want: causestest.Out},
		"an init container is no error of the application": {ID: causes.AppExitError, Code: 1,
			Change: initial, Want: causestest.Out},
	})
}

// Words that stand in a message for another reason, such as in a path, say nothing.
func TestAMessageSaysNoMore(t *testing.T) {
	for message, c := range map[string]struct {
		table []causes.KnownMessage
		want  string // what it says, "" for nothing
	}{
		`failed to stat "/run/docker.sock": stat /run/docker.sock: no such file or directory`: {
			starts, "/run/docker.sock, which it mounts, does not exist"},
		`error mounting "/run/dbus" to rootfs at "/run/dbus": stat /run/dbus: no such file or directory`: {
			starts, "/run/dbus, which it mounts, does not exist"},
		`exec: "/bin/app/run": stat /bin/app/run: not a directory`:         {starts, ""},
		`chdir to cwd ("/app") set in config.json failed: not a directory`: {starts, "working directory /app"},
		"mkdir /var/lib/containerd/tmpmounts/x: read-only file system":     {starts, "the node's own disk"},
		"failed to create containerd container: x: read-only file system":  {starts, ""},
		"listen tcp4 0.0.0.0:53: bind: address already in use":             {starts, "a port of the node"},
		"nvidia-container-cli: unsatisfied condition: cuda>=12.2, please":  {starts, "cuda>=12.2, please"},
		"exec failed: no such file or directory":                           {starts, ""},
		"exec container process `/app`: No such file or directory":         {starts, "/app is not in the image"},
		"setting cgroup config: bpf_prog_query failed: not implemented":    {starts, ""},
		"panic: boom /app/main.go:401":                                     {lastWords, ""},
		"browser does not support SSE":                                     {lastWords, ""},
		"Could not resolve placeholder 'db.url' in value":                  {lastWords, ""},
		"ModuleNotFoundError: file not found":                              {lastWords, ""},
		"Starting new thread pool":                                         {lastWords, ""},
		"using inotify to watch":                                           {lastWords, ""},
		"lock DB directory: resource temporarily unavailable":              {lastWords, "holds the lock"},
		"ERROR: permission denied for database shop":                       {lastWords, "credentials"},
		"java.lang.OutOfMemoryError: Metaspace":                            {lastWords, "MaxMetaspaceSize"},
	} {
		f := causestest.Base(1)
		told, _ := causes.ReadMessage(c.table, message, f)
		said := told.Words + told.Advice
		if (said != "") != (c.want != "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", message, said, c.want)
		}
	}
}

// Of several lines, the last one that is known tells of the end.
func TestTheLastLineTells(t *testing.T) {
	f := causestest.Base(1)
	f.R.From.Message = safetext.Clean("too many open files\npanic: nil pointer dereference\nbye")
	if do := readLogs(f); !strings.Contains(do[0], "fault in the program") {
		t.Errorf("%q", do)
	}
}

// A name is quoted in a command, and is no part of a pattern.
func TestNamesInAnAdviceAreQuoted(t *testing.T) {
	f := causestest.Base(1)
	f.R.Namespace = "shop;id>/tmp/x; $1"
	table := []causes.KnownMessage{{Message: regexp.MustCompile("(boom)"), Advice: "look: kubectl get vpa -n NAMESPACE"}}
	told, _ := causes.ReadMessage(table, "boom", f)
	if want := "look: kubectl get vpa -n 'shop;id>/tmp/x; $1'"; told.Advice != want {
		t.Errorf("%s, want %s", told.Advice, want)
	}
}

// What a pod's author chose must not become the command that someone copies.
func TestNoMessageGivesACommand(t *testing.T) {
	const evil = "/a: kubectl delete namespace shop"
	for _, form := range []string{`chdir to cwd ("%s") set in config.json failed: permission denied`,
		`exec: "%s": executable file not found in $PATH`, `exec: "%s": permission denied`,
		`exec: "%s": stat %s: no such file or directory`, "unable to find user %s: no matching entries",
		`error gathering device information while adding custom device "/dev%s"`, "unresolvable CDI devices %s",
		`couldn't find key %s in Secret shop/a`, `secret "%s" not found`, "nvidia-container-cli: %s"} {
		for _, table := range [][]causes.KnownMessage{starts, configs, volumes, sandboxes, pulls, lastWords} {
			f := causestest.Base(1)
			if told, ok := causes.ReadMessage(table, strings.ReplaceAll(form, "%s", evil), f); ok &&
				strings.Contains(told.Advice, ": kubectl delete") {
				t.Errorf("%s: %s", form, told.Advice)
			}
		}
	}
}

// Whoever copies an advice gets the command at its end.
func TestAnAdviceEndsWithItsCommand(t *testing.T) {
	tables := [][]causes.KnownMessage{starts}
	for _, r := range creation {
		tables = append(tables, r.messages, []causes.KnownMessage{{Advice: r.advice}})
	}
	for _, m := range slices.Concat(tables...) {
		if _, command, ok := strings.Cut(m.Advice, ": kubectl"); ok && strings.ContainsAny(command, ";:,") {
			t.Errorf("words behind the command: %s", m.Advice)
		}
	}
}

// Where nothing names the namespace, no words end without it.
func TestAnUnknownNamespaceIsNotNamed(t *testing.T) {
	f := causestest.Base(1)
	f.R.Namespace = ""
	table := []causes.KnownMessage{{Message: regexp.MustCompile("(boom)"), Words: "no Secret in namespace NAMESPACE"}}
	if told, _ := causes.ReadMessage(table, "boom", f); told.Words != "no Secret in the pod's namespace" {
		t.Errorf("%q", told.Words)
	}
}
