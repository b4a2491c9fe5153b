package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// Up creates the cluster and returns when every node is ready. After an error the caller still has to call Down.
func (l *Lab) Up(ctx context.Context, specs []NodeSpec) error {
	if len(l.Book.Book().Processes) > 0 {
		return fmt.Errorf("start lab in %s: one is there already; end it with `down`", l.Dir)
	}
	installed, err := machine.InstallPackages(ctx, kinds(specs)...)
	if err != nil {
		return err
	}
	if len(installed) > 0 {
		l.Say("installed %v", installed)
	}
	apiserver, kubelets, bases, err := l.prepare(ctx, specs)
	if err != nil {
		return err
	}

	if err := os.RemoveAll(l.run()); err != nil {
		return fmt.Errorf("start lab: %w", err)
	}
	if err := os.MkdirAll(l.run(), 0o755); err != nil {
		return fmt.Errorf("start lab: %w", err)
	}
	if err := checkRoom(l.run(), leastFree); err != nil {
		return err
	}
	if err := machine.PrepareHost(ctx, l.Book); err != nil {
		return err
	}
	var names []string
	var nodes []ledger.Node
	if err := l.Book.Update(func(b *ledger.Book) {
		for i, s := range specs {
			names = append(names, s.Name)
			nodes = append(nodes, ledger.Node{Name: s.Name, Kind: string(s.Kind), Index: i + 1, Version: s.Version})
		}
		b.Nodes = append(b.Nodes, nodes...)
	}); err != nil {
		return err
	}

	// The machines boot while the API server starts; kubelets need both.
	machines := make([]*machine.Machine, len(specs))
	booted := make(chan error, 1)
	go func() {
		booted <- each(specs, func(i int, s NodeSpec) (err error) {
			machines[i], err = l.boot(ctx, bases[s.Kind], nodes[i], kubelets[s.Version])
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

// kinds returns the kinds of the requested nodes, each once.
func kinds(specs []NodeSpec) []machine.Kind {
	var out []machine.Kind
	for _, s := range specs {
		if !slices.Contains(out, s.Kind) {
			out = append(out, s.Kind)
		}
	}
	return out
}

// prepare fills the caches. The node file systems mostly wait for the network and the programs for the processor, so
// they are built at the same time.
func (l *Lab) prepare(ctx context.Context, specs []NodeSpec) (apiserver string,
	kubelets map[string]string, bases map[machine.Kind]string, err error) {
	var baseErr error
	bases = map[machine.Kind]string{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, k := range kinds(specs) {
			base, made, err := machine.EnsureBase(ctx, l.cache(), k)
			if made {
				l.Say("made the node file system %s", filepath.Base(base))
			}
			bases[k], baseErr = base, errors.Join(baseErr, err)
		}
	})
	apiserver, kubelets, err = l.programs(ctx, specs)
	wg.Wait()
	return apiserver, kubelets, bases, errors.Join(err, baseErr)
}

// programs builds what is missing. Two builds at once keep two cores busy; each failure is reported, so that one run
// names everything that cannot be built.
func (l *Lab) programs(ctx context.Context, specs []NodeSpec) (apiserver string,
	kubelets map[string]string, err error) {
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

// boot creates a machine and starts it. Large files are on an emulated machine's disk before that, because later it
// would be slow.
func (l *Lab) boot(ctx context.Context, base string, node ledger.Node, kubelet string) (*machine.Machine, error) {
	m, err := machine.New(ctx, l.Book, l.run(), base, node)
	if err != nil {
		return nil, err
	}
	if m.Kind == machine.Emulated {
		programs, err := l.runtimePrograms(ctx)
		if err != nil {
			return nil, err
		}
		for name, path := range programs {
			if err := m.CopyFile(path, machine.RuntimePrograms[name], 0o755); err != nil {
				return nil, err
			}
		}
		if err := m.CopyFile(kubelet, machine.KubeletBinary, 0o755); err != nil {
			return nil, err
		}
	}
	log, err := os.Create(l.console(node.Name))
	if err != nil {
		return nil, fmt.Errorf("boot node %s: %w", node.Name, err)
	}
	defer log.Close()
	return m, m.Boot(ctx, log)
}

func (l *Lab) console(node string) string { return filepath.Join(l.run(), "console-"+node+".log") }

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
