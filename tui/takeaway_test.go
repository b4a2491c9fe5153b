package tui

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

var fixedZone = time.FixedZone("east", 9*3600)

func TestCopyTakesWhatTheCursorIsOn(t *testing.T) {
	for script, want := range map[string]string{
		"y":                 "The kubelet on n3 was upgraded from v1.30.14 to v1.31.0: 4 containers restarted. (hash-kubelet-upgrade, likely)",
		"2 j y":             "shop/cache-0/redis: redis needed more than its limit of 256Mi, and the kernel killed it. (oom-container-limit, proven)",
		"enter enter y":     "shop/steady-5b7d4c9f68-lk2vp/web: The kubelet on n3 was upgraded",
		"enter enter j y":   "drain nodes before changing",
		"enter enter j j y": "I1121 08:33:56.267170    4413 server.go:486] \"Kubelet version\" kubeletVersion=\"v1.31.0\"",
		"enter j j j enter / text:collect enter y": "kubectl-restartwhy collect --local",
		"enter enter enter y":                      "the line itself",
		"enter enter 4 y":                          "", // the first line of the hashes is a heading or cites e1
		"3 y":                                      "n1",
		"4 y":                                      "hash-kubelet-upgrade",
		"3 j enter j y":                            "cgroupDriver: systemd",
		"/ text:redis enter e y":                   "# oom-container-limit",
	} {
		d := drive(t, fixture(t), "120x40").play(script)
		if !strings.Contains(d.clipboard, want) || want != "" && d.clipboard == "" {
			t.Errorf("%q copies %q, want %q", script, d.clipboard, want)
		}
		if d.clipboard != "" && !strings.Contains(d.screen(), "copied") {
			t.Errorf("%q: the screen does not say what was copied", script)
		}
	}
	drive(t, fixture(t), "80x24").play("? y").sees("nothing to copy")
}

func TestCommandsShowTheSameWithoutTheViewer(t *testing.T) {
	for name, tt := range map[string]struct {
		from   []string
		script string
		want   string
	}{
		"a restart of a cluster": {nil, "2 j c", "kubectl restartwhy pod/cache-0 -n shop -c redis"},
		"a restart of a recording": {[]string{"my bundle.tar.zst"}, "2 j c",
			"kubectl restartwhy pod/cache-0 -n shop -c redis --from 'my bundle.tar.zst'"},
		"a restart of the demo":      {[]string{"demo"}, "2 j c", "kubectl restartwhy demo cache-0 -c redis"},
		"an open restart":            {nil, "2 j enter c", "kubectl restartwhy pod/cache-0 -n shop -c redis"},
		"an incident of a node":      {nil, "c", "kubectl restartwhy node n3 --cause hash-kubelet-upgrade"},
		"an incident of the demo":    {[]string{"demo"}, "c", "kubectl restartwhy demo --cause hash-kubelet-upgrade"},
		"a node":                     {nil, "3 c", "kubectl restartwhy node n1"},
		"a node of a recording":      {[]string{"b.tar.zst"}, "3 enter c", "kubectl restartwhy node n1 --from b.tar.zst"},
		"a node of the demo":         {[]string{"demo"}, "3 c", "kubectl restartwhy demo -o wide"},
		"a cause":                    {nil, "4 c", "kubectl restartwhy explain hash-kubelet-upgrade"},
		"the page of a cause":        {nil, "/ text:redis enter e c", "kubectl restartwhy explain oom-container-limit"},
		"an incident without a node": {nil, "g c", "kubectl restartwhy node n3 --cause hash-kubelet-upgrade"},
	} {
		r := fixture(t)
		r.Scope.From = tt.from
		if d := drive(t, r, "120x40").play(tt.script); d.clipboard != tt.want {
			t.Errorf("%s: %q, want %q", name, d.clipboard, tt.want)
		}
	}
	r := fixture(t)
	r.Incidents[0].Node = ""
	if d := drive(t, r, "120x40").play("c"); d.clipboard != "kubectl restartwhy -A --cause hash-kubelet-upgrade" {
		t.Errorf("an incident over several nodes: %q", d.clipboard)
	}
	drive(t, r, "80x24").play("? c").sees("no command shows this")
}

