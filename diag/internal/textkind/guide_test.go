package textkind_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

func TestAReportThatWasSavedWithItsTitleIsNoGuide(t *testing.T) {
	const (
		title  = "# Container jnlp was terminated (Exit Code: 1, Reason: Error)\n"
		klog   = "I0318 17:19:05.071853   31059 manager.go:1688] Need to restart pod infra container\n"
		kernel = "```\n[92942.863453] general protection fault: 0000 [#1] SMP PTI\n```\n"
	)
	for name, tc := range map[string]struct {
		file, text string
		guide      bool
	}{
		"a title and a log":                          {"issue.md", title + klog, false},
		"a title and a log of the kernel in a fence": {"issue.md", title + kernel, false},
		"a title and no log":                         {"page.md", title + "The agent's container ended.\n", false},
		"a title that is explained":                  {"page.md", title + "This means that it ended.\n", true},
		"a report that quotes what others explain":   {"page.md", title + "It ended.\n> This means that it ended.\n", false},
		"a report below a form's heading": {"page.md", title + "**What would you like to be added?**\nThey ended.\n",
			false},
		"a title, and a question for what it shows": {"issue.md", "# Docker swarm\n\nAll containers exit with code 137.\n\n" +
			"What is error code 137? Is that something from Docker itself?\n", false},
		"a title, and a question that is answered": {"page.md", "# Code 137\n\nWhat is 137?\nIt means that it was killed.\n",
			true},
		"a log that is explained": {"page.md", title + klog + "This usually means that the sandbox is new.\n", true},
		"an example in a fence that is explained": {"page.md",
			title + kernel + "Look for the module if you see this.\n", true},
		"a title that explains":                   {"page.md", "# What to do if a node panics\n" + kernel, true},
		"the page of a tree":                      {"docs/README.md", title + klog, true},
		"a writer who tells what happened to him": {"README.md", title + "We saw this on our node.\n", false},
		"a form for reports": {"issue.md", title + "**What you expected to happen**:\n\nIt runs.\n" +
			"### Anything else we need to know?\n", false},
		"a form with another title":      {"issue.md", "# A guide's link is dead\n## Steps to reproduce\nOpen it.\n", false},
		"a form that asks what happened": {"issue.md", title + "### What happened?\n\nIt ended, if you wait.\n", false},
		"a reader's request, and what he read": {"issue.md", title + "i'm using this image, and it ends.\n\n" +
			"Code 139 indicates a fault.\nFor docker, such a fault indicates an issue with the image.\n\n" +
			"Can you please fix this?\n", false},
		"a page that tells what happens": {"page.md", title + "## What happened\nIf you see this, restart it.\n", true},
		"a form in bold letters":         {"issue.md", title + "**What happened**: a pod that is new ends, if you wait.\n", false},
		"a report with a label":          {"issue.md", "# [Documentation] The pods are deleted\nThey were ours.\n", false},
		"a form in the page of a tree":   {"CONTRIBUTING.md", title + "## Expected behavior\nIf you report, say this.\n", true},
		"a complaint that says when it happens": {"issue.md", "# Too little time for the probe of the services\n\n" +
			"The probe will kill it if it does not answer, which in a small cluster such as ours might take longer.\n", false},
		"a complaint to who wrote the chart": {"issue.md", "# The agent restarts all the time\n\nThe daemonset of your " +
			"documentation is in use.\n", false},
		"a complaint's words above an explanation": {"page.md", "# Pods restart all the time\n\nIf you see this, look " +
			"at the events. It usually is the probe.\n", true},
		"a file that is no page": {"issue.txt", title + klog, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := textkind.Guide(tc.text, tc.file); got != tc.guide {
				t.Errorf("Guide is %v of:\n%s", got, strings.TrimSpace(tc.text))
			}
		})
	}
}
