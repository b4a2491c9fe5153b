package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// startKubelet gives a machine its credentials and its first kubelet.
func (l *Lab) startKubelet(ctx context.Context, m *machine.Machine, c *credentials, version, program string) error {
	kubeconfig, err := c.kubeconfig(nodeUser(m.Name))
	if err != nil {
		return fmt.Errorf("start kubelet on %s: %w", m.Name, err)
	}
	if err := m.WriteFile(kubeletKubeconfig, kubeconfig, 0o600); err != nil {
		return err
	}
	if err := m.WriteFile(clientCA, c.authority.Cert, 0o644); err != nil {
		return err
	}
	return l.installKubelet(ctx, m, version, program)
}

func (l *Lab) installKubelet(ctx context.Context, m *machine.Machine, version, program string) error {
	config, flags, err := kubeletFiles(m.Name, m.Index, m.Kind, version)
	if err != nil {
		return fmt.Errorf("start kubelet on %s: %w", m.Name, err)
	}
	if err := m.CopyFile(program, machine.KubeletBinary, 0o755); err != nil {
		return err
	}
	if err := m.WriteFile(kubeletConfig, []byte(config), 0o644); err != nil {
		return err
	}
	if err := m.WriteFile(machine.KubeletEnv, []byte(flags), 0o644); err != nil {
		return err
	}
	if _, err := m.Run(ctx, "mkdir", "-p", StaticPods); err != nil {
		return err
	}
	_, err = m.Run(ctx, "systemctl", "start", "kubelet.service")
	return err
}

// RestartKubelet stops a node's kubelet and starts it again unchanged.
func (l *Lab) RestartKubelet(ctx context.Context, node string) error {
	m, err := l.Machine(node)
	if err != nil {
		return err
	}
	_, err = m.Run(ctx, "systemctl", "restart", "kubelet.service")
	return err
}

// Configure restarts a kubelet with some fields of its configuration changed. The change holds until the next call, or
// until the kubelet is replaced; without fields it restores the original configuration.
func (l *Lab) Configure(ctx context.Context, node string, fields map[string]any) error {
	m, err := l.Machine(node)
	if err != nil {
		return err
	}
	config, _, err := kubeletFiles(node, m.Index, m.Kind, l.version(node))
	if err != nil {
		return fmt.Errorf("configure kubelet of node %s: %w", node, err)
	}
	changed, err := withFields(config, fields)
	if err != nil {
		return fmt.Errorf("configure kubelet of node %s: %w", node, err)
	}
	if err := m.WriteFile(kubeletConfig, changed, 0o644); err != nil {
		return err
	}
	return l.RestartKubelet(ctx, node)
}

// withFields returns a kubelet's configuration with some fields set.
func withFields(config string, fields map[string]any) ([]byte, error) {
	var c map[string]any
	if err := yaml.Unmarshal([]byte(config), &c); err != nil {
		return nil, err
	}
	maps.Copy(c, fields)
	return yaml.Marshal(c)
}

// version returns the version of a node's kubelet; "" for a node that is not in this lab.
func (l *Lab) version(node string) string {
	for _, n := range l.Book.Book().Nodes {
		if n.Name == node {
			return n.Version
		}
	}
	return ""
}

// Upgrade replaces a node's kubelet in place, as an operator does without draining: stop the unit, replace the binary,
// start the unit. Containers keep running meanwhile. It returns when the node is ready with the new version.
func (l *Lab) Upgrade(ctx context.Context, node, version string) error {
	m, err := l.Machine(node)
	if err != nil {
		return err
	}
	program, err := l.Program(ctx, "kubelet", version)
	if err != nil {
		return err
	}
	if _, err := m.Run(ctx, "systemctl", "stop", "kubelet.service"); err != nil {
		return fmt.Errorf("upgrade node %s: %w", node, err)
	}
	if err := l.installKubelet(ctx, m, version, program); err != nil {
		return fmt.Errorf("upgrade node %s: %w", node, err)
	}
	if err := l.Book.UpdateNode(node, func(n *ledger.Node) { n.Version = version }); err != nil {
		return err
	}
	return l.waitNodes(ctx, []NodeSpec{{Name: node, Version: version, Kind: m.Kind}})
}

// How long nodes may take to become ready.
const (
	readyLimit         = 2 * time.Minute
	emulatedReadyLimit = 8 * time.Minute
)

func (l *Lab) waitNodes(ctx context.Context, specs []NodeSpec) error {
	client, err := l.Client()
	if err != nil {
		return err
	}
	limit := readyLimit
	if slices.ContainsFunc(specs, func(s NodeSpec) bool { return s.Kind == machine.Emulated }) {
		limit = emulatedReadyLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, s := range specs {
		why := "no such node yet"
		for {
			if n, err := client.Nodes().Get(ctx, s.Name, metav1.GetOptions{}); err == nil {
				if why = notReady(n, s.Version); why == "" {
					break
				}
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("wait for node %s: %s: %w (see `exec %s -- journalctl -u kubelet`)",
					s.Name, why, ctx.Err(), s.Name)
			case <-time.After(500 * time.Millisecond):
			}
		}
		l.Say("node %s is ready with kubelet %s", s.Name, s.Version)
	}
	return nil
}

// notReady says what a node still lacks; "" if it is ready.
func notReady(n *corev1.Node, version string) string {
	if got := n.Status.NodeInfo.KubeletVersion; got != version {
		return "still reports kubelet " + got
	}
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue {
			return ""
		}
	}
	return "not ready"
}

// Cycle takes an emulated node down in the given way, and returns when its next boot is ready.
func (l *Lab) Cycle(ctx context.Context, node string, how machine.Down) error {
	m, err := l.Machine(node)
	if err != nil {
		return err
	}
	if err := m.Cycle(ctx, how, l.console(node)); err != nil {
		return err
	}
	return l.waitBoot(ctx, NodeSpec{Name: node, Version: l.version(node), Kind: m.Kind}, m)
}

// waitBoot returns when the API server knows the machine's current boot and the node is ready: its state from the boot
// before may be "ready" too.
func (l *Lab) waitBoot(ctx context.Context, s NodeSpec, m *machine.Machine) error {
	client, err := l.Client()
	if err != nil {
		return err
	}
	id, err := m.Run(ctx, "cat", "/proc/sys/kernel/random/boot_id")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, emulatedReadyLimit)
	defer cancel()
	for {
		n, err := client.Nodes().Get(ctx, s.Name, metav1.GetOptions{})
		if err == nil && n.Status.NodeInfo.BootID == strings.TrimSpace(id) {
			return l.waitNodes(ctx, []NodeSpec{s})
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for node %s: its kubelet does not tell of the new boot: %w", s.Name, ctx.Err())
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// Machine returns a running node.
func (l *Lab) Machine(node string) (*machine.Machine, error) {
	return machine.Attach(l.Book, l.run(), node)
}
