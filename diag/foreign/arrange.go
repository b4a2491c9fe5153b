package foreign

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostprint"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mention"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// places assigns foreign files their places in a bundle.
type places struct {
	files []evidence.File
	at    time.Time // the latest time at which the files were there
	room  *spool.Disk
	names names
	trees []*tree
	out   []evidence.File
	gaps  []evidence.Gap
	taken map[string]bool
	// sources are the files' original paths, by their places.
	sources       map[string]string
	cri           map[string][]evidence.File // by node
	printedAt     map[string]time.Time       // when the tables in cri were printed, by node, where their own text tells
	host          []hostText
	node, machine string // as the user named it; the host in the first prompt before an output
	// unwrapped is the content of records, by the file's path; nil for a file that is not trusted.
	unwrapped map[string]*unwrapped
	// empty are files of records or objects without any of a kind that is read.
	empty  map[string]bool
	output map[string]bool          // files with records of containers' output
	quoted map[string]bool          // files with text from JSON strings
	named  *naming.Names            // what all texts name only one of; nil until needed
	texts  map[string]*mention.Text // what was read for statements about ends, by path
	lost   []string                 // nodes that are not ready in a table of nodes; nil until needed
	used   int
	unused int
	// strange counts the files of no layout with unknown content that have a place all the same; nothing counts those
	// without a place.
	strange, nothing int
}

func newPlaces(files []evidence.File, node string, room *spool.Disk) *places {
	if node == "." || node == ".." || strings.ContainsAny(node, "/\\\x00") || len(node) > 253 {
		node = ""
	}
	return &places{room: room, files: files, node: node, names: names{}, taken: map[string]bool{},
		sources: map[string]string{}, cri: map[string][]evidence.File{}, unwrapped: map[string]*unwrapped{},
		empty: map[string]bool{}, quoted: map[string]bool{}, output: map[string]bool{}}
}

func gap(source evidence.SourceKind, why, hint string) evidence.Gap {
	return evidence.Gap{Source: cmp.Or(source, bundle.Source), Why: why, Hint: hint}
}

// arrange goes through all files, objects first, because they have the nodes' names.
func (p *places) arrange() {
	for i := 0; len(p.files) <= fewFiles && i < len(p.files); i++ {
		f := p.files[i]
		p.files[i] = p.withoutLogs(wholeLines(p.unquote(p.outputs(colourless(f)))))
		p.files[i].Changed = f.Changed
	}
	all, rest, unused := trees(p.files)
	p.trees, p.unused = all, unused
	for i := 0; len(p.files) > fewFiles && i < len(rest); i++ {
		rest[i] = p.withoutLogs(colourless(rest[i]))
	}
	p.shown(rest)
	rest = p.excerpts(rest)
	for i := range rest {
		rest[i] = p.behindPrologue(rest[i])
	}
	p.objectsFirst(rest)
	for _, t := range all {
		p.tree(t)
	}
	for _, f := range rest {
		p.loose(f)
	}
	p.hostTexts()
	p.mentions()
	if at := p.onlyPlaced(); len(p.names) == 0 && len(p.files) <= fewFiles && len(p.cri) == 1 &&
		p.cri[evidence.UnnamedNode] != nil {
		p.cri = map[string][]evidence.File{at: p.cri[evidence.UnnamedNode]} // next to the logs of one machine
	}
	for _, node := range slices.Sorted(maps.Keys(p.cri)) {
		f, found, gaps := cri.FromPrinted(node, p.machine, p.cri[node], cmp.Or(p.printedAt[node], p.at))
		p.gaps = append(p.gaps, gaps...)
		if found {
			p.out = append(p.out, f)
		}
	}
}

// objectsFirst reads the nodes' names from every file of objects, and places those of the trees.
func (p *places) objectsFirst(rest []evidence.File) {
	listed := map[string]bool{} // directories of namespaces whose pods are in a list
	for _, t := range p.trees {
		for _, f := range t.files {
			if f.use == useObjects && f.rel[len(f.rel)-1] == "pods.yaml" {
				listed[t.root+path.Join(f.rel[:2]...)] = true
			}
		}
	}
	for _, t := range p.trees {
		for _, f := range t.files {
			switch {
			case f.use == usePod && listed[t.root+path.Join(f.rel[:2]...)]:
				p.unused++
			case f.use == useObjects || f.use == usePod:
				p.objects(f.File)
			}
		}
	}
	for _, f := range rest {
		if _, done := p.unwrapped[f.Path]; done || p.quoted[f.Path] {
			continue
		}
		switch contentOf(head(f)) {
		case contentJSON, contentYAML:
			p.objects(f)
		case contentOther, contentLog:
			p.unwrap(f)
		}
	}
}

