package statement

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
)

func TestAClockThatGoesBackEndsTheReach(t *testing.T) {
	at := func(minutes int) evidence.Entry {
		return evidence.Entry{Time: time.Unix(1_800_000_000, 0).Add(time.Duration(minutes) * time.Minute),
			Unit: "kubelet.service", PID: 80,
			Message: `I1121 07:24:45.454287      80 kubelet.go:1] "SyncLoop REMOVE" source="api" pods=["s/p"]`}
	}
	for name, c := range map[string]struct {
		minutes        []int
		coverage, logs int
		gaps           string
	}{
		"a clock that goes on":            {[]int{0, 1, 2, 30}, 1, 1, ""},
		"a minute back, as when NTP sets": {[]int{0, 2, 1, 3}, 2, 1, ""},
		"an hour back":                    {[]int{0, 60, 61, 1, 2}, 2, 2, "goes back 1 times, the first time by 1h0m0s"},
		"twice":                           {[]int{0, 60, 0, 60, 0}, 3, 3, "goes back 2 times"},
		"files joined in the wrong order": {[]int{100, 110, 0, 10, 20}, 2, 2, "goes back 1 times, the first time by 1h50m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(time.Time{})
			r := NewRouter(b, Options{Node: "n", Where: "x"})
			for _, m := range c.minutes {
				r.Add(at(m))
			}
			r.Close()
			s, logs := b.Build(), map[*evidence.Origin]bool{}
			for i := range s.Coverage {
				logs[s.Coverage[i].Origin] = true
			}
			if len(s.Coverage) != c.coverage || len(logs) != c.logs {
				t.Errorf("reach %+v, %d logs", s.Coverage, len(logs))
			}
			if (c.gaps == "") != (len(s.Gaps) == 0) || c.gaps != "" && !strings.Contains(s.Gaps[0].Why, c.gaps) {
				t.Errorf("gaps %+v", s.Gaps)
			}
		})
	}
}

func TestABootThatTheEnvelopeTells(t *testing.T) {
	const id = "904dc9692186409b9fbb5fcf727be42d"
	line := func(rebooted bool, boot string) evidence.Entry {
		return evidence.Entry{Time: time.Unix(1_800_000_000, 0), Unit: "kubelet",
			Rebooted: rebooted, BootID: boot, Message: "I1121 07:24:45.454287      80 kubelet.go:1] x"}
	}
	for name, c := range map[string]struct {
		entries []evidence.Entry
		boots   []string
	}{
		"none":                 {[]evidence.Entry{line(false, ""), line(false, "")}, nil},
		"where the log starts": {[]evidence.Entry{line(false, id), line(false, id)}, nil},
		"between lines without an id": {[]evidence.Entry{line(false, ""), line(true, id), line(false, "")},
			[]string{dashed(id)}},
		"of an id that nobody told": {[]evidence.Entry{line(false, ""), line(true, ""), line(true, "")}, []string{"", ""}},
	} {
		var boots []string
		for _, o := range route(Options{Node: "n"}, c.entries...).Observations {
			if k, ok := o.Fact.(evidence.KernelBooted); ok {
				boots = append(boots, k.BootID)
			}
		}
		// The builder drops what is told twice at one time.
		if len(c.boots) == 2 {
			c.boots = c.boots[:1]
		}
		if strings.Join(boots, " ") != strings.Join(c.boots, " ") || len(boots) != len(c.boots) {
			t.Errorf("%s: %q", name, boots)
		}
	}
}

func TestKubeletsOfEveryDistribution(t *testing.T) {
	for _, unit := range append(evidence.KubeletUnits(), "kubelet", "hyperkube", "kubenswrapper",
		"k3s", "k3s-agent", "rke2", "rke2-server", "rke2-agent",
		"microk8s.daemon-kubelite", "microk8s.daemon-kubelet", "kubelite") {
		s := route(Options{Node: "n"}, evidence.Entry{Time: time.Unix(1_800_000_000, 0), Unit: unit,
			Message: `I1121 07:24:45.454287      80 kuberuntime_manager.go:1] "No ready sandbox for pod can be found. Need to start a new one" pod="s/p"`})
		if len(s.Observations) != 1 || s.Observations[0].Source.Kind != evidence.SourceKubeletLog {
			t.Errorf("%s: %+v", unit, s.Observations)
		}
	}
}

func TestAThinnerKeepsWhatCounts(t *testing.T) {
	plain := func(pid, file string) string { return "I1121 07:24:45.454287      " + pid + " " + file + ":1] nothing" }
	type line struct {
		unit, message string
		want          bool
	}
	for name, lines := range map[string][]line{
		"a kubelet": {
			{"kubelet", plain("80", "x.go"), true}, // the first
			{"kubelet", plain("80", "x.go"), false},
			{"kubelet", plain("80", "kubelet.go"), true}, // proves who it is
			{"kubelet", plain("80", "kubelet.go"), false},
			{"kubelet", plain("81", "x.go"), true}, // another process
			{"kubelet", plain("81", "kubelet.go"), true},
			{"kubelet", `I1121 07:24:45.454287      81 kubelet.go:1] "Started kubelet"`, true},
			{"kubelet", plain("81", "x.go"), false},
			{"kubelet", `I1121 07:24:45.454287      81 prober.go:1] "Probe failed" output=<`, true},
			{"kubelet", "\tno", true},
			{"kubelet", " >", true},
			{"kubelet", plain("81", "x.go"), true}, // it ends the block
			{"kubelet", plain("81", "x.go"), false},
		},
		"others": {
			{"sshd", "hello", true}, {"sshd", "hello", false},
			{"systemd-journald", "Suppressed 12 messages from kubelet.service", true},
			{"containerd", "x", true}, {"containerd", "x", true}, {"systemd", "x", true},
			{"kubelet", plain("80", "x.go"), true}, {"sshd", "hello", false}, {"kubelet", plain("80", "x.go"), false},
		},
		"nobody tells who": {
			{"", plain("80", "x.go"), true}, {"", plain("80", "x.go"), false},
			{"", `time="2026-11-21T07:24:45Z" level=info msg=x`, true},
		},
	} {
		var thin Thinner
		for i, l := range lines {
			h, rest, _ := klogline.ParseHeader(l.message)
			var w Writer
			var g kubeletlog.Peeked
			if got := thin.Keep(l.unit, l.message, h, rest, &w, &g); got != l.want {
				t.Errorf("%s, line %d: %q kept: %t", name, i, l.message, got)
			}
		}
	}
}

// A header dates its line by itself, unless the line was stored too long after it.
func TestAHeaderDatesItsLine(t *testing.T) {
	for name, c := range map[string]struct {
		stored time.Duration
		want   bool
	}{
		"stored at once":                                {0, true},
		"stored while the journal was busy":             {3 * time.Second, true},
		"stored long after, or by a clock that was set": {5 * time.Minute, false},
	} {
		s := route(Options{Node: "n"}, evidence.Entry{Time: t0.Add(c.stored), Unit: "kubelet.service", Message: kubeletLine})
		if len(s.Observations) != 1 || s.Observations[0].Source.Dated != c.want {
			t.Errorf("%s: %+v", name, s.Observations)
		}
	}
}
