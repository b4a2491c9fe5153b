package naming

import (
	"regexp"
	"slices"
	"strings"
)

// This file finds the namespace next to the name of what controls a pod: "cart (shop)" says where cart-7d9f8b6c5-x2k9p
// is.

// owned is such a name next to what may be its namespace.
type owned struct{ by, namespace string }

var (
	// besideOwner are the forms of both: the namespace before a slash, in parentheses, in quotes behind "in", and the
	// address of a service.
	besideOwner = []struct {
		has            string
		says           *regexp.Regexp
		owner, ofOwner int // their groups
	}{
		{"/", regexp.MustCompile(`(?:^|[\s("'*\x60])` + aLabel + `/` + aLabel + `(?:$|[\s)"'*\x60,;]|[.:](?:\s|$))`), 2, 1},
		{" (", regexp.MustCompile(aLabel + "[`*\"']* \\([`*\"']*" + aLabel + "[`*\"']*\\)"), 1, 2},
		{" in ", regexp.MustCompile(aLabel + "[`*\"']* in (?:the )?[`*\"']+" + aLabel + "[`*\"']"), 1, 2},
		{".", regexp.MustCompile(`(?:^|[\s/@("'*\x60])` + aLabel + `\.` + aLabel + `(?:\.svc\b|:\d{2,5}\b)`), 1, 2},
	}
	// ofImages are words of lines in which a slash separates other things.
	ofImages = regexp.MustCompile(`(?i)\b(?:images?|charts?|helm|docker|registry|repo(?:sitory)?|git|github|pull|build|path|dir\w*|argo\w*)\b`)
)

// The limits for such names.
const (
	mostOwned = 200
	longOwned = 400 // bytes of a line
)

// ofCharts are repositories of charts, in the place of a namespace: stable/cert-manager.
var ofCharts = []string{"stable", "incubator", "bitnami"}

// owners keeps what a line has of both.
func (t *Text) owners(line string) {
	if len(line) > longOwned || len(t.owned) > mostOwned {
		return
	}
	for i := range besideOwner {
		f := &besideOwner[i]
		if !strings.Contains(line, f.has) || f.has == "/" && ofImages.MatchString(line) {
			continue
		}
		for _, m := range f.says.FindAllStringSubmatch(line, 4) {
			o := owned{m[f.owner], m[f.ofOwner]}
			if isName('n', o.namespace) && isName('n', o.by) && !slices.Contains(kinds, o.namespace) &&
				!slices.Contains(plainWords, o.namespace) && !slices.Contains(ofCharts, o.namespace) &&
				!slices.Contains(t.owned, o) {
				t.owned = append(t.owned, o)
			}
		}
	}
}

// spaceOf returns the only namespace that is next to the name of what controls a pod, "" for none.
func (t *Text) spaceOf(pod string) (namespace string) {
	for _, o := range t.owned {
		if !strings.HasPrefix(pod, o.by+"-") || o.namespace == namespace {
			continue
		}
		if namespace != "" {
			return ""
		}
		namespace = o.namespace
	}
	return namespace
}
