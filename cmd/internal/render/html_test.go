package render

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// elements parses a page as XML, which it also is, and returns its elements. An
// element that is not closed, or a text that became markup, fails.
func elements(t *testing.T, page string) (all []xml.StartElement) {
	t.Helper()
	body := page[strings.Index(page, "<body>") : strings.Index(page, "</body>")+len("</body>")]
	body = regexp.MustCompile(`<(summary|details)([^>]*) open>`).ReplaceAllString(body, `<$1$2 open="">`)
	d := xml.NewDecoder(strings.NewReader(body))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local != "wbr" { // where a long word may be broken
			all = append(all, e.Copy())
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func TestEveryLinkOfAPageHasItsTarget(t *testing.T) {
	ids, links := map[string]bool{}, 0
	all := elements(t, render(t, Options{Format: "html"}, reporttest.Report()))
	for _, e := range all {
		if id := attr(e, "id"); id != "" {
			if ids[id] {
				t.Errorf("id %s is there twice", id)
			}
			ids[id] = true
		}
	}
	for _, e := range all {
		if href := attr(e, "href"); href != "" {
			links++
			if !ids[strings.TrimPrefix(href, "#")] {
				t.Errorf("a link to %s leads nowhere", href)
			}
		}
	}
	if links < 10 {
		t.Errorf("%d links: the test sees too little", links)
	}
}

// hostile puts the same text wherever a report has one.
func hostile(text string) *report.Report {
	r := reporttest.Report()
	for i := range r.Items {
		it := &r.Items[i]
		it.Pod, it.Namespace, it.Container, it.Node, it.ContainerKind, it.PodUID, it.Workload = text,
			text, text, text, text, text, text
		it.From.Reason, it.From.Image, it.From.Hash, it.From.ContainerID = text, text, text, text
		v := &it.Verdict
		v.Cause, v.Mechanism, v.Summary = text, text, text
		v.Confidence = report.Confidence(text)
		for j := range v.Chain {
			v.Chain[j].Text, v.Chain[j].Cause, v.Chain[j].Role = text, text, report.Role(text)
		}
		for j := range v.Eliminated {
			v.Eliminated[j] = &report.Eliminated{Because: text, Causes: []string{text}}
		}
		v.Alternatives = []report.Alternative{{Cause: text, Confidence: report.Confidence(text), Text: text}}
		v.Missing, v.Actions = []report.Missing{{What: text, Consequence: text, Command: text}}, []string{text}
	}
	for i := range r.Incidents {
		r.Incidents[i].Summary, r.Incidents[i].Cause, r.Incidents[i].Node = text, text, text
	}
	for i := range r.Evidence {
		r.Evidence[i].Text, r.Evidence[i].Source = text, report.Source{Kind: text, Node: text, Where: text}
	}
	r.Gaps = []report.Gap{{Source: text, Node: text, Why: text, Hint: text}}
	r.NodeNotes = []report.NodeNote{{Node: text, Text: text, Hint: text}}
	r.Profile = []report.Profile{{Node: text, KubeletVersion: text, ModelledAs: text}}
	r.Scope = report.Scope{Namespace: text, Targets: []string{text}, Since: text}
	r.Tool.Version = text
	r.Normalise()
	return r
}

// shape is the names of elements and attributes of a page: what is markup in it.
func shape(t *testing.T, page string) string {
	var b strings.Builder
	for _, e := range elements(t, page) {
		b.WriteString(e.Name.Local)
		for _, a := range e.Attr {
			b.WriteString(" " + a.Name.Local)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var attacks = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
	`</style><script>`, `--></title>`,
	`javascript:alert(1)`, `&lt;script&gt;`, `]]>`, "a\x00b", "<svg/onload=x>", `{{.}}`, `</details></samp>`,
}

// Whatever a cluster says, the page has the same elements: texts stay texts.
func TestNoTextBecomesMarkup(t *testing.T) {
	told := func(text string) string {
		return strings.ReplaceAll(render(t, Options{Format: "html", Details: storyOf(text)}, hostile(text)), "\x00", "")
	}
	plain := shape(t, told("x"))
	for _, a := range attacks {
		page := told(a)
		if got := shape(t, page); got != plain {
			t.Errorf("%q changes the page's markup", a)
		}
		if n := strings.Count(page, "<script"); n > 0 {
			t.Errorf("%q: %d scripts", a, n)
		}
	}
}

// many is a report of n items of one incident, each with evidence of its own.
func many(n int) *report.Report {
	r := reporttest.Report()
	base := r.Items[0]
	r.Items, r.Evidence = nil, nil
	r.Incidents = []report.Incident{{ID: "i1", Cause: "hash-kubelet-upgrade",
		Node: "n1", Start: reporttest.At(0), End: reporttest.At(n), Summary: "one root", Items: nil}}
	for i := range n {
		it := base
		it.ID, it.Pod, it.Time = fmt.Sprintf("r%d", i), fmt.Sprintf("web-%d", i), reporttest.At(-i)
		it.Verdict.Chain = slices.Clone(base.Verdict.Chain)
		id := fmt.Sprintf("e%d", i)
		it.Verdict.Chain[0].Evidence = []string{id}
		r.Items = append(r.Items, it)
		r.Evidence = append(r.Evidence, report.Evidence{ID: id, Text: "a line",
			Time: reporttest.At(-i), Source: report.Source{Kind: "kubelet-log", Node: "n1"}})
		r.Incidents[0].Items = append(r.Incidents[0].Items, it.ID)
	}
	return r
}

// Ten thousand restarts are a page that a browser opens, with what is left out
// said.
func TestALargeReportStaysUsable(t *testing.T) {
	elapsed := clock.Stopwatch()
	page := render(t, Options{Format: "html"}, many(10_000))
	if took := elapsed(); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	if n := len(page); n > 8<<20 {
		t.Errorf("the page has %d MiB", n>>20)
	}
	for _, want := range []string{
		"250 of 10000 rows are shown in full", "5000 older rows not shown", "and 9976 more",
		"; 9000 restarts between others are not drawn",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if n := strings.Count(page, `<summary id="i`); n != pageFull {
		t.Errorf("%d items in full", n)
	}
}

// The first item of an incident is shown in full however old it is.
func TestAnOldIncidentIsStillTold(t *testing.T) {
	r := many(6000)
	r.Incidents[0].Items = r.Incidents[0].Items[5990:]
	for i := range r.Items {
		if r.Items[i].Incident = "i1"; i < 5990 {
			r.Items[i].Incident = ""
		}
	}
	page := render(t, Options{Format: "html"}, r)
	if !strings.Contains(page, `<summary id="i5991">`) {
		t.Error("the oldest incident has no item in full")
	}
	if strings.Contains(page, `href="#i5992"`) {
		t.Error("a link to an item that is not on the page")
	}
	if !strings.Contains(page, "251 of 6000 rows") || !strings.Contains(page, "1000 older rows not shown") {
		t.Error("what is left out is not counted right")
	}
}

func TestThePageIsWholeByItself(t *testing.T) {
	page := render(t, Options{Format: "html"}, reporttest.Report())
	for _, never := range []string{"<script", "<link", "<img", "@import",
		"url(", "http://", "https://", "<iframe", " src="} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q", never)
		}
	}
	for _, want := range []string{"<!DOCTYPE html>", `lang="en"`, `name="viewport"`,
		"prefers-color-scheme:dark", "@media print", "default-src 'none'", `role="img"`, "aria-label"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// provider tells one story about everything, or fails.
type provider struct {
	story *report.ItemDetail
	err   error
}

func (t provider) ItemDetail(string) (*report.ItemDetail, error) { return t.story, t.err }
func (t provider) NodeDetail(string) (*report.NodeDetail, error) { return nil, errors.ErrUnsupported }
func (t provider) Neighbors(string, int) ([]report.Evidence, error) {
	return nil, errors.ErrUnsupported
}

func TestAStoryIsDrawn(t *testing.T) {
	story := around([]report.Lane{
		{Kind: report.LaneProbe, Name: "liveness of a",
			Marks: []report.Mark{{At: reporttest.T0, Text: "failed <3>", Decisive: true, Evidence: []string{"e2"}}}},
		{Kind: report.LaneSandbox, Name: "sandbox", Spans: []report.Span{{Text: "open at both ends"}}},
	})
	r := reporttest.Report()
	r.Items = r.Items[:1]
	page := render(t, Options{Format: "html", Details: provider{story: story}}, r)
	for _, want := range []string{"liveness of a", "failed &lt;3&gt;", "open at both ends",
		"2026-11-21 07:10:58Z – 2026-11-21 07:12:58Z"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for name, other := range map[string]provider{"one that fails": {err: errors.New("not known")},
		"one that knows nothing": {story: &report.ItemDetail{}}} {
		if page := render(t, Options{Format: "html", Details: other}, r); strings.Contains(page, "<svg") {
			t.Errorf("with a provider that is %s, something is drawn", name)
		}
	}
}

// storyOf says the same text wherever a story has one.
func storyOf(text string) provider {
	return provider{story: around([]report.Lane{{
		Name: text, Spans: []report.Span{{Text: text}}, Marks: []report.Mark{{At: reporttest.T0, Text: text}},
	}})}
}

func around(lanes []report.Lane) *report.ItemDetail {
	return &report.ItemDetail{
		Activity: report.Activity{Start: reporttest.At(-60), End: reporttest.At(60), Lanes: lanes}}
}

// Whatever a cluster says, the ticket keeps its lines and its table its columns.
func TestNoTextChangesTheShapeOfATicket(t *testing.T) {
	lines := strings.Count(render(t, Options{Format: "markdown"}, hostile("x")), "\n")
	for _, a := range append(attacks, "# head", "```", "|||", "a\nb\r\nc", "1. x", "---", "@org/team", "![x](y)") {
		text := render(t, Options{Format: "markdown"}, hostile(a))
		if n := strings.Count(text, "\n"); n != lines {
			t.Errorf("%q: %d lines, want %d", a, n, lines)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "| ") && strings.Contains(line, "2026") {
				if n := len(regexp.MustCompile(`(^|[^\\])\|`).FindAllString(line, -1)); n != 9 {
					t.Errorf("%q: a row of %d bars: %s", a, n, line)
				}
			}
		}
	}
}
