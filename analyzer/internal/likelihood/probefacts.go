package likelihood

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
)

// ofProbes are facts of the table about probes, and about what a monitoring system counted.
var ofProbes = []fact{
	{"it ran for as long as the liveness probe takes to kill it",
		func(f *finding.Findings) bool { return signs.OnSchedule(f, finding.Liveness) },
		factors{causes.LivenessProbeFailed: 5}},
	{"it ran for as long as the startup probe takes to kill it",
		func(f *finding.Findings) bool { return signs.OnSchedule(f, finding.Startup) },
		factors{causes.StartupProbeFailed: 12}},
	{"the liveness probe failed often enough for each restart",
		func(f *finding.Findings) bool { return signs.PerRestart(f, finding.Liveness) },
		factors{causes.LivenessProbeFailed: 12}},
	{"the startup probe failed often enough for each restart",
		func(f *finding.Findings) bool { return signs.PerRestart(f, finding.Startup) },
		factors{causes.StartupProbeFailed: 12}},
	{"its probe's command failed without output, as after a timeout", signs.Wordless,
		factors{causes.ProbeTimeoutEnforced: 12}},
	{"the liveness probe failed at least once",
		func(f *finding.Findings) bool { return signs.SeenFailing(f, finding.Liveness) },
		factors{causes.LivenessProbeFailed: 4}},
	{"the startup probe failed at least once",
		func(f *finding.Findings) bool { return signs.SeenFailing(f, finding.Startup) },
		factors{causes.StartupProbeFailed: 4}},
	{"the kernel's counter of kills for memory did not rise",
		func(f *finding.Findings) bool { return f.Metrics.Host.Answer == finding.No },
		factors{causes.OOMContainerLimit: .05, causes.OOMChildProcess: .05, causes.OOMPodLimit: .05, causes.OOMNode: .05}},
	{"the kernel's counter of kills for memory rose",
		func(f *finding.Findings) bool { return f.Metrics.Host.Answer == finding.Yes },
		factors{causes.OOMContainerLimit: 5, causes.OOMChildProcess: 5, causes.OOMPodLimit: 5, causes.OOMNode: 5}},
	{"the kubelet's counters of failed probes did not rise right before",
		func(f *finding.Findings) bool { return f.Metrics.NoProbe },
		factors{causes.LivenessProbeFailed: .05, causes.StartupProbeFailed: .05}},
}
