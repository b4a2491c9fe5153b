package foreign

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
)

// tree places the files of one collection, except objects.
func (p *places) tree(t *tree) {
	var h host
	for _, f := range t.files {
		h.read(f)
	}
	node := ""
	if t.layout.oneNode {
		node = p.nodeOf(t, &h)
	}
	counted := false // the kernel's lines exist with exact times
	for _, f := range t.files {
		counted = counted || f.use == useDmesg && !h.booted.IsZero()
	}
	for _, f := range t.files {
		rel := strings.Join(f.rel, "/")
		switch f.use {
		case useHosts:
			p.used++
			p.log(f.File, "", rel, t.layout.utc, true)
		case useLog:
			p.used++
			p.ofTree(t, f, node, h.utc)
		case useDmesg:
			p.used++
			if counted {
				at := kernel.Path(node)
				p.put(h.dmesg(f.File, at), at)
				continue
			}
			p.text(f.File, node, rel, false)
		case useClock:
			if counted {
				p.unused++
				continue
			}
			p.used++
			p.text(f.File, node, rel, h.utc)
		case useJournal:
			p.used++
			p.journal(f.File, node, rel)
		case useCRI:
			p.used++
			p.cri[node] = append(p.cri[node], f.File)
		case useHostname, useBootID, useStat, useZone:
			p.used++
		}
	}
	if f, ok := h.file(node); ok {
		p.put(f, f.Path)
	}
}

// ofTree places a log of a tree of one node, or of a directory with the node's name.
func (p *places) ofTree(t *tree, f found, node string, utc bool) {
	rel := strings.Join(f.rel, "/")
	if !t.layout.nodeDir {
		p.text(f.File, node, rel, utc)
		return
	}
	// Other tools may create a directory of this shape. The tool's own has the host's name; only then is the zone
	// known.
	shares, err := hostsIn(f.File, false)
	if err == nil && len(shares) == 1 && shares[0].host == f.rel[0] {
		p.text(f.File, f.rel[0], strings.Join(f.rel[1:], "/"), t.layout.utc)
		return
	}
	p.log(f.File, "", rel, false, false)
}

// nodeOf returns the node of a tree: the named one, or the host in its small files or in the first line of a log.
func (p *places) nodeOf(t *tree, h *host) string {
	if p.node != "" {
		return p.node
	}
	if h.name == "" {
		for _, f := range t.files {
			if f.use != useLog {
				continue
			}
			if shares, err := hostsIn(f.File, false); err == nil && len(shares) == 1 {
				h.name = shares[0].host
				break
			}
		}
	}
	if h.name == "" {
		return p.otherwise(p.names.only())
	}
	return p.names.of(h.name)
}
