package kubeletdir

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// maxFile limits how much of one file is read. The kubelet itself reads at most 10 MiB of a manifest (config/file.go
// maxConfigLength).
const maxFile = 10 << 20

// quiet is how long to wait without reading a file.
const quiet = 20 * time.Second

// Options say where to look. The zero value is for the machine we run on.
type Options struct {
	// Node is the node's name in the cluster; it names the file.
	Node string
	// Root is where the node's file system is mounted; / if empty.
	Root string
	// RootDir is the kubelet's --root-dir; /var/lib/kubelet if empty.
	RootDir string
	// StaticPodPath is the kubelet's staticPodPath, a directory or a file. If empty, those of kubeadm and RKE2 are
	// tried.
	StaticPodPath string
	// Now is the clock; clock.Now if nil.
	Now func() time.Time
}

// Source reads the kubelet's directories of this machine.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	o.Root = cmp.Or(o.Root, "/")
	o.RootDir = cmp.Or(o.RootDir, "/var/lib/kubelet")
	o.Now = clock.Or(o.Now)
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "kubelet directory" }

// Collect reads checkpoints, manifests and the names of logs. What could not be read is a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, quiet)
	defer cancel()
	r := reader{ctx: ctx, o: s.o}
	out := stored{RootDir: s.o.RootDir, Checkpoints: []checkpoint{}, Manifests: []manifest{}, Logs: []logs{}}
	out.Checkpoints = append(out.Checkpoints, r.checkpoints()...)
	out.Manifests = append(out.Manifests, r.manifests()...)
	out.Logs = append(out.Logs, r.logs()...)
	out.Sandboxes = r.sandboxes()
	out.CollectedAt = s.o.Now().UTC()
	if len(out.Checkpoints)+len(out.Manifests)+len(out.Logs)+len(out.Sandboxes) == 0 {
		return nil, r.gaps
	}
	return nodefile.Store(Kind, s.o.Node, Name, out, out.CollectedAt, NewPiece, r.gaps)
}

// reader reads below the node's root and collects failures as gaps.
type reader struct {
	ctx  context.Context
	o    Options
	gaps []evidence.Gap
}

func (r *reader) gap(err error) {
	hint := hostfiles.Hint(err)
	if errors.Is(err, fs.ErrNotExist) {
		hint = "does the kubelet run with another --root-dir?"
	}
	r.gaps = append(r.gaps, evidence.Gap{Source: Kind, Node: r.o.Node, Why: err.Error(), Hint: hint})
}

// over reports whether the time is up, and records that as a gap.
func (r *reader) over(doing string) bool {
	if r.ctx.Err() == nil {
		return false
	}
	r.gap(fmt.Errorf("%s: time is over: %w", doing, context.Cause(r.ctx)))
	return true
}

// below returns where a path of the node is on our side.
func (r *reader) below(name string) string { return hostfiles.Below(r.o.Root, name) }

func (r *reader) read(name string) ([]byte, time.Time, error) {
	data, changed, err := hostfiles.Content(name, maxFile)
	if err == nil {
		pace.Step(r.ctx)
	}
	return data, changed, err
}
