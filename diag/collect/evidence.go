package collect

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Collected is what was collected for one question.
type Collected struct {
	diag.Collection
	CollectedAt time.Time
	// Err is what could not be read although something else could.
	Err error
	// Cluster is where it was collected; nil for recordings.
	Cluster *Cluster
	// Meter is the progress of Snapshot; nil where it is not needed.
	Meter *evidence.Meter
	// Close frees the files behind the pieces.
	Close func() error

	// sources maps a file's path in a bundle to the user's own path.
	sources map[string]string
	// free: the heap grows freely (growHeapFreely), up to this size in bytes and what the objects need; 0 if not.
	free int64
}

// Snapshot parses the evidence into facts.
func (g *Collected) Snapshot() *evidence.Snapshot {
	g.collectGarbageOften()
	if g.free > 0 {
		debug.SetGCPercent(freest)
		debug.SetMemoryLimit(enough(g.free, g.Pieces))
	}
	s := diag.ObserveMetered(g.Collection, g.CollectedAt, cmp.Or(g.Meter, &evidence.Meter{}))
	for i := range s.Gaps {
		s.Gaps[i].Why = ownPath(s.Gaps[i].Why, g.sources)
	}
	return s
}

// Spend is Snapshot for a run that needs nothing else of the evidence: it goes while it is read.
func (g *Collected) Spend() *evidence.Snapshot {
	for _, p := range g.Pieces {
		if api, ok := p.(*apiobject.Piece); ok {
			api.Spend()
		}
	}
	s := g.Snapshot()
	g.Pieces = nil
	return s
}

// ownPath replaces a file's path in a bundle, which follows "read" in a gap, by the path that the user knows.
func ownPath(why string, sources map[string]string) string {
	rest, ok := strings.CutPrefix(why, "read ")
	if !ok {
		return why
	}
	path, said, ok := strings.Cut(rest, ": ")
	if own := sources[path]; ok && own != "" {
		return "read " + own + ": " + said
	}
	return why
}

// note stores the paths of an input's files. A bundle path that files of two inputs share is not mapped.
func (g *Collected) note(name string, report foreign.Conversion) {
	if g.sources == nil {
		g.sources = map[string]string{}
	}
	info, err := os.Stat(name)
	for place, path := range report.Sources {
		own := name + ": " + path // within an archive
		switch {
		case name == "-":
			own = "standard input"
		case err == nil && info.IsDir():
			own = filepath.Join(name, path)
		case filepath.Base(name) == path:
			own = name
		}
		if _, twice := g.sources[place]; twice {
			own = ""
		}
		g.sources[place] = safetext.Ident(own)
	}
}

// collectGarbageOften does so where the evidence is large: doubling the heap between collections would be most of the
// program's memory.
func (g *Collected) collectGarbageOften() {
	if os.Getenv("GOGC") == "" && g.free == 0 && g.large() {
		debug.SetGCPercent(40)
	}
}

// freest is the highest GC percentage.
const freest = 400

// freely is the GC percentage while recordings of so many bytes are read; 0 for the default, and then while they are
// judged, too. It falls with the size, and the more so for objects: what is live while a hundred megabytes of them are
// decoded is half of what will be.
func freely(size, objects int64) int {
	if size > 256<<20 || size-objects > 64<<20 {
		return 0
	}
	return int(min(freest, max(50, (12<<30)/max(1, size+objects))))
}

// growHeapFreely collects garbage less often until the returned function is called, unless the recordings are large. It
// is for a run that reads, prints and exits: nearly everything allocated from objects is live until it is printed, so a
// collection frees little. With 16 000 pods, one second in three went into it.
func (g *Collected) growHeapFreely(all []*bundle.Bundle) (until func()) {
	size, objects := int64(0), int64(0)
	for _, b := range all {
		for _, f := range b.Files {
			size += f.Size
			if strings.HasPrefix(f.Path, "cluster/") {
				objects += f.Size
			}
		}
	}
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	percent := freely(size, objects)
	if percent == 0 {
		return func() {}
	}
	g.free = 64<<20 + 5*(size-objects)
	before, limit := debug.SetGCPercent(percent), debug.SetMemoryLimit(-1)
	return func() {
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(limit)
	}
}

// enough is how many bytes of memory are used before garbage is collected more often than growHeapFreely wants: two
// fifths more than what is live of the objects at most, and something for what else was read. With one fifth more,
// 100 000 pods take a fifth more processor time; ten thousand need no limit. Where more is live, the runtime spends no
// more than half of the time on it.
func enough(other int64, pieces []evidence.RawEvidence) int64 {
	const (
		aContainer = 4700    // its part of the pod's object, observations, history, a row
		anEvent    = 1 << 10 // its object, while there is one, and the observation
		little     = 320 << 20
	)
	live := int64(0)
	for _, p := range pieces {
		if api, ok := p.(*apiobject.Piece); ok {
			live += int64(len(api.Events)) * anEvent
			for _, pod := range api.Pods {
				for range apiobject.Statuses(&pod.Status) {
					live += aContainer
				}
			}
		}
	}
	return max(little, other+live*7/5)
}

func (g *Collected) large() bool {
	logs, other := g.Size()
	return logs > 64<<20 || other > 192<<20
}
