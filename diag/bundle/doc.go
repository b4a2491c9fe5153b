// Package bundle reads and writes the archive of a collection: bundle.json first, then cluster/….json and
// nodes/<node>/… with raw evidence, one file per source. A directory of the same shape works wherever an archive does.
// Other input is read too, under its own paths: an archive (tar or zip; gzip, zstd, xz or bzip2; one inside another), a
// directory or a single file. Package foreign identifies it.
//
// It moves bytes and knows paths; the content of a file is up to its source. It may import evidence, secrets,
// klauspost/compress, ulikunitz/xz and the standard library.
//
// Input is untrusted. It is read as a stream under limits, nothing in it is ever unpacked under its own name, and an
// entry that is not a plain file is left out and reported as a gap. The readable part of a damaged archive is read.
package bundle

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// FormatVersion is the version of the layout that this package writes, and the
// newest one that it reads.
const FormatVersion = 1

// Source is the source of the gaps that come from reading a bundle.
const Source evidence.SourceKind = "bundle"

// UnknownNode is the path element for a log whose node is unknown. No node has this name: names of nodes begin with a
// letter or a digit.
const UnknownNode = "_"

// manifestPath is the path of the manifest: the first entry.
const manifestPath = "bundle.json"

// Manifest is bundle.json.
type Manifest struct {
	FormatVersion int    `json:"formatVersion"`
	Tool          string `json:"tool"` // "kubectl-restartwhy v0.1.0"
	Scope         Scope  `json:"scope"`
	// CollectedAt is when the collection ended; the analysis uses it as now.
	CollectedAt time.Time `json:"collectedAt"`
	// Incomplete says that the collection was interrupted.
	Incomplete bool           `json:"incomplete,omitempty"`
	Gaps       []evidence.Gap `json:"gaps"`
	// Redactions says in plain words what was left out on purpose.
	Redactions []string `json:"redactions"`
}

// Scope is what was to be collected.
type Scope struct {
	Namespace     string   `json:"namespace,omitempty"`
	AllNamespaces bool     `json:"allNamespaces,omitempty"`
	Selector      string   `json:"selector,omitempty"`
	Targets       []string `json:"targets,omitempty"`
	Nodes         []string `json:"nodes,omitempty"`
}
