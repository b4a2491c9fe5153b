package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

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
	apiserver, kubelets, base, err := l.prepare(ctx, specs)
	if err != nil {
		return err
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

// prepare fills the caches. The node file system mostly waits for the network
// and the programs for the processor, so they are made at the same time.
func (l *Lab) prepare(ctx context.Context, specs []NodeSpec) (apiserver string,
	kubelets map[string]string, base string, err error) {
	var baseErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		var made bool
		if base, made, baseErr = machine.EnsureBase(ctx, l.cache()); made {
			l.Say("made the node file system")
		}
	})
	apiserver, kubelets, err = l.programs(ctx, specs)
	wg.Wait()
	return apiserver, kubelets, base, errors.Join(err, baseErr)
}

// programs builds what is missing. Two builds at once keep two cores busy; each
// failure is reported, so that one run names everything that cannot be had.
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
