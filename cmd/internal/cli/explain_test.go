package cli

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/pasted"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

func TestWhichCauseWasMeant(t *testing.T) {
	for typed, want := range map[string]string{
		"oom-n":                 "did you mean oom-node?",
		"OOM-NODE":              "did you mean oom-node?",
		"livenes-probe-failed":  "liveness-probe-failed",
		"liveness-probe-faield": "liveness-probe-failed",
		"hash-kubelet-upgrades": "hash-kubelet-upgrade",
		"evicted":               "evicted-memory",
		"xyzzyxyzzy":            "",
	} {
		hints := command.CauseHints(typed)
		if want == "" && len(hints) > 1 || !strings.Contains(hints[len(hints)-1], want) ||
			!strings.Contains(hints[0], "'explain'") {
			t.Errorf("%q: %q, want %q", typed, hints, want)
		}
	}
}

// explainedAs are the terms that lines are explained with.
func explainedAs(t *testing.T, text string) (terms []string, unknown int) {
	t.Helper()
	x := lookup.New()
	if err := explainLines(x, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	for _, a := range x.Report().Answers {
		terms = append(terms, a.Term)
	}
	return terms, x.Report().UnknownLines
}

func TestPastedLinesAreRecognised(t *testing.T) {
	for line, want := range map[string]string{
		`Warning  BackOff    2m (x5 over 3m)  kubelet  Back-off restarting failed container app in pod web-0_shop(0a1b)`: "CrashLoopBackOff",
		`Warning  Unhealthy  2m (x5 over 3m)  kubelet  Liveness probe failed: HTTP probe failed with statuscode: 500`:    "Liveness probe failed",
		`  Normal   Killing    2m               kubelet  Container app failed liveness probe, will be restarted`:         "Container failed liveness probe, will be restarted",
		`3m12s       Warning   FailedMount   pod/web-0   MountVolume.SetUp failed for volume "x" : secret "y" not found`: "FailedMount",
		`shop   3m   Normal   TaintManagerEviction   pod/web-0   Marking for deletion Pod shop/web-0`:                    "TaintManagerEviction",
		`Killing: Container app definition changed, will be restarted`:                                                   "Container definition changed, will be restarted",
		`Container app definition changed, will be restarted`:                                                            "Container definition changed, will be restarted",
		`Stopping container app`: "Stopping container",
		`Mar 01 12:00:00 n1 kubelet[80]: I0301 12:00:00.123456      80 kuberuntime_container.go:779] "Killing container with a grace period" pod="shop/web-0" podUID="0a1b" containerName="app" containerID="containerd://` + strings.Repeat("ab", 32) + `" gracePeriod=30`: "Killing container with a grace period",
		`time="2026-03-01T12:00:00.1Z" level=info msg="TaskOOM event container_id:\"` +
			strings.Repeat("ab", 32) + `\""`: "out of memory (runtime)",
		`[12345.678901] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=/kubepods/pod1/c,task_memcg=/kubepods/pod1/c,task=tail,pid=123,uid=0`: "oom-kill: the container's limit",
		`oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=x,mems_allowed=0,global_oom,task_memcg=/kubepods/pod1/c,task=tail,pid=123,uid=0`:                                 "oom-kill: the node's memory",
		`Mar 01 12:00:00 n1 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE`:                                                                         "kubelet or runtime unit changed",
		`kubelet.service: Main process exited, code=exited, status=1/FAILURE`:                                                                                                        "kubelet or runtime unit changed",
		`137`: "exit 137",
	} {
		terms, unknown := explainedAs(t, line)
		if len(terms) != 1 || terms[0] != want || unknown != 0 {
			t.Errorf("%s:\n\t%q and %d unknown, want %q", line, terms, unknown, want)
		}
	}
	for _, line := range []string{"hello world", "web-0 1/1 Running 0 3d",
		`{"level":"info","msg":"served"}`, "I0301 12:00:00.123456      80 foo.go:1] something"} {
		if terms, unknown := explainedAs(t, line); len(terms) > 0 || unknown != 1 {
			t.Errorf("%s: %q", line, terms)
		}
	}
}

// counting keeps nothing but the number of facts.
type counting struct{ n int }

func (c *counting) Observe(evidence.Observation) { c.n++ }
func (c *counting) Cover(evidence.Coverage)      {}
func (c *counting) Read(evidence.Span)           {}
func (c *counting) Lose(evidence.Loss)           {}
func (c *counting) Gap(evidence.Gap)             {}

// What the parsers read in a log of a real node, a single pasted line of it says too.
func TestEveryLineThatARealLogStatesIsExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "diag", "statement", "testdata", "*.export.gz"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		stated := &counting{}
		router := statement.NewRouter(stated, statement.Options{Node: "n"})
		read, asked, missing := pasted.NewReader(), 0, 0
		err = journal.ReadExport(z, func(e evidence.Entry) error {
			before := stated.n
			router.Add(e)
			l := read.Read(e.Message)
			// What the journal's fields say is not in the text: a unit, a boot.
			if stated.n == before || e.About != "" || !strings.Contains(e.Message, " ") {
				return nil
			}
			asked++
			x := lookup.New()
			if !x.Line(lookup.Line{Text: e.Message, Facts: l.Facts, Reason: l.Reason, Message: l.Message}) {
				if missing++; missing < 5 {
					t.Errorf("%s: %s", filepath.Base(name), e.Message)
				}
			}
			return nil
		}, func(journal.Bad) {})
		if err != nil || asked < 100 {
			t.Errorf("%s: %d lines, %v", name, asked, err)
		}
		t.Logf("%s: %d of %d lines without words", filepath.Base(name), missing, asked)
	}
}

func TestRuntimeAndKernelSamplesAreExplained(t *testing.T) {
	for name, want := range map[string][]string{
		"internal/runtimelog/testdata/containerd-1.6.20.log": {"container created or started (runtime)",
			"shim lost", "out of memory (runtime)"},
		"internal/kernel/testdata/oom-6.18.txt": {"oom-kill: the container's limit"},
	} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "diag", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		terms, _ := explainedAs(t, string(data))
		for _, w := range want {
			if !strings.Contains(strings.Join(terms, "\n"), w) {
				t.Errorf("%s: no %q in %q", name, w, terms)
			}
		}
	}
}

func TestAWholeLogIsNotPasted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	if err := explainLines(lookup.New(), strings.NewReader(strings.Repeat("x\n", mostLines+1))); err == nil {
		t.Error("any number of lines is read")
	}
	long := strings.Repeat("x", 3*pasted.MaxLine)
	if terms, unknown := explainedAs(t, long+"\n137"); len(terms) != 1 || unknown != 1 {
		t.Errorf("a long line: %q, %d unknown", terms, unknown)
	}
}

func FuzzExplain(f *testing.F) {
	for _, s := range []string{"137", "Killing: Container a failed liveness probe",
		"Warning  BackOff  2m  kubelet  Back-off", "oom-kill:constraint=", "time=\"x\" msg=\"TaskOOM event",
		"[1.5] x\x1b[2J", "Init:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x := lookup.New()
		if err := explainLines(x, io.LimitReader(strings.NewReader(s), 1<<20)); err != nil {
			return
		}
		for _, a := range x.Report().Answers {
			if strings.ContainsAny(a.Said, "\x1b\n\r") || len([]rune(a.Said)) > 300 {
				t.Errorf("%q is shown as it is", a.Said)
			}
		}
	})
}
