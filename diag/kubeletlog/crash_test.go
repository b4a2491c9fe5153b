package kubeletlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// statements lists what a parser tells of lines, by name.
func statements(p *Parser, lines ...string) []string {
	var out []string
	for _, o := range feed(p, lines...) {
		out = append(out, o.Fact.Statement())
	}
	return out
}

func TestWhatOtherComponentsPrintTooWaitsForProof(t *testing.T) {
	version, flag := from(7, "server.go", "Version: v1.20.15"), from(7, "flags.go", `FLAG: --cgroup-driver="systemd"`)
	failed := from(7, "run.go", `"command failed" err="no"`)
	proof := from(7, "kubelet.go", "Starting kubelet main sync loop.")
	for name, c := range map[string]struct {
		known bool
		lines []string
		want  []string
	}{
		"some component": {false, []string{version, flag, failed}, nil},
		"a kubelet by its unit": {true, []string{version, flag, failed},
			[]string{"kubelet.started", "kubelet.setting", "kubelet.exited"}},
		"a kubelet by a later line": {false, []string{version, flag, proof}, []string{"kubelet.started", "kubelet.setting"}},
		"two processes, one of them a kubelet": {false, []string{from(8, "flags.go", `FLAG: --cgroup-driver="x"`),
			flag, proof}, []string{"kubelet.setting", "kubelet.started"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, statements(&Parser{Known: c.known}, c.lines...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPanicIsAnExit(t *testing.T) {
	line := from(7, "kubelet.go", "Starting kubelet main sync loop.")
	for name, c := range map[string]struct {
		known bool
		lines []string
		want  int
	}{
		"a panic": {true, []string{line, "panic: runtime error: index out of range",
			"goroutine 1 [running]:"}, 1},
		"an error of the Go runtime":    {true, []string{line, "fatal error: concurrent map writes"}, 1},
		"the watchdog's SIGABRT":        {true, []string{line, "SIGABRT: abort", "panic: again"}, 1},
		"before any kubelet":            {true, []string{"panic: no"}, 0},
		"in a log of nobody knows whom": {false, []string{line, "panic: no"}, 0},
		"in the middle of a line":       {true, []string{line, "note: panic: no"}, 0},
		"of two processes":              {true, []string{line, "panic: no", from(8, "kubelet.go", "x"), "panic: no"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			for _, s := range statements(&Parser{Known: c.known}, c.lines...) {
				if s == "kubelet.exited" {
					n++
				}
			}
			if n != c.want {
				t.Errorf("%d exits, want %d", n, c.want)
			}
		})
	}
}

// A log in which every line comes from another process must not cost memory for
// each of them.
func TestManyProcessesAreForgotten(t *testing.T) {
	p := Parser{Known: true}
	for pid := 1; pid < 3*maxRuns; pid++ {
		p.Add(evidence.Entry{Time: time.Unix(int64(pid), 0),
			Message: from(pid, "server.go", fmt.Sprintf("Version: v1.20.%d", pid))}, func(evidence.Observation) {})
	}
	if len(p.runs) > maxRuns {
		t.Errorf("%d processes are remembered", len(p.runs))
	}
	q := Parser{}
	for range 100 * maxHeld {
		q.Add(evidence.Entry{Message: from(7, "flags.go", `FLAG: --cgroup-driver="systemd"`)}, func(evidence.Observation) {})
	}
	if n := len(q.run.held); n > maxHeld {
		t.Errorf("%d statements wait", n)
	}
}

func TestARoomIsUsedAgain(t *testing.T) {
	var room Arena
	line := now + `"SyncLoop REMOVE" source="api" pods=["s-n5/p"]`
	read := func(n int) {
		room.Reset()
		for i := range n {
			r := room.Read(line, Peek(line))
			if len(r.Said()) != 1 || r.Said()[0].Subject != podNew {
				t.Fatalf("reading %d: %+v", i, r.Said())
			}
		}
	}
	read(5 * roomFor) // the first fill
	blocks := len(room.blocks)
	read(5 * roomFor)
	if len(room.blocks) != blocks || blocks < 5 {
		t.Errorf("%d blocks, then %d", blocks, len(room.blocks))
	}
	// What was read before stays as it was while the room fills.
	room.Reset()
	first := room.Read(line, Peek(line))
	for range 3 * roomFor {
		room.Read(now+`"SyncLoop ADD" source="file" pods=["x/y"]`, Peek(now+`"SyncLoop ADD" source="file" pods=["x/y"]`))
	}
	if first.Said()[0].Subject != podNew {
		t.Errorf("overwritten: %+v", first.Said())
	}
}

func TestEveryLineOfInterestHoldsANeedle(t *testing.T) {
	needles := Needles()
	if len(needles) < 150 {
		t.Errorf("only %d needles", len(needles))
	}
	for _, c := range slices.Concat(oldLines, newLines, podLines) {
		if len(c.want) == 0 || strings.HasPrefix(c.line, "{") || strings.HasPrefix(c.line, "F") {
			continue // JSON escapes its texts; fatal lines are told by their letter
		}
		if !slices.ContainsFunc(needles, func(n string) bool { return strings.Contains(c.line, n) }) {
			t.Errorf("%s: nothing finds %s", c.name, c.line)
		}
	}
	for _, n := range needles {
		if n == "" {
			t.Error("an empty needle finds every line")
		}
	}
}
