package logfiles

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

const (
	secret = "hunter2"
	cid    = "0d4e8a1535ff50a48ce3204880af7cafddcc8521f56ff3382fdf0621d2b36338"
)

var (
	written = time.Date(2026, 11, 21, 7, 30, 0, 0, time.UTC)
	// five is a zone file of version 1 with one type: five hours east of UTC.
	five = "TZif" + strings.Repeat("\x00", 16) + strings.Repeat("\x00\x00\x00\x00", 4) +
		"\x00\x00\x00\x01" + "\x00\x00\x00\x04" + "\x00\x00\x46\x50\x00\x00ABC\x00"
	kubelet = "starting up\nI1121 07:00:05.100000      80 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.0\"\n" +
		"I1121 07:00:06.100000      80 kuberuntime_container.go:7] \"Killing container with a grace period\" pod=\"s/p\" podUID=\"u1\" containerName=\"a\" containerID=\"containerd://" + cid + "\" gracePeriod=30\n" +
		"E1121 07:00:07.100000      80 x.go:1] password=" + secret + "\n"
	containerd = "time=\"2026-11-21T07:00:08.5Z\" level=info msg=\"StopContainer for \\\"" +
		cid + "\\\" with timeout 30 (s)\"\n"
)

func collect(t *testing.T, files map[string]string, o Options) (s *evidence.Snapshot,
	gaps []evidence.Gap, stored map[string]string) {
	t.Helper()
	o.Node, o.Root = "n1", filetest.Plant(t, files)
	filetest.Date(t, o.Root, written)
	pieces, gaps := New(o).Collect(context.Background())
	b := evidence.NewBuilder(written)
	stored = map[string]string{}
	for _, p := range pieces {
		p.Observe(b)
		f := p.Files()[0]
		stored[f.Path] = filetest.Content(t, p)
		// A bundle that is read later says the same.
		later := evidence.NewBuilder(written)
		again := evidence.Bytes(f.Path, []byte(stored[f.Path]))
		textlog.NewPiece("n1", again, textlog.Options{Reference: written}).Observe(later)
		now := evidence.NewBuilder(written)
		p.Observe(now)
		if d := cmp.Diff(told(now.Build()), told(later.Build())); d != "" {
			t.Errorf("%s: live and later differ: %s", f.Path, d)
		}
	}
	return b.Build(), gaps, stored
}

func told(s *evidence.Snapshot) (out []string) {
	for _, o := range s.Observations {
		out = append(out, fmt.Sprintf("%s %s %s %s", o.Time.Format("2006-01-02 15:04:05.0"),
			o.Source.Kind, o.Fact.Statement(), o.Subject.Node))
	}
	return out
}

func TestKubeletAndRuntimeOfRKE2AreRead(t *testing.T) {
	files := map[string]string{"var/lib/rancher/rke2/agent/logs/kubelet.log": kubelet,
		"var/lib/rancher/rke2/agent/containerd/containerd.log": containerd}
	s, gaps, stored := collect(t, files, Options{})
	want := []string{"2026-11-21 07:00:05.1 kubelet-log kubelet.started n1",
		"2026-11-21 07:00:06.1 kubelet-log kubelet.kill-started n1",
		"2026-11-21 07:00:08.5 runtime-log runtime.stop-requested n1"}
	if d := cmp.Diff(want, told(s)); d != "" || len(gaps)+len(s.Gaps) != 0 {
		t.Errorf("%s gaps %+v %+v", d, gaps, s.Gaps)
	}
	reach := map[evidence.SourceKind]string{}
	for _, c := range s.Coverage {
		reach[c.Source] = c.From.Format("15:04:05") + " " + c.Until.Format("15:04:05")
	}
	if d := cmp.Diff(map[evidence.SourceKind]string{evidence.SourceKubeletLog: "07:00:05 07:00:07",
		evidence.SourceRuntimeLog: "07:00:08 07:00:08"}, reach); d != "" {
		t.Errorf("reach: %s", d)
	}
	if len(stored) != 2 || strings.Contains(stored["nodes/n1/logs/rke2-kubelet.log"], secret) {
		t.Errorf("stored %q", stored)
	}
}

