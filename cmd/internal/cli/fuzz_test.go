package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

func FuzzAge(f *testing.F) {
	for _, s := range []string{"24h", "7d", "1.5d", "-1d", "d", "0s", "9999999d", "1h1d", "+7d", "1e9d", "3650d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := command.ParseAge(text)
		if err == nil && (d <= 0 || d > command.MaxAge) {
			t.Errorf("%q is %s", text, d)
		}
	})
}

// A word becomes an object of a kind that can be asked for, or an error that names it.
func FuzzTargets(f *testing.F) {
	for _, s := range []string{"web-0", "deploy/web", "deploy web api", "pods",
		"node n1 n1", "po/a sts/b ds/c", "a/b/c", "/", "Deployments/web", "node/", "no a/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		before := slices.Clone(args)
		targets, nodes, err := command.ParseTargets(args)
		if !slices.Equal(args, before) {
			t.Errorf("%q was changed to %q", before, args)
		}
		if err != nil {
			return
		}
		for i, x := range targets {
			if command.KindOf(x.Kind) != x.Kind || x.Name == "" || strings.Contains(x.Name, "/") ||
				slices.Index(targets, x) != i {
				t.Errorf("%q: %+v", line, targets)
			}
		}
		if !slices.IsSorted(nodes) || slices.Contains(nodes, "") || len(nodes)+len(targets) > len(args) {
			t.Errorf("%q: nodes %q beside %+v", line, nodes, targets)
		}
	})
}