func TestTheKeyForTheLogCopiesItsCommand(t *testing.T) {
	const command = "kubectl logs cache-0 -n shop -c 'red is' --previous"
	r := fixture(t)
	for i := range r.Items {
		if r.Items[i].Pod == "cache-0" {
			r.Items[i].LogCommand = command
		}
	}
	for _, script := range []string{"2 j L", "2 j enter L"} {
		if d := drive(t, r, "120x40").play(script); d.clipboard != command ||
			!strings.Contains(d.screen(), "copied kubectl logs") {
			t.Errorf("%q copies %q", script, d.clipboard)
		}
	}
	if d := drive(t, r, "80x24").play("enter enter L").sees("only that of a container's last end is kept"); d.clipboard != "" {
		t.Errorf("an earlier end: %q", d.clipboard)
	}
	drive(t, r, "80x24").play("? L").sees("no single restart is chosen")
	r.Scope.From = []string{"demo"}
	drive(t, r, "80x24").play("2 j L").sees("the demo has no cluster")
}

func TestWhatTheApplicationWroteLastIsOnThePage(t *testing.T) {
	r := fixture(t)
	for i := range r.Items {
		r.Items[i].PreviousLog = &report.PreviousLog{ContainerID: "x",
			Lines: []report.LogLine{{At: r.Items[i].Time, Text: "panic: no config"}}, Hint: "write one"}
	}
	d := drive(t, r, "120x60").play("2 j enter").
		sees("What the application wrote last", "panic: no config", "first: write one")
	if d.play("/ text:panic enter y"); d.clipboard != "panic: no config" {
		t.Errorf("copied %q", d.clipboard)
	}
}

