// Command probe holds the project's probe simulation against the kubelet's own
// probe worker: the same seeded cases go to both, and every difference is
// printed. It needs the modules of Kubernetes (module cache or network).
//
//	go run ./test/oracle/probe -seed 1 -cases 2000 [-minor 1.30] [-record DIR]
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe/probevector"
)

// releases are the kubelets whose worker is played: one before and one after
// each change of the worker that their modules can still be built with.
var releases = []string{"v1.20.15", "v1.30.14", "v1.36.3"}

func main() {
	seed := flag.Int64("seed", 1, "seed of the cases")
	cases := flag.Int("cases", 2000, "cases per minor")
	minor := flag.String("minor", "", "only this minor, such as 1.30")
	cache := flag.String("cache", filepath.Join(".cache", "oracle", "probe"), "directory for the kubelet's sources and what is built of them")
	record := flag.String("record", "", "write the vectors of this run there")
	flag.Parse()
	differences, played, err := run(context.Background(), *seed, *cases, *minor, *cache, *record)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	fmt.Printf("oracle probe: %d cases, %d differences, seed %d\n", played, differences, *seed)
	if differences > 0 || played == 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, seed int64, cases int, minor, cache, record string) (differences, played int, err error) {
	for _, release := range releases {
		v, err := kubelet.ParseVersion(release)
		if err != nil {
			return 0, 0, err
		}
		if minor != "" && strings.TrimPrefix(minor, "v") != fmt.Sprintf("%d.%d", v.Major, v.Minor) {
			continue
		}
		driver, err := build(ctx, cache, release, v.Minor)
		if err != nil {
			return 0, 0, err
		}
		rng := rand.New(rand.NewSource(seed))
		list := make([]probevector.Case, cases)
		for i := range list {
			list[i] = generate(rng, v.Minor)
		}
		theirs, err := play(ctx, driver, list)
		if err != nil {
			return 0, 0, fmt.Errorf("play %d cases on %s: %w", cases, release, err)
		}
		var recorded bytes.Buffer
		wrong := 0
		for i, c := range list {
			ours, err := c.Play(release)
			if err != nil {
				return 0, 0, fmt.Errorf("play case %d: %w", i, err)
			}
			line, err := json.Marshal(probevector.Vector{Version: release, Case: c, Want: theirs[i]})
			if err != nil {
				return 0, 0, err
			}
			recorded.Write(append(line, '\n'))
			if !reflect.DeepEqual(ours, theirs[i]) {
				if wrong++; wrong <= 3 {
					fmt.Printf("%s case %d differs\n  %s\n  ours %+v\n", release, i, line, ours)
				}
			}
		}
		fmt.Printf("%s: %d cases, %d differences\n", release, cases, wrong)
		differences, played = differences+wrong, played+cases
		if record != "" {
			if err := write(filepath.Join(record, release+".jsonl.gz"), recorded.Bytes()); err != nil {
				return 0, 0, err
			}
		}
	}
	return differences, played, nil
}

// write compresses; no time and no name inside, so that the same run gives the same file.
func write(path string, content []byte) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, writeErr := z.Write(content)
	if err := cmp.Or(writeErr, z.Close()); err != nil {
		return fmt.Errorf("compress %s: %w", path, err)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
