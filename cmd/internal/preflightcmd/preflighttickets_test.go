package preflightcmd

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
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
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	env := command.Env{Streams: streams, Version: "test", Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC) }}
	o := &Options{env: env}
	options := o.viewer(aPreflight())
	var names []string
	for _, format := range append(options.Formats, "markdown") {
		name, err := options.Write(t.Context(), format, nil, nil)
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
	if options.Explain("hash-kubelet-upgrade") == "" || options.Explain("unchanged") != "" {
		t.Error("the catalogue is not what explains a rule")
	}
}