func TestLocalTimesBecomeFullOnes(t *testing.T) {
	s, gaps, _ := collect(t, map[string]string{"etc/localtime": five,
		"var/log/kubelet.log": strings.ReplaceAll(kubelet, "1121 07", "1121 12")}, Options{})
	if d := cmp.Diff([]string{"2026-11-21 07:00:05.1 kubelet-log kubelet.started n1",
		"2026-11-21 07:00:06.1 kubelet-log kubelet.kill-started n1"}, told(s)); d != "" || len(gaps)+len(s.Gaps) != 0 {
		t.Errorf("%s gaps %+v %+v", d, gaps, s.Gaps)
	}
}

func TestYearsAreThoseInWhichTheDayHadCome(t *testing.T) {
	for header, want := range map[string]string{
		"I1121 07:29:59.000000 1 x": "2026-11-21", "W1121 07:30:30.000000 1 x": "2026-11-21",
		"E1122 00:00:00.000000 1 x": "2025-11-22", "F0101 00:00:00.000000 1 x": "2026-01-01",
		"I0229 00:00:00.000000 1 x": "2024-02-29", "I1399 00:00:00.000000 1 x": "",
		"D1121 07:29:59.000000 1 x": "", "I1121": "", "": "",
	} {
		s := stamps{zone: time.UTC, written: written}
		at, ok := s.of([]byte(header))
		got := ""
		if ok {
			got = at.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("%q is of %q, want %q", header, got, want)
		}
	}
}

func TestALineWithoutATimeHasTheOneBefore(t *testing.T) {
	_, _, stored := collect(t,
		map[string]string{
			"var/log/kubelet.log": "panic: early\nF1121 07:00:05.000000 1 x.go:1] fatal\ngoroutine 1 [running]:\nmain.main()\nhalf a li"}, Options{})
	want := "2026-11-21T07:00:05.000000+00:00 n1 kubelet: F1121 07:00:05.000000 1 x.go:1] fatal\n" +
		"2026-11-21T07:00:05.000000+00:00 n1 kubelet: goroutine 1 [running]:\n2026-11-21T07:00:05.000000+00:00 n1 kubelet: main.main()\n"
	if d := cmp.Diff(want, stored["nodes/n1/logs/kubelet.log"]); d != "" {
		t.Error(d)
	}
}

func TestFilesThatDoNotCount(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		o     Options
		gap   string
	}{
		"none": {map[string]string{"etc/hostname": "n1"}, Options{}, ""},
		"not written since": {map[string]string{"var/log/kubelet.log": kubelet},
			Options{Since: written.Add(time.Hour)}, ""},
		"a directory":         {map[string]string{"var/log/kubelet.log/x": ""}, Options{}, ""},
		"nothing with a time": {map[string]string{"var/log/docker.log": "hello\n"}, Options{}, ""},
		"a zone that nobody knows": {map[string]string{"etc/localtime": "no zone", "var/log/kubelet.log": kubelet},
			Options{}, "time zone"},
	} {
		s, gaps, stored := collect(t, c.files, c.o)
		if len(s.Observations)+len(stored) != 0 || (c.gap == "") != (len(gaps) == 0) ||
			c.gap != "" && !strings.Contains(gaps[0].Why, c.gap) {
			t.Errorf("%s: %q, gaps %+v", name, told(s), gaps)
		}
	}
}

func TestLongFilesAndLinesAreBounded(t *testing.T) {
	line := "I1121 07:00:05.000000 1 x.go:1] " + strings.Repeat("x", 1<<20) + "\n"
	_, gaps, stored := collect(t, map[string]string{"var/log/kubelet.log": strings.Repeat(line, 24)},
		Options{Budget: 1 << 20})
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "longer than the budget") {
		t.Errorf("gaps %+v", gaps)
	}
	if n := len(stored["nodes/n1/logs/kubelet.log"]); n < 1<<20 || n > 5<<20 {
		t.Errorf("%d bytes are kept", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := copier{stamps: stamps{zone: time.UTC, written: written}}
	if err := c.copy(ctx, strings.NewReader(kubelet)); err == nil || !strings.Contains(err.Error(), "time is over") {
		t.Errorf("after the deadline: %v", err)
	}
}

func FuzzStamps(f *testing.F) {
	f.Add([]byte("I1121 07:00:05.100000      80 server.go:486] x"))
	f.Add([]byte(containerd))
	f.Fuzz(func(t *testing.T, line []byte) {
		s := stamps{zone: time.UTC, written: written}
		at, ok := s.of(line)
		if ok != !at.IsZero() || ok && line[0] != 't' && at.After(written.Add(time.Minute)) {
			t.Fatalf("%v %v from %q", at, ok, line)
		}
	})
}
