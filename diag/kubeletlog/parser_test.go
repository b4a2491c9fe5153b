package kubeletlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// feed gives lines to a parser, a second apart, and returns what it says.
func feed(p *Parser, lines ...string) []evidence.Observation {
	var out []evidence.Observation
	emit := func(o evidence.Observation) { out = append(out, o) }
	for i, l := range lines {
		p.Add(evidence.Entry{Time: t0.Add(time.Duration(i) * time.Second), Message: l, PID: forwarder}, emit)
	}
	p.Close(emit)
	return out
}

// forwarder is who hands lines on: no kubelet has its PID.
const forwarder = 77

// starts lists the starts as "version/pid@seconds".
func starts(obs []evidence.Observation) []string {
	var out []string
	for _, o := range obs {
		if k, ok := o.Fact.(evidence.KubeletStarted); ok {
			out = append(out, fmt.Sprintf("%s/%d@%d", k.Version, k.PID, int(o.Time.Sub(t0).Seconds())))
		}
	}
	return out
}

func from(pid int, file, text string) string {
	return fmt.Sprintf("I1121 07:00:00.000000 %7d %s:1] %s", pid, file, text)
}

func TestAKubeletStartIsToldOnce(t *testing.T) {
	for _, c := range []struct {
		name  string
		known bool
		lines []string
		want  []string
	}{
		{"by its version line", true, []string{from(1, "flags.go", "FLAG"),
			from(1, "server.go", `"Kubelet version" kubeletVersion="v1.31.0"`), from(1, "server.go", `"Started kubelet"`)},
			[]string{"v1.31.0/1@0"}},
		{"by its start line, where the version was rotated away", true, []string{from(1, "server.go", `"Started kubelet"`)},
			[]string{"/1@0"}},
		{"by a new pid, when nothing else tells", true,
			[]string{from(1, "kubelet.go", "x"), from(2, "run.go", `"command failed"`), from(3, "run.go", `"command failed"`)},
			[]string{"/2@1", "/3@2"}},
		{"by the version and not by the pid", true,
			[]string{from(1, "kubelet.go", "x"), from(2, "flags.go", "y"), from(2, "server.go", "Version: v1.20.15"),
				from(2, "server.go", "Started kubelet")},
			[]string{"v1.20.15/2@0"}},
		{"not at the first line of a log", true, []string{from(1, "kubelet.go", "x"), from(1, "kubelet.go", "y")}, nil},
		{"not when an old pid writes again", true, []string{from(1, "kubelet.go", "x"),
			from(2, "kubelet.go", "y"), from(1, "kubelet.go", "late")}, []string{"/2@1"}},
		{"of an unnamed log only with proof", false,
			[]string{from(1, "server.go", "Version: v1.20.15"), from(1, "proxier.go", "x")}, nil},
		{"of an unnamed log once there is proof", false,
			[]string{from(1, "server.go", "Version: v1.20.15"), from(1, "kubelet.go", "x")}, []string{"v1.20.15/1@0"}},
		{"of an unnamed log by a new pid with proof", false,
			[]string{from(1, "kubelet.go", "x"), from(2, "x.go", "x"), from(2, "kubelet.go", "x")}, []string{"/2@1"}},
		{"not of another component's new pid", false, []string{from(1, "proxier.go", "x"), from(2, "proxier.go", "x")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, starts(feed(&Parser{Known: c.known}, c.lines...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Up to v1.20 the output of a failed probe stands in the log as it is, line by line.
func TestAContainerDoesNotSpeakForTheKubelet(t *testing.T) {
	const uid = "0b222463-b4cd-48ff-b717-ecaa167c7f92"
	probe := from(812, "prober.go", `Liveness probe for "web-0_shop(`+uid+`):a" failed (failure): no`)
	forged := []string{from(99999, "server.go", "Version: v1.31.0"),
		from(99999, "kuberuntime_container.go", `Killing container "docker://`+
			strings.Repeat("1", 64)+`" with a 30 second grace period`)}
	tell := func(envelope int) []evidence.Observation {
		p := &Parser{Known: true}
		var out []evidence.Observation
		for _, l := range append([]string{from(812, "server.go", "Version: v1.20.15"), probe}, forged...) {
			p.Add(evidence.Entry{Time: t0, Message: l, PID: envelope}, func(o evidence.Observation) { out = append(out, o) })
		}
		return out
	}
	var said []string
	for _, o := range tell(812) {
		said = append(said, o.Fact.Statement())
	}
	if d := cmp.Diff([]string{"kubelet.started", "kubelet.probe-failed"}, said); d != "" {
		t.Error(d)
	}
	if n := len(tell(0)); n != 4 {
		t.Errorf("%d statements where the envelope has no PID, want all 4", n)
	}
}

// The PID of a process that is gone comes back, of kubelets as a rule after a boot.
func TestTheSameVersionMuchLaterIsAnotherProcess(t *testing.T) {
	version := from(812, "server.go", `"Kubelet version" kubeletVersion="v1.31.0"`)
	for apart, want := range map[time.Duration]int{2 * time.Second: 1, 10 * time.Minute: 2} {
		p := &Parser{Known: true}
		n := 0
		for i := range 2 {
			p.Add(evidence.Entry{Time: t0.Add(time.Duration(i) * apart), Message: version}, func(evidence.Observation) { n++ })
		}
		if n != want {
			t.Errorf("%s apart: %d starts, want %d", apart, n, want)
		}
	}
}

func TestAfterAReboottThePIDsBeginAgain(t *testing.T) {
	p := &Parser{Known: true}
	first := feed(p, from(80, "server.go", `"Kubelet version" kubeletVersion="v1.30.14"`))
	p.Boot(func(evidence.Observation) {})
	second := feed(p, from(80, "server.go", `"Kubelet version" kubeletVersion="v1.30.14"`))
	if len(starts(first)) != 1 || len(starts(second)) != 1 {
		t.Errorf("starts before %v and after %v", starts(first), starts(second))
	}
}

func TestVerbosityIsWhatEveryWorkingRunShowed(t *testing.T) {
	loop := func(pid int) string { return from(pid, "kubelet.go", `"Starting kubelet main sync loop"`) }
	pleg := func(pid int) string {
		return from(pid, "kubelet.go",
			`"SyncLoop (PLEG): event for pod" pod="a/b" event={"ID":"u","Type":"ContainerDied","Data":"c"}`)
	}
	// others are lines of two more source files, as every whole log has them.
	others := func(pid int) []string {
		return []string{from(pid, "scope.go", `"RemoveContainer" containerID="c"`),
			from(pid, "pod_workers.go", `"Error syncing pod, skipping" err="x" pod="a/b" podUID="u"`)}
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"no line above 0", append(others(1), from(1, "kubelet.go", "x")), 0},
		{"a line of level 2", append(others(1), pleg(1)), 2},
		{"lines of one source file", []string{pleg(1), loop(1), pleg(1)}, 0},
		{"lines of two source files", append(others(1)[:1], pleg(1)), 0},
		{"the flag itself", append(others(1), from(1, "flags.go", `FLAG: --v="4"`)), 4},
		{"a later run logs less", append(others(1), pleg(1), loop(2)), 0},
		{"a run that never worked counts for nothing",
			slices.Concat(others(1), []string{pleg(1), from(2, "run.go", `"command failed"`)}, others(3),
				[]string{loop(3), pleg(3)}), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Parser{Known: true}
			feed(p, c.lines...)
			if got := p.Verbosity(); got != c.want {
				t.Errorf("verbosity %d, want %d", got, c.want)
			}
			if again := p.Verbosity(); again != c.want {
				t.Errorf("asked again: %d", again)
			}
		})
	}
}

// A kubelet begins by telling its version: where another process writes and none was
// told, lines are missing.
func TestWhereAStartIsMissingLinesAre(t *testing.T) {
	version := func(pid int) string { return from(pid, "server.go", `"Kubelet version" kubeletVersion="v1.31.0"`) }
	for _, c := range []struct {
		name  string
		lines []string
		want  []Lost
	}{
		{"one process", []string{version(1), from(1, "kubelet.go", "x"), from(1, "kubelet.go", "y")}, nil},
		{"two, and the second's start", []string{from(1, "kubelet.go", "x"),
			from(2, "flags.go", "y"), version(2), from(2, "kubelet.go", "x")}, nil},
		{"two, and no start", []string{version(1), from(1, "kubelet.go", "x"), from(2, "kubelet.go", "y")},
			[]Lost{{t0.Add(time.Second), t0.Add(2 * time.Second)}}},
		{"one that failed at its flags", []string{from(1, "kubelet.go", "x"),
			from(2, "run.go", `"command failed"`), from(3, "flags.go", "y"), version(3), from(3, "kubelet.go", "x")}, nil},
		{"the beginning of the log is missing", []string{from(1, "kubelet.go", "x")}, nil},
		{"the old one writes again", []string{from(1, "kubelet.go", "x"), from(2, "flags.go", "y"),
			version(2), from(1, "kubelet.go", "late")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Parser{Known: true}
			feed(p, c.lines...)
			if diff := cmp.Diff(c.want, p.Lost()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheOverrideLineIsTheKillOnlyIn121(t *testing.T) {
	override := from(1, "x.go",
		`"Killing container with a grace period override" pod="s/p" podUID=u containerName="a" containerID="docker://c" gracePeriod=2`)
	for version, want := range map[string]int{"v1.21.14": 1, "v1.25.0": 0} {
		n := 0
		for _, o := range feed(&Parser{Known: true}, from(1, "server.go", `"Kubelet version" kubeletVersion="`+version+`"`),
			override) {
			if _, ok := o.Fact.(evidence.KillStarted); ok {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d kills", version, n)
		}
	}
}

func assemble(entries ...evidence.Entry) []string {
	var a Assembler
	var out []string
	yield := func(e evidence.Entry) { out = append(out, e.Message) }
	for _, e := range entries {
		a.Add(e, yield)
	}
	a.Flush(yield)
	return out
}

func TestBlocksAreJoined(t *testing.T) {
	open, end := from(1, "prober.go", `"Probe failed" output=<`), " >"
	line := func(s string) evidence.Entry { return evidence.Entry{Message: s, PID: 1} }
	other := evidence.Entry{Message: from(2, "x.go", "other"), PID: 2}
	for _, c := range []struct {
		name string
		in   []evidence.Entry
		want []string
	}{
		{"a whole block", []evidence.Entry{line(open), line("\ta"), line("\tb"), line(end), line("next")},
			[]string{open + "\n\ta\n\tb\n >", "next"}},
		{"keys after the block", []evidence.Entry{line(open), line("\ta"), line(` > pod="x"`)},
			[]string{open + "\n\ta\n > pod=\"x\""}},
		{"two blocks in one message", []evidence.Entry{line(open), line("\ta"), line(" > err=<"), line("\tb"), line(end)},
			[]string{open + "\n\ta\n > err=<\n\tb\n >"}},
		{"a block that breaks off", []evidence.Entry{line(open), line("\ta"), line("next")},
			[]string{open + "\n\ta", "next"}},
		{"a block at the end of the log", []evidence.Entry{line(open), line("\ta")}, []string{open + "\n\ta"}},
		{"another process in between", []evidence.Entry{line(open), other, line("\ta")},
			[]string{open, other.Message, "\ta"}},
		{"a line that only ends like one", []evidence.Entry{line("x=<"), line("\ta")}, []string{"x=<", "\ta"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, assemble(c.in...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnEndlessBlockIsHandedOn(t *testing.T) {
	entries := []evidence.Entry{{Message: from(1, "prober.go", `"Probe failed" output=<`)}}
	for range 3 * maxBlockLines {
		entries = append(entries, evidence.Entry{Message: "\t" + strings.Repeat("x", 300)})
	}
	out := assemble(entries...)
	for _, m := range out {
		if len(m) > maxBlock+1024 {
			t.Errorf("a message of %d bytes was gathered", len(m))
		}
	}
	if len(out) < 2 {
		t.Errorf("%d messages", len(out))
	}
}

func TestTheYearIsInferred(t *testing.T) {
	ref := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		month time.Month
		day   int
		zone  *time.Location
		want  string
	}{
		{"this year", 1, 1, time.UTC, "2026-01-01T07:00:00Z"},
		{"last year, around New Year", 12, 31, time.UTC, "2025-12-31T07:00:00Z"},
		{"a few hours ahead is a clock, not last year", 1, 3, time.UTC, "2026-01-03T07:00:00Z"},
		{"two days ahead is last year", 1, 4, time.UTC, "2025-01-04T07:00:00Z"},
		{"a leap day", 2, 29, time.UTC, "2024-02-29T07:00:00Z"},
		{"a zone east of here", 1, 2, time.FixedZone("", 9*3600), "2026-01-01T22:00:00Z"},
		{"a day that no year has", 4, 31, time.UTC, "0001-01-01T00:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := klogline.WithYear(c.month, c.day, 7*time.Hour, ref, c.zone).UTC().Format(time.RFC3339); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	if !klogline.WithYear(1, 1, 0, time.Time{}, time.UTC).IsZero() {
		t.Error("a year came from nowhere")
	}
	h, rest, ok := klogline.ParseHeader("I1121 07:24:45.454287   24911 kubelet.go:1823] text")
	if !ok || rest != "text" || h.PID != 24911 || h.File != "kubelet.go" ||
		h.Time(ref, time.UTC).Format(time.RFC3339Nano) != "2025-11-21T07:24:45.454287Z" {
		t.Errorf("header %+v, rest %q", h, rest)
	}
}

func FuzzParser(f *testing.F) {
	f.Add(from(1, "prober.go", `"Probe failed" output=<`)+"\x00\ta\x00 >", true)
	f.Add(from(1, "kubelet.go", "x")+"\x00"+from(2, "server.go", "Version: v1.20.15"), false)
	f.Fuzz(func(t *testing.T, lines string, known bool) {
		p := &Parser{Known: known}
		for _, o := range feed(p, strings.Split(lines, "\x00")...) {
			if o.Time.Before(t0) {
				t.Fatalf("a statement at %v", o.Time)
			}
		}
		if p.Verbosity() < 0 {
			t.Fatal("negative verbosity")
		}
	})
}

var dull = evidence.Entry{Time: t0, PID: 1, Message: from(1, "reconciler.go",
	`"operationExecutor.VerifyControllerAttachedVolume started for volume \"kube-api-access\" (UniqueName: \"x\")" pod="s/p"`)}

func TestALineThatSaysNothingCostsNoAllocation(t *testing.T) {
	p := &Parser{Known: true}
	emit := func(evidence.Observation) {}
	p.Add(dull, emit)
	if n := testing.AllocsPerRun(100, func() { p.Add(dull, emit) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkUninterestingLine(b *testing.B) {
	p := &Parser{Known: true}
	emit := func(evidence.Observation) {}
	b.ReportAllocs()
	b.SetBytes(int64(len(dull.Message)))
	for b.Loop() {
		p.Add(dull, emit)
	}
}
