package printers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// One change to the report, and what it changes in the page and in the ticket.
func TestEveryPartOfAReportIsTold(t *testing.T) {
	cases := map[string]struct {
		mutate         func(r *report.Report)
		html, markdown string
	}{
		"an alternative still stands": {
			func(r *report.Report) {
				r.Items[0].Verdict.Alternatives = []report.Alternative{{Cause: "app-signal", Confidence: report.Possible, Text: "a signal leaves no trace", Evidence: []string{"e2"}}}
			},
			`<h4>Or else</h4><ul><li><code>app-signal</code> <span class="badge possible">possible</span> a signal leaves no trace <a href="#i1-e2" class="cite" title="e2">[2]</a></li>`,
			"**Or else**\n\n- `app-signal` (possible): a signal leaves no trace (2)\n",
		},
		"evidence is missing, with a way to get it": {
			func(r *report.Report) {
				r.Items[0].Verdict.Missing = []report.Missing{{What: "the kernel log", Consequence: "no kill can be excluded", Command: "dmesg -T | tail"}}
			},
			`<h4>Missing</h4><ul><li>the kernel log: no kill can be excluded<pre>dmesg -T | tail</pre></li>`,
			"**Missing**\n\n- the kernel log: no kill can be excluded\n  `dmesg -T | tail`\n",
		},
		"nothing is missing": {
			func(*report.Report) {}, `<h4>Missing</h4><p>nothing</p>`, "**Missing**: nothing\n",
		},
		"nothing is to be done": {
			func(r *report.Report) { r.Items[0].Verdict.Actions = nil }, `<h4>Do</h4><p>nothing</p>`, "**Missing**: nothing\n\n**Evidence**\n",
		},
		"a death has no successor": {
			func(r *report.Report) { r.Items[0].To, r.Items[0].Kind = nil, report.Death },
			`<dd>ended 2026-11-21 07:12:00Z</dd>`, "## shop/web-0 container a ended 2026-11-21 07:12:00Z on n1\n",
		},
		"it never started": {
			func(r *report.Report) { r.Items[0].Kind, r.Items[0].Time, r.Items[0].From = report.Refused, nil, nil },
			`<dt>what</dt><dd>never started</dd>`, "## shop/web-0 container a never started on n1\n",
		},
		"a sidecar is called one": {
			func(r *report.Report) { r.Items[0].ContainerKind = "sidecar" }, `<b>shop/web-0</b> a (sidecar)`, "container a (sidecar) restarted",
		},
		"evidence that the report does not hold is not cited": {
			func(r *report.Report) { r.Items[0].Verdict.Chain[0].Evidence = []string{"gone", "e1"} },
			`<time>07:11:57</time> <a href="#i1-e1" class="cite" title="e1">[1]</a></li>`, "· 2026-11-21 07:11:57Z (1)\n",
		},
		"a time to the millisecond": {
			func(r *report.Report) {
				at := t0.Add(1500000)
				r.Items[0].Verdict.Chain[0].At = &at
			},
			`<time>07:11:58.001</time>`, "· 2026-11-21 07:11:58Z",
		},
		"a kubelet newer than the newest that is known": {
			func(r *report.Report) {
				r.Profile = []report.Profile{{Node: "n1", KubeletVersion: "v1.99.0", ModelledAs: "v1.36"}}
			},
			`n1: kubelet v1.99.0, modelled as v1.36`, "",
		},
		"a node has something wrong with it": {
			func(r *report.Report) {
				r.NodeNotes = []report.NodeNote{{Node: "n1", Text: "a runtime is left over", Hint: "remove it"}}
			},
			`<li><strong>n1</strong>: a runtime is left over<div class="faint">remove it</div></li>`, "## Nodes\n\n- `n1`: a runtime is left over remove it\n",
		},
		"all evidence was had": {
			func(r *report.Report) { r.Gaps = nil }, `<p>Nothing is missing of what was asked for.</p>`, "",
		},
		"the incident has no times and no node": {
			func(r *report.Report) {
				r.Incidents[0].Start, r.Incidents[0].End, r.Incidents[0].Node = nil, nil, ""
			},
			`<p class="faint">hash-kubelet-upgrade · proven</p>`, "(`hash-kubelet-upgrade`, proven)\n",
		},
		"more eliminations than are shown unfolded": {
			func(r *report.Report) {
				var all []report.Eliminated
				for _, e := range r.Items[0].Verdict.Eliminated.All() {
					all = append(all, e)
				}
				for i := range openReasons {
					all = append(all, report.Eliminated{Cause: fmt.Sprintf("c%d", i), Because: fmt.Sprintf("b%d", i)})
				}
				r.Items[0].Verdict.Eliminated = report.Eliminate(all...)
			},
			`<details class="fold"><summary>Why not another cause: 8 causes ruled out</summary>`, "- `c5`: b5\n",
		},
		"few eliminations": {
			func(*report.Report) {}, `<details class="fold" open><summary>Why not another cause: 2 causes ruled out</summary>`, "- `oom-container-limit`: no kernel record of this cgroup\n",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := fixture()
			c.mutate(r)
			r.Normalise()
			if page := render(t, Options{Format: "html"}, r); !strings.Contains(page, c.html) {
				t.Errorf("the page lacks %s", c.html)
			}
			r.Items = r.Items[:1]
			if text := render(t, Options{Format: "markdown"}, fixtureOf(r)); !strings.Contains(text, c.markdown) {
				t.Errorf("the ticket lacks %s in\n%s", c.markdown, text)
			}
		})
	}
}

