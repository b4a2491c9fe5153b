package kubeletlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// TestACutLineNeverSaysSomethingElse cuts every line of the tables at every byte.
// What is left may say less, but no other container, pod or fact. Only a bare
// number at the very end cannot be told from a whole one: readers of files
// therefore hand on whole lines only.
func TestACutLineNeverSaysSomethingElse(t *testing.T) {
	for _, c := range append(append([]lineCase{}, oldLines...), newLines...) {
		if len(c.want) == 0 {
			continue
		}
		facts := map[string]bool{}
		for _, w := range c.want {
			facts[w.Fact.Statement()] = true
		}
		for cut := 1; cut < len(c.line); cut++ {
			if strings.Trim(c.line[cut:], "0123456789") == "" {
				continue
			}
			for _, got := range read(c.line[:cut]) {
				if k, ok := got.Fact.(evidence.KubeletStarted); ok && k.PID != 0 {
					continue // a version may be cut: it is shown, never compared by length
				}
				if !facts[got.Fact.Statement()] {
					t.Fatalf("%s, cut at %d: %+v", c.name, cut, got)
				}
				if !within(got.Subject, c.want) {
					t.Fatalf("%s, cut at %d to %q: about %+v", c.name, cut, c.line[:cut], got.Subject)
				}
			}
		}
	}
}

// within reports whether every known field of a subject is that of one of the
// subjects that the whole line names.
func within(got evidence.Subject, want []said) bool {
	for _, w := range want {
		same := func(have, whole string) bool { return have == "" || have == whole }
		if same(got.Namespace, w.Subject.Namespace) && same(got.Pod, w.Subject.Pod) && same(got.PodUID, w.Subject.PodUID) &&
			same(got.Container, w.Subject.Container) && same(got.ContainerID, w.Subject.ContainerID) {
			return true
		}
	}
	return false
}

func TestValuesOfEverySpelling(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string // key=value, quoted ones with a tick
	}{
		{"nothing", "", nil},
		{"quoted", ` pod="s/p"`, []string{"pod'=s/p"}},
		{"quoted with escapes", ` err="a \"b\"\n\tc"`, []string{"err'=a \"b\"\n\tc"}},
		{"bare", ` exitCode=137 ok=true`, []string{"exitCode=137", "ok=true"}},
		{"Go syntax", ` event=&{ID:u Type:ContainerDied Data:c} x=1`,
			[]string{"event=&{ID:u Type:ContainerDied Data:c}", "x=1"}},
		{"Go syntax, nested", ` a={B:{C:[1 2]} D:x} x=1`, []string{"a={B:{C:[1 2]} D:x}", "x=1"}},
		{"a map", ` a=map[b:1 c:2] x=1`, []string{"a=map[b:1 c:2]", "x=1"}},
		{"JSON with brackets in a string", ` a={"b":"}] \" ["} x=1`, []string{`a={"b":"}] \" ["}`, "x=1"}},
		{"a list", ` pods=["s/p","x/q"] x=1`, []string{`pods=["s/p","x/q"]`, "x=1"}},
		{"a block", " output=<\n\tone\n\t\ttwo\n > x=1", []string{"output'=one\n\ttwo", "x=1"}},
		{"an empty block", " output=<\n > x=1", []string{"output'=", "x=1"}},
		{"a block of which every line was lost", " x=1 output=<", []string{"x=1", "output'="}},
		{"a block that breaks off keeps its lines", " output=<\n\tone", []string{"output'=one"}},
		{"quotes that are not closed are dropped", ` a=1 pod="s/p`, []string{"a=1"}},
		{"brackets that are not closed are dropped", ` a=1 pods=["s/p","x`, []string{"a=1"}},
		{"no key", ` a=1 no key here`, []string{"a=1"}},
		{"an empty value", ` a= b=1`, []string{"a=", "b=1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range klogline.ParseValues(nil, c.in) {
				tick := ""
				if p.Quoted {
					tick = "'"
				}
				got = append(got, p.Key+tick+"="+p.Text())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if n := len(klogline.ParseValues(nil, strings.Repeat(" a=1", 3*klogline.MaxPairs))); n != klogline.MaxPairs {
		t.Errorf("%d pairs were read", n)
	}
}
