package printers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// foretold is a report with every prediction and every level.
func foretold() *report.Preflight {
	const because = "kubelet v1.31 hashes name and image only, v1.30 the container as JSON: no stored hash fits"
	r := &report.Preflight{
		GeneratedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Tool: report.Tool{Version: "v1.2.3"}, Scope: report.Scope{AllNamespaces: true},
		To: "v1.31.4", ModelledAs: "v1.31", Assumed: []string{"a probe that passes now passes again"},
		Summary: report.PreflightCount{Restarts: 1, May: 1, Unknown: 1, Stays: 1, BlockedNodes: 1},
		Nodes: []report.PreflightNode{
			{Node: "n2", From: "v1.30.1", To: "v1.31.4", Blocked: true, Count: report.PreflightCount{Restarts: 1, Stays: 1}, Findings: []report.Finding{
				{Level: report.FindingBlocker, Rule: "feature-gate-removed", Text: "feature gate A is set", Do: "take it out"},
				{Level: report.FindingCheck, Rule: "flags-removed", Text: "look at the flags"},
			}},
			{Node: "n1", To: "v1.31.4", Count: report.PreflightCount{May: 1, Unknown: 1}, Findings: []report.Finding{
				{Level: report.FindingRisk, Rule: "minor-in-place", Text: "not supported", Do: "drain the node first"},
				{Level: report.FindingCheck, Rule: "flags-removed", Text: "look at the flags"},
			}},
		},
		Groups: []report.PreflightGroup{
			{Prediction: report.Restarts, Rule: "hash-kubelet-upgrade", Because: because, Containers: 1, Pods: 1, Nodes: 1, Do: "drain each node"},
			{Prediction: report.Stays, Rule: "unchanged", Because: "the new kubelet finds nothing to change", Containers: 1, Pods: 1, Nodes: 1},
		},
		Gaps: []report.Gap{{Source: "cri", Node: "n1", Why: "not asked"}},
	}
	for _, row := range [][5]string{
		{"n1", "web-1", "app", "may", "startup-probe-rerun"}, {"n1", "web-1", "proxy", "unknown", "no-status"},
		{"n2", "web-0", "app", "restarts", "hash-kubelet-upgrade"}, {"n2", "web-0", "log", "stays", "unchanged"},
	} {
		r.Items = append(r.Items, report.PreflightItem{
			Node: row[0], Namespace: "shop", Pod: row[1], Container: row[2], Kind: "app", Prediction: report.Prediction(row[3]), Rule: row[4],
			Because: because, Proof: "stored hash aa, v1.31 computes bb", Assumed: []string{"one ready sandbox"},
		})
	}
	return r
}

func printPreflight(t *testing.T, format string, r *report.Preflight) string {
	t.Helper()
	p, err := NewPreflight(format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPreflightReadsAsItShould(t *testing.T) {
	for _, format := range strings.Split(PreflightFormats, "|") {
		t.Run(format, func(t *testing.T) { golden(t, "preflight-"+format, printPreflight(t, format, foretold())) })
	}
}

func TestPreflightJSONAndYAMLAreTheSame(t *testing.T) {
	var fromJSON, fromYAML report.Preflight
	if err := json.Unmarshal([]byte(printPreflight(t, "json", foretold())), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(printPreflight(t, "yaml", foretold())), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
		t.Error(diff)
	}
}

func TestALargePreflightIsCutInTextAndNotElsewhere(t *testing.T) {
	r := foretold()
	for n := range 400 {
		r.Nodes = append(r.Nodes, report.PreflightNode{Node: fmt.Sprintf("m%03d", n), From: "v1.30.1", Findings: r.Nodes[1].Findings[:1]})
		it := r.Items[2]
		it.Pod = fmt.Sprintf("p%03d", n)
		r.Items = append(r.Items, it)
	}
	text := printPreflight(t, "table", r)
	if lines := strings.Count(text, "\n"); lines > 90 {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{"and 382 more, where less restarts", "and 373 more (-o wide)", "n1, m000, m001, m002, m003 and 396 more: not supported"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, format := range []string{"wide", "json", "yaml", "html", "name"} {
		if out := printPreflight(t, format, r); !strings.Contains(out, "p399") {
			t.Errorf("%s lacks the last pod", format)
		}
	}
	if out := printPreflight(t, "markdown", r); !strings.Contains(out, "202 more nodes are not listed") {
		t.Errorf("markdown does not say what it left out")
	}
}

func TestHostilePreflightStaysText(t *testing.T) {
	const evil = "<script>alert(1)</script>|[x](javascript:1)`"
	r := foretold()
	plain := strings.Count(printPreflight(t, "html", foretold()), "<")
	r.To, r.Scope.Selector, r.Tool.Version, r.Assumed[0] = evil, evil, evil, evil
	for i := range r.Nodes {
		n := &r.Nodes[i]
		n.Node, n.From, n.Runtime = evil, evil, evil
		for j := range n.Findings {
			n.Findings[j].Text += evil
			if n.Findings[j].Do != "" {
				n.Findings[j].Do = evil
			}
		}
	}
	for i := range r.Groups {
		r.Groups[i].Because, r.Groups[i].Rule = evil, evil
	}
	for i := range r.Items {
		it := &r.Items[i]
		it.Node, it.Namespace, it.Pod, it.Container, it.Proof, it.Assumed = evil, evil, evil, evil, evil, []string{evil}
	}
	r.Gaps[0].Why = evil
	html := printPreflight(t, "html", r)
	if got := strings.Count(html, "<"); got != plain || strings.Contains(html, "<script") {
		t.Errorf("%d elements instead of %d", got, plain)
	}
	bars := regexp.MustCompile(`(^|[^\\])\|`)
	tag := regexp.MustCompile(`(^|[^\\])<script`)
	spans := regexp.MustCompile("`` .*? ``")
	for _, line := range strings.Split(printPreflight(t, "markdown", r), "\n") {
		if n := len(bars.FindAllString(line, -1)); strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|-") && n != 7 && n != 8 {
			t.Errorf("a table row of %d bars: %s", n, line)
		}
		if rest := spans.ReplaceAllString(line, ""); tag.MatchString(rest) {
			t.Errorf("markup: %s", rest)
		}
	}
}

func TestAnUnknownPreflightFormatNamesThoseThatThereAre(t *testing.T) {
	if _, err := NewPreflight("prometheus"); err == nil || !strings.Contains(err.Error(), PreflightFormats) {
		t.Errorf("error %v", err)
	}
}

func TestAPreflightSaysFirstThatAKubeletIsTooNew(t *testing.T) {
	const words = "a kubelet that is too new to be known"
	for _, format := range []string{"table", "markdown", "html"} {
		r := foretold()
		if known := printPreflight(t, format, r); strings.Contains(known, words) {
			t.Errorf("%s of known kubelets: %s", format, known)
		}
		r.Nodes[1].Extrapolated = true
		if got := printPreflight(t, format, r); !strings.Contains(got, words) {
			t.Errorf("%s does not say it: %s", format, got)
		}
	}
}