// fixtureOf adds a second item, so that the ticket has its incidents too.
func fixtureOf(r *report.Report) *report.Report {
	out := *r
	out.Items = append(out.Items[:1:1], fixture().Items[3])
	return &out
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
		"gaps of a page":   {"html", func(r *report.Report) { gaps(r, listedGaps+7) }, "and 7 more, which -o json lists"},
		"gaps of a ticket": {"markdown", func(r *report.Report) { gaps(r, markdownRows+7) }, "- and 7 more\n"},
		"incidents of a ticket": {"markdown", func(r *report.Report) {
			for i := range markdownRows + 1 {
				r.Incidents = append(r.Incidents, report.Incident{ID: fmt.Sprintf("x%d", i), Summary: "s"})
			}
		}, "- and 3 more\n"},
		"items of a ticket's incident": {"markdown", func(r *report.Report) {
			for range markdownItems {
				r.Incidents[0].Items = append(r.Incidents[0].Items, "r1")
			}
		}, ", and 3 more\n"},
		"evidence of a ticket's item": {"markdown", func(r *report.Report) {
			for i := range markdownCites {
				id := fmt.Sprintf("x%d", i)
				r.Evidence = append(r.Evidence, report.Evidence{ID: id, Text: "t"})
				r.Items[0].Verdict.Chain[0].Evidence = append(r.Items[0].Verdict.Chain[0].Evidence, id)
			}
		}, "*4 more are left out.*\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture()
			c.mutate(r)
			if got := render(t, Options{Format: c.format}, r); !strings.Contains(got, c.want) {
				t.Errorf("it does not say %q", c.want)
			}
		})
	}
}

// The parts of an item come in the order in which they are read.
func TestAnItemIsToldInOrder(t *testing.T) {
	page := render(t, Options{Format: "html"}, fixture())
	page = page[strings.Index(page, `<details class="item"`):]
	at := 0
	for _, part := range []string{"<summary", `class="badge proven"`, "<h4>Because</h4>", "Why not another cause", "<h4>Missing</h4>", "<h4>Do</h4>", "<h4>When</h4>", "<svg", "<h4>Evidence</h4>"} {
		next := strings.Index(page[at:], part)
		if next < 0 {
			t.Fatalf("%s does not come after what stands before it", part)
		}
		at += next
	}
	whole := render(t, Options{Format: "html"}, fixture())
	if strings.Index(whole, "<h2>Incidents</h2>") > strings.Index(whole, "<h2>Restarts</h2>") {
		t.Error("incidents come first")
	}
}

func TestTheHeadlineSaysWhatTheReportHolds(t *testing.T) {
	for want, n := range map[string]int{"0 restarts, 2 incidents": 0, "shop/web-0 a: hash-kubelet-upgrade": 1, "4 restarts, 2 incidents": 4} {
		r := fixture()
		r.Items = r.Items[:n]
		if got := headline(r); got != want {
			t.Errorf("%d items: %q, want %q", n, got, want)
		}
	}
}