// disbelieve reports that a file is the output of a container.
func (p *places) disbelieve(f evidence.File) {
	p.unwrapped[f.Path] = nil
	p.gaps = append(p.gaps, gap("", "read "+f.Path+
		": it is the output of a container, so what it says about anything else is not trusted",
		"if a kubelet or a runtime wrote it, pass this file alone"))
}

// objects places a file of pods, events or nodes; of a stream of them, each one.
func (p *places) objects(f evidence.File) {
	p.used++
	if f.Size > maxObjects {
		p.gaps = append(p.gaps, gap(evidence.SourceAPI,
			fmt.Sprintf("read %s: its objects are more than the limit of %d MiB", f.Path, maxObjects>>20),
			"pass only what matters: the pods of one namespace, or of one node"))
		return
	}
	var gathered sync.WaitGroup
	gathered.Go(func() { p.names.gather(f) }) // reads all of it, as documents does
	defer gathered.Wait()
	base := strings.ReplaceAll(f.Path, "/", "_")
	if first := strings.TrimSpace(string(head(f))); !strings.HasPrefix(first, "{") {
		p.put(f, "cluster/"+withExtension(base, ".yaml"))
		return
	}
	docs, lack, err := documents(p.withoutLogs(f))
	if err != nil {
		p.gaps = append(p.gaps, gap(evidence.SourceAPI, "read "+f.Path+": "+err.Error(), ""))
		return
	}
	if lack != "" {
		p.gaps = append(p.gaps, gap(evidence.SourceAPI, "read "+f.Path+": "+lack, ""))
	}
	for _, d := range docs {
		name := strings.ReplaceAll(d.Path, "/", "_")
		if len(docs) > 1 && contentOf(head(d)) != contentJSON {
			continue // other kinds of a dump
		}
		p.put(d, "cluster/"+withExtension(name, ".json"))
	}
}

// withExtension makes a name's extension match its content, because the reader uses the extension.
func withExtension(name, ext string) string {
	if e := path.Ext(name); e == ext || ext == ".yaml" && e == ".yml" {
		return name
	}
	return name + ext
}

// loose places a file of no layout, by its content.
func (p *places) loose(f evidence.File) {
	if u, ok := p.unwrapped[f.Path]; ok {
		p.logs(f, u)
		return
	}
	rel, content := f.Path, contentOf(head(f))
	if p.quoted[f.Path] {
		rel, content = textlog.UnwrappedDir+rel, contentOther
	}
	switch content {
	case contentJSON, contentYAML:
	case contentJournal:
		p.used++
		p.journal(f, p.otherwise(""), f.Path)
	case contentCRI:
		p.used++
		guess := p.names.only()
		if len(p.names) == 0 {
			guess = evidence.UnnamedNode
		}
		node := p.otherwise(guess)
		p.cri[node] = append(p.cri[node], f)
	default:
		if len(p.files) > 1 && !textlog.OfDaemon(f.Path) && ofContainer(f) {
			p.disbelieve(f)
			return
		}
		if content == contentOther && len(p.files) <= fewFiles && !p.quoted[f.Path] {
			if settings := hostprint.Settings(plainText(f)); settings != "" {
				p.used++
				p.host = append(p.host, hostText{text: settings})
				return
			}
		}
		if p.onlyMentions(f) {
			p.used++
			return
		}
		if p.empty[f.Path] || strange(f) {
			if len(p.files) > 1 && (p.empty[f.Path] || !textlog.OfDaemon(f.Path)) {
				p.unused++ // a tool's settings, a list of Services, a note
				p.nothing++
				return
			}
			p.strange++ // the only input, or named like a log: its reader reports what is wrong
		}
		p.used++
		p.log(f, p.node, textlog.Place(f.Path, rel, p.names), false, false)
	}
}

