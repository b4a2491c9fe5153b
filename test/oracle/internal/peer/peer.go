// Package peer is what the oracles share: their flags, the program with a real kubelet's own code (built once, queried
// line by line, timed next to ours), and how answers are recorded.
//
// It may import test/internal/program and a compressor. It knows neither the questions nor our answers.
package peer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

// Options are the flags of an oracle.
type Options struct {
	Seed   uint64
	Cases  int
	Minor  string // "" for all
	Cache  string // directory of the built drivers
	Record string // directory for vectors; "" records none
	// Vectors is how many are recorded per release; an oracle that records all has no flag for it.
	Vectors int
}

// Main reads the flags, with o as the defaults, and works until the end or an interrupt.
func Main(o Options, work func(context.Context, io.Writer, Options) error) {
	flag.Uint64Var(&o.Seed, "seed", uint64(time.Now().UnixNano()), "seed of the cases")
	flag.IntVar(&o.Cases, "cases", o.Cases, "cases for each release, or for each era of hashes")
	flag.StringVar(&o.Minor, "minor", "", "compare what stands for this minor alone, such as 1.34, or this release")
	flag.StringVar(&o.Cache, "cache", ".cache/oracle", "directory of the built drivers")
	flag.StringVar(&o.Record, "record", "", "write vectors to this directory")
	if o.Vectors > 0 {
		flag.IntVar(&o.Vectors, "vectors", o.Vectors, "vectors to record")
	}
	program.Main(func(ctx context.Context) error { return work(ctx, os.Stdout, o) })
}

// Choose returns the release for a minor version such as 1.34, v1.34 or v1.34.4; all for an empty one, none for one
// without a release.
func Choose(releases []string, minor string) []string {
	if minor == "" {
		return releases
	}
	minor = "v" + strings.TrimPrefix(minor, "v")
	for _, r := range releases {
		if r == minor || strings.HasPrefix(r, minor+".") {
			return []string{r}
		}
	}
	return nil
}

// Driver is one running program of a real kubelet's functions.
type Driver struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

// Start runs the program. Its log goes to log, or nowhere if that is nil.
func Start(ctx context.Context, path string, log io.Writer) (*Driver, error) {
	cmd := exec.CommandContext(ctx, path)
	cmd.Stderr = log
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return &Driver{in, bufio.NewReaderSize(out, 1<<20), cmd}, nil
}

// Answer sends all lines, each of which ends with a line feed, and returns one answer for each, without line feed. It
// calls meanwhile in between.
func (d *Driver) Answer(lines [][]byte, meanwhile func()) ([][]byte, error) {
	failed := make(chan error, 1)
	go func() {
		to := bufio.NewWriterSize(d.in, 1<<16)
		for _, line := range lines {
			if _, err := to.Write(line); err != nil {
				failed <- fmt.Errorf("ask driver: %w", err)
				return
			}
		}
		failed <- to.Flush()
	}()
	meanwhile()
	answers := make([][]byte, len(lines))
	for i := range answers {
		line, err := d.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("read driver's answer: %w", err)
		}
		answers[i] = bytes.TrimSuffix(line, []byte("\n"))
	}
	return answers, <-failed
}

// Stop ends the program.
func (d *Driver) Stop() error {
	if err := d.in.Close(); err != nil {
		return err
	}
	return d.cmd.Wait()
}

// Timed is how many questions are repeated when a side is timed; timeFor is for how long.
const (
	Timed   = 1000
	timeFor = time.Second / 2
)

// Pace is one side's cost per answer.
type Pace struct {
	Nanoseconds int64
	Allocations float64
}

func (p Pace) String() string {
	return fmt.Sprintf("%d ns, %.1f allocations", p.Nanoseconds, p.Allocations)
}

// Measure times the program on lines, which are Timed questions, and round, which answers all of them, one after the
// other. The fastest round counts on both sides: the others were disturbed.
func Measure(ctx context.Context, path string, lines []byte, round func() error) (ours, theirs Pace, err error) {
	cmd := exec.CommandContext(ctx, path, "time")
	cmd.Stdin = bytes.NewReader(lines)
	out, err := cmd.Output()
	if err != nil {
		return Pace{}, Pace{}, fmt.Errorf("time %s: %w", path, err)
	}
	if _, err := fmt.Sscan(string(out), &theirs.Nanoseconds, &theirs.Allocations); err != nil {
		return Pace{}, Pace{}, fmt.Errorf("read time of %s: %w", path, err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rounds, best, began := 0, time.Hour, time.Now()
	for ; time.Since(began) < timeFor; rounds++ {
		one := time.Now()
		if err := round(); err != nil {
			return Pace{}, Pace{}, err
		}
		best = min(best, time.Since(one))
	}
	runtime.ReadMemStats(&after)
	return Pace{best.Nanoseconds() / Timed, float64(after.Mallocs-before.Mallocs) / float64(rounds*Timed)}, theirs, nil
}

// Pack returns vectors as JSON lines, compressed with zstd.
func Pack[V any](vectors []V) ([]byte, error) {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, fmt.Errorf("pack vectors: %w", err)
	}
	lines := json.NewEncoder(z)
	for i := range vectors {
		if err := lines.Encode(&vectors[i]); err != nil {
			return nil, fmt.Errorf("pack vector %d: %w", i, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack vectors: %w", err)
	}
	return out.Bytes(), nil
}

// Unpack reads what Pack wrote.
func Unpack[V any](packed []byte) (vectors []V, err error) {
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, fmt.Errorf("unpack vectors: %w", err)
	}
	defer z.Close()
	for lines := json.NewDecoder(z); ; {
		var v V
		if err := lines.Decode(&v); errors.Is(err, io.EOF) {
			return vectors, nil
		} else if err != nil {
			return nil, fmt.Errorf("unpack vector %d: %w", len(vectors), err)
		}
		vectors = append(vectors, v)
	}
}
