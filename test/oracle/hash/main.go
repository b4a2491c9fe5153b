// Command hash compares our HashContainer with that of real kubelets, era by era, on generated containers. It builds
// one program for each release from the release's own source (test/oracle/internal/hashdriver).
//
// It exits with 0 only if every requested release was compared and none differed.
package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

func main() {
	defaults := peer.Options{Cases: 1_000_000, Vectors: 1200}
	peer.Main(defaults, func(ctx context.Context, out io.Writer, o peer.Options) error {
		if o.Record != "" {
			return record(ctx, out, o)
		}
		return run(ctx, out, o)
	})
}

// lastJSON is the last minor version that hashed the whole container. Upstream maintains only newer ones.
const lastJSON = 30

// total holds the sums over releases.
type total struct {
	wanted, failed, cases, hashes, differences, refused int
	slowest                                             float64 // the largest ratio of our time to upstream's, ≥ 1.31
}

func run(ctx context.Context, out io.Writer, o peer.Options) error {
	eras, err := chosen(o.Minor)
	if err != nil {
		return err
	}
	var t total
	for _, era := range eras {
		share := (o.Cases + len(era) - 1) / len(era)
		for _, d := range era {
			t.wanted++
			if err := one(ctx, out, o, d, share, &t); err != nil {
				t.failed++
				fmt.Fprintf(out, "oracle: %-15s not compared: %v\n", d, err)
			}
		}
	}
	fmt.Fprintf(out,
		"oracle: seed %d, %d of %d releases, %d eras, %d cases, %d hashes, %d differences, %d refused upstream%s\n",
		o.Seed, t.wanted-t.failed, t.wanted, len(eras), t.cases, t.hashes, t.differences, t.refused, t.pace())
	if t.failed+t.differences > 0 || t.cases == 0 {
		return fmt.Errorf("compare hashes: %d differences in %d cases, %d releases not compared",
			t.differences, t.cases, t.failed)
	}
	return nil
}

// pace says how our cost compares for the releases that are still maintained upstream.
func (t total) pace() string {
	if t.slowest == 0 {
		return ""
	}
	return fmt.Sprintf(", at most %.2f of upstream's time from 1.31 on", t.slowest)
}

func one(ctx context.Context, out io.Writer, o peer.Options, d hashdriver.Driver, n int, t *total) error {
	began := time.Now()
	path, err := hashdriver.Build(ctx, o.Cache, d)
	if err != nil {
		return err
	}
	ours, theirs, err := measure(ctx, path, d, o.Seed)
	if err != nil {
		return err
	}
	r, err := compare(ctx, out, path, d, o.Seed, n)
	if err != nil {
		return err
	}
	t.cases, t.hashes, t.differences, t.refused = t.cases+r.cases, t.hashes+r.hashes,
		t.differences+r.differences, t.refused+r.refused
	fmt.Fprintf(out, "oracle: %-15s stands for %s: %d cases, %d hashes, %d differences, %d refused upstream, %s\n",
		d, minors(d), r.cases, r.hashes, r.differences, r.refused, time.Since(began).Round(time.Second/10))
	part := float64(ours.Nanoseconds) / float64(theirs.Nanoseconds)
	if d.From > lastJSON {
		t.slowest = max(t.slowest, part)
	}
	fmt.Fprintf(out, "oracle: %-15s a hash costs us %v, upstream %v: %.2f of its time\n", d, ours, theirs, part)
	return nil
}

func minors(d hashdriver.Driver) string {
	text := fmt.Sprintf("1.%d", d.From)
	if d.From != d.To {
		text = fmt.Sprintf("1.%d to 1.%d", d.From, d.To)
	}
	switch {
	case d.Late:
		return text + ", patches built with Go 1.22 or newer"
	case d.Twice():
		return text + ", patches built with an older Go"
	}
	return text
}

// chosen returns the drivers for a minor version such as 1.34, v1.34 or v1.34.4; all for an empty one.
func chosen(minor string) ([][]hashdriver.Driver, error) {
	if minor == "" {
		return hashdriver.Eras, nil
	}
	parts := strings.Split(strings.TrimPrefix(minor, "v"), ".")
	if len(parts) >= 2 && len(parts) <= 3 && parts[0] == "1" {
		if n, err := strconv.Atoi(parts[1]); err == nil {
			if stand := hashdriver.Choose(n); stand != nil {
				return [][]hashdriver.Driver{stand}, nil
			}
		}
	}
	return nil, fmt.Errorf("choose minor %q: want one from 1.%d to 1.%d", minor, hash.OldestMinor, hash.NewestMinor)
}
