package analyzer_test

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// hostile are names that no API server accepts, but that a bundle may contain.
var hostile = []string{
	"$(injected x)", "`injected x`", "a;injected x", "a|injected", "a&&injected x", "a\ninjected x", "(injected)",
	"it's", `a"b`, `a\`, "-rf", "--all", "a b", "*", "~", "#a", "!a", "{a,b}", "=a", "a>x", "<a",
}

// renamed gives everything in a story the name.
func renamed(s *analyzertest.Story, name string) *analyzertest.Story {
	p := &s.Pod
	p.Name, p.Namespace, p.Node, s.NodeInfo.Name = name, name, name, name
	container := p.Containers[0].Name
	for i := range p.Containers {
		if p.Containers[i].Name == container {
			p.Containers[i].Name = name
		}
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		for _, f := range []struct {
			field *string
			was   string
		}{
			{&o.Subject.Pod, analyzertest.PodName}, {&o.Subject.Namespace, analyzertest.Namespace},
			{&o.Subject.Container, container}, {&o.Subject.Node, analyzertest.Node}, {&o.Source.Node, analyzertest.Node},
		} {
			if *f.field == f.was {
				*f.field = name
			}
		}
	}
	for i := range s.Coverage {
		if s.Coverage[i].Node == analyzertest.Node {
			s.Coverage[i].Node = name
		}
	}
	return s
}

// suggested returns the commands of a report, each starting with the program's name.
func suggested(r *report.Report) []string {
	var out []string
	add := func(text string) {
		if i := strings.Index(text, ": kubectl "); i >= 0 {
			out = append(out, text[i+2:])
		} else if strings.HasPrefix(text, "kubectl ") || strings.HasPrefix(text, "on ") {
			out = append(out, text)
		}
	}
	for _, it := range r.Items {
		for _, m := range it.Verdict.Missing {
			add(m.Command)
		}
		for _, a := range it.Verdict.Actions {
			add(a)
		}
		for _, d := range it.Verdict.Decide {
			add(d.Command)
		}
		add(it.LogCommand)
	}
	return out
}

// everything contains every character that is special to a shell.
const everything = "a $(injected x)`injected x`;injected|injected&&injected\n" + `injected 'it"b\ *~#!a{a,b}=a>x<a[x]?`

// pasted runs every command in its own shell where only kubectl, on and injected exist, and returns their arguments, by
// command: the program, its words, endOfRun.
func pasted(t *testing.T, commands []string) map[string][]string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	const script = `
show() { printf '%s\0' "$@" '<end of run>'; }
kubectl() { show kubectl "$@"; }
on() { show on "$@"; }
injected() { show injected "$@"; }
for command; do (eval "$command") || printf 'failed\0'; printf '<end of command>\0'; done`
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	work := t.TempDir()
	cmd := exec.CommandContext(ctx, sh, append([]string{"-c", script, "sh"}, commands...)...)
	cmd.Dir, cmd.Env = work, []string{"PATH=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	runs := strings.Split(strings.TrimSuffix(string(out), "<end of command>\x00"), "<end of command>\x00")
	if len(runs) != len(commands) {
		t.Fatalf("%d runs of %d commands:\n%s", len(runs), len(commands), out)
	}
	if left, err := os.ReadDir(work); err != nil || len(left) > 0 {
		t.Errorf("files were written: %v, %v", left, err)
	}
	all := map[string][]string{}
	for i, run := range runs {
		all[commands[i]] = strings.Split(strings.TrimSuffix(run, "\x00"), "\x00")
	}
	return all
}

const endOfRun = "<end of run>"

// ran reports whether one program was run, and it is the one that the command begins with.
func ran(command string, given []string) bool {
	program, _, _ := strings.Cut(command, " ")
	return slices.Index(given, endOfRun) == len(given)-1 && given[0] == program
}

// Suggested commands can be pasted into a shell whatever names they contain: only the program itself runs, and it gets
// the names unchanged.
func TestSuggestedCommandsAreSafeToPaste(t *testing.T) {
	names := map[string]string{} // by command
	kinds := map[string]bool{}
	for _, x := range slices.Concat(analyzertest.Stories(), misleading(), ends()) {
		for _, name := range []string{everything, "-rf"} {
			snap := renamed(x.Story(), name).Snapshot()
			for _, c := range suggested(analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt})) {
				names[c] = snap.Pods[0].Name // as it is shown
				kinds[strings.Join(strings.Fields(c)[:2], " ")] = true
			}
		}
	}
	for _, want := range []string{"kubectl logs", "kubectl get", "kubectl describe", "kubectl restartwhy"} {
		if !kinds[want] {
			t.Errorf("no story leads to %q: %v", want, kinds)
		}
	}
	for command, given := range pasted(t, slices.Sorted(maps.Keys(names))) {
		name := names[command]
		if !ran(command, given) {
			t.Errorf("%s\nrun:\n%q", command, given)
			continue
		}
		want := []string{name, "pod/" + name, name + ":", "node/" + name, "/api/v1/nodes/" + name + "/proxy/stats/summary"}
		named := strings.Contains(command, report.Quote(name))
		if named && !slices.ContainsFunc(given, func(l string) bool { return slices.Contains(want, l) }) {
			t.Errorf("%s\ndoes not give %q to the program:\n%q", command, name, given)
		}
		for i, l := range given[1:] {
			if strings.HasPrefix(l, "-rf") && given[i] != "-n" && given[i] != "-c" && given[0] == "kubectl" {
				t.Errorf("%s\ntakes a name for a flag:\n%q", command, given)
			}
		}
	}
}

func TestAQuotedNameIsOneWord(t *testing.T) {
	names := map[string]string{}
	for _, name := range append([]string{"", everything, "web-0", "a:b", "x@sha256:1"}, hostile...) {
		names["kubectl get "+report.Quote(name)] = name
	}
	for command, given := range pasted(t, slices.Sorted(maps.Keys(names))) {
		if want := []string{"kubectl", "get", names[command], endOfRun}; !slices.Equal(given, want) {
			t.Errorf("%s\ngives %q, want %q", command, given, want)
		}
	}
}
