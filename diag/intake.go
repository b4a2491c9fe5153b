package diag

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostprint"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/idnames"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletapi"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletdir"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/maskedhash"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/packages"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/systemd"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// reader makes the piece of one file of a node. until is how far the file's coverage demonstrably extends, zero if
// unknown.
type reader func(node string, f evidence.File, until time.Time) evidence.RawEvidence

// readers handle the small files of a node, by their name below nodes/<node>/.
var readers = map[string]reader{
	"cri.json":    cri.NewPiece,
	"cgroup.json": cgroup.NewPiece,
	"units.json":  systemd.NewPiece,
	"host.json":   hostfiles.NewPiece,
	"kmsg.txt":    kernel.NewPiece,

	kubeletapi.GatesName:    kubeletapi.NewGatesPiece,
	kubeletapi.CountersName: kubeletapi.NewCountersPiece,

	cri.DiskName:    cri.NewPiece,
	kubeletdir.Name: kubeletdir.NewPiece,
	packages.Name:   packages.NewPiece,
	hostprint.Name:  hostprint.NewPiece,
}

// Load turns the files of a bundle back into pieces, and passes on the gaps of its collection and of its reading. hash
// is for objects not collected by this tool, such as the output of `kubectl get -o json`, so not hashed yet; its
// functions may be nil.
func Load(b *bundle.Bundle, hash apiobject.Hasher) Collection {
	return LoadAll([]*bundle.Bundle{b}, hash)
}

// LoadAll is Load for bundles that belong together: the year found in one applies to all.
func LoadAll(all []*bundle.Bundle, hash apiobject.Hasher) (y Collection) {
	settled := yearOf(all)
	for _, b := range all {
		y.Add(taken(b, hash, settled))
	}
	y.Gaps = append(y.Gaps, settled.gaps()...)
	return y
}

func taken(b *bundle.Bundle, hash apiobject.Hasher, settled year) Collection {
	y := Collection{Gaps: slices.Concat(b.Manifest.Gaps, b.Gaps)}
	hasher := maskedhash.New(hash)
	var cluster []evidence.File
	journals := map[string][]evidence.File{} // by node
	for _, f := range b.Files {
		if f.Path == foreign.Mentioned {
			y.Pieces = append(y.Pieces, mentions{apiobject.Decode([]evidence.File{f}, apiobject.Hasher{})})
			continue
		}
		if f.Path == idnames.Path {
			y.Pieces = append(y.Pieces, naming{idnames.NewPiece(f)})
			continue
		}
		if strings.HasPrefix(f.Path, "cluster/") {
			cluster = append(cluster, f)
			continue
		}
		if f.Path == prometheus.Path {
			y.Pieces = append(y.Pieces, prometheus.NewPiece(f))
			continue
		}
		if node, ok := ofJournal(f.Path); ok {
			journals[node] = append(journals[node], f)
			continue
		}
		if p := nodePiece(f, b, settled); p != nil {
			y.Pieces = append(y.Pieces, p)
			continue
		}
		y.Gaps = append(y.Gaps, evidence.Gap{Source: bundle.Source, Why: f.Path +
			" is no file of a bundle that this version knows"})
	}
	// The files of one journal are read together: one continues where another ends.
	for _, node := range slices.Sorted(maps.Keys(journals)) {
		y.Pieces = append(y.Pieces, journal.NewFilesPiece(known(node), journals[node]))
	}
	if len(cluster) > 0 {
		// The objects come first: other evidence is attached to them.
		y.Pieces = append([]evidence.RawEvidence{apiobject.Decode(cluster, hasher.Hasher())}, y.Pieces...)
		y.Gaps = append(y.Gaps, hasher.Gaps()...)
	}
	return y
}

// mentions is what texts mention of ends. It is kept apart from all other evidence and stored in no bundle.
type mentions struct{ said *apiobject.Piece }

func (mentions) Files() []evidence.File { return nil }

func (m mentions) Observe(b *evidence.Builder) {
	apart := evidence.NewBuilder(b.CollectedAt())
	m.said.Observe(apart)
	b.Mention(apart)
}

// naming is what texts say about ids: it is stored in no bundle, as the texts have it.
type naming struct{ evidence.RawEvidence }

func (naming) Files() []evidence.File { return nil }

// ofJournal reports whether a path is a journal file's, and returns its node. A log may have any name.
func ofJournal(p string) (node string, ok bool) {
	rest, below := strings.CutPrefix(p, "nodes/")
	node, name, _ := strings.Cut(rest, "/")
	return node, below && node != "" && strings.HasPrefix(name, "journal/") && journalfile.Named(name)
}

// known is the node of a path, "" if it is unknown.
func known(node string) string {
	if node == bundle.UnknownNode {
		return ""
	}
	return node
}

// nodePiece makes the piece of a file below nodes/<node>/, nil for a path that no source writes.
func nodePiece(f evidence.File, b *bundle.Bundle, settled year) evidence.RawEvidence {
	m := &b.Manifest
	rest, ok := strings.CutPrefix(f.Path, "nodes/")
	node, name, slash := strings.Cut(rest, "/")
	if !ok || !slash || node == "" || name == "" {
		return nil
	}
	until := reach(node, name, m)
	if b.Foreign || b.Cut(f.Path) {
		until = time.Time{} // only the lines' own times count
	}
	node = known(node) // if it is unknown, the host names in the lines are used
	kind, _, below := strings.Cut(name, "/")
	if !below {
		if read := readers[name]; read != nil {
			return read(node, f, until)
		}
		return nil
	}
	switch kind {
	case "journal":
		if path.Ext(name) != ".export" {
			return nil
		}
		return journal.NewPiece(node, stem(name), f, until)
	case "logquery":
		return textlog.NewPiece(node, f, textlog.Options{Until: until, Reference: settled.of(b)})
	case "logs":
		// A log from elsewhere extends to its last line.
		return textlog.NewPiece(node, f, textlog.Options{Reference: settled.of(b), Sibling: settled.zones[node]})
	}
	return nil
}

// reach is up to when a file was collected. If the collection reported a gap for this kind of log on this node, only
// the lines' own times count.
func reach(node, name string, m *bundle.Manifest) time.Time {
	kind := evidence.UnitOf(stem(name)).ItsLog()
	for _, g := range m.Gaps {
		if g.Node == node && g.Source == kind {
			return time.Time{}
		}
	}
	return m.CollectedAt
}

// stem is a file's base name without its extension.
func stem(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }
