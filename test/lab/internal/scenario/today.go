package scenario

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Part is a group of scenarios that can be provoked together on a node with its own kernel.
type Part struct {
	Name      string
	Scenarios []Scenario
	// Kubelet are the fields of the kubelet's configuration that differ for this part.
	Kubelet map[string]any
	// Before acts on the node before there are pods, Happens once all of them run, After when everything is judged.
	// Each may be nil.
	Before, Happens, After Deed
	// Later are actions after the part was judged; after each of them it is judged again.
	Later []Later
}

// Deed is an action on a node.
type Deed func(ctx context.Context, hands Hands, node string) error

// Later removes evidence; Name says which.
type Later struct {
	Name string
	Do   Deed
}

func script(text string) Deed {
	return func(ctx context.Context, hands Hands, node string) error { return hands.Do(ctx, node, text) }
}

// Today returns the parts for a modern node: cgroup v2, systemd's cgroups, a kernel that kills, a power button. minor
// is its kubelet's version.
func Today(minor int) []Part {
	noEvents := Later{"events expired", func(ctx context.Context, hands Hands, node string) error {
		return hands.ExpireEvents(ctx, node)
	}}
	parts := []Part{
		{Name: "hands", Scenarios: unhurried(slices.Concat(once(), healthy(), outside())),
			Later: []Later{noEvents, rotated}},
		{Name: "loops", Scenarios: alike(minor), Later: []Later{rotated}},
		{Name: "in-a-row", Scenarios: inARow(), Later: []Later{noEvents}},
		{Name: "shapes", Scenarios: shapes(minor)},
		{Name: "reboot", Scenarios: passengers("rider", "node-reboot", "systemd reboots the machine, and asks nobody"),
			Happens: func(ctx context.Context, hands Hands, node string) error { return hands.Reboot(ctx, node) }},
		{Name: "shutdown", Scenarios: evacuated(),
			Happens: func(ctx context.Context, hands Hands, node string) error { return hands.ShutDown(ctx, node) }},
		{Name: "power-cut", Scenarios: passengers("miner", "node-reboot", "the power goes away and comes back"),
			Happens: func(ctx context.Context, hands Hands, node string) error { return hands.PowerCut(ctx, node) }},
		{Name: "clock", Scenarios: ticking(), Happens: stepClock},
		{Name: "json", Scenarios: sample("json", minor),
			Kubelet: map[string]any{"logging": map[string]any{"format": "json", "verbosity": 2}}},
		{Name: "quiet", Scenarios: sample("quiet", minor),
			Kubelet: map[string]any{"logging": map[string]any{"verbosity": 0}}},
		{Name: "rate-limited", Scenarios: sample("limited", minor), Before: script(rateLimit), After: script(noRateLimit)},
	}
	if minor >= 32 { // earlier kubelets have no choice on cgroup v2
		parts = append(parts, Part{Name: "one-process", Scenarios: oneProcess(),
			Kubelet: map[string]any{"singleProcessOOMKill": true}})
	}
	if minor >= 35 { // earlier kubelets wait for minutes after so many exits
		parts = append(parts, Part{Name: "many", Scenarios: many(),
			Kubelet: map[string]any{"crashLoopBackOff": map[string]any{"maxContainerRestartPeriod": "1s"}}})
	}
	return append(parts,
		Part{Name: "memory", Scenarios: hoarding()},
		Part{Name: "starved", Scenarios: starving(), // the kernel is faster than a kubelet with such a low threshold
			Kubelet: map[string]any{"evictionHard": map[string]any{"memory.available": "1Mi", "nodefs.available": "5%"}}},
		// Last, because it costs the node its unused images.
		Part{Name: "disk", Scenarios: filling()},
	)
}

// Changes to a node's journal. Restarting journald loses nothing.
const (
	rateLimit = `printf '[Journal]\nRateLimitIntervalSec=30s\nRateLimitBurst=20\n' > ` + limitFile + `
systemctl restart systemd-journald`
	noRateLimit = "rm " + limitFile + "\nsystemctl restart systemd-journald"
	limitFile   = "/etc/systemd/journald.conf.d/zz-limit.conf"
)

// rotated removes what the journal has kept until now.
var rotated = Later{"journal rotated", script("journalctl --rotate\njournalctl --vacuum-time=1s")}

// clockSteps are how far the clock is set forward or back, one after the other. After a long step back a kubelet waits
// that long before it restarts a container: the exits that its back-off counts from are in the future.
var clockSteps = []time.Duration{100 * time.Millisecond, -100 * time.Millisecond, 3 * time.Second, -3 * time.Second,
	90 * time.Second, -90 * time.Second}

func stepClock(ctx context.Context, hands Hands, node string) error {
	for _, by := range clockSteps {
		step := fmt.Sprintf(`date -s "@$(date +%%s.%%N | awk '{printf "%%.3f", $1 + %.1f}')"`, by.Seconds())
		if err := hands.Do(ctx, node, step); err != nil {
			return err
		}
		if err := wait(ctx, 15*time.Second); err != nil {
			return err
		}
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// sample returns some scenarios of the other parts, under different names: as many as an emulated node starts in
// minutes.
func sample(name string, minor int) []Scenario {
	var out []Scenario
	for _, s := range slices.Concat(alike(minor), unhurried(slices.Concat(once(), healthy()))) {
		switch s.Name {
		case "exits-three", "eats-memory", "fails-liveness", "hook-breaks", "edited", "pauseless", "ambushed", "steady":
			s.Name = name + "-" + s.Name
			out = append(out, s)
		}
	}
	return out
}

// alike returns the pods that fail by themselves on every node. On cgroup v2 the kernel kills a container as a whole,
// since kubelets set that.
func alike(minor int) []Scenario {
	var out []Scenario
	for _, s := range slices.Concat(loops(), lookalikes(), ends()) {
		switch s.Name {
		case "loses-its-child":
			s.Name = "loses-all"
			s.Truths = []Truth{{Container: "app", Cause: "oom-container-limit",
				Notes: "a child reaches the container's limit, and the kernel kills the whole group, process 1 too"}}
		case "exits-one", "late-to-fail", "grows-slowly":
			continue // there are others of the same kind
		}
		out = append(out, s)
	}
	if minor < 28 {
		out = slices.DeleteFunc(out, func(s Scenario) bool { return s.Name == "loses-all" })
	}
	return unhurried(out)
}

// unhurried gives probes the time that an emulated processor needs. They are meant to fail, but not because it is slow.
func unhurried(all []Scenario) []Scenario {
	for i := range all {
		made := all[i].Pod
		all[i].Pod = func() corev1.PodSpec {
			spec := made()
			for j := range spec.Containers {
				c := &spec.Containers[j]
				for _, p := range []*corev1.Probe{c.LivenessProbe, c.StartupProbe, c.ReadinessProbe} {
					if p != nil {
						p.TimeoutSeconds = 60
					}
				}
			}
			return spec
		}
		if all[i].Act != nil {
			all[i].Settle = max(all[i].Settle, 20*time.Second)
		}
	}
	return all
}
