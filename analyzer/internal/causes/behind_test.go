package causes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

type deed struct {
	seconds int // before the start
	fact    evidence.Fact
}

func behind(d causes.Daemon, deeds ...deed) []string {
	f := causestest.Base(0)
	f.Node = &timeline.NodeStory{}
	start := causestest.End
	for _, x := range deeds {
		at := start.Add(-time.Duration(x.seconds) * time.Second)
		f.Node.AdminActions = append(f.Node.AdminActions,
			timeline.Occurrence{At: at, Obs: &evidence.Observation{ID: "d", Time: at, Fact: x.fact}})
	}
	var out []string
	for _, s := range causes.Behind(f, d, start) {
		if s.Role != report.RoleBehind || len(s.Evidence) != 1 || s.At.IsZero() {
			out = append(out, "without role, evidence or time: "+s.Text)
			continue
		}
		out = append(out, s.Text)
	}
	return out
}

func TestWhatLiesBehindAStart(t *testing.T) {
	kubelet := evidence.PackageChanged{Manager: "dpkg", Action: "upgrade",
		Package: "kubelet", From: "1.30.14-1.1", To: "1.31.0-1.1", By: "unattended-upgrade"}
	const updated = "dpkg: upgrade of package kubelet from 1.30.14-1.1 to 1.31.0-1.1, by unattended-upgrade"
	containerd := evidence.PackageChanged{Manager: "rpm", Action: "upgrade", Package: "containerd.io", To: "1.7.25"}
	asked := evidence.RestartAsked{By: "needrestart", Units: []string{"cron.service", "containerd.service"}}
	exit := evidence.KubeletExited{Message: safetext.Clean("failed to run Kubelet: no swap")}
	unit := func(name, change string) evidence.UnitChanged {
		return evidence.UnitChanged{Unit: name, Change: change, Result: "exit-code", Code: "exited", Status: 255}
	}
	for name, c := range map[string]struct {
		daemon causes.Daemon
		deeds  []deed
		want   []string
	}{
		"an update of the kubelet":                      {causes.Kubelet, []deed{{20, kubelet}}, []string{updated}},
		"an update of the runtime is not the kubelet's": {causes.Kubelet, []deed{{20, containerd}}, nil},
		"an update of the runtime": {causes.Runtime, []deed{{20, containerd}},
			[]string{"rpm: upgrade of package containerd.io to 1.7.25"}},
		"an update hours before": {causes.Kubelet, []deed{{7200, kubelet}}, nil},
		"an update after it":     {causes.Kubelet, []deed{{-60, kubelet}}, nil},
		"a tool that restarted the runtime": {causes.Runtime, []deed{{2, asked}},
			[]string{"needrestart restarted containerd.service after an update of a package that it uses"}},
		"a tool that restarted others": {causes.Kubelet, []deed{{2, asked}}, nil},
		"the last word of the kubelet before": {causes.Kubelet, []deed{{10, exit}},
			[]string{"the previous kubelet process had exited: failed to run Kubelet: no swap"}},
		"a last word of long ago": {causes.Kubelet, []deed{{900, exit}}, nil},
		"a runtime that went down in order": {causes.Runtime,
			[]deed{{3, evidence.RuntimeStopping{Signal: "terminated"}}},
			[]string{"the previous runtime process had shut down cleanly on signal terminated"}},
		"a runtime that went down, nobody knows how": {causes.Runtime, []deed{{3, evidence.RuntimeStopping{}}},
			[]string{"the previous runtime process had shut down cleanly"}},
		"a unit that failed": {causes.Kubelet, []deed{{3, unit("kubelet.service", "failed")}},
			[]string{"kubelet.service had failed (exit-code)"}},
		"a process that exited": {causes.Kubelet, []deed{{3, unit("kubelet.service", "exited")}},
			[]string{"the process of kubelet.service had exited (255)"}},
		"memory": {causes.Runtime, []deed{{3, unit("containerd.service", "oom-killed")}},
			[]string{"a process of containerd.service had been killed by the OOM killer"}},
		"a watchdog": {causes.Kubelet, []deed{{3, unit("kubelet.service", "watchdog")}},
			[]string{"systemd's watchdog had killed kubelet.service"}},
		"a stop that took too long": {causes.Runtime, []deed{{3, unit("crio.service", "stop-timeout")}},
			[]string{"crio.service had not stopped in time and was killed"}},
		"an ordinary stop": {causes.Kubelet, []deed{{3, unit("kubelet.service", "stopping")}},
			[]string{"systemd got a request to stop kubelet.service"}},
		"another unit": {causes.Kubelet, []deed{{3, unit("cron.service", "failed")}}, nil},
		"a program that is both": {causes.Runtime, []deed{{3, unit("k3s.service", "failed")}},
			[]string{"k3s.service had failed (exit-code)"}},
		"a boot that somebody asked for": {causes.Machine, []deed{{60, evidence.PowerChange{Change: "reboot"}}},
			[]string{"a reboot of the node was requested"}},
		"a shutdown that the kubelet was told of": {causes.Machine,
			[]deed{{60, evidence.NodeShutdown{Phase: evidence.ShutdownDetected}}},
			[]string{"the kubelet was notified of a shutdown"}},
		"a later step of the shutdown": {causes.Machine,
			[]deed{{60, evidence.NodeShutdown{Phase: evidence.ShutdownCompleted}}}, nil},
		"a request to go down is none for a daemon": {causes.Kubelet, []deed{{60, evidence.PowerChange{Change: "reboot"}}},
			nil},
		"in order, whatever the order of the sources": {causes.Kubelet,
			[]deed{{3, unit("kubelet.service", "stopping")}, {20, kubelet}},
			[]string{updated, "systemd got a request to stop kubelet.service"}},
		"the nearest four of many": {causes.Runtime,
			[]deed{{9, containerd}, {8, containerd}, {7, containerd}, {6, containerd}, {2, asked}},
			[]string{"rpm: upgrade of package containerd.io to 1.7.25", "rpm: upgrade of package containerd.io to 1.7.25",
				"rpm: upgrade of package containerd.io to 1.7.25",
				"needrestart restarted containerd.service after an update of a package that it uses"}},
		"nothing": {causes.Kubelet, nil, nil},
	} {
		if d := cmp.Diff(c.want, behind(c.daemon, c.deeds...)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestNothingLiesBehindWhatIsNotKnown(t *testing.T) {
	f := causestest.Base(0)
	if s := causes.Behind(f, causes.Kubelet, causestest.End); s != nil {
		t.Errorf("a node that is not known: %v", s)
	}
	f.Node = &timeline.NodeStory{
		AdminActions: []timeline.Occurrence{{Obs: &evidence.Observation{Fact: evidence.PackageChanged{Package: "kubelet"}}}}}
	if s := causes.Behind(f, causes.Kubelet, causestest.End); s != nil {
		t.Errorf("a record without a time: %v", s)
	}
	f.Node.AdminActions[0].At = causestest.End
	if s := causes.Behind(f, causes.Kubelet, time.Time{}); s != nil {
		t.Errorf("a start without a time: %v", s)
	}
	if s := causes.Behind(f, causes.Kubelet, causestest.End); len(s) != 1 || strings.Contains(s[0].Text, " from ") {
		t.Errorf("a record without versions: %v", s)
	}
}
