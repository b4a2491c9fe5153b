package cgroup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

const (
	// maxSearch is how many directories may be above a kubepods, below the mount: a kubelet in a container in a slice
	// has three.
	maxSearch = 4
	// maxDepth is enough for mount/root/kubepods/qos/pod/container.
	maxDepth   = maxSearch + 4
	maxCgroups = 20000
	// maxEntries limits how many directory entries are looked at.
	maxEntries  = 200000
	maxFileText = 4 << 10
)

// Options say where to look. The zero value is for the machine we run on.
type Options struct {
	// Node is the node's name in the cluster; it names the file.
	Node string
	// Mount is where cgroups are mounted; /sys/fs/cgroup if empty.
	Mount string
	// Proc is the directory of the node's processes. If it is empty, it is /proc for the machine we run on; if Mount is
	// set, no processes are looked at.
	Proc string
	// CgroupRoot is the kubelet's --cgroup-root. If several kubelets share a machine it selects one; if empty, every
	// kubepods is read.
	CgroupRoot string
	// Driver is the kubelet's --cgroup-driver if it was given one: systemd or cgroupfs, "" if the runtime decides.
	Driver string
	// Timeout ends the collection; 20 seconds if zero.
	Timeout time.Duration
	// Now is the clock; clock.Now if nil.
	Now func() time.Time
}

// Source reads the cgroup tree of this machine.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	if o.Mount == "" {
		o.Proc = cmp.Or(o.Proc, "/proc")
	}
	o.Mount = cmp.Or(o.Mount, "/sys/fs/cgroup")
	o.Timeout = cmp.Or(o.Timeout, 20*time.Second)
	o.Now = clock.Or(o.Now)
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "cgroup" }

// Collect reads the cgroups of pods and containers. What could not be read is a gap. A node without any kubepods cgroup
// yields a gap and no piece.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, s.o.Timeout)
	defer cancel()
	w := walker{ctx: ctx, o: s.o}
	mount, version, err := findMount(s.o.Mount)
	if err != nil {
		w.gap(err.Error(), "run on the node, with its cgroups mounted")
		return nil, w.gaps
	}
	w.mount, w.files = mount, filesV1
	if version == 2 {
		w.files = filesV2
	} else {
		w.others = mounted(s.o.Mount)
	}
	// Processes first: a cgroup with a process cannot disappear before the walk reaches it.
	seen := w.processes(version)
	w.walk("", 0)
	if len(w.found) == 0 {
		w.gap(fmt.Sprintf("find kubepods below %s: no such cgroup", mount), "check the kubelet's cgroupRoot")
		return nil, w.gaps
	}
	slices.SortFunc(w.found, func(a, b dir) int { return cmp.Compare(a.Path, b.Path) })
	at := s.o.Now().UTC()
	return nodefile.Store(evidence.SourceCgroup, s.o.Node, "cgroup.json", tree{
		Version: version, Mount: mount, CollectedAt: at, Kubelet: kubelet{s.o.Driver, s.o.CgroupRoot},
		Available: available(s.o.Mount, mount, version), Whole: !w.stopped && w.deniedAt == "",
		Cgroups: w.found, Places: confirm(s.o.Proc, version, seen),
	}, at, NewPiece, w.gaps)
}

// findMount finds the tree of the memory controller: cgroup v2 alone, a v1 controller (maybe mounted together with
// others), or a v2 tree next to v1 ones.
func findMount(root string) (mount string, version int, err error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return "", 0, fmt.Errorf("find cgroups: %w", err)
	}
	if exists(filepath.Join(root, "cgroup.controllers")) {
		return root, 2, nil
	}
	for _, e := range entries {
		p := filepath.Join(root, e.Name())
		if slices.Contains(strings.Split(e.Name(), ","), "memory") &&
			(exists(filepath.Join(p, "memory.limit_in_bytes")) || exists(filepath.Join(p, "cgroup.procs"))) {
			return p, 1, nil
		}
	}
	unified := filepath.Join(root, "unified")
	if text, err := os.ReadFile(filepath.Join(unified, "cgroup.controllers")); err == nil &&
		slices.Contains(strings.Fields(string(text)), "memory") {
		return unified, 2, nil
	}
	return "", 0, fmt.Errorf("find cgroups: no memory controller below %s", root)
}

