package e2e

import (
	"context"
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

func (h Hands) on(ctx context.Context, node string, args ...string) (string, error) {
	m, err := h.lab.Machine(node)
	if err != nil {
		return "", err
	}
	return m.Run(ctx, args...)
}

// Shoot implements scenario.Hands.
func (h Hands) Shoot(ctx context.Context, node, id string) error {
	tasks, err := h.on(ctx, node, "ctr", "-n", "k8s.io", "task", "ls")
	if err != nil {
		return err
	}
	pid, err := TaskPID(tasks, id)
	if err != nil {
		return fmt.Errorf("shoot at container of node %s: %w", node, err)
	}
	_, err = h.on(ctx, node, "kill", "-KILL", pid)
	return err
}

// TaskPID finds a task's process id in the table that ctr prints: TASK, PID, STATUS.
func TaskPID(table, id string) (string, error) {
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == id && f[2] == "RUNNING" {
			return f[1], nil
		}
	}
	return "", fmt.Errorf("no task %s runs", id)
}

// KillShim implements scenario.Hands.
func (h Hands) KillShim(ctx context.Context, node, sandbox string) error {
	// One shim serves a pod; its command line names the sandbox.
	_, err := h.on(ctx, node, "pkill", "-KILL", "-f", "^/usr/local/bin/containerd-shim-runc-v2 .*-id "+sandbox)
	return err
}

// Do implements scenario.Hands.
func (h Hands) Do(ctx context.Context, node, script string) error {
	_, err := h.on(ctx, node, "sh", "-ec", script)
	return err
}

// ShutDown implements scenario.Hands.
func (h Hands) ShutDown(ctx context.Context, node string) error {
	return h.lab.Cycle(ctx, node, machine.Shutdown)
}

// Reboot implements scenario.Hands.
func (h Hands) Reboot(ctx context.Context, node string) error {
	return h.lab.Cycle(ctx, node, machine.Reboot)
}

// PowerCut implements scenario.Hands.
func (h Hands) PowerCut(ctx context.Context, node string) error {
	return h.lab.Cycle(ctx, node, machine.PowerCut)
}
