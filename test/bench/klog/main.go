// Command klog compares the reader of kubelet logs with grep: the same file, the same needles, one run. It prints both
// times, the ratio and the peak memory of the reader, and fails if the ratio or the memory exceeds the budget.
//
//	go run ./test/bench/klog [-mib 1024] [-rounds 5] [-dir DIR]
//
// The log is from real kubelets (testdata), repeated with advancing times and changing process ids until it is large
// enough. The needles are the texts in the reader's own tables. Both sides read the file from the page cache and each
// runs as a separate process.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/test/bench/pairs"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

// The budget: the reader needs at most grep's wall time (pairs.Over), and this much memory.
const (
	maxRatio = 1.0
	maxMiB   = 200
)

func main() {
	mib := flag.Int("mib", 1024, "size of the log in MiB")
	rounds := flag.Int("rounds", 5, "how often each side runs, in turn; the median of the pairs counts")
	dir := flag.String("dir", "", "where to write the log; a temporary directory if empty")
	bin := flag.String("bin", "", "measure this program as a whole, instead of the reader")
	read := flag.String("read", "", "only read this log and print what was found (what the measured process does)")
	program.Main(func(context.Context) error {
		if *read != "" {
			return readOnce(os.Stdout, *read)
		}
		if *dir == "" {
			tmp, err := os.MkdirTemp("", "restartwhy-bench-klog-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			*dir = tmp
		}
		b := bench{*dir, *rounds}
		if err := os.WriteFile(b.needles(), []byte(strings.Join(kubeletlog.Needles(), "\n")+"\n"), 0o600); err != nil {
			return err
		}
		if *bin == "" {
			return b.reader(int64(*mib) << 20)
		}
		if flagged := flag.Lookup("mib"); flagged.Value.String() == flagged.DefValue {
			*mib = 0 // each row has its own
		}
		return b.whole(*bin, *mib)
	})
}

// bench says where logs are written, and how often each side runs.
type bench struct {
	dir    string
	rounds int
}

func (b bench) needles() string { return filepath.Join(b.dir, "needles") }

// result is both sides' cost and output.
type result struct {
	ours, grep     pairs.Cost
	ratio          float64
	found, counted string
}

// against runs a program and grep over the same log, in turn.
func (b bench) against(log, name string, args ...string) (r result, err error) {
	if err := touch(log); err != nil { // into the page cache
		return r, err
	}
	side := func(best *pairs.Cost, said *string, name string, args ...string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			cmd := exec.Command(name, args...)
			cmd.Env = append(os.Environ(), "LC_ALL=C")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, os.Stderr
			c, err := pairs.Of(cmd)
			best.Keep(c)
			*said = strings.TrimSpace(out.String())
			return c.Wall, err
		}
	}
	all, err := pairs.Run(b.rounds, side(&r.ours, &r.found, name, args...),
		side(&r.grep, &r.counted, "grep", "-cF", "-f", b.needles(), log))
	if err == nil {
		r.ratio = pairs.Ratio(all)
	}
	return r, err
}

func (b bench) reader(least int64) error {
	log := filepath.Join(b.dir, "kubelet.log")
	size, err := write(log, least)
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	r, err := b.against(log, self, "-read", log)
	if err != nil {
		return err
	}
	seconds := r.ours.Wall.Seconds()
	fmt.Printf("log    %d MiB, %d needles\n", size>>20, len(kubeletlog.Needles()))
	fmt.Printf("grep   %.2f s, %.2f s of processor time, %s lines\n", r.grep.Wall.Seconds(), r.grep.Processor.Seconds(),
		r.counted)
	fmt.Printf("reader %.2f s, %.2f s of processor time, %.0f MB/s, %s\n",
		seconds, r.ours.Processor.Seconds(), float64(size)/1e6/seconds, r.found)
	// The last line is a summary.
	fmt.Printf("klog: %.2f of grep's wall time (budget %.2f), %d MiB at most (budget %d)\n",
		r.ratio, maxRatio, r.ours.Peak>>20, maxMiB)
	if pairs.Over(r.ratio, maxRatio) || r.ours.Peak>>20 > maxMiB {
		return fmt.Errorf("over budget")
	}
	return nil
}
