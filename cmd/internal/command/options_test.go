package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

var morning = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func anEnv() (Env, *bytes.Buffer, *bytes.Buffer) {
	streams, _, out, errOut := genericiooptions.NewTestIOStreams()
	return Env{Streams: streams, Version: "test", Now: func() time.Time { return morning },
		Getenv: func(string) string { return "" }}, out, errOut
}

func TestSince(t *testing.T) {
	cases := map[string]struct {
		want time.Time
		ok   bool
	}{
		"24h":                  {morning.Add(-24 * time.Hour), true},
		"7d":                   {morning.Add(-7 * 24 * time.Hour), true},
		"90m":                  {morning.Add(-90 * time.Minute), true},
		"2026-11-20T00:00:00Z": {time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), true},
		"":                     {time.Time{}, true},
		"-1h":                  {}, "0": {}, "0d": {}, "-3d": {}, "99999999d": {},
		"xd": {}, "d": {}, "yesterday": {}, "5": {},
	}
	for in, c := range cases {
		f := Filter{Since: in}
		err := f.Validate()
		if (err == nil) != c.ok {
			t.Errorf("--since %q: %v", in, err)
		}
		if err == nil && !f.Start(morning).Equal(c.want) {
			t.Errorf("--since %q begins at %s, want %s", in, f.Start(morning), c.want)
		}
	}
}

func TestErrorsBecomeLinesAndAnExitCode(t *testing.T) {
	inner := Hint(errors.New("get pod shop/web: not found"), "did you mean web-0?")
	cases := map[string]struct {
		err  error
		code int
		want string
	}{
		"no error":      {nil, 0, ""},
		"a plain error": {errors.New("boom"), 1, "error: boom\n"},
		"hints follow": {fmt.Errorf("list: %w", inner), 1,
			"error: list: get pod shop/web: not found\nhint: did you mean web-0?\n"},
		"usage": {Usage("no %s", "way"), 2, "error: no way\n"},
		"joined": {errors.Join(Usage("a"), inner), 2,
			"error: a; get pod shop/web: not found\nhint: did you mean web-0?\n"},
		"several lines":        {errors.New("a\nb\r\n"), 1, "error: a; b\n"},
		"--fail-on":            {&Matched{Text: "1 of 2"}, 3, "fail-on: 1 of 2\n"},
		"--fail-on and a join": {errors.Join(&Matched{Text: "1 of 2"}, nil), 3, "fail-on: 1 of 2\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			if code := ExitCode(&buf, c.err); code != c.code || buf.String() != c.want {
				t.Errorf("exit code %d, printed %q; want %d, %q", code, buf.String(), c.code, c.want)
			}
		})
	}
}

func TestHintsFitTheRefusal(t *testing.T) {
	access := func(kind error, verb, resource, namespace, name string) error {
		return &kube.AccessError{Verb: verb, Resource: resource, Namespace: namespace, Name: name, Kind: kind}
	}
	cases := map[string]struct {
		err  error
		want []string
	}{
		"a pod": {access(kube.ErrNotFound, "get", "pods", "shop", "web"),
			[]string{"error: get pod shop/web: not found", "'kubectl get pods -n shop' lists them"}},
		"a node": {access(kube.ErrNotFound, "get", "nodes", "", "n9"),
			[]string{"error: get node n9: not found", "'kubectl get nodes' lists them"}},
		"a list everywhere": {access(kube.ErrForbidden, "list", "pods", "", ""),
			[]string{"may not list pods", "can-i list pods -A", "-n NAMESPACE"}},
		"two at once": {errors.Join(access(kube.ErrNotFound, "get", "pods", "a", "x"),
			access(kube.ErrNotFound, "get", "pods", "b", "y")), []string{"pods -n a", "pods -n b"}},
		"expired login":       {access(kube.ErrUnauthorized, "list", "pods", "a", ""), []string{"log in again"}},
		"a server that hangs": {access(kube.ErrTimeout, "list", "pods", "a", ""), []string{"--request-timeout=2m"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			ExitCode(&buf, Explain(t.Context(), c.err, nil))
			for _, want := range c.want {
				if !strings.Contains(buf.String(), want) {
					t.Errorf("%q is not in:\n%s", want, buf.String())
				}
			}
		})
	}
}

func TestWhatWasMeant(t *testing.T) {
	names := []string{"web-0", "web-1", "wbe-0", "database-0", "webserver-5d6b12-x7k2p", "web-2"}
	if got := strings.Join(Meant("web-9", names), " "); got != "web-0 web-1 web-2" {
		t.Errorf("web-9: %s", got)
	}
	if got := strings.Join(Meant("webserver", names), " "); got != "webserver-5d6b12-x7k2p" {
		t.Errorf("webserver: %s", got)
	}
	if got := Meant("zzz", names); len(got) != 0 {
		t.Errorf("zzz: %v", got)
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"form", "from", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance %q %q = %d", c.a, c.b, got)
		}
	}
}

func TestAnInterruptedRunPrintsAndFails(t *testing.T) {
	env, out, errOut := anEnv()
	o := &Output{Env: env}
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &report.Report{Items: []report.Item{{Pod: "web-0", Kind: report.Restart}}}
	err := o.Show(ctx, analyzer.Result{Report: r}, "")
	if !strings.Contains(out.String(), "web-0") || err == nil || ExitCode(errOut, err) != ExitError {
		t.Errorf("printed %q, error %v", out, err)
	}
}

func TestFailOnCountsRestartsOnly(t *testing.T) {
	env, _, _ := anEnv()
	o := &Output{Env: env}
	o.FailOn = "likely"
	item := func(k report.ItemKind, c report.Confidence) report.Item {
		return report.Item{Kind: k, Verdict: report.Verdict{Confidence: c}}
	}
	base := []report.Item{item(report.Restart, report.Possible), item(report.None, report.Proven)}
	if err := o.match(&report.Report{Items: base}); err != nil {
		t.Errorf("matched: %v", err)
	}
	if err := o.match(&report.Report{Items: append(base, item(report.Death, report.Proven))}); err == nil {
		t.Error("a proven death did not match likely")
	}
}
