package logfiles

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/oneline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// maxLine is the longest line that is kept; a longer line is cut.
const maxLine = 256 << 10

// quiet is how long to wait without reading a line.
const quiet = time.Minute

// known are the files: their paths, the programs that write them, and their names in a bundle.
var known = []struct{ path, program, name string }{
	{"/var/lib/rancher/rke2/agent/logs/kubelet.log", "kubelet", "rke2-kubelet.log"},
	{"/var/lib/rancher/rke2/agent/containerd/containerd.log", "containerd", "rke2-containerd.log"},
	{"/var/lib/rancher/k3s/agent/containerd/containerd.log", "containerd", "k3s-containerd.log"},
	{"/var/log/k3s.log", "k3s", "k3s.log"}, // OpenRC
	{"/var/log/kubelet.log", "kubelet", "kubelet.log"},
	{"/var/log/containerd.log", "containerd", "containerd.log"},
	{"/var/log/crio.log", "crio", "crio.log"},
	{"/var/log/docker.log", "dockerd", "docker.log"},
}

// Options say where and how much to read. The zero value is for the machine we run on.
type Options struct {
	// Node is the node's name in the cluster; it names the files.
	Node string
	// Root is where the node's file system is mounted; / if empty.
	Root string
	// Since is the oldest time of interest: files last written before it are skipped. Zero for all.
	Since time.Time
	// Budget is how many bytes are kept per file, the newest. The default is 128 MiB.
	Budget int64
}

// Source reads the log files of this machine.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	o.Root = cmp.Or(o.Root, "/")
	o.Budget = cmp.Or(o.Budget, 128<<20)
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "log files" }

// Collect copies the files that exist. A node has none of them, or one or two.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, quiet)
	defer cancel()
	zone, err := hostfiles.Zone(s.o.Root)
	var pieces []evidence.RawEvidence
	var gaps []evidence.Gap
	for _, k := range known {
		source := evidence.SourceRuntimeLog
		if k.program == "kubelet" || k.program == "k3s" {
			source = evidence.SourceKubeletLog
		}
		gap := func(err error) {
			gaps = append(gaps, evidence.Gap{Source: source, Node: s.o.Node, Why: fmt.Sprintf("read %s: %v", k.path, err),
				Hint: hostfiles.Hint(err)})
		}
		f, written, fail := s.open(k.path)
		if fail != nil {
			if !errors.Is(fail, fs.ErrNotExist) {
				gap(fail)
			}
			continue
		}
		if err != nil { // the zone is only needed if there is a log
			gap(err)
			f.Close()
			continue
		}
		c := copier{buf: spool.New(s.o.Budget), prefix: " " + s.o.Node + " " + k.program + ": ",
			stamps: stamps{zone: zone, written: written}}
		if err := c.copy(ctx, f); err != nil {
			gap(err)
		}
		f.Close()
		file := c.buf.File(textlog.ForeignPath(s.o.Node, k.name))
		if n := c.buf.Dropped(); n > 0 {
			gap(fmt.Errorf("longer than the budget: the oldest %d MiB were left out", n>>20))
		}
		if file.Size > 0 {
			pieces = append(pieces, textlog.NewPiece(s.o.Node, file, textlog.Options{Reference: written}))
		}
	}
	return pieces, gaps
}

// open opens a file that was written since the time of interest.
func (s *Source) open(name string) (*os.File, time.Time, error) {
	f, written, err := hostfiles.Open(hostfiles.Below(s.o.Root, name))
	if err == nil && !s.o.Since.IsZero() && written.Before(s.o.Since) {
		f.Close()
		err = fs.ErrNotExist // too old
	}
	if errors.Is(err, hostfiles.ErrIrregular) {
		err = fs.ErrNotExist
	}
	return f, written, err
}

// copier copies lines, each with its timestamp in front.
type copier struct {
	buf     *spool.Buffer
	prefix  string
	stamps  stamps
	secrets secrets.Cleaner
}

// copy reads to the end. The last line counts only if it is complete: the writer may still be writing it.
func (c *copier) copy(ctx context.Context, r io.ReadSeeker) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for n := 0; ; n++ {
		if ctx.Err() != nil { // a line may be long
			return fmt.Errorf("time is over: %w", context.Cause(ctx))
		}
		if n%1024 == 0 {
			pace.Step(ctx)
		}
		line, _, err := oneline.Read(br, maxLine)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at, ok := c.stamps.of(line)
		if !ok {
			continue // before the first line that has a time
		}
		record := at.UTC().Format("2006-01-02T15:04:05.000000-07:00") + c.prefix + c.secrets.Line("", string(line)) + "\n"
		c.buf.Add([]byte(record))
	}
}
