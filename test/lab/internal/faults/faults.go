// Package faults has the program read a cluster and a node that fail meanwhile: servers and runtimes that hang, nodes
// that are lost, journals that rotate, full disks, and Ctrl-C at any moment.
//
// It may import cluster, scenario, judge, ledger, and package e2e for what all runs share. It judges no causes: it
// checks that every end found without a fault is also found under the fault, or that a gap says what could not be read.
package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/e2e"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

const (
	toolInNode   = "/usr/local/bin/kubectl-restartwhy"
	bundleInNode = "/var/tmp/fault/node.tar.zst"
	provokeLimit = 4 * time.Minute
)

// bench is a lab in which some containers have ended, and what the program finds there without a fault.
type bench struct {
	e2e.Tool
	lab   *cluster.Lab
	dir   string // of bundles, on the host
	nodes []string
	quiet map[where]calm
	// server makes the program reach the API server in another way.
	server []string
}

// where is what a run reads: the cluster from outside, or a node from inside.
type where string

const (
	live  where = "cluster"
	local where = "node"
)

// calm is a run without a fault.
type calm struct {
	ends map[string][]time.Time
	took time.Duration
}

// outcome is one run of the program, and the report on its bundle, if it wrote one.
type outcome struct {
	code   int
	stderr string
	took   time.Duration
	wrote  bool
	left   []string // files next to the bundle
	report judge.Report
}

// Run sets up two nodes, lets containers end on them, and reads them under every fault and with Ctrl-C at moments that
// are spread over a run without a fault.
func Run(ctx context.Context, lab *cluster.Lab, out io.Writer, interrupts int) error {
	began := time.Now()
	t, err := e2e.BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	b := bench{Tool: t, lab: lab, dir: filepath.Join(lab.Dir, "faults"), nodes: []string{"n2", "n3"},
		quiet: map[where]calm{}}
	if err := errors.Join(os.RemoveAll(b.dir), os.MkdirAll(b.dir, 0o755)); err != nil {
		return fmt.Errorf("make a directory for bundles: %w", err)
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	var problems []error
	held := 0
	for _, f := range faults() {
		o, err := b.under(ctx, f)
		if err == nil {
			err = f.held(o, b.quiet[f.where])
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", f.name, err))
			lab.Say("fault %s: %v", f.name, err)
			continue
		}
		held++
		lab.Say("fault %s: held, %.1fs, exit code %d", f.name, o.took.Seconds(), o.code)
	}
	moments, err := b.interrupted(ctx, interrupts)
	problems = append(problems, err)
	fmt.Fprintf(out, "faults: %d of %d held; Ctrl-C at %d of %d moments left a whole bundle or none; %.0fs\n",
		held, len(faults()), moments, 2*interrupts, time.Since(began).Seconds())
	return errors.Join(problems...)
}

// prepare sets up the lab, and reads it without a fault.
func (b *bench) prepare(ctx context.Context) error {
	specs := []cluster.NodeSpec{{Name: "n2", Version: "v1.30.14"}, {Name: "n3", Version: "v1.37.1"}}
	if err := b.lab.Up(ctx, specs); err != nil {
		return err
	}
	some := slices.DeleteFunc(scenario.All(), func(s scenario.Scenario) bool {
		return !slices.Contains([]string{"exits-three", "eats-memory", "fails-liveness", "pauseless", "steady"}, s.Name)
	})
	if err := e2e.Provoke(ctx, b.lab, b.nodes, some, provokeLimit); err != nil {
		return err
	}
	for _, node := range b.nodes {
		m, err := b.lab.Machine(node)
		if err != nil {
			return err
		}
		if err := m.CopyFile(b.Path, toolInNode, 0o755); err != nil {
			return err
		}
	}
	for _, w := range []where{live, local} {
		o, err := b.collect(ctx, w, "quiet-"+string(w), nil)
		if err != nil {
			return err
		}
		if o.code != 0 || len(o.report.Items) < len(some) {
			return fmt.Errorf("read the %s in quiet: exit code %d, %d ends: %s", w, o.code, len(o.report.Items), o.stderr)
		}
		b.quiet[w] = calm{ends(o.report), o.took}
		b.lab.Say("read the %s in quiet: %.1fs, %d ends", w, o.took.Seconds(), len(o.report.Items))
	}
	return nil
}

// ends returns when the containers of a report ended, in order.
func ends(r judge.Report) map[string][]time.Time {
	out := map[string][]time.Time{}
	for _, i := range r.Items {
		name := i.Namespace + "/" + i.Pod + "/" + i.Container
		out[name] = append(out[name], i.Time)
	}
	for _, times := range out {
		slices.SortFunc(times, time.Time.Compare)
	}
	return out
}

// sameEnd is how far apart two runs may date one end: the API's time may be gone later, and the kubelet's log line
// comes after the end. Two ends of one container that are closer together need one match each.
const sameEnd = 8 * time.Second

// lost returns the ends of a run without a fault that another run lacks.
func lost(quiet, now map[string][]time.Time) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(quiet)) {
		rest := now[name]
		for _, end := range quiet[name] {
			for len(rest) > 0 && rest[0].Before(end.Add(-sameEnd)) {
				rest = rest[1:]
			}
			if len(rest) == 0 || rest[0].After(end.Add(sameEnd)) {
				out = append(out, name+" at "+end.UTC().Format(time.DateTime))
				continue
			}
			rest = rest[1:]
		}
	}
	return out
}

