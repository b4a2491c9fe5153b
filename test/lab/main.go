// Command lab sets up a real Kubernetes cluster on one Linux machine, provokes container restarts whose cause is known,
// and judges kubectl-restartwhy by them.
//
// Its nodes are of two kinds. Namespaced ones are quick and share the host's kernel, with cgroup v1. Emulated ones are
// like modern nodes: their own kernel under qemu, cgroup v2, systemd's cgroups and containerd 2. They boot in a minute
// or two with or without KVM, and do everything slowly without it.
//
// It is wiring only: flags, signals and exit codes. It needs root, Debian, cgroup v1 and the Go command; it installs or
// builds everything else itself.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/collector"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/e2e"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/faults"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/today"
)

const usage = `usage: lab <command>

  up [--nodes n1=v1.20.15,n2=v1.30.14,n3=v1.37.1]   stand up a cluster and leave it running; @emulated after a
                                                    version asks for a machine with a kernel of its own
  down                                              end it and remove all but caches and results
  status                                            what runs
  exec NODE -- COMMAND...                           run a command inside a node
  provoke                                           make every scenario on the nodes that run
  e2e                                               up, provoke, judge at every tier, upgrade, judge, down
  collector                                         up, read the nodes in three ways, end the tool in five, down
  preflight [--node n3] [DIR]                       up, foretell who restarts with other kubelets, change them,
	compare, down;
                                                    with DIR, bundle each changed node with its truth
  metrics [--upgrade v1.31.0]                       up with a Prometheus, provoke, upgrade, delete pods and events,
	judge by what Prometheus remembers, down
  faults [--interrupts 50]
                                                    up, read the nodes while they fail and with Ctrl-C at any moment, down
  today [--kubelet v1.37.1] [--part NAME,...] [--resume] [DIR]
                                                    up with an emulated node, provoke what takes a kernel of its
                                                    own, judge, down; with DIR, bundle each part with its truth
  judge                                             judge the nodes that run now, provoked by hand
  record-corpus DIR                                 bundle each node that runs, provoked, with its truth
  record-demo FILE                                  let the demo's incident happen and bundle its evidence
  record-upgrade DIR                                bundle a node before and after an upgrade to the newest kubelet
  upgrade NODE VERSION                              replace a node's kubelet in place

Everything is kept in $RESTARTWHY_LAB_DIR (default /var/lib/restartwhy-lab).
With RESTARTWHY_LAB_KEEP=1 up, e2e and the recorders leave the lab as it is, also after a failure.
`

const defaultNodes = "n1=v1.20.15,n2=v1.30.14,n3=v1.37.1"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	var usageError usageErr
	var inner exitCode
	switch {
	case err == nil:
	case errors.As(err, &usageError):
		fmt.Fprintf(os.Stderr, "error: %v\n\n%s", err, usage)
		os.Exit(2)
	case errors.As(err, &inner):
		os.Exit(int(inner))
	default:
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// exitCode is the exit code of a command inside a node; the command has printed the reason itself.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

type usageErr struct{ why string }

func (e usageErr) Error() string { return e.why }

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageErr{"no command"}
	}
	dir := os.Getenv("RESTARTWHY_LAB_DIR")
	if dir == "" {
		dir = "/var/lib/restartwhy-lab"
	}
	if os.Geteuid() != 0 {
		return errors.New("start lab: it makes network links, cgroups and machines: run it as root")
	}
	lab, err := cluster.Open(dir, os.Stderr)
	if err != nil {
		return err
	}
	switch command, rest := args[0], args[1:]; command {
	case "up":
		flags := flag.NewFlagSet("up", flag.ContinueOnError)
		nodes := flags.String("nodes", defaultNodes, "NAME=KUBELET-VERSION[@emulated], comma-separated")
		if err := flags.Parse(rest); err != nil {
			return usageErr{err.Error()}
		}
		return up(ctx, lab, *nodes)
	case "down":
		return down(lab)
	case "status":
		return status(lab)
	case "exec":
		if len(rest) < 3 || rest[1] != "--" {
			return usageErr{"exec wants NODE -- COMMAND"}
		}
		return execIn(ctx, lab, rest[0], rest[2:])
	case "provoke":
		var nodes []string
		for _, n := range lab.Book.Book().Nodes {
			nodes = append(nodes, n.Name)
		}
		return e2e.Provoke(ctx, lab, nodes, scenario.All(), 5*time.Minute)
	case "e2e":
		return summed(lab, func(out io.Writer) error { return e2e.Run(ctx, lab, out) })
	case "collector":
		return summed(lab, func(out io.Writer) error { return collector.Run(ctx, lab, out) })
	case "preflight":
		flags := flag.NewFlagSet("preflight", flag.ContinueOnError)
		only := flags.String("node", "", "the changes of one node alone")
		if err := flags.Parse(rest); err != nil {
			return usageErr{err.Error()}
		}
		return summed(lab, func(out io.Writer) error { return e2e.Preflight(ctx, lab, out, *only, flags.Arg(0)) })
	case "metrics":
		flags := flag.NewFlagSet("metrics", flag.ContinueOnError)
		becomes := flags.String("upgrade", "v1.31.0", "what becomes of the kubelet v1.30.14")
		if err := flags.Parse(rest); err != nil {
			return usageErr{err.Error()}
		}
		return summed(lab, func(out io.Writer) error { return e2e.Metrics(ctx, lab, out, *becomes) })
	case "faults":
		flags := flag.NewFlagSet("faults", flag.ContinueOnError)
		interrupts := flags.Int("interrupts", 50, "how often the cluster's and the node's reading is interrupted")
		if err := flags.Parse(rest); err != nil {
			return usageErr{err.Error()}
		}
		return summed(lab, func(out io.Writer) error { return faults.Run(ctx, lab, out, *interrupts) })
	case "today":
		return todays(ctx, lab, rest)
	case "judge":
		return e2e.Judge(ctx, lab, os.Stdout)
	case "record-corpus":
		if len(rest) != 1 {
			return usageErr{"record-corpus wants DIR"}
		}
		return e2e.RecordCorpus(ctx, lab, rest[0])
	case "record-demo":
		if len(rest) != 1 {
			return usageErr{"record-demo wants FILE"}
		}
		return throwAway(lab, func() error { return e2e.RecordDemo(ctx, lab, rest[0]) })
	case "record-upgrade":
		if len(rest) != 1 {
			return usageErr{"record-upgrade wants DIR"}
		}
		return throwAway(lab, func() error { return e2e.RecordUpgrade(ctx, lab, rest[0]) })
	case "upgrade":
		if len(rest) != 2 {
			return usageErr{"upgrade wants NODE VERSION"}
		}
		return lab.Upgrade(ctx, rest[0], rest[1])
	default:
		return usageErr{fmt.Sprintf("unknown command %q", command)}
	}
}

