package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

func printPreflight(t *testing.T, format string, r *report.Preflight) string {
	t.Helper()
	var b bytes.Buffer
	if err := Preflight(&b, r, format, 0); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPreflightReadsAsItShould(t *testing.T) {
	for _, format := range PreflightFormats {
		t.Run(format, func(t *testing.T) {
			golden(t, "preflight-"+format, printPreflight(t, format, reporttest.Preflight()))
		})
	}
}

func TestPreflightJSONAndYAMLAreTheSame(t *testing.T) {
	var fromJSON, fromYAML report.Preflight
	if err := json.Unmarshal([]byte(printPreflight(t, "json", reporttest.Preflight())), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(printPreflight(t, "yaml", reporttest.Preflight())), &fromYAML); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fromJSON, fromYAML); diff != "" {
		t.Error(diff)
	}
}

func TestALargePreflightIsCutInTextAndNotElsewhere(t *testing.T) {
	r := reporttest.Preflight()
	for n := range 400 {
		r.Nodes = append(r.Nodes, report.PreflightNode{Node: fmt.Sprintf("m%03d", n),
			From: "v1.30.1", Findings: r.Nodes[1].Findings[:1]})
		it := r.Items[2]
		it.Pod = fmt.Sprintf("p%03d", n)
		r.Items = append(r.Items, it)
	}
	text := printPreflight(t, "table", r)
	if lines := strings.Count(text, "\n"); lines > 90 {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{"and 382 more with fewer restarts", "and 373 more (-o wide)",
		"n1, m000, m001, m002, m003 and 396 more: not supported"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, format := range []string{"wide", "json", "yaml", "html", "name"} {
		if out := printPreflight(t, format, r); !strings.Contains(out, "p399") {
			t.Errorf("%s lacks the last pod", format)
		}
	}
	if out := printPreflight(t, "markdown", r); !strings.Contains(out, "and 202 more with fewer restarts") {
		t.Errorf("markdown does not say what it left out")
	}
}

func TestHostilePreflightStaysText(t *testing.T) {
	const evil = "<script>alert(1)</script>|[x](javascript:1)`"
	r := reporttest.Preflight()
	count := func(page string) int { return strings.Count(page, "<") - strings.Count(page, "<wbr/>") }
	plain := count(printPreflight(t, "html", reporttest.Preflight()))
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
	if got := count(html); got != plain || strings.Contains(html, "<script") {
		t.Errorf("%d elements instead of %d", got, plain)
	}
	bars := regexp.MustCompile(`(^|[^\\])\|`)
	tag := regexp.MustCompile(`(^|[^\\])<script`)
	spans := regexp.MustCompile("`` .*? ``")
	for _, line := range strings.Split(printPreflight(t, "markdown", r), "\n") {
		if n := len(bars.FindAllString(line, -1)); strings.HasPrefix(line, "|") &&
			!strings.HasPrefix(line, "|-") && n != 8 && n != 9 {
			t.Errorf("a table row of %d bars: %s", n, line)
		}
		if rest := spans.ReplaceAllString(line, ""); tag.MatchString(rest) {
			t.Errorf("markup: %s", rest)
		}
	}
}

func TestAPreflightSaysFirstThatAKubeletIsTooNew(t *testing.T) {
	const words = "a kubelet newer than the newest known version"
	for _, format := range []string{"table", "markdown", "html"} {
		r := reporttest.Preflight()
		if known := printPreflight(t, format, r); strings.Contains(known, words) {
			t.Errorf("%s of known kubelets: %s", format, known)
		}
		r.Nodes[1].Extrapolated = true
		if got := printPreflight(t, format, r); !strings.Contains(got, words) {
			t.Errorf("%s does not say it: %s", format, got)
		}
	}
}
