package cluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/binaries"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

// NodeSpec describes one node to create.
type NodeSpec struct {
	Name, Version string // the kubelet's version
	Kind          machine.Kind
}

// RuntimeVersion is the containerd of emulated nodes; namespaced ones have Debian's.
const RuntimeVersion = "v2.4.2"

// Lab is a directory of a lab: caches that stay, and the current run.
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

func (l *Lab) run() string { return filepath.Join(l.Dir, "run") }

// Kubeconfig returns the path of the administrator's kubeconfig.
func (l *Lab) Kubeconfig() string { return filepath.Join(l.run(), "kubeconfig") }

// OutsiderKubeconfig returns the path of the kubeconfig of a user without rights.
func (l *Lab) OutsiderKubeconfig() string { return filepath.Join(l.run(), "outsider.kubeconfig") }

// Program returns a program of Kubernetes; it builds it if the cache does not have it.
func (l *Lab) Program(ctx context.Context, name, version string) (string, error) {
	began := time.Now()
	path, built, err := binaries.Builder{Dir: filepath.Join(l.cache(), "bin")}.Build(ctx,
		binaries.Program{Name: name, Version: version})
	if built {
		l.Say("built %s %s in %.0fs", name, version, time.Since(began).Seconds())
	}
	return path, err
}

// runtimePrograms returns the programs of containerd by name; it builds those that the cache does not have.
func (l *Lab) runtimePrograms(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for name := range machine.RuntimePrograms {
		began := time.Now()
		path, built, err := binaries.Builder{Dir: filepath.Join(l.cache(), "bin")}.Install(ctx, binaries.Module{
			Package: "github.com/containerd/containerd/v2/cmd/" + name, Version: RuntimeVersion,
			Stamp: "github.com/containerd/containerd/v2/version.Version"})
		if err != nil {
			return nil, err
		}
		if built {
			l.Say("built %s %s in %.0fs", name, RuntimeVersion, time.Since(began).Seconds())
		}
		out[name] = path
	}
	return out, nil
}

// Client returns a client with the administrator's rights.
func (l *Lab) Client() (*api.Client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig())
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	config.QPS, config.Burst = 100, 200
	return api.New(config)
}

// Down ends the lab and removes everything except its caches and results. It works after any failure, and from another
// process than the one that called Up.
func (l *Lab) Down(ctx context.Context) error {
	if err := machine.Remove(ctx, l.Book); err != nil {
		return fmt.Errorf("end lab: %w", err)
	}
	if err := os.RemoveAll(l.run()); err != nil {
		return fmt.Errorf("end lab: %w", err)
	}
	return l.Book.Update(func(b *ledger.Book) { *b = ledger.Book{} })
}
