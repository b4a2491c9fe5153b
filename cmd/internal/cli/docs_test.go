package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/test/docs"
)

// podsOfDocuments are the names that documents use for pods. Any other bare word
// behind the program is taken for a misspelt command.
var podsOfDocuments = []string{"steady", "web-0", "POD"}

// chosen are the flags with a fixed set of values, which a document must not
// invent either.
var chosen = []string{"output", "evidence", "fail-on", "collector-allow", "sources", "cause"}

// wrong says what a document's command has that this program has not, or nothing.
func wrong(args []string) string {
	env, _, _ := testEnv()
	root := newRoot(env, "kubectl restartwhy")
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err.Error()
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err.Error()
	}
	words := cmd.Flags().Args()
	if err := cmd.ValidateArgs(words); err != nil {
		return err.Error()
	}
	if cmd == root {
		for _, w := range words {
			if !strings.Contains(w, "/") && !slices.Contains(podsOfDocuments, w) {
				return fmt.Sprintf("%q is neither a command nor a pod that documents use", w)
			}
		}
	}
	said := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(chosen, f.Name) && said == "" {
			said = wrongValue(cmd, f)
		}
	})
	return said
}

// wrongValue asks the completion of a flag for its values. -o of collect is a file.
func wrongValue(cmd *cobra.Command, f *pflag.Flag) string {
	complete, ok := cmd.GetFlagCompletionFunc(f.Name)
	if !ok {
		return ""
	}
	values := []string{f.Value.String()}
	if many, ok := f.Value.(pflag.SliceValue); ok {
		values = many.GetSlice()
	}
	for _, value := range values {
		known, _ := complete(cmd, nil, "")
		if len(known) == 0 {
			return ""
		}
		if !slices.ContainsFunc(known, func(k string) bool {
			k, _, _ = strings.Cut(k, "\t")
			return k == value || strings.HasSuffix(k, "=") && strings.HasPrefix(value, k)
		}) {
			return fmt.Sprintf("--%s has no value %q", f.Name, value)
		}
	}
	return ""
}

// documents lists every command of this program in the project's documents.
func documents(t *testing.T) (where []string, all [][]string) {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	names, err := docs.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range docs.Plugin(string(text)) {
			where, all = append(where, fmt.Sprintf("%s:%d", name, c.Line)), append(all, c.Args)
		}
	}
	return where, all
}

func TestEveryCommandOfTheDocumentsExists(t *testing.T) {
	where, all := documents(t)
	for i, args := range all {
		if said := wrong(args); said != "" {
			t.Errorf("%s: kubectl restartwhy %s: %s", where[i], strings.Join(args, " "), said)
		}
	}
	if len(all) < 40 {
		t.Errorf("only %d commands found: the test sees too little", len(all))
	}
}