// collect runs the program once and reads its bundle. before precedes the program's command line.
func (b *bench) collect(ctx context.Context, w where, name string, before []string, more ...string) (outcome, error) {
	dir := filepath.Join(b.dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return outcome{}, err
	}
	bundle := filepath.Join(dir, "bundle.tar.zst")
	cmd, err := b.command(ctx, w, bundle, before, more)
	if err != nil {
		return outcome{}, err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	err = cmd.Run()
	o := outcome{took: time.Since(began), stderr: strings.TrimSpace(stderr.String()), code: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return o, err
	}
	if w == local {
		if err := b.fetch(ctx, dir); err != nil {
			return o, err
		}
	}
	return b.read(ctx, o, bundle)
}

// command returns the command line of a run.
func (b *bench) command(ctx context.Context, w where, bundle string, before, more []string) (*exec.Cmd, error) {
	if w == live {
		args := append(before, b.Path, "collect", "-A", "--kubeconfig="+b.lab.Kubeconfig(), "--evidence=logs", "-v",
			"--force", "-o", bundle)
		args = append(append(args, b.server...), more...)
		return exec.CommandContext(ctx, args[0], args[1:]...), nil
	}
	m, err := b.lab.Machine("n3")
	if err != nil {
		return nil, err
	}
	if _, err := m.Run(ctx, "sh", "-ec", "mkdir -p /var/tmp/fault; find /var/tmp/fault -mindepth 1 -delete"); err != nil {
		return nil, err
	}
	args := append(before, toolInNode, "collect", "--local", "-v", "-o", bundleInNode)
	return m.Command(ctx, append(args, more...)...), nil
}

// fetch copies what a run left on the node to the host.
func (b *bench) fetch(ctx context.Context, dir string) error {
	m, err := b.lab.Machine("n3")
	if err != nil {
		return err
	}
	names, err := m.Run(ctx, "ls", "-A", "/var/tmp/fault")
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(names) {
		if name != filepath.Base(bundleInNode) {
			// It is enough that it exists; the host may be unable to see what is mounted on the node.
			err = os.WriteFile(filepath.Join(dir, name), nil, 0o600)
		} else {
			err = m.Fetch(bundleInNode, filepath.Join(dir, "bundle.tar.zst"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read returns the report of the bundle in a directory, and the files next to it. It empties the directory.
func (b *bench) read(ctx context.Context, o outcome, bundle string) (outcome, error) {
	entries, err := os.ReadDir(filepath.Dir(bundle))
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(filepath.Dir(bundle))
	for _, e := range entries {
		if e.Name() != filepath.Base(bundle) {
			o.left = append(o.left, e.Name())
			continue
		}
		o.wrote = true
		cmd := exec.CommandContext(ctx, b.Path, "analyze", bundle, "-o", "json")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		raw, err := cmd.Output()
		if err != nil {
			return o, fmt.Errorf("the bundle cannot be read: %w: %s", err, stderr.String())
		}
		if o.report, err = judge.Read(raw); err != nil {
			return o, err
		}
	}
	return o, nil
}