func exists(p string) bool { _, err := os.Stat(p); return err == nil }

// walker walks one tree.
type walker struct {
	ctx      context.Context
	o        Options
	mount    string
	files    []string
	others   map[string]string // v1: where the other controllers are mounted
	found    []dir
	gaps     []evidence.Gap
	entries  int
	stopped  bool
	deniedAt string // the first directory that could not be read; reported once
}

func (w *walker) gap(why, hint string) {
	w.gaps = append(w.gaps, evidence.Gap{Source: evidence.SourceCgroup, Node: w.o.Node, Why: why, Hint: hint})
}

// processes finds the cgroups of containers' processes, unless there is no /proc.
func (w *walker) processes(version int) []place {
	if w.o.Proc == "" {
		return nil
	}
	seen, err := places(w.ctx, w.o.Proc, version)
	if err != nil {
		w.gap(err.Error(), "")
	}
	return seen
}

// walk reads the directory rel, which is depth levels below the mount.
func (w *walker) walk(rel string, depth int) {
	if w.stop() {
		return
	}
	entries, err := os.ReadDir(filepath.Join(w.mount, filepath.FromSlash(rel)))
	if err != nil {
		w.denied(rel, err)
	}
	for _, e := range entries {
		w.entries++
		if !e.IsDir() {
			continue
		}
		p := path.Join("/", rel, e.Name())
		ref, ours := ParsePath(p)
		switch {
		case !ours:
			if depth < maxSearch {
				w.walk(p, depth+1)
			}
			continue
		case !w.wanted(ref), ref.Level == LevelMonitor:
			continue
		case ref.Inner == "":
			w.read(p)
		}
		// Cgroups that a container created below its own are not the kubelet's.
		if ref.Level != LevelContainer && ref.Inner == "" && depth < maxDepth {
			w.walk(p, depth+1)
		}
		if w.stopped {
			return
		}
	}
}

// stop reports whether a limit is reached, and records that once.
func (w *walker) stop() bool {
	if w.stopped {
		return true
	}
	switch {
	case w.ctx.Err() != nil:
		w.gap(fmt.Sprintf("read cgroups: time is over after %d cgroups: %v", len(w.found), context.Cause(w.ctx)), "")
	case len(w.found) >= maxCgroups || w.entries >= maxEntries:
		w.gap(fmt.Sprintf("read cgroups: more than is read (%d cgroups kept)", len(w.found)), "")
	default:
		pace.Step(w.ctx) // the walk makes progress, however slowly
		return false
	}
	w.stopped = true
	return true
}

// wanted reports whether a cgroup is below the kubelet's cgroup root. Systemd's names do not distinguish dashes from
// underscores, so both count as the same.
func (w *walker) wanted(ref Ref) bool {
	if w.o.CgroupRoot == "" {
		return true
	}
	return unescape(ref.Root) == unescape(path.Join("/", w.o.CgroupRoot)) || ref.Root == "" // a scope outside kubepods
}

// read keeps the memory files of one cgroup. It leaves out a cgroup that disappears meanwhile: its container just
// ended.
func (w *walker) read(p string) {
	d := dir{Path: p, Files: map[string]string{}}
	for _, name := range w.files {
		text, err := readCapped(w.file(p, name))
		switch {
		case err == nil:
			d.Files[name] = text
		case errors.Is(err, fs.ErrPermission):
			w.denied(p, err)
		}
	}
	d.Lacking = lacking(w.others, p)
	if exists(filepath.Join(w.mount, filepath.FromSlash(p))) {
		w.found = append(w.found, d)
	}
}

// file returns the path of a cgroup's file. On v1 each controller has its own tree, and the first word of the file's
// name is the controller.
func (w *walker) file(p, name string) string {
	mount := w.mount
	if controller, _, _ := strings.Cut(name, "."); controller != "memory" && w.others[controller] != "" {
		mount = w.others[controller]
	}
	return filepath.Join(mount, filepath.FromSlash(p), name)
}

func (w *walker) denied(p string, err error) {
	if w.deniedAt == "" && !errors.Is(err, fs.ErrNotExist) {
		w.deniedAt = p
		w.gap(fmt.Sprintf("read cgroup %s: %v", p, err), "run as root on the node")
	}
}

func readCapped(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileText))
	return string(data), err
}