func todays(ctx context.Context, lab *cluster.Lab, args []string) error {
	var o today.Options
	flags := flag.NewFlagSet("today", flag.ContinueOnError)
	flags.StringVar(&o.Kubelet, "kubelet", cluster.APIServerVersion, "the node's kubelet")
	parts := flags.String("part", "", "parts that are enough, comma-separated; all when empty")
	flags.BoolVar(&o.Resume, "resume", false, "go on after the parts that an earlier run has judged")
	if err := flags.Parse(args); err != nil {
		return usageErr{err.Error()}
	}
	o.Corpus = flags.Arg(0)
	if *parts != "" {
		o.Parts = strings.Split(*parts, ",")
	}
	return summed(lab, func(out io.Writer) error { return today.Run(ctx, lab, out, o) })
}

// summed throws a lab away after use, and prints the results last, so that the summary is the last line of stdout.
func summed(lab *cluster.Lab, do func(io.Writer) error) error {
	var out bytes.Buffer
	err := throwAway(lab, func() error { return do(&out) })
	_, writeErr := os.Stdout.Write(out.Bytes())
	return errors.Join(err, writeErr)
}

// up leaves a lab for use by hand; one that failed half-way is taken down again.
func up(ctx context.Context, lab *cluster.Lab, nodes string) error {
	specs, err := parseNodes(nodes)
	if err != nil {
		return err
	}
	if err := lab.Up(ctx, specs); err != nil {
		if keep() {
			return err
		}
		return errors.Join(err, down(lab))
	}
	fmt.Printf("export KUBECONFIG=%s\nkubectl get nodes\n", lab.Kubeconfig())
	return nil
}

// throwAway runs something that sets up a lab and leaves nothing of it behind, whatever happens, even a panic. It first
// ends a lab that already exists.
func throwAway(lab *cluster.Lab, do func() error) (err error) {
	if err := down(lab); err != nil {
		return err
	}
	defer func() {
		if !keep() {
			err = errors.Join(err, down(lab))
		}
	}()
	return do()
}

func keep() bool { return os.Getenv("RESTARTWHY_LAB_KEEP") != "" }

// down has its own time limit: it must also work after the signal that cancelled everything else.
func down(lab *cluster.Lab) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return lab.Down(ctx)
}

func status(lab *cluster.Lab) error {
	book := lab.Book.Book()
	if len(book.Processes) == 0 {
		fmt.Println("no lab is running in", lab.Dir)
		return nil
	}
	for _, p := range book.Processes {
		state := "gone"
		if p.Alive() {
			state = "running"
		}
		fmt.Printf("%-16s %8d  %s\n", p.Name, p.PID, state)
	}
	for _, n := range book.Nodes {
		fmt.Printf("node %s: kubelet %s, files in %s\n", n.Name, n.Version, filepath.Join(lab.Dir, "run", "nodes", n.Name))
	}
	fmt.Printf("export KUBECONFIG=%s\n", lab.Kubeconfig())
	return nil
}

func execIn(ctx context.Context, lab *cluster.Lab, node string, args []string) error {
	m, err := lab.Machine(node)
	if err != nil {
		return err
	}
	cmd := m.Command(ctx, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var inner *exec.ExitError
	if errors.As(err, &inner) && inner.ExitCode() > 0 {
		return exitCode(inner.ExitCode())
	}
	return err
}

// parseNodes parses NAME=VERSION,NAME=VERSION; @emulated after a version means a machine with its own kernel.
func parseNodes(s string) ([]cluster.NodeSpec, error) {
	var out []cluster.NodeSpec
	seen := map[string]bool{}
	for _, part := range strings.Split(s, ",") {
		name, what, ok := strings.Cut(part, "=")
		version, kind, _ := strings.Cut(what, "@")
		if !ok || name == "" || !strings.HasPrefix(version, "v1.") || kind != "" && kind != string(machine.Emulated) {
			return nil, usageErr{fmt.Sprintf("node %q: want NAME=v1.MINOR.PATCH[@%s]", part, machine.Emulated)}
		}
		if seen[name] {
			return nil, usageErr{fmt.Sprintf("node %q is there twice", name)}
		}
		seen[name] = true
		out = append(out, cluster.NodeSpec{Name: name, Version: version, Kind: machine.Kind(kind)})
	}
	return out, nil
}