// ofContainer reports whether it is the output of a container as runtimes keep it. Any container may write lines that
// look like a kubelet's.
func ofContainer(f evidence.File) bool {
	format := textlog.Sniff(head(f))
	return format == textlog.FormatContainer || format == textlog.FormatDockerLog
}

// otherwise returns the node of a file that does not say: the named one, or else a guess, or else the unknown node.
func (p *places) otherwise(guess string) string {
	return cmp.Or(p.node, guess, bundle.UnknownNode)
}

// log places a log. With node "" the hosts in its lines count; all means to look for them up to its end.
func (p *places) log(f evidence.File, node, rel string, utc, all bool) {
	if node == "" {
		shares, err := hostsIn(f, all)
		if err != nil {
			p.gaps = append(p.gaps, gap("", "read "+f.Path+": "+err.Error(), ""))
		}
		if len(shares) == maxHosts {
			p.gaps = append(p.gaps, gap("", "read "+f.Path+": it has lines from more hosts than can be kept apart", ""))
		}
		for _, s := range shares {
			part := f
			if len(shares) > 1 {
				part = s.of(f)
			}
			p.text(part, p.names.of(s.host), rel, utc)
		}
		if len(shares) > 0 {
			return
		}
		node = p.otherwise(p.nameless(f))
	}
	p.text(f, node, rel, utc)
}

// nameless returns the node of a log whose lines have no host: the only one that objects know, or else the one that its
// kubelet names. If no node is known, all such logs belong to one node, which needs a name to have a story.
func (p *places) nameless(f evidence.File) string {
	switch textlog.Sniff(beginning(f, longHead)) {
	case textlog.FormatKlog, textlog.FormatKlogJSON, textlog.FormatLogfmt, textlog.FormatBare, textlog.FormatContainer,
		textlog.FormatDockerLog, textlog.FormatKernel, textlog.FormatRecord, textlog.FormatTalos:
	default:
		return p.names.only() // its entries have a host
	}
	if only := p.names.only(); only != "" {
		return only
	}
	if own := ownName(f); own != "" {
		return p.names.of(own)
	}
	if len(p.names) > 0 {
		return "" // with several nodes, it is unknown which
	}
	return evidence.UnnamedNode
}

// text places a log of one node: below logquery those in UTC, below logs those with an unknown zone.
func (p *places) text(f evidence.File, node, rel string, utc bool) {
	dir := "logs/"
	if utc {
		dir = "logquery/"
	}
	p.put(f, nodefile.Path(node, dir+rel))
}

// journal places a file of systemd's journal.
func (p *places) journal(f evidence.File, node, rel string) {
	name := strings.ReplaceAll(rel, "/", "_")
	if ext := path.Ext(name); ext != ".journal" && ext != ".journal~" {
		name += ".journal"
	}
	p.put(f, nodefile.Path(node, "journal/"+name))
}

func (p *places) put(f evidence.File, to string) {
	dir, base := path.Split(to)
	for p.taken[dir+base] {
		base = "_" + base // its extension decides how it is read
	}
	p.taken[dir+base] = true
	p.sources[dir+base] = f.Path
	f.Path = dir + base
	p.out = append(p.out, f)
}

// kinds returns the layouts that were found.
func (p *places) kinds() (all []string) {
	for _, t := range p.trees {
		if !slices.Contains(all, t.layout.name) {
			all = append(all, t.layout.name)
		}
	}
	return all
}

// nodes returns the nodes that files belong to.
func (p *places) nodes() []string {
	all := map[string]bool{}
	for _, f := range p.out {
		rest, ok := strings.CutPrefix(f.Path, "nodes/")
		if node, _, _ := strings.Cut(rest, "/"); ok && node != bundle.UnknownNode {
			all[node] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// longHead is how much of a file is enough to be sure that it is no log: as much as the log reader checks.
const longHead = 256 << 10

// strange reports whether a file has unknown content, rather than being unreadable.
func strange(f evidence.File) bool {
	text := beginning(f, longHead)
	return len(text) > 0 && contentOf(text) == contentOther
}

// head returns the first bytes of a file, nil if it cannot be read.
func head(f evidence.File) []byte { return beginning(f, bundle.HeadBytes) }

func beginning(f evidence.File, size int) []byte {
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer func() { _ = r.Close() }()                      // read only
	text, _ := io.ReadAll(io.LimitReader(r, int64(size))) // as far as it can be read
	return text
}
