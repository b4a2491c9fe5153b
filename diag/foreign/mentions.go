package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/excerpt"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/idnames"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mention"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/unwrap"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// Mentioned is the place for what files mention about ends.
const Mentioned = "mentioned.json"

// mentions reads what a person's few files mention about ends: it counts only if nothing else describes the pod.
func (p *places) mentions() {
	if len(p.files) > fewFiles {
		return
	}
	u, texts, around := &unwrapped{}, make([]string, len(p.files)), p.about()
	var all []*mention.Text
	var unread []bool
	settled := false
	for i, f := range p.files {
		if f.Size > mention.MaxFile {
			continue
		}
		if f.Size > mention.MaxText && p.unread(f) {
			p.teller(f)(fmt.Sprintf("only its first %d KiB were searched for words about ends", mention.MaxText>>10))
		}
		texts[i] = plainText(f)
		words := p.words
		// no container's log is a page in Markdown
		if p.untrusted(f) && !textkind.Personal(texts[i]) && path.Ext(f.Path) != ".md" {
			f, words = p.messages(f), p.wordsOf // another file may have its name
			texts[i] = plainText(f)
		}
		if texts[i] == "" {
			continue
		}
		w := words(f)
		all, unread, settled = append(all, w), append(unread, p.unread(f)), settled || w.Settled()
	}
	for i, w := range all {
		if settled && w.Resorts(around) {
			continue // what somebody did about the end that another text tells
		}
		for _, raw := range w.Read(around, unread[i]) {
			u.objects.add("", raw)
		}
	}
	p.lastWords(u, around)
	if raw := mention.About(around); raw != nil {
		u.objects.add("", raw)
	}
	if list, ok := u.objects.file(Mentioned); ok {
		p.put(list, Mentioned)
	}
	for i, f := range p.files {
		if u := p.unwrapped[f.Path]; u != nil && u.tally.OfContainers > 0 {
			texts[i] = "" // a container may write any name
		}
	}
	named := idnames.Read(texts)
	for i := range named {
		n := &named[i]
		n.Namespace = cmp.Or(n.Namespace, around.Namespace, evidence.UsualNamespace(n.Pod))
	}
	if f, ok := idnames.File(named); ok {
		p.put(f, idnames.Path)
	}
}

// messages returns the messages of a log store's records as a text, empty if some are a container's, or may be because
// more cannot be read than where an export was cut. What the store put them in, which the file's name tells, says
// nothing about the text.
func (p *places) messages(f evidence.File) evidence.File {
	var said []byte
	if u := p.unwrapped[f.Path]; u != nil && u.shape != unwrap.Text && u.tally.OfContainers == 0 &&
		u.tally.Broken <= 1+u.tally.Records/10 && u.said != nil {
		said = u.said.Bytes()
	}
	return evidence.Bytes(strings.TrimSuffix(f.Path, path.Ext(f.Path)), said)
}

// lastWords takes a program's output that ends in an error for a container's last words, if nothing else was read.
func (p *places) lastWords(u *unwrapped, around naming.Names) {
	if len(u.objects.order)+len(p.cri)+len(p.host) > 0 {
		return
	}
	for _, f := range p.files {
		if f.Size > mention.MaxText || p.output[f.Path] {
			continue // its end is not known; or it is one of many that a tool collected
		}
		for _, raw := range p.words(f).Printed(around) {
			u.objects.add("", raw)
		}
	}
}

// about returns what all of a person's few texts name only one of.
func (p *places) about() naming.Names {
	if p.named == nil {
		var text naming.Text
		for _, f := range p.files[:min(len(p.files), fewFiles+1)] {
			if len(p.files) <= fewFiles && f.Size <= mention.MaxFile {
				text.Add(plainText(f))
				text.File(f.Path)
			}
		}
		p.named = new(text.Only())
	}
	return *p.named
}

// untrusted reports whether a file's statements count for nothing by themselves: a container's output, which anyone may
// write, whole JSON, and a store's export; a text with a few records or marks before its lines is not one of these.
func (p *places) untrusted(f evidence.File) bool {
	if p.output[f.Path] {
		return true
	}
	text := beginning(f, mention.MaxText)
	switch isJSON := contentOf(text) == contentJSON; {
	case !isJSON && ownKinds(text):
		return !p.unread(f)
	case otherObject.Match(text) && (!isJSON || textkind.OfOthers(text, readKinds)):
		return false // a Job, a Deployment, a Workflow: its status may say why its pods are gone
	case isJSON:
		return json.Valid(text) // a cut object can only be read by its words
	case textkind.Vouched(text, len(p.files) == 1):
		return false // as the only input, it is not another container's; or a person exported it from the API
	}
	u, done := p.unwrapped[f.Path]
	if u != nil && u.shape == unwrap.YAML && u.tally.Broken > 0 {
		return false // a person's list, which only looks like a document
	}
	return done && (u == nil || u.tally.OfContainers > 0 || u.shape != unwrap.Text &&
		u.tally.Found() && u.tally.Broken <= u.tally.Records+u.tally.Objects+u.tally.Journal)
}

// ownKinds reports whether a text begins as an object in YAML, and all of its objects have their own reader.
func ownKinds(text []byte) bool {
	kinds := yamlKind.FindAllSubmatch(text, -1)
	return otherObject.Match(text) && len(kinds) > 0 && !slices.ContainsFunc(kinds, func(m [][]byte) bool {
		return !slices.Contains(readKinds, string(m[1]))
	})
}

// yamlKind matches the kind of an object that stands in no list.
var yamlKind = regexp.MustCompile(`(?m)^kind:\s*"?(\w+)`)

// readKinds have their own reader.
var readKinds = []string{"Pod", "PodList", "Event", "EventList", "Node", "NodeList", "List"}

// otherObject matches the beginning of a Kubernetes object, behind comments.
var otherObject = regexp.MustCompile(beforeObject.String() +
	`(?:apiVersion:\s|kind:\s|\{\s*"(?:apiVersion|kind)"\s*:\s*")`)

// plainText returns a file's text, "" if it is binary.
func plainText(f evidence.File) string {
	text := beginning(f, mention.MaxText)
	if bytes.IndexByte(text, 0) >= 0 ||
		!utf8.Valid(text[:min(len(text), 1<<10)]) && textlog.Sniff(text) == textlog.FormatBinary {
		return ""
	}
	return screen.Text(string(text))
}

// onlyMentions reports whether no reader knows a file and it has statements about an end.
func (p *places) onlyMentions(f evidence.File) bool {
	return !p.output[f.Path] && len(p.files) <= fewFiles && p.unread(f) && p.words(f).In()
}

// words returns a file's text, read for statements about ends.
func (p *places) words(f evidence.File) *mention.Text {
	if p.texts[f.Path] == nil {
		if p.texts == nil {
			p.texts = map[string]*mention.Text{}
		}
		p.texts[f.Path] = p.wordsOf(f)
	}
	return p.texts[f.Path]
}

func (p *places) wordsOf(f evidence.File) *mention.Text {
	return mention.Of(excerpt.WithoutPods(unwrap.Plain(plainText(f))), f.Path, p.at)
}

// unread reports whether no reader found anything in a file.
func (p *places) unread(f evidence.File) bool { return strange(f) || p.empty[f.Path] }