func TestWordsAreSafeInAShell(t *testing.T) {
	for in, want := range map[string]string{
		"web-0": "web-0", "a/b:c": "a/b:c", "": "''", "a b": "'a b'", "$(rm)": "'$(rm)'",
		"it's": `'it'\''s'`, "-x;y": "'-x;y'",
	} {
		if got := report.Quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// o asks for a format, and writes what the cursor is on and nothing else.
func TestAFileForATicketHoldsWhatWasChosen(t *testing.T) {
	var got *report.Report
	var format string
	o := options(fixture(t))
	o.Formats = []string{"markdown", "html"}
	o.Write = func(_ context.Context, f string, r *report.Report, tl report.DetailProvider) (string, error) {
		if tl == nil {
			return "", errors.New("no details")
		}
		got, format = r, f
		return "restartwhy-1.md", nil
	}
	d := driveWith(t, o, settings{}, "120x40")
	d.play("o").sees("write 4 restarts:  m markdown  h html")
	d.play("m").sees("wrote restartwhy-1.md")
	if format != "markdown" || len(got.Items) != 4 || len(got.Incidents) != 1 ||
		len(got.Evidence) == 0 || len(got.Evidence) >= len(o.Report.Evidence) {
		t.Errorf("%s of %d items, %d incidents, %d pieces of evidence", format,
			len(got.Items), len(got.Incidents), len(got.Evidence))
	}
	d.play("j j enter o").sees("write 1 restart:")
	d.play("h")
	if format != "html" || len(got.Items) != 1 || got.Items[0].Verdict.Cause != "oom-container-limit" {
		t.Errorf("%s of %+v", format, got.Items)
	}
	// Every citation of what is written is written too.
	has := map[string]bool{}
	for _, e := range got.Evidence {
		has[e.ID] = true
	}
	for _, id := range got.Items[0].Verdict.Cited() {
		if !has[id] && o.Report.Find(id) != nil {
			t.Errorf("%s is cited and not in the file", id)
		}
	}
	// So does the evidence of an open restart.
	d.play("enter o").sees("write 1 restart:").play("h esc")
	got = nil
	d.play("o esc").sees("nothing was written")
	if got != nil {
		t.Error("it was written all the same")
	}
	d.play("esc m o").sees("write the whole report:")
	if d.play("m"); got == nil || len(got.Items) != 14 {
		t.Error("the whole report was not written")
	}
	o.Write = func(context.Context, string, *report.Report, report.DetailProvider) (string, error) {
		return "", errors.New("write markdown: disk full")
	}
	driveWith(t, o, settings{}, "80x24").play("o m").sees("write markdown: disk full")
}

// A newer report that no longer has what is looked at gives its items other numbers: what
// is written is what is on the screen.
func TestWhatIsWrittenIsWhatIsSeen(t *testing.T) {
	for script, cause := range map[string]string{
		"enter":             "hash-kubelet-upgrade", // the group
		"enter enter enter": "hash-kubelet-upgrade", // the evidence of a restart
		"j j enter":         "oom-container-limit",
	} {
		var got *report.Report
		o := options(fixture(t))
		o.Formats = []string{"markdown"}
		o.Write = func(_ context.Context, _ string, r *report.Report, _ report.DetailProvider) (string, error) {
			got = r
			return "restartwhy-1.md", nil
		}
		d := driveWith(t, o, settings{}, "120x40").play(script)
		later := fixture(t)
		later.Items, later.Incidents = later.Items[len(later.Items)-1:], nil
		d.play("o").bring(Update{Report: later})
		d.play("m")
		if got == nil || len(got.Items) == 0 || got.Items[0].Verdict.Cause != cause {
			t.Errorf("%q: wrote %+v", script, got)
		}
	}
}

func TestSavingSaysHowItEnded(t *testing.T) {
	o := options(fixture(t))
	driveWith(t, o, settings{}, "80x24").play("s").sees("this already comes from a recording")
	o.Save = func(context.Context) (string, error) { return "restartwhy-1.tar.zst", nil }
	driveWith(t, o, settings{}, "80x24").play("s").sees("saved restartwhy-1.tar.zst")
	o.Save = func(context.Context) (string, error) { return "", errors.New("save evidence: disk full") }
	driveWith(t, o, settings{}, "80x24").play("s").sees("save evidence: disk full")
}

func TestExplainOpensThePageOfWhatTheCursorIsOn(t *testing.T) {
	d := drive(t, fixture(t), "120x40")
	d.play("/ text:redis enter e").sees("cause oom-container-limit", "It used more memory than limits.memory.")
	d.play("esc enter e").sees("cause oom-container-limit")
	d.play("esc esc 4 j").sees("The liveness probe failed and the kubelet killed the container")
	d.play("e").sees("no page explains")
	d.play("? e").sees("no cause is selected")
}

// Why-not lines of a verdict explain the cause that they are about.
func TestExplainFollowsTheLine(t *testing.T) {
	d := drive(t, fixture(t), "120x40").play("enter enter")
	found := false
	p := d.page()
	p.Do(pane.Bottom)
	p.Toggle()
	for n := range p.Stops() {
		if p.Go(n); p.At().Cause == "oom-container-limit" {
			found = true
			d.play("e").sees("cause oom-container-limit")
			break
		}
	}
	if !found {
		t.Error("no line is about oom-container-limit")
	}
}

func TestKeysAreDocumentedOnce(t *testing.T) {
	seen, bindings := map[string]string{}, 0
	for _, g := range screen.Keys().Groups() {
		for _, b := range g.Bindings {
			bindings++
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, k := range b.Keys() {
				if other, ok := seen[k]; ok {
					t.Errorf("%s is bound to %q and %q", k, other, b.Help().Desc)
				}
				seen[k] = b.Help().Desc
			}
		}
	}
	if bindings != reflect.TypeFor[screen.KeyMap]().NumField() {
		t.Errorf("help shows %d bindings, KeyMap has %d", bindings, reflect.TypeFor[screen.KeyMap]().NumField())
	}
}
