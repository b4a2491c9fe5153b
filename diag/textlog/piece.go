package textlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// QueryPath is the path in a bundle of a node log query's answer.
func QueryPath(node, service string) string { return nodefile.Path(node, "logquery/"+service+".log") }

// ForeignPath is the path in a bundle of a user's log file.
func ForeignPath(node, name string) string { return nodefile.Path(node, "logs/"+name) }

// Options say how to read a log file.
type Options struct {
	// Until is up to when the log was read; zero if unknown: then the last entry is the end.
	Until time.Time
	// Reference gives the year to times without one: a time when the file existed. Until if zero; if both are zero such
	// times stay unknown.
	Reference time.Time
	// Zone is the zone of times without one. Nil means unknown: UTC is assumed, and a gap says so. Node log queries are
	// in UTC whatever the node's zone is.
	Zone *time.Location
	// Sibling is the zone that the lines of another log of the node show, nil if none does.
	Sibling *time.Location
}

// NewPiece returns the piece of a log file of a node: a node log query's answer (nodes/<node>/logquery/<service>.log)
// or a user's file, in any format that Sniff knows. node may be empty: then the file's host names count.
func NewPiece(node string, f evidence.File, o Options) evidence.RawEvidence {
	if o.Reference.IsZero() {
		o.Reference = o.Until
	}
	if strings.Contains(f.Path, "/logquery/") {
		o.Zone = time.UTC
	}
	return &piece{node, f, o}
}

type piece struct {
	node string
	file evidence.File
	o    Options
}

func (p *piece) Files() []evidence.File { return []evidence.File{p.file} }

// Observe parses the file into facts.
func (p *piece) Observe(b *evidence.Builder) {
	source := sourceOf(p.file.Path)
	gap := func(why string) {
		b.Gap(evidence.Gap{Source: source, Node: p.node, Why: fmt.Sprintf("read %s: %s", p.file.Path, why)})
	}
	rc, err := p.file.Open()
	if err != nil {
		gap(err.Error())
		return
	}
	defer rc.Close()
	r := bufio.NewReaderSize(b.Metered(rc), headBytes)
	head, err := r.Peek(headBytes)
	if len(head) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			gap(err.Error())
			return
		}
		gap("the file is empty")
		return
	}
	format := Sniff(head)
	where := statement.Options{Node: p.node, Where: p.file.Path, Until: p.o.Until, Stored: isStored(format, p.file.Path)}
	tell := func(why string) { b.Gap(evidence.Gap{Source: source, Node: p.node, Why: why}) }
	switch format {
	case FormatExport:
		journal.Observe(journal.ReadExport, b, r, where, tell)
		return
	case FormatRecords:
		journal.Observe(journal.ReadRecords, b, r, where, tell)
		return
	case FormatVerbose:
		journal.Observe(journal.ReadVerbose, b, r, where, tell)
		return
	case FormatKernel:
		kernel.NewPiece(p.node, p.file, p.o.Until).Observe(b)
		return
	case FormatBinary:
		gap("not a text file")
		return
	case FormatUnknown:
		gap("no known log format")
		return
	}
	if format == FormatLogfmt {
		source = evidence.SourceRuntimeLog
	}
	times, assumed, vague := settle(format, Times{Reference: p.o.Reference, Zone: p.o.Zone}, p.o.Sibling, head)
	where.Vague = vague
	router := statement.NewHosts(b, where)
	odd, err := Route(r, format, times, router)
	if err != nil {
		router.Cut()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the last line is cut")
		}
		gap(err.Error())
	}
	router.Close()
	if odd > 0 {
		gap(fmt.Sprintf("lines skipped: %d; they are not %s", odd, format))
	}
	if assumed != "" {
		gap(assumed)
	}
}

// sourceOf returns which log a file is by its name, for what is said of the file as a whole.
func sourceOf(file string) evidence.SourceKind {
	name := path.Base(file)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
	}
	switch {
	case has("kern", "dmesg", "kmsg"):
		return evidence.SourceKernelLog
	case has("containerd", "crio", "docker"):
		return evidence.SourceRuntimeLog
	}
	return evidence.SourceKubeletLog
}

// isStored reports whether a log is not in its original form: records of a log store, or the output of a container,
// which its runtime writes.
func isStored(f Format, file string) bool {
	switch f {
	case FormatRecord, FormatContainer, FormatDockerLog, FormatBare:
		return true
	}
	return strings.Contains(file, "/logs/"+UnwrappedDir)
}

// headBytes is how much of a file is inspected before it is read.
const headBytes = 256 << 10
