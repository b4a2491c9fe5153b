// Command probe compares the project's probe simulation with the kubelet's own probe worker: both get the same seeded
// cases, and every difference is printed. It needs the modules of Kubernetes (module cache or network).
//
// It exits with 0 only if every requested release was tested and none differed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/probevector"
)

// releases are the kubelets whose worker is tested: one before and one after each change of the worker whose modules
// can still be built.
var releases = []string{"v1.20.15", "v1.30.14", "v1.36.3", "v1.37.1"}

func main() { peer.Main(peer.Options{Cases: 10_000}, run) }

// run tests every requested release; its last line on out is the summary. A minor version whose worker is not tested is
// no error: its decision may be compared all the same.
func run(ctx context.Context, out io.Writer, o peer.Options) error {
	wanted := peer.Choose(releases, o.Minor)
	if len(wanted) == 0 {
		fmt.Fprintf(out,
			"oracle-probe: seed %d, 0 of 0 releases, 0 cases, 0 differences: no worker of %s is played, only those of %s\n",
			o.Seed, o.Minor, strings.Join(releases, ", "))
		return nil
	}
	played, differences, failed := 0, 0, 0
	for _, release := range wanted {
		began := time.Now()
		wrong, err := compare(ctx, out, o, release)
		if err != nil {
			failed++
			fmt.Fprintf(out, "oracle-probe: %-8s not compared: %v\n", release, err)
			continue
		}
		played, differences = played+o.Cases, differences+wrong
		fmt.Fprintf(out, "oracle-probe: %-8s %d cases, %d differences, %s\n",
			release, o.Cases, wrong, time.Since(began).Round(time.Second/10))
	}
	fmt.Fprintf(out, "oracle-probe: seed %d, %d of %d releases, %d cases, %d differences\n",
		o.Seed, len(wanted)-failed, len(wanted), played, differences)
	if differences+failed > 0 || played == 0 {
		return fmt.Errorf("compare probe workers: %d differences, %d releases not compared, %d cases played",
			differences, failed, played)
	}
	return nil
}

// compare runs the cases on both sides and returns how many differ.
func compare(ctx context.Context, out io.Writer, o peer.Options, release string) (wrong int, err error) {
	v, err := kubelet.ParseVersion(release)
	if err != nil {
		return 0, err
	}
	driver, err := build(ctx, o.Cache, release, v.Minor)
	if err != nil {
		return 0, err
	}
	rng := rand.New(rand.NewSource(int64(o.Seed)))
	list := make([]probevector.Case, o.Cases)
	for i := range list {
		list[i] = generate(rng, v.Minor)
	}
	theirs, err := ask[probevector.Case, probevector.Behaviour](ctx, driver, "TestOracle", list)
	if err != nil {
		return 0, fmt.Errorf("play %d cases: %w", o.Cases, err)
	}
	if v.Minor < podsSince {
		fmt.Fprintf(out, "oracle-probe: %-8s no pods registered: the workers of this release do not end with their test\n",
			release)
	} else {
		var pods int
		if pods, wrong, err = comparePods(ctx, out, driver, release, v.Minor, o); err != nil {
			return 0, err
		}
		fmt.Fprintf(out, "oracle-probe: %-8s %d pods registered, %d differences\n", release, pods, wrong)
	}
	vectors := make([]probevector.Vector, len(list))
	for i, c := range list {
		vectors[i] = probevector.Vector{Version: release, Case: c, Want: theirs[i]}
		ours, err := c.Play(release)
		if err != nil {
			return 0, fmt.Errorf("play case %d: %w", i, err)
		}
		if reflect.DeepEqual(ours, theirs[i]) {
			continue
		}
		if wrong++; wrong <= 3 {
			line, err := json.Marshal(vectors[i])
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(out, "%s case %d differs\n  %s\n  ours %+v\n", release, i, line, ours)
		}
	}
	if o.Record == "" {
		return wrong, nil
	}
	packed, err := peer.Pack(vectors)
	if err != nil {
		return 0, err
	}
	return wrong, os.WriteFile(filepath.Join(o.Record, release+".jsonl.zst"), packed, 0o644)
}
