package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/binaries"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// NodeSpec asks for one node.
type NodeSpec struct{ Name, Version string }

// Lab is a directory that holds a lab: caches that stay, and the run of now.
type Lab struct {
	Dir  string
	Book *ledger.Ledger
	Log  io.Writer // progress, one line each
	from time.Time
}

// Open opens the lab in dir, running or not.
func Open(dir string, log io.Writer) (*Lab, error) {
	book, err := ledger.Open(filepath.Join(dir, "state.json"))
	if err != nil {
		return nil, err
	}
	return &Lab{Dir: dir, Book: book, Log: log, from: time.Now()}, nil
}

// Say reports progress.
func (l *Lab) Say(format string, args ...any) {
	fmt.Fprintf(l.Log, "%6.1fs  %s\n", time.Since(l.from).Seconds(), fmt.Sprintf(format, args...))
}

func (l *Lab) cache() string { return filepath.Join(l.Dir, "cache") }
func (l *Lab) run() string   { return filepath.Join(l.Dir, "run") }

// Kubeconfig is the path of the administrator's kubeconfig.
func (l *Lab) Kubeconfig() string { return filepath.Join(l.run(), "kubeconfig") }

// OutsiderKubeconfig is the path of the kubeconfig of a user without rights.
func (l *Lab) OutsiderKubeconfig() string { return filepath.Join(l.run(), "outsider.kubeconfig") }

// Program returns a program of Kubernetes, built when the cache lacks it.
func (l *Lab) Program(ctx context.Context, name, version string) (string, error) {
	began := time.Now()
	path, built, err := binaries.Builder{Dir: filepath.Join(l.cache(), "bin")}.Build(ctx, binaries.Program{Name: name, Version: version})
	if built {
		l.Say("built %s %s in %.0fs", name, version, time.Since(began).Seconds())
	}
	return path, err
}

// Up makes the cluster and returns when every node is ready. On an error the
// caller still has to call Down.
func (l *Lab) Up(ctx context.Context, specs []NodeSpec) error {
	if len(l.Book.Book().Processes) > 0 {
		return fmt.Errorf("start lab in %s: one is there already; end it with `down`", l.Dir)
	}
	installed, err := machine.InstallPackages(ctx)
	if err != nil {
		return err
	}
	if len(installed) > 0 {
		l.Say("installed %v", installed)
	}
	apiserver, kubelets, err := l.programs(ctx, specs)
	if err != nil {
		return err
	}
	base, made, err := machine.EnsureBase(ctx, l.cache())
	if err != nil {
		return err
	}
	if made {
		l.Say("made the node file system")
	}

	if err := os.RemoveAll(l.run()); err != nil {
		return fmt.Errorf("start lab: %w", err)
	}
	if err := os.MkdirAll(l.run(), 0o755); err != nil {
		return fmt.Errorf("start lab: %w", err)
	}
	if err := machine.PrepareHost(ctx, l.Book); err != nil {
		return err
	}
	var names []string
	if err := l.Book.Update(func(b *ledger.Book) {
		for i, s := range specs {
			names = append(names, s.Name)
			b.Nodes = append(b.Nodes, ledger.Node{Name: s.Name, Index: i + 1, Version: s.Version})
		}
	}); err != nil {
		return err
	}

	// The machines boot while the API server starts; kubelets need both.
	machines := make([]*machine.Machine, len(specs))
	booted := make(chan error, 1)
	go func() {
		booted <- each(specs, func(i int, s NodeSpec) (err error) {
			machines[i], err = l.boot(ctx, base, s.Name, i+1)
			return err
		})
	}()
	c, apiErr := startControlPlane(ctx, l.Book, l.run(), apiserver, names)
	if err := errors.Join(<-booted, apiErr); err != nil {
		return err
	}
	l.Say("API server %s answers, %d machines run", APIServerVersion, len(machines))
	if err := l.writeKubeconfigs(c); err != nil {
		return err
	}
	if err := each(specs, func(i int, s NodeSpec) error {
		return l.startKubelet(ctx, machines[i], c, s.Version, kubelets[s.Version])
	}); err != nil {
		return err
	}
	return l.waitNodes(ctx, specs)
}

