// Command decision compares our computePodActions and PodSandboxChanged with those of real kubelets, release by
// release, on generated cases. It builds one driver for each release from the release's own source
// (test/oracle/internal/driver).
//
// It exits with 0 only if every requested release was compared and none differed.
package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// releases has, for each minor version, the newest release whose modules are all available.
var releases = []string{
	"v1.20.15", "v1.21.14", "v1.23.17", "v1.24.17", "v1.25.0", "v1.26.0",
	"v1.27.16", "v1.28.15", "v1.29.0", "v1.30.14", "v1.31.0", "v1.32.0",
	"v1.33.13", "v1.34.4", "v1.35.4", "v1.36.3", "v1.36.4", "v1.37.1",
}

func main() { peer.Main(peer.Options{Cases: 100_000, Vectors: 400}, run) }

func run(ctx context.Context, out io.Writer, o peer.Options) error {
	wanted := chosen(o.Minor)
	if len(wanted) == 0 {
		return fmt.Errorf("choose minor %q: not one of %s", o.Minor, strings.Join(releases, ", "))
	}
	var keep *recorder
	if o.Record != "" {
		keep = newRecorder(o.Record, o.Vectors)
	}
	all, differences, refused, failed, branches := 0, 0, 0, 0, map[string]bool{}
	for _, release := range wanted {
		began := time.Now()
		r, err := compare(ctx, out, o.Cache, release, o.Seed, o.Cases, keep)
		if err != nil {
			failed++
			fmt.Fprintf(out, "oracle-decision: %-8s not compared: %v\n", release, err)
			continue
		}
		all, differences, refused = all+r.cases, differences+r.differences, refused+r.refused
		for b := range r.branches {
			branches[b] = true
		}
		fmt.Fprintf(out,
			"oracle-decision: %-8s %d cases, %d differences, %d refused upstream, %d settings of the gates, %d branch outcomes, %s\n",
			release, r.cases, r.differences, r.refused, r.gateSets, len(r.branches), time.Since(began).Round(time.Second/10))
		for why, n := range r.refusals {
			fmt.Fprintf(out, "oracle-decision: %-8s refused %d: %.200s\n", release, n, why)
		}
	}
	if keep != nil {
		size, err := keep.write()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "oracle-decision: recorded %d KiB of vectors\n", size>>10)
	}
	fmt.Fprintf(out,
		"oracle-decision: seed %d, %d of %d releases, %d cases, %d differences, %d branch outcomes of the decision\n",
		o.Seed, len(wanted)-failed, len(wanted), all, differences, len(branches))
	if failed+differences+refused > 0 {
		return fmt.Errorf("compare decisions: %d differences, %d cases refused upstream, %d releases not compared",
			differences, refused, failed)
	}
	return nil
}

// chosen returns the releases of a minor version, or an unlisted release as given; all for an empty one.
func chosen(minor string) []string {
	known := peer.Choose(releases, minor)
	if known == nil && strings.Count(minor, ".") == 2 {
		return []string{"v" + strings.TrimPrefix(minor, "v")}
	}
	return known
}
