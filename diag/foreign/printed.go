package foreign

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mention"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// printedFor returns the kind of kubectl's human-readable output, None for anything else: if a text begins with a log,
// the log is read, and the rest names its pods.
func printedFor(head []byte) describe.Kind {
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	_, share := textlog.Share(head)
	if share > 0.5 || share > 0.1 && textlog.IsLine(string(bytes.TrimRight(first, "\r"))) {
		return describe.None
	}
	return describe.Sniff(head)
}

// printed reads kubectl's human-readable output into objects.
func (p *places) printed(f evidence.File, kind describe.Kind) {
	p.used++
	tell := p.teller(f)
	r, err := f.Open()
	if err != nil {
		tell(err.Error())
		return
	}
	defer func() { _ = r.Close() }() // read only
	found, err := describe.Read(r, kind, f.Path, cmp.Or(f.Changed, p.at), p.notReady())
	if err != nil {
		tell(fmt.Sprintf("%v: it was taken for %s", err, kind))
		return
	}
	u := unwrapped{}
	for _, raw := range found.Objects {
		u.objects.add("", raw)
	}
	for _, note := range found.Notes {
		tell(note)
	}
	p.unwrapped[f.Path] = nil
	if len(found.Notes) == 0 && kind == describe.Pods { // of a Job, a Deployment: what it says about its pods counts
		p.unwrapped[f.Path] = &u
	}
	p.objectList(f, &u)
}

// notReady returns the nodes that a person's files report as not ready.
func (p *places) notReady() []string {
	if p.lost == nil {
		p.lost = []string{}
		for _, f := range p.files[:min(len(p.files), fewFiles)] {
			if f.Size <= mention.MaxFile {
				p.lost = append(p.lost, describe.NotReady(plainText(f))...)
			}
		}
	}
	return p.lost
}
