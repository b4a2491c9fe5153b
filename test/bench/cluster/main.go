// Command cluster measures the cost of a large cluster: it serves one whose objects are generated on request, runs the
// program against it as a separate process, and prints wall time, processor time and peak memory.
//
//	cluster -bin bin/kubectl-restartwhy -nodes 5000 -pods 30
//
// If kubectl is installed, restartwhy -A is also compared with kubectl get pods -A -o json over 10 000 pods, in turns.
//
// A peak over the budget fails the run. The server works on the same machine: wall times are upper bounds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/bench/pairs"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

// run is one command and its memory limit in MiB; 0 for none.
type run struct {
	args string
	most float64
}

var runs = []run{
	{"preflight --to v1.31 -A", 640},
	{"preflight --to v1.31 -A -o json", 640},
	{"-A -o table", 500},
	{"-A -o json", 500},
}

func main() {
	bin := flag.String("bin", "bin/kubectl-restartwhy", "the program")
	nodes := flag.Int("nodes", 5000, "nodes of the cluster")
	pods := flag.Int("pods", 30, "pods of each node")
	args := flag.String("run", "", "measure this command line alone, without a budget")
	program.Main(func(context.Context) error {
		if *args != "" {
			runs = []run{{*args, 0}}
		}
		err := measure(*bin, size{*nodes, *pods}, runs)
		if kubectl, none := exec.LookPath("kubectl"); none == nil && *args == "" {
			err = errors.Join(err, beside(*bin, kubectl, size{334, 30}))
		}
		return err
	})
}

// beside runs the program and kubectl over the same pods in turns, and compares the best run of each: the budget is
// half of kubectl's wall time and memory.
func beside(bin, kubectl string, s size) error {
	return serving(s, func(_ *server, kubeconfig string) error {
		var best [2]cost
		for range 3 {
			for i, c := range [...]struct{ bin, args string }{{bin, "-A -o json"}, {kubectl, "get pods -A -o json"}} {
				got, err := once(c.bin, kubeconfig, c.args)
				if err != nil {
					return fmt.Errorf("%s %s: %w", filepath.Base(c.bin), c.args, err)
				}
				if b := &best[i]; b.Wall == 0 || got.Wall < b.Wall {
					*b = got
				}
			}
		}
		wall, peak := best[0].Wall.Seconds()/best[1].Wall.Seconds(), best[0].mib()/best[1].mib()
		fmt.Printf("%d pods, restartwhy -A beside kubectl get pods -A -o json: %.1f s and %.1f s wall (%.2f x), "+
			"%.0f MiB and %.0f MiB (%.2f x)\n", s.pods(), best[0].Wall.Seconds(),
			best[1].Wall.Seconds(), wall, best[0].mib(), best[1].mib(), peak)
		if wall > half || peak > half {
			return fmt.Errorf("over the budget of %.1f x kubectl", half)
		}
		return nil
	})
}

const half = 0.5

// serving serves a cluster and passes on the kubeconfig for kubectl and the program.
func serving(s size, use func(h *server, kubeconfig string) error) error {
	handler, err := newServer(s)
	if err != nil {
		return err
	}
	srv := httptest.NewServer(handler)
	defer srv.Close()
	dir, err := os.MkdirTemp("", "cluster")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kubeconfig := filepath.Join(dir, "config")
	config := `{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"` +
		srv.URL + `"}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"users":[{"name":"u","user":{}}]}`
	if err := os.WriteFile(kubeconfig, []byte(config), 0o600); err != nil {
		return err
	}
	return use(handler, kubeconfig)
}

func measure(bin string, s size, runs []run) error {
	return serving(s, func(h *server, kubeconfig string) error { return h.measure(bin, kubeconfig, runs) })
}

func (h *server) measure(bin, kubeconfig string, runs []run) error {
	s := h.size
	fmt.Printf("%d nodes, %d pods of %.1f KB as JSON\n", s.nodes, s.pods(), float64(h.podJSON)/1e3)
	over := 0
	peak := 0.0
	for _, r := range runs {
		got, err := once(bin, kubeconfig, r.args)
		if err != nil {
			return fmt.Errorf("%s: %w", r.args, err)
		}
		word := ""
		if r.most > 0 && got.mib() > r.most {
			over++
			word = fmt.Sprintf(", OVER the budget of %.0f MiB", r.most)
		}
		peak = max(peak, got.mib())
		fmt.Printf("%-40s %6.1f s wall, %6.1f s processor, %6.0f MiB peak, %5.1f MB printed%s\n",
			r.args, got.Wall.Seconds(), got.Processor.Seconds(), got.mib(), float64(got.printed)/1e6, word)
	}
	fmt.Printf("cluster: %d runs over %d pods, at most %.0f MiB, %d over\n", len(runs), s.pods(), peak, over)
	if over > 0 {
		return fmt.Errorf("%d over their budget", over)
	}
	return nil
}

// cost is what one process cost, and how many bytes it printed.
type cost struct {
	pairs.Cost
	printed int64
}

func (c cost) mib() float64 { return float64(c.Peak) / (1 << 20) }

// counter counts bytes and discards them.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func once(bin, kubeconfig, args string) (c cost, err error) {
	var out counter
	var said strings.Builder
	cmd := exec.Command(bin, append(strings.Fields(args), "--kubeconfig", kubeconfig)...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if c.Cost, err = pairs.Of(cmd); err != nil {
		return c, fmt.Errorf("%w: %.500s", err, said.String())
	}
	c.printed = int64(out)
	return c, nil
}
