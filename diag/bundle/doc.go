// Package bundle reads and writes the archive of a collection: bundle.json
// first, then cluster/….json and nodes/<node>/… with raw evidence, one file per
// source. A directory of the same shape works wherever an archive does. What is
// no bundle is read too, under its own paths: an archive (tar or zip; gzip, zstd,
// xz or bzip2; one inside another), a directory or a file by itself. Package
// foreign finds out what it is.
//
// It moves bytes and knows paths; what a file says is the business of its
// source. It may import evidence, secrets, klauspost/compress, ulikunitz/xz and the
// standard library.
//
// An input is untrusted. It is read as a stream under limits, nothing of it is
// ever unpacked under a name of its own, and an entry that is not a plain file
// inside it is left out and named as a gap. What can be read of a damaged
// archive is read.
package bundle

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// FormatVersion is the version of the layout that this package writes, and the
// newest one that it reads.
const FormatVersion = 1

// Source is the source of the gaps that reading a bundle leaves.
const Source evidence.SourceKind = "bundle"

// UnknownNode stands in the path of a log of which nobody said which node it is
// from. No node is called so: names of nodes begin with a letter or a digit.
const UnknownNode = "_"

// manifestPath is where the manifest stands: the first entry.
const manifestPath = "bundle.json"

// Manifest is bundle.json.
type Manifest struct {
	FormatVersion int    `json:"formatVersion"`
	Tool          string `json:"tool"` // "kubectl-restartwhy v0.1.0"
	Scope         Scope  `json:"scope"`
	// CollectedAt is when the collection ended; the analysis takes it as now.
	CollectedAt time.Time `json:"collectedAt"`
	// Incomplete says that the collection was interrupted.
	Incomplete bool           `json:"incomplete,omitempty"`
	Gaps       []evidence.Gap `json:"gaps"`
	// Redactions says in plain words what was left out on purpose.
	Redactions []string `json:"redactions"`
}

// Scope is what the collection was asked for.
type Scope struct {
	Namespace     string   `json:"namespace,omitempty"`
	AllNamespaces bool     `json:"allNamespaces,omitempty"`
	Selector      string   `json:"selector,omitempty"`
	Targets       []string `json:"targets,omitempty"`
	Nodes         []string `json:"nodes,omitempty"`
}
