package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// aPreflight is one container that restarts.
func aPreflight() *report.Preflight {
	r := &report.Preflight{
		To: "v1.31", Summary: report.PreflightCount{Restarts: 1},
		Nodes: []report.PreflightNode{{Node: "n1", From: "v1.30.14", To: "v1.31", Count: report.PreflightCount{Restarts: 1}}},
		Items: []report.PreflightItem{{Node: "n1", Namespace: "shop", Pod: "web-0",
			Container: "app", Kind: "app", Prediction: report.Restarts, Rule: "hash-kubelet-upgrade", Because: "another hash"}},
	}
	r.Normalise()
	return r
}

// What the viewer writes is a new file that only the reader may see.
func TestThePreflightViewerWritesFilesForATicket(t *testing.T) {
	t.Chdir(t.TempDir())
	env, _, _ := testEnv()
	o := &preflightOptions{env: env}
	options := o.viewer(aPreflight())
	var names []string
	for _, format := range append(options.Formats, "markdown") {
		name, err := options.Write(t.Context(), format)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "1 of 1 container would restart") {
			t.Errorf("%s: %s", name, text)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if d := cmp.Diff([]string{"restartwhy-20261121-070000.md", "restartwhy-20261121-070000.html",
		"restartwhy-20261121-070000-2.md"}, names); d != "" {
		t.Error(d)
	}
	if _, err := options.Write(t.Context(), "papyrus"); err == nil || !strings.Contains(err.Error(), "papyrus") {
		t.Errorf("an unknown format: %v", err)
	}
	if options.Explain("hash-kubelet-upgrade") == "" || options.Explain("unchanged") != "" {
		t.Error("the catalogue is not what explains a rule")
	}
}

func TestPreflightAsPlainText(t *testing.T) {
	out, errOut, code := foretold(t, "--to", "v1.30", "--plain")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	for _, want := range []string{"Kubelets to v1.30: 10 of 22 containers would restart",
		"Node findings", "restarts hash-kubelet-upgrade", "Assumed"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if _, errOut, code := foretold(t, "--to", "v1.30", "--plain", "-o", "wide"); code != exitUsage ||
		!strings.Contains(errOut, "choose one") {
		t.Errorf("two formats: exit code %d: %s", code, errOut)
	}
	if out, _, code := foretold(t, "--to", "v1.30", "--plain", "--fail-on", "restart"); code != exitMatched ||
		!strings.HasPrefix(out, "Kubelets to v1.30") {
		t.Errorf("as a gate: exit code %d: %.60s", code, out)
	}
}

// Where no person is at both ends the table is printed, whatever the flags of the viewer say.
func TestPreflightWithoutATerminalIsText(t *testing.T) {
	want, _, _ := foretold(t, "--to", "v1.30")
	for _, flag := range []string{"--no-tui", "--mouse", "--no-color"} {
		if out, errOut, code := foretold(t, "--to", "v1.30", flag); code != exitDone || out != want {
			t.Errorf("%s: exit code %d: %s", flag, code, errOut)
		}
	}
}

func TestNothingHostileReachesAPlainPreflight(t *testing.T) {
	out, errOut, code := run(t, "preflight", "--to", "v1.30", "--from", hostileBundle(t), "--plain")
	if code != exitDone || !strings.Contains(out, "web") {
		t.Fatalf("exit code %d: %s%s", code, out, errOut)
	}
	if found := steering(out + errOut); found != "" {
		t.Error(found)
	}
}
