package hostfiles

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
)

// maxFile limits how much of one file of the node is read.
const maxFile = 1 << 20

// Options say where the node's files are. The zero value is for the machine we run on.
type Options struct {
	// Node is the node's name in the cluster; it names the file. If it is empty, NodeName's result is used.
	Node string
	// Root is where the node's file system is mounted, with its /proc; / if empty.
	Root string
	// Now is the clock; clock.Now if nil.
	Now func() time.Time
}

// Source reads the files of one node.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	o.Root = cmp.Or(o.Root, "/")
	o.Now = clock.Or(o.Now)
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "host" }

// Collect reads the node's files. What could not be read is a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	if err := ctx.Err(); err != nil {
		return nil, []evidence.Gap{{Source: Kind, Node: s.o.Node, Why: fmt.Sprintf("read the node's files: %v", err)}}
	}
	h, gaps := Read(s.o)
	node := cmp.Or(s.o.Node, h.NodeName)
	for i := range gaps {
		gaps[i].Node = node
	}
	return nodefile.Store(Kind, node, "host.json", h, h.CollectedAt, NewPiece, gaps)
}

// Read reads the node's files immediately: a dozen small ones, and the names of the processes. Other sources may need
// its result (the node's name, the kubelet's cgroup root) before they start.
func Read(o Options) (Host, []evidence.Gap) {
	r := reader{root: New(o).o.Root}
	h := Host{CollectedAt: New(o).o.Now().UTC()}
	h.BootID = r.line("proc/sys/kernel/random/boot_id")
	h.KernelVersion = r.line("proc/sys/kernel/osrelease")
	h.Hostname = r.hostname()
	h.OSImage = osImage(r.optional("etc/os-release"))
	h.BootTime = r.parsed("proc/stat", bootTime)
	h.InitTime = r.parsed("proc/1/stat", func(text string) (time.Time, error) { return startTime(text, h.BootTime) })
	if !r.settled() {
		// Neither its zone nor its name can be known from here.
	} else if offset, err := zoneOffset(r.root, h.CollectedAt); err != nil {
		r.gap(err)
	} else {
		h.ZoneOffset = &offset
	}
	if h.Kubelet.PID = findKubelet(filepath.Join(r.root, "proc")); h.Kubelet.PID == 0 {
		r.gap(fmt.Errorf("find the kubelet: no such process below %s", filepath.Join(r.root, "proc")))
	} else if k, err := readKubelet(r.root, h.Kubelet.PID, h.BootTime); err != nil {
		h.Kubelet = k
		r.gap(err)
	} else {
		h.Kubelet = k
	}
	h.NodeName = strings.ToLower(strings.TrimSpace(cmp.Or(strings.TrimSpace(h.Kubelet.HostnameOverride), h.Hostname)))
	return h, r.gaps
}

// reader reads files below a root and turns failures into gaps.
type reader struct {
	root string
	gaps []evidence.Gap
}

func (r *reader) gap(err error) {
	r.gaps = append(r.gaps, evidence.Gap{Source: Kind, Why: err.Error(), Hint: Hint(err)})
}

// line reads a file of one line.
func (r *reader) line(name string) string {
	text, err := readFile(filepath.Join(r.root, name))
	if err != nil {
		r.gap(err)
	}
	return strings.TrimSpace(text)
}

// optional reads a file that may be missing.
func (r *reader) optional(name string) string {
	text, _ := readFile(Below(r.root, name))
	return text
}

func (r *reader) parsed(name string, parse func(string) (time.Time, error)) time.Time {
	text, err := readFile(filepath.Join(r.root, name))
	if err != nil {
		r.gap(err)
		return time.Time{}
	}
	t, err := parse(text)
	if err != nil {
		r.gap(fmt.Errorf("read %s: %w", filepath.Join(r.root, name), err))
	}
	return t
}

// hostname prefers the node's file over the kernel's answer if the node is mounted elsewhere: from the kernel, each
// would get its own hostname.
func (r *reader) hostname() string {
	if r.root != "/" {
		for line := range strings.Lines(r.optional("etc/hostname")) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				return line
			}
		}
	}
	if !r.settled() {
		return "" // the kernel would return ours
	}
	return r.line("proc/sys/kernel/hostname")
}

// settled reports whether the node's /etc is there. A node may be mounted only in part: without its /etc, a missing
// file there means nothing.
func (r *reader) settled() bool {
	if r.root == "/" {
		return true
	}
	for _, name := range []string{"etc/os-release", "etc/hostname", "etc/machine-id", "etc/passwd"} {
		if _, err := os.Lstat(filepath.Join(r.root, name)); err == nil {
			return true
		}
	}
	return false
}

// bootTime reads the line "btime <seconds>" of /proc/stat.
func bootTime(stat string) (time.Time, error) {
	for line := range strings.Lines(stat) {
		if value, ok := strings.CutPrefix(line, "btime "); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || n <= 0 || n > maxUnix {
				return time.Time{}, fmt.Errorf("boot time %.20q is not a time", value)
			}
			return time.Unix(n, 0).UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("no boot time in it")
}

const (
	// maxUnix is in the year 4147: no node boots later, and JSON may be unable to hold later times.
	maxUnix = 1 << 36
	// maxTicks is about thirty years.
	maxTicks = 100_000_000_000
)

// startTime reads when a process started from /proc/<pid>/stat: field 22, in ticks of 10 ms since boot (USER_HZ is 100
// on every Linux architecture that Kubernetes runs on). The second field may itself contain spaces and parentheses.
func startTime(stat string, boot time.Time) (time.Time, error) {
	_, rest, ok := cutLast(stat, ")")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 20 {
		return time.Time{}, fmt.Errorf("too few fields")
	}
	ticks, err := strconv.ParseInt(fields[19], 10, 64)
	if err != nil || ticks < 0 || ticks > maxTicks {
		return time.Time{}, fmt.Errorf("start time %.20q is not a time", fields[19])
	}
	if boot.IsZero() {
		return time.Time{}, nil
	}
	return boot.Add(time.Duration(ticks) * 10 * time.Millisecond), nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// osImage reads PRETTY_NAME of os-release, which the kubelet reports too.
func osImage(text string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

// Zone returns the node's local time zone from its /etc/localtime. Without that file it is UTC.
func Zone(root string) (*time.Location, error) {
	text, err := readFile(Below(root, "/etc/localtime"))
	if os.IsNotExist(err) {
		return time.UTC, nil
	}
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocationFromTZData("local", []byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the time zone of /etc/localtime: %w", err)
	}
	return zone, nil
}

func zoneOffset(root string, at time.Time) (int, error) {
	zone, err := Zone(root)
	if err != nil {
		return 0, err
	}
	_, offset := at.In(zone).Zone()
	return offset, nil
}

func readFile(name string) (string, error) {
	data, _, err := Content(name, maxFile)
	return string(data), err
}
