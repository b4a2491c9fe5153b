package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kubeletsOwn are the lines of a kubelet alone, of a recorded node.
func kubeletsOwn(t *testing.T, name string) (own []line) {
	t.Helper()
	for _, l := range recorded(t, name) {
		if l.ident == "kubelet" && strings.HasPrefix(l.text, "I") || strings.HasPrefix(l.text, "E") ||
			strings.HasPrefix(l.text, "W") || strings.HasPrefix(l.text, "\t") || strings.HasPrefix(l.text, " >") {
			if l.ident == "kubelet" {
				own = append(own, l)
			}
		}
	}
	return own
}

// anywhere are verdicts without the nodes that they are of.
func (v verdicts) anywhere() map[string]int {
	out := map[string]int{}
	for what, n := range v.counts {
		_, rest, _ := strings.Cut(what, " ")
		out[rest] += n
	}
	return out
}

// wrapped are the lines that go into every encoding: two starts of the kubelet, with ends of every sort between them.
func wrapped(t *testing.T) []line { t.Helper(); return kubeletsOwn(t, upgrades)[:400] }

// Whatever a log was wrapped into, it says the same.
func TestEveryEncodingGivesTheVerdictsOfThePlainLog(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	lines := wrapped(t)
	want := analysed(t, each(plainKlog)(lines), "-").anywhere()
	if len(want) < 4 {
		t.Fatalf("the plain log tells too little: %v", want)
	}
	for _, e := range encodings() {
		t.Run(e.name, func(t *testing.T) {
			v := analysed(t, e.render(lines), "-")
			if diff := cmp.Diff(want, v.anywhere()); diff != "" {
				t.Errorf("%s\ngaps: %q", diff, v.gaps)
			}
			if e.stored && len(v.proven) > 0 {
				t.Errorf("proven by a store alone: %v", v.proven)
			}
			for _, what := range slices.Sorted(maps.Keys(v.counts)) {
				if node, _, _ := strings.Cut(what, " "); node != "n3" {
					t.Errorf("node %q: %s", node, what)
					break
				}
			}
		})
	}
}
