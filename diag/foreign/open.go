package foreign

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Accepted says in one line what can be read, for a person whose input cannot be.
const Accepted = "it reads bundles, must-gather and the like, logs of the kubelet, the runtime and the kernel, and output " +
	"of kubectl, crictl and docker: 'kubectl restartwhy analyze --help' lists all of it"

// Conversion says what an input was and what it was converted to.
type Conversion struct {
	// Kinds are the layouts that were found, in the order of the table; empty for single files, logs of no layout and
	// our own bundles.
	Kinds []string
	// Nodes are the nodes that files belong to, sorted.
	Nodes []string
	// Sources are the paths of files in the input, by their place in the bundle, so that messages about a file can use
	// the path that its owner knows.
	Sources map[string]string
	// Used and Unused count files.
	Used, Unused int
}

// String returns the conversion in one line: "must-gather of n1, n2: 14 files read, 2 980 of no use".
func (r Conversion) String() string {
	what := strings.Join(r.Kinds, ", ")
	if what == "" {
		what = "files"
	}
	switch {
	case len(r.Nodes) > 4:
		what += fmt.Sprintf(" of %d nodes", len(r.Nodes))
	case len(r.Nodes) > 0:
		what += " of " + strings.Join(r.Nodes, ", ")
	}
	what += fmt.Sprintf(": %d files read", r.Used)
	if r.Unused > 0 {
		what += fmt.Sprintf(", %d of no use", r.Unused)
	}
	return what
}

// Open reads a bundle, or anything that package bundle can walk through and this package knows: then the files get the
// places of a bundle. node is the node of files that do not name theirs, "" if unknown. The errors are those of
// bundle.Open.
func Open(name, node string, o bundle.Options) (*bundle.Bundle, Conversion, error) {
	o.Skip = skip
	b, err := bundle.Open(name, o)
	if errors.Is(err, bundle.ErrNotABundle) { // a beginning does not show everything that a reader of the whole finds
		few := 0
		o.Skip = func(path string, head []byte) string {
			if head != nil {
				few++
			}
			if few > fewFiles {
				return isOfNoUse
			}
			return skip(path, nil)
		}
		b, err = bundle.Open(name, o)
	}
	if err != nil || !b.Foreign {
		return b, Conversion{}, err
	}
	p := newPlaces(b.Files, node, b.Disk())
	p.at = b.Manifest.CollectedAt
	p.arrange()
	if n := p.strange + p.nothing; n > 0 && p.strange == len(p.out) {
		why := "its content is not recognised"
		if n > 1 {
			why = fmt.Sprintf("none of the %d files in it is of a known kind", n)
		}
		return nil, Conversion{}, errors.Join(fmt.Errorf("read %s: %w: %s", name, bundle.ErrNotABundle, why), b.Close())
	}
	unused := p.unused
	for _, n := range b.Skipped {
		unused += n
	}
	b.Files = p.out
	b.Gaps = append(b.Gaps, merged(p.gaps)...)
	report := Conversion{Kinds: p.kinds(), Nodes: p.nodes(), Sources: p.sources, Used: p.used, Unused: unused}
	if why := unusedGap(b.Skipped, p.unused); why != "" {
		b.Gaps = append(b.Gaps, gap("", why, ""))
	}
	b.Manifest.Tool = strings.Join(report.Kinds, ", ")
	return b, report, nil
}

// unusedGap returns the text of the gap for what was left out, with reasons.
func unusedGap(skipped map[string]int, unused int) string {
	counts := map[string]int{isOfNoUse: unused}
	for why, n := range skipped {
		counts[why] += n
	}
	var parts []string
	for why, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, why))
		}
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return ""
	}
	return "files left out: " + strings.Join(parts, ", ")
}

// piece matches what a gap says of one piece of a file.
var piece = regexp.MustCompile(`^read (.+)\.\d+: (.+)$`)

// merged says once what holds for several pieces of a file.
func merged(gaps []evidence.Gap) (out []evidence.Gap) {
	first, pieces := map[evidence.Gap]int{}, map[evidence.Gap]int{}
	for _, g := range gaps {
		whole := g
		if m := piece.FindStringSubmatch(g.Why); m != nil {
			whole.Why = fmt.Sprintf("read %s: %s", m[1], m[2])
			pieces[whole]++
		}
		if n := pieces[whole]; n > 1 {
			out[first[whole]].Why = fmt.Sprintf("%s (in %d of its pieces)", whole.Why, n)
			continue
		}
		first[whole] = len(out)
		out = append(out, g)
	}
	return out
}