func TestAWrongCommandOfADocumentIsFound(t *testing.T) {
	for line, want := range map[string]string{
		"-A --since 2h -o json":               "",
		"deploy/web --evidence logs":          "",
		"web-0 -o jsonpath={.items}":          "",
		"collect -A -o incident.tar.zst":      "",
		"node worker-3 --collector-allow cri": "",
		"incidnts -A":                         "neither a command nor a pod",
		"demo steady extra":                   "demo takes one pod",
		"node":                                "node",
		"-A --sinc 2h":                        "unknown flag",
		"analyze x --evidence logs":           "unknown flag",
		"-A -o jsn":                           `--output has no value "jsn"`,
		"-A --evidence all":                   `--evidence has no value "all"`,
		"-A --fail-on sure":                   `--fail-on has no value "sure"`,
		"-A --cause hash-kubelet-upgrde":      `--cause has no value`,
		"-A --collector-allow cri,root":       `--collector-allow has no value "root"`,
	} {
		got := wrong(strings.Fields(line))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// What needs neither cluster nor file is not only parsed but run: the recorded
// incident, the catalogue, the version, completions.
func TestTheDocumentsCommandsForTheDemoRun(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	where, all := documents(t)
	done, demos := map[string]bool{}, 0
	for i, args := range all {
		line := strings.Join(args, " ")
		if len(args) == 0 || done[line] || slices.Contains(args, "CAUSE") ||
			!slices.Contains([]string{"demo", "explain", "version", "completion"}, args[0]) {
			continue
		}
		done[line] = true
		if args[0] == "demo" {
			demos++
		}
		t.Run(line, func(t *testing.T) {
			out, errs, code := run(t, args...)
			if code != command.ExitDone && (code != command.ExitMatched || !strings.Contains(line, "--fail-on")) {
				t.Errorf("%s: exit code %d: %s", where[i], code, errs)
			}
			if out == "" {
				t.Errorf("%s: it says nothing", where[i])
			}
		})
	}
	if demos < 3 {
		t.Errorf("only %d commands for the demo: the test sees too little", demos)
	}
}

// leftAlone says why a document's command cannot run in a test; "" where it can.
func leftAlone(line string) string {
	for part, why := range map[string]string{
		"--local": "reads the node that it runs on, as root", "--watch": "does not end",
		"--evidence pod":     "makes a pod on a node that runs it",
		"kind-worker:":       "is where docker copies the program to",
		"completion kubectl": "is run with the others that need nothing",
	} {
		if strings.Contains(line, part) {
			return why
		}
	}
	return ""
}

// documentFiles are the files that documents name, as copies of what there is.
var documentFiles = map[string]string{
	"incident.tar.zst": "bundle.tar.zst", "node.tar.zst": "bundle.tar.zst",
	"worker-3.tar.zst": "bundle.tar.zst", "all.tar.zst": "bundle.tar.zst",
	"eks_i-0123456789abcdef0.tar.gz": "bundle.tar.zst", "must-gather.local/bundle.tar.zst": "bundle.tar.zst",
	"periscope-logs/kubelet.log": "kubelet.log",
	"logs/kubelet.log":           "kubelet.log", "now.yaml": "pod.yaml",
}

// Every other command runs as well, against the small API server and the files of the
// examples, with a pod, a node and a version where a document says POD, NODE, VERSION.
func TestTheDocumentsCommandsForAClusterRun(t *testing.T) {
	where, all := documents(t)
	exampleFiles(t, exampleAPI(t))
	files := map[string][]byte{"cmd/internal/demo/incident.tar.zst": demo.Named(demo.Incident)}
	for name, like := range documentFiles {
		data, err := os.ReadFile(like)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	filetest.Into(t, ".", files)
	meant := strings.NewReplacer("POD", "web-0", "$NODE", "worker-3", "NODE",
		"worker-3", "$VERSION", "v1.31", "/etc/kubernetes/manifests/", "")
	done := map[string]bool{}
	for i, args := range all {
		line := strings.Join(args, " ")
		if len(args) == 0 || done[line] || slices.Contains([]string{"demo", "explain", "version"}, args[0]) ||
			leftAlone(line) != "" {
			continue
		}
		done[line] = true
		t.Run(line, func(t *testing.T) {
			own := slices.Clone(args)
			for j := range own {
				own[j] = meant.Replace(own[j])
			}
			if line == "steady" { // on a cluster, it says beside it
				own = []string{"web-0"}
			}
			if own[0] == "collect" {
				own = append(own, "--force")
			}
			out, errs, code := run(t, own...)
			if code != command.ExitDone && (code != command.ExitMatched || !strings.Contains(line, "--fail-on")) {
				t.Errorf("%s: exit code %d: %s", where[i], code, errs)
			}
			if out+errs == "" {
				t.Errorf("%s: it says nothing", where[i])
			}
		})
	}
	if len(done) < 30 {
		t.Errorf("only %d commands: the test sees too little", len(done))
	}
}

// leftOut is the first line of a screen that the answer does not have, in the
// order of the screen; "" where all are there. Lines of … stand for any.
func leftOut(screen []string, answer string) string {
	rest := strings.Split(answer, "\n")
	for _, line := range screen {
		if strings.HasSuffix(line, "…") {
			continue
		}
		at := slices.Index(rest, line)
		if at < 0 {
			return line
		}
		rest = rest[at+1:]
	}
	return ""
}

// A screen in a document is what the program says, to the letter, from the
// recording that lies beside it.
func TestTheScreensOfTheDocumentsAreReal(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	names, err := docs.Files(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range names {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range docs.Screens(string(text)) {
			if !slices.Contains(s.Args, "--from") && !slices.Contains(s.Args, "demo") {
				continue // a cluster's answer
			}
			seen++
			out, errs, code := run(t, s.Args...)
			if line := leftOut(s.Output, out); code != command.ExitDone || line != "" {
				t.Errorf("%s:%d: %s: exit code %d, %s\nnot in the answer, or not there: %s\nshow anew what the command says",
					name, s.Line, s, code, errs, line)
			}
		}
	}
	if seen == 0 {
		t.Error("no screen found: the test sees too little")
	}
}

func TestAScreenThatIsNotRealIsFound(t *testing.T) {
	for name, tt := range map[string]struct {
		screen []string
		want   string
	}{
		"all of it":           {[]string{"a", "", "  b", "c"}, ""},
		"with lines left out": {[]string{"a", "  …", "c"}, ""},
		"another word":        {[]string{"a", "  B"}, "  B"},
		"another order":       {[]string{"c", "a"}, "a"},
		"a line twice":        {[]string{"a", "a"}, "a"},
	} {
		if got := leftOut(tt.screen, "a\n\n  b\nc\n"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
