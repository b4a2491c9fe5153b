package kubeletlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	uid = "0b222463-b4cd-48ff-b717-ecaa167c7f92"
	cid = "cfbbbf3f70d6994adc39f392fb9750a9e7d70445fca6d1fc5e265b88c024f0fa"
	old = "I1121 08:42:57.694552      80 kuberuntime_manager.go:656] "  // kubelet ≤1.20
	now = "I1121 07:43:40.929171    8252 kuberuntime_manager.go:1374] " // kubelet ≥1.21
)

var byText = cmp.Comparer(func(a, b safetext.Text) bool { return a.String() == b.String() })

// said is a statement without its quote.
type said struct {
	Subject evidence.Subject
	Fact    evidence.Fact
}

func read(line string) []said {
	_, obs := Parse(line)
	var out []said
	for _, o := range obs {
		out = append(out, said{o.Subject, o.Fact})
	}
	return out
}

func text(s string) safetext.Text { return safetext.Clean(s) }

// The pod as lines of both styles name it, and with its container.
var (
	podOld  = evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid}
	podNew  = evidence.Subject{Namespace: "s-n5", Pod: "p"}
	podUID  = podOld
	inOld   = evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "a", ContainerID: cid}
	inNoUID = evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a", ContainerID: cid}
	inNoCID = evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "a"}
)

type lineCase struct {
	name string
	line string
	want []said
}

func one(s evidence.Subject, f evidence.Fact) []said { return []said{{s, f}} }

func TestLinesOfEveryStyleBecomeStatements(t *testing.T) {
	for style, cases := range map[string][]lineCase{"≤1.20": oldLines, "≥1.21": newLines} {
		for _, c := range cases {
			t.Run(style+" "+c.name, func(t *testing.T) {
				if diff := cmp.Diff(c.want, read(c.line), byText); diff != "" {
					t.Errorf("%s\n%s", c.line, diff)
				}
			})
		}
	}
}

// TestEveryFactComesFromOldAndNewKubelets holds the two tables together: a fact
// that only one of them yields needs a reason.
func TestEveryFactComesFromOldAndNewKubelets(t *testing.T) {
	onlyNew := map[string]string{
		"kubelet.container-finished":      "the line exists since 1.22",
		"kubelet.missing-actuated-record": "the line exists since 1.33",
		"runtime.exec-started":            "runtimes of that time log each call",
	}
	facts := func(cases []lineCase) map[string]bool {
		out := map[string]bool{}
		for _, c := range cases {
			for _, s := range read(c.line) {
				out[s.Fact.Statement()] = true
			}
		}
		return out
	}
	before, after := facts(oldLines), facts(newLines)
	for f := range after {
		if !before[f] && onlyNew[f] == "" {
			t.Errorf("%s comes from no line of a kubelet ≤1.20", f)
		}
	}
	for f := range before {
		if !after[f] {
			t.Errorf("%s comes from no line of a kubelet ≥1.21", f)
		}
	}
	if len(after) != 15 {
		t.Errorf("%d facts: %v", len(after), after)
	}
}

func TestWhatIsNoLineOfOursSaysNothing(t *testing.T) {
	base := now + `"Killing container with a grace period" pod="s-n5/p" podUID="` +
		uid + `" containerName="a" containerID="containerd://` + cid + `" gracePeriod=30`
	if len(read(base)) != 1 {
		t.Fatal("the base line says nothing")
	}
	for name, mutate := range map[string]func(string) string{
		"without the header":        func(s string) string { return s[len(now):] },
		"behind other text":         func(s string) string { return "log: " + s },
		"with another severity":     func(s string) string { return "X" + s[1:] },
		"with an impossible month":  func(s string) string { return "I1321" + s[5:] },
		"with a letter in the time": func(s string) string { return s[:6] + "x" + s[7:] },
		"without a pid":             func(s string) string { return strings.Replace(s, "8252", "    ", 1) },
		"without a number": func(s string) string {
			return strings.Replace(s, "gracePeriod=30", "gracePeriod=soon", 1)
		},
		"without the value":                func(s string) string { return strings.Replace(s, " gracePeriod=30", "", 1) },
		"quoted by another message":        func(s string) string { return now + `"I saw this" line=` + s[len(now):] },
		"cut before the end of the header": func(s string) string { return s[:30] },
		"empty":                            func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(mutate(base)); got != nil {
				t.Errorf("%q says %+v", mutate(base), got)
			}
		})
	}
}

func TestTheQuoteIsTheLineWithoutItsHeader(t *testing.T) {
	_, obs := Parse(now + `"SyncLoop REMOVE" source="api" pods=["s-n5/p"]`)
	if got := obs[0].Text.String(); got != `"SyncLoop REMOVE" source="api" pods=["s-n5/p"]` {
		t.Errorf("quoted as %s", got)
	}
	_, obs = Parse(now + `"SyncLoop ADD" source="api" pods=["s-n5/p","x/q"]`)
	if got := obs[1].Text.String(); got != `SyncLoop ADD, "api": x/q (2 of 2)` {
		t.Errorf("one of several pods is quoted as %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range append(append([]lineCase{}, oldLines...), newLines...) {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, obs := Parse(s)
		for _, o := range obs {
			if o.Fact == nil || !safetext.Safe(o.Text.String()) {
				t.Fatalf("a statement without a fact, or an unsafe quote, from %q: %+v", s, o)
			}
		}
		if len(obs) > len(s) {
			t.Fatalf("%d statements from %d bytes", len(obs), len(s))
		}
	})
}
