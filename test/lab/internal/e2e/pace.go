package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
)

// paceRuns is how often each command is timed; the median counts.
const paceRuns = 5

// paceLimit is how many times as long as kubectl's plain lists the tool may take.
const paceLimit = 2.0

// Pace compares the tool at tier 0 with kubectl listing the same objects.
type Pace struct{ Tool, Pods, Events time.Duration }

// Ratio returns the tool's time divided by that of the two lists together.
func (p Pace) Ratio() float64 { return p.Tool.Seconds() / (p.Pods + p.Events).Seconds() }

// Holds reports whether the tool is within the limit.
func (p Pace) Holds() bool { return p.Ratio() <= paceLimit }

func (p Pace) String() string {
	ms := time.Millisecond
	return fmt.Sprintf(
		"kubectl restartwhy -A: %v; kubectl get pods -A: %v, kubectl get events -A: %v; ratio %.2f (limit %.1f, medians of %d)",
		p.Tool.Round(ms), p.Pods.Round(ms), p.Events.Round(ms), p.Ratio(), paceLimit, paceRuns)
}

// measurePace times the three commands in turn, so that a busy moment of the machine affects all of them.
func measurePace(ctx context.Context, t Tool) (Pace, error) {
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		if kubectl, err = t.Lab.Program(ctx, "kubectl", cluster.APIServerVersion); err != nil {
			return Pace{}, err
		}
	}
	kubeconfig := "--kubeconfig=" + t.Lab.Kubeconfig()
	commands := [][]string{
		{t.Path, "-A", kubeconfig, "--evidence=api", "-o", "json"},
		{kubectl, kubeconfig, "get", "pods", "-A", "-o", "json"},
		{kubectl, kubeconfig, "get", "events", "-A", "-o", "json"},
	}
	times := make([][]time.Duration, len(commands))
	for range paceRuns {
		for i, c := range commands {
			began := time.Now()
			if err := exec.CommandContext(ctx, c[0], c[1:]...).Run(); err != nil {
				return Pace{}, fmt.Errorf("time %v: %w", c, err)
			}
			times[i] = append(times[i], time.Since(began))
		}
	}
	return Pace{Tool: median(times[0]), Pods: median(times[1]), Events: median(times[2])}, nil
}

func median(d []time.Duration) time.Duration {
	s := slices.Clone(d)
	slices.Sort(s)
	return s[len(s)/2]
}