// programs builds what is missing. Two builds at once keep two cores busy; each
// failure is reported, so that one run names everything that cannot be had.
func (l *Lab) programs(ctx context.Context, specs []NodeSpec) (apiserver string, kubelets map[string]string, err error) {
	kubelets = map[string]string{}
	var mu sync.Mutex
	var problems []error
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	build := func(name, version string, keep func(string)) {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			path, err := l.Program(ctx, name, version)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				problems = append(problems, err)
				return
			}
			keep(path)
		})
	}
	build("kube-apiserver", APIServerVersion, func(p string) { apiserver = p })
	asked := map[string]bool{}
	for _, s := range specs {
		if !asked[s.Version] {
			asked[s.Version] = true
			build("kubelet", s.Version, func(p string) { kubelets[s.Version] = p })
		}
	}
	wg.Wait()
	return apiserver, kubelets, errors.Join(problems...)
}

func (l *Lab) boot(ctx context.Context, base, name string, index int) (*machine.Machine, error) {
	m, err := machine.New(ctx, l.Book, l.run(), base, name, index)
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(l.run(), "console-"+name+".log"))
	if err != nil {
		return nil, fmt.Errorf("boot node %s: %w", name, err)
	}
	defer log.Close()
	return m, m.Boot(ctx, log)
}

func (l *Lab) writeKubeconfigs(c *credentials) error {
	for path, user := range map[string]string{l.Kubeconfig(): admin, l.OutsiderKubeconfig(): Outsider} {
		raw, err := c.kubeconfig(user)
		if err == nil {
			err = os.WriteFile(path, raw, 0o600)
		}
		if err != nil {
			return fmt.Errorf("write kubeconfig: %w", err)
		}
	}
	return nil
}

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

// installKubelet writes program and configuration of one version and starts it.
func (l *Lab) installKubelet(ctx context.Context, m *machine.Machine, version, program string) error {
	config, flags, err := kubeletFiles(m.Name, m.Index, version)
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
	_, err = m.Run(ctx, "systemctl", "start", "kubelet.service")
	return err
}

// Upgrade replaces a node's kubelet in place, as an operator would who does not
// drain: stop the unit, replace the binary, start the unit. Containers go on
// running meanwhile. It returns when the node is ready with the new version.
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
	return l.waitNodes(ctx, []NodeSpec{{node, version}})
}

// Machine returns a running node.
func (l *Lab) Machine(node string) (*machine.Machine, error) {
	return machine.Attach(l.Book, l.run(), node)
}

// Client returns a client with the administrator's rights.
func (l *Lab) Client() (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig())
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	config.QPS, config.Burst = 100, 200
	return kubernetes.NewForConfig(config)
}

// waitNodes returns when every node is ready with the version asked for.
func (l *Lab) waitNodes(ctx context.Context, specs []NodeSpec) error {
	client, err := l.Client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, s := range specs {
		why := "no such node yet"
		for {
			if n, err := client.CoreV1().Nodes().Get(ctx, s.Name, metav1.GetOptions{}); err == nil {
				if why = notReady(n, s.Version); why == "" {
					break
				}
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("wait for node %s: %s: %w (see `exec %s -- journalctl -u kubelet`)", s.Name, why, ctx.Err(), s.Name)
			case <-time.After(500 * time.Millisecond):
			}
		}
		l.Say("node %s is ready with kubelet %s", s.Name, s.Version)
	}
	return nil
}

// notReady says what a node still lacks; "" when it is ready.
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

// Down ends the lab and removes all but its caches and results. It works after
// any failure, also from another process than the one that called Up.
func (l *Lab) Down(ctx context.Context) error {
	if err := machine.Remove(ctx, l.Book); err != nil {
		return fmt.Errorf("end lab: %w", err)
	}
	if err := os.RemoveAll(l.run()); err != nil {
		return fmt.Errorf("end lab: %w", err)
	}
	return l.Book.Update(func(b *ledger.Book) { *b = ledger.Book{} })
}

// each runs one function per node, all at once, and joins their errors.
func each(specs []NodeSpec, do func(int, NodeSpec) error) error {
	errs := make([]error, len(specs))
	var wg sync.WaitGroup
	for i, s := range specs {
		wg.Go(func() { errs[i] = do(i, s) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
