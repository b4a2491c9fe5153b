package textkind_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// Neither has a writer or a reader.
func TestPagesAndReportsInTheThirdPerson(t *testing.T) {
	for text, guide := range map[string]bool{
		"# Error codes\n\n| Code | Meaning |\n|---|---|\n| 137 | the container was killed |\n": true,
		"# KubeContainerOOMKilled\n\nContainer {{ $labels.container }} was OOMKilled.\n":       true,
		"# ADR 7: pods are restarted by the operator\n\nRolling restarts were rejected.\n":     true,
		"# Draining\n\n" + strings.Repeat("A node is cordoned.\n", 8):                          true,
		"# Release 2.4\n\n- fixed: the agent crashed with exit code 2 on start\n":              true,
		"# Exit code 137\n\nThe container was killed. The kernel kills it above its limit.\n":  true,
		"# Draining a node\n\nThe node is cordoned and its pods are evicted.\n":                false,
		"# Errors of the liveness probe\n\nA failing liveness probe restarts the container.\n": false,
		"---\ntitle: CrashLoopBackOff\n---\nThe pod crashes again and again.\n":                true,
		"# Postmortem template\n\nAll pods were killed for N minutes.\n":                       true,
		"# Eviction\n\nPods go.\n\n## Evidence needed\nAn event that was kept.\n":              true,

		"# Prometheus statefulset pods kept restarting\n\nThey got killed (status: OOMKilled)\n": false,
		"# redis\n\nThe pod is crashing.\n":                                                 false,
		"# Pods in CrashLoopBackOff\n\nThe secret is there.\n":                              false,
		"# Eviction of web\n\n```\nweb-6d4cf56db6-x2x7k  Evicted\n```\n":                    false,
		"# Eviction of web\n\n```\nweb-0   0/1     Evicted            0          7d\n```\n": false,
		"# minikube status\n\n### What happened?\n\napiserver: Stopped\n":                   false,
		"# Redis\n\nIts pods are evicted. Last night they were killed.\n":                   false,
		"# Is the pod OOMKilled?\n\nThe limit is 1Gi.\n":                                    false,
	} {
		if got := textkind.Guide(text, "page.md"); got != guide {
			t.Errorf("Guide is %v of:\n%s", got, text)
		}
	}
}

func TestTheDocumentationIsNoReport(t *testing.T) {
	const docs = "../../../docs"
	pages := 0
	err := filepath.WalkDir(docs, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		if !textkind.Guide(string(text), filepath.Base(path)) {
			t.Errorf("%s is taken for a report", path)
		}
		return err
	})
	if err != nil || pages == 0 {
		t.Errorf("%d pages: %v", pages, err)
	}
}
