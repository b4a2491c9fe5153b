// Command klog measures the reader of kubelet logs against grep: the same file,
// the same needles, one run. It prints both times, the ratio and the peak memory
// of the reader, and fails when the ratio or the memory is over budget.
//
//	go run ./test/bench/klog [-mib 1024] [-rounds 5] [-dir DIR]
//
// The log is that of real kubelets (testdata), repeated with times that go on and
// process ids that change, until it is large enough. The needles are
// the texts that the reader's own tables look for. Both sides read the file from the
// page cache and each runs as a process of its own.
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
	"syscall"
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
		if *bin == "" {
			return measure(*mib, *rounds, *dir)
		}
		if flagged := flag.Lookup("mib"); flagged.Value.String() == flagged.DefValue {
			*mib = 0 // each row has its own
		}
		return wholeIn(*bin, *dir, *rounds, *mib)
	})
}

func measure(mib, rounds int, dir string) error {
	if dir == "" {
		tmp, err := os.MkdirTemp("", "restartwhy-bench-klog-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		dir = tmp
	}
	log, needles := filepath.Join(dir, "kubelet.log"), filepath.Join(dir, "needles")
	size, err := write(log, int64(mib)<<20)
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	if err := os.WriteFile(needles, []byte(strings.Join(kubeletlog.Needles(), "\n")+"\n"), 0o600); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := touch(log); err != nil { // into the page cache
		return err
	}
	var grep, ours, grepCPU, oursCPU time.Duration
	var found, counted string
	var peak int64
	all, err := pairs.Run(rounds, func() (time.Duration, error) {
		took, cpu, out, rss, err := run(self, "-read", log)
		if err != nil {
			return 0, fmt.Errorf("read: %w", err)
		}
		ours, oursCPU, found, peak = least(ours, took), least(oursCPU, cpu), out, max(peak, rss)
		return took, nil
	}, func() (time.Duration, error) {
		took, cpu, out, _, err := run("grep", "-cF", "-f", needles, log)
		if err != nil {
			return 0, fmt.Errorf("grep: %w", err)
		}
		grep, grepCPU, counted = least(grep, took), least(grepCPU, cpu), out
		return took, nil
	})
	if err != nil {
		return err
	}
	ratio := pairs.Ratio(all)
	fmt.Printf("log    %d MiB, %d needles\n", size>>20, len(kubeletlog.Needles()))
	fmt.Printf("grep   %.2f s, %.2f s of processor time, %s lines\n", grep.Seconds(), grepCPU.Seconds(), counted)
	fmt.Printf("reader %.2f s, %.2f s of processor time, %.0f MB/s, %s\n",
		ours.Seconds(), oursCPU.Seconds(), float64(size)/1e6/ours.Seconds(), found)
	// The last line sums up.
	fmt.Printf("klog: %.2f of grep's wall time (budget %.2f), %d MiB at most (budget %d)\n",
		ratio, maxRatio, peak>>20, maxMiB)
	if pairs.Over(ratio, maxRatio) || peak>>20 > maxMiB {
		return fmt.Errorf("over budget")
	}
	return nil
}

func least(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// run runs a command with the C locale; cpu is what it used of the processors,
// rss the peak of its resident memory in bytes.
func run(name string, args ...string) (took, cpu time.Duration, out string, rss int64, err error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	start := time.Now()
	err = cmd.Run()
	took = time.Since(start)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		rss = int64(usage.Maxrss) << 10 //nolint:unconvert // 32 bits wide on arm
	}
	cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return took, cpu, strings.TrimSpace(stdout.String()), rss, err
}
