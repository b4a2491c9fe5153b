package analyzer_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// hostile are names that no API server accepts, and that a bundle may hold.
var hostile = []string{
	"$(injected x)", "`injected x`", "a;injected x", "a|injected", "a&&injected x", "a\ninjected x", "it's", `a"b`, `a\`, "-rf", "--all", "a b", "*", "~", "#a", "!a", "{a,b}", "=a", "a>x", "<a", "(injected)",
}

// renamed is a story in which everything has the name.
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

// suggested are the commands of a report, each from the program's name on.
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
	}
	return out
}

// Commands that are suggested can be pasted into a shell whatever the names in them are:
// nothing but the program itself is run, and it gets the names as they are.
func TestSuggestedCommandsAreSafeToPaste(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	commands := map[string]string{} // to the name in it
	kinds := map[string]bool{}
<<<<<<< HEAD
	for _, name := range hostile {
		for _, x := range append(analyzertest.Stories(), analyzertest.Misleading()...) {
=======
	for _, x := range slices.Concat(analyzertest.Stories(), analyzertest.Misleading(), ends()) {
		for _, name := range []string{everything, "-rf"} {
>>>>>>> cdc25a9 (analyzer: paste the commands of ended pods too)
			snap := renamed(x.Story(), name).Snapshot()
			for _, c := range suggested(analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt})) {
				commands[c] = snap.Pods[0].Name // as it is shown
				kinds[strings.Join(strings.Fields(c)[:2], " ")] = true
			}
		}
	}
	for _, want := range []string{"kubectl logs", "kubectl get", "kubectl restartwhy"} {
		if !kinds[want] {
			t.Errorf("no story leads to %q: %v", want, kinds)
		}
	}
	bin, work := t.TempDir(), t.TempDir()
	stub := "#!" + sh + "\nprintf '%s\\0' \"${0##*/}\" \"$@\" \"<end>\"\n"
	for _, program := range []string{"kubectl", "on", "injected"} {
		if err := os.WriteFile(filepath.Join(bin, program), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for command, name := range commands {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		cmd := exec.CommandContext(ctx, sh, "-c", command)
		cmd.Dir, cmd.Env = work, []string{"PATH=" + bin}
		out, err := cmd.CombinedOutput()
		cancel()
		lines := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if err != nil || slices.Contains(lines, "injected") || strings.Count(string(out), "<end>") != 1 || lines[0] != "kubectl" && lines[0] != "on" {
			t.Errorf("%s\nrun: %v\n%s", command, err, out)
			continue
		}
		want := []string{name, "pod/" + name, name + ":", "node/" + name, "/api/v1/nodes/" + name + "/proxy/stats/summary"}
		if strings.Contains(command, report.Quote(name)) && !slices.ContainsFunc(lines, func(l string) bool { return slices.Contains(want, l) }) {
			t.Errorf("%s\ndoes not give %q to the program:\n%s", command, name, out)
		}
		for i, l := range lines[1:] {
			if strings.HasPrefix(l, "-rf") && lines[i] != "-n" && lines[i] != "-c" && lines[0] == "kubectl" {
				t.Errorf("%s\ntakes a name for a flag:\n%s", command, out)
			}
		}
	}
	if left, err := os.ReadDir(work); err != nil || len(left) > 0 {
		t.Errorf("files were written: %v, %v", left, err)
	}
}
