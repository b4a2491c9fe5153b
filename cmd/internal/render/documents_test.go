package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// One change to the report, and what it changes in the page and in the ticket.
func TestEveryPartOfAReportIsTold(t *testing.T) {
	cases := map[string]struct {
		mutate         func(r *report.Report)
		html, markdown string
	}{
		"an alternative still stands": {
			func(r *report.Report) {
				r.Items[0].Verdict.Alternatives = []report.Alternative{
					{Cause: "app-signal", Confidence: report.Possible, Text: "a signal leaves no trace", Evidence: []string{"e2"}}}
			},
			`<h4>Also possible</h4>` + "\n" +
				`<ul><li><strong>app-signal</strong> (<span class="badge possible">possible</span>): ` +
				`A signal leaves no trace <a href="#i1e2" class="cite">[2]</a></li>`,
			"#### Also possible\n\n- **app-signal** (*possible*): A signal leaves no trace \\[2\\]\n",
		},
		"evidence is missing, with a way to get it": {
			func(r *report.Report) {
				r.Items[0].Verdict.Missing = []report.Missing{{What: "the kernel log",
					Consequence: "no kill can be excluded", Command: "dmesg -T | tail"}}
			},
			`<h4>What was not read</h4>` + "\n" +
				`<ul><li>the kernel log: no kill can be excluded<pre>dmesg -T | tail</pre></li>`,
			"#### What was not read\n\n- the kernel log: no kill can be excluded\n  `dmesg -T | tail`\n",
		},
		"it never started": {
			func(r *report.Report) { r.Items[0].Kind, r.Items[0].Time, r.Items[0].From = report.Refused, nil, nil },
			`<td data-of="KIND">Refused</td>`, "| Refused |",
		},
		"a sidecar is called one": {
			func(r *report.Report) { r.Items[0].ContainerKind = "sidecar" }, `<strong>shop/web-0 a (sidecar)</strong>`,
			"<b>shop/web-0 a (sidecar)</b>",
		},
		"evidence that the report does not hold is not cited": {
			func(r *report.Report) { r.Items[0].Verdict.Chain[0].Evidence = []string{"gone", "e1"} },
			`v1.31.0 <a href="#i1e1" class="cite">[1]</a> <time>07:11:57</time></li>`, "v1.31.0 \\[1\\] · 07:11:57\n",
		},
		"a node has something wrong with it": {
			func(r *report.Report) {
				r.NodeNotes = []report.NodeNote{{Node: "n1", Text: "a runtime is left over", Hint: "remove it"}}
			},
			`<li><strong>n1</strong>: a runtime is left over<div><span class="faint">remove it</span></div></li>`,
			"## Nodes\n\n- **n1**: a runtime is left over\n  remove it\n",
		},
		"the incident has no times and no node": {
			func(r *report.Report) {
				r.Incidents[0].Start, r.Incidents[0].End, r.Incidents[0].Node = nil, nil, ""
			},
			`<code>hash-kubelet-upgrade</code> · <span class="badge proven">proven</span></div>`,
			"  `hash-kubelet-upgrade` · *proven*\n",
		},
		"what is ruled out is folded": {
			func(*report.Report) {}, `<details class="fold"><summary><h4>Ruled out: 2 other causes</h4></summary>`,
			"<details><summary>Ruled out: 2 other causes</summary>\n\n- `spec-image-changed`: the stored hash was computed",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Report()
			c.mutate(r)
			r.Normalise()
			if page := render(t, Options{Format: "html"}, r); !strings.Contains(page, c.html) {
				t.Errorf("the page lacks %s", c.html)
			}
			if text := render(t, Options{Format: "markdown"}, r); !strings.Contains(text, c.markdown) {
				t.Errorf("the ticket lacks %s in\n%s", c.markdown, text)
			}
		})
	}
}

// Every list of a document has an end, and says what is behind it.
func TestListsAreCutAndSaySo(t *testing.T) {
	gaps := func(r *report.Report, n int) {
		r.Gaps = nil
		for i := range n {
			r.Gaps = append(r.Gaps, report.Gap{Source: "api", Why: fmt.Sprintf("reason %d", i)})
		}
	}
	for name, c := range map[string]struct {
		format string
		mutate func(r *report.Report)
		want   string
	}{
		"gaps of a page":   {"html", func(r *report.Report) { gaps(r, pageListed+7) }, "and 7 more, which -o json lists"},
		"gaps of a ticket": {"markdown", func(r *report.Report) { gaps(r, 27) }, "- and 7 more, which -o json lists\n"},
		"incidents of a ticket": {"markdown", func(r *report.Report) {
			for i := range 21 {
				r.Incidents = append(r.Incidents, report.Incident{ID: fmt.Sprintf("x%d", i), Summary: "s"})
			}
		}, "- and 3 more\n"},
		"items of a ticket's incident": {"markdown", func(r *report.Report) {
			for range 20 {
				r.Incidents[0].Items = append(r.Incidents[0].Items, "r1")
			}
		}, ", and 3 more\n"},
		"evidence of a ticket's item": {"markdown", func(r *report.Report) {
			for i := range 60 {
				id := fmt.Sprintf("x%d", i)
				r.Evidence = append(r.Evidence, report.Evidence{ID: id, Text: "t"})
				r.Items[0].Verdict.Chain[0].Evidence = append(r.Items[0].Verdict.Chain[0].Evidence, id)
			}
		}, " more in -o json\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Report()
			c.mutate(r)
			if got := render(t, Options{Format: c.format}, r); !strings.Contains(got, c.want) {
				t.Errorf("it does not say %q:\n%s", c.want, got)
			}
		})
	}
}

// The parts of an item come in the order in which they are read, in every form: the
// answer first.
func TestAnItemIsToldInOrder(t *testing.T) {
	r := reporttest.Report()
	r.Items, r.Incidents = r.Items[:1], nil
	r.Items[0].Verdict.Alternatives = []report.Alternative{{Cause: "app-signal", Confidence: report.Possible, Text: "x"}}
	r.Items[0].Verdict.Missing = []report.Missing{{What: "the kernel log"}}
	for _, format := range []string{"", "markdown", "html"} {
		text := render(t, Options{Format: format}, r)
		if format == "html" {
			text = text[strings.Index(text, "<h1>"):]
		}
		at := 0
		for _, part := range []string{
			"restarted", "hash-kubelet-upgrade", "proven", "Error, exit 137", "upgraded from v1.30.14 to v1.31.0",
			"What to do", "Drain nodes",
			"What happened", "root cause", "Also possible", "What was not read",
			"Evidence", "The container", "Ruled out: 2 other causes",
		} {
			next := strings.Index(text[at:], part)
			if next < 0 {
				t.Fatalf("-o %q: %s does not come after what stands before it:\n%s", format, part, text)
			}
			at += next
		}
	}
}

func TestIncidentsComeBeforeRestarts(t *testing.T) {
	for _, format := range []string{"markdown", "html"} {
		text := render(t, Options{Format: format}, reporttest.Report())
		if i, r := strings.Index(text, "Incidents"), strings.Index(text, "Restarts"); i < 0 || r < i {
			t.Errorf("-o %s: incidents at %d, restarts at %d", format, i, r)
		}
	}
}

// -v shows what is folded.
func TestVerboseTextShowsWhatIsRuledOut(t *testing.T) {
	r := reporttest.Report()
	r.Items = r.Items[:1]
	for verbose, want := range map[bool]bool{false: false, true: true} {
		if text := render(t, Options{Verbose: verbose}, r); strings.Contains(text,
			"no kernel record of this cgroup") != want {
			t.Errorf("verbose %v:\n%s", verbose, text)
		}
	}
}

func TestCustomColumns(t *testing.T) {
	for format, want := range map[string]string{
		"custom-columns=POD:.pod,WHY:.verdict.cause,CODE:.from.exitCode": "POD      WHY                    CODE\nweb-0    hash-kubelet-upgrade   137\nweb-1    hash-kubelet-upgrade   137\ndb-0     hash-kubelet-upgrade   137\ncart-0   unknown                137\n",
		"custom-columns=X:{.incident}":                                   "X\ni1\ni1\ni1\n<none>\n",
	} {
		if got := render(t, Options{Format: format}, reporttest.Report()); got != want {
			t.Errorf("-o %s printed\n%s want\n%s", format, got, want)
		}
	}
	if got := render(t, Options{Format: "custom-columns=POD:.pod", NoHeaders: true},
		reporttest.Report()); strings.Contains(got, "POD") {
		t.Errorf("headers: %s", got)
	}
	for _, wrong := range []string{"custom-columns=", "custom-columns=POD",
		"custom-columns=POD:", "custom-columns=POD:{.x", "custom-columns=X:{.nothing}"} {
		if _, err := New(Options{Format: wrong}); err == nil || !strings.Contains(err.Error(), "custom-columns") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// A ticket is never longer than a tracker takes, and a brief fits a chat.
func TestTicketsAndBriefsFit(t *testing.T) {
	long := strings.Repeat("a long text, ", 500)
	large := many(3000)
	for i := range large.Items {
		large.Items[i].Verdict.Cause = fmt.Sprintf("cause-%d", i)
	}
	one := many(1)
	one.Items[0].Verdict.Actions = []string{long, long}
	one.Items[0].Verdict.Summary = "short"
	for name, r := range map[string]*report.Report{"usual": reporttest.Report(),
		"many": large, "long texts": hostile(long), "one": one} {
		text := render(t, Options{Format: "markdown"}, r)
		if n := len([]rune(text)); n > ticketSize {
			t.Errorf("%s: a ticket of %d characters", name, n)
		}
		if open, closed := strings.Count(text, "<details>"), strings.Count(text, "</details>"); open != closed {
			t.Errorf("%s: %d folds, %d of them end", name, open, closed)
		}
	}
	brief := render(t, Options{Format: "brief"}, reporttest.Report())
	for _, part := range strings.Split(brief, "\n\n") {
		if n := len([]rune(part)); n > briefly {
			t.Errorf("%d characters:\n%s", n, part)
		}
	}
	for _, want := range []string{"hash-kubelet-upgrade (proven) · Error, exit 137",
		"do        drain nodes", "evidence  07:11:57 kubelet-log n1"} {
		if !strings.Contains(brief, want) {
			t.Errorf("no %q in\n%s", want, brief)
		}
	}
}
