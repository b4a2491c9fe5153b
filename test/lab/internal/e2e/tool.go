package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
)

// toolPath is where the built binary is, below the module's root and, for tier 2, inside each node.
const (
	toolPath     = "bin/kubectl-restartwhy"
	toolInNode   = "/usr/local/bin/kubectl-restartwhy"
	bundleInNode = "/var/tmp/node.tar.zst"
)

// toolLimit limits every run of the tool.
const toolLimit = 2 * time.Minute

// Tool is the built binary and the directory for its output.
type Tool struct {
	Lab     *cluster.Lab
	Path    string
	Results string
}

// BuildTool builds the binary from the module of the lab. It is static, because it also has to run inside the nodes.
func BuildTool(ctx context.Context, lab *cluster.Lab) (Tool, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return Tool{}, fmt.Errorf("build kubectl-restartwhy: find the module: %w", err)
	}
	dir := strings.TrimSpace(string(root))
	t := Tool{Lab: lab, Path: filepath.Join(dir, toolPath), Results: filepath.Join(lab.Dir, "results")}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", t.Path, "./cmd/kubectl-restartwhy")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return Tool{}, fmt.Errorf("build kubectl-restartwhy: %w: %s", err, out)
	}
	if err := os.RemoveAll(t.Results); err != nil {
		return Tool{}, fmt.Errorf("make results directory: %w", err)
	}
	return t, nil
}

// Run runs the binary on the host; stdout is also written to a file of the results.
func (t Tool) Run(ctx context.Context, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, toolLimit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if keepErr := errors.Join(t.keep(name, stdout.Bytes()), t.keep(name+".stderr", stderr.Bytes())); keepErr != nil {
		return nil, keepErr
	}
	if err != nil {
		return nil, fmt.Errorf("run kubectl-restartwhy %s: %w: %s", strings.Join(args, " "), err, LastPart(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// keep writes a file of the results, unless it is empty.
func (t Tool) keep(name string, content []byte) error {
	if len(content) == 0 {
		return nil
	}
	path := filepath.Join(t.Results, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

func (t Tool) report(ctx context.Context, name string, args ...string) (judge.Report, error) {
	out, err := t.Run(ctx, name, append(args, "-o", "json")...)
	if err != nil {
		return judge.Report{}, err
	}
	r, err := judge.Read(out)
	if err != nil {
		return judge.Report{}, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// reports are the tool's reports of the whole lab at one moment: per tier, and at tier 1 per node if a node's log had
// to be passed as a file.
type reports struct {
	tiers  [3]judge.Report
	byFile map[string]judge.Report // node → its report at tier 1
}

func (r reports) at(tier int, node string) judge.Report {
	if own, ok := r.byFile[node]; ok && tier == 1 {
		return own
	}
	return r.tiers[tier]
}

// evidenceOf are the kinds of evidence that a tier needs. OOM kills happen on every node, so every node has a kernel
// record, too.
var evidenceOf = [3][]string{
	{"api"},
	{"api", "kubelet-log"},
	{"api", "kubelet-log", "runtime-log", "kernel-log", "cri"},
}

// Lacking names the evidence that a tier was judged without, except some kinds.
func (r reports) Lacking(nodes []string, but ...string) error {
	var lacks []string
	for _, node := range nodes {
		for tier, kinds := range evidenceOf {
			kinds := slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return slices.Contains(but, k) })
			for _, l := range r.at(tier, node).Lacks(node, kinds...) {
				lacks = append(lacks, fmt.Sprintf("tier %d: %s", tier, l))
			}
		}
	}
	if len(lacks) > 0 {
		return fmt.Errorf("collect evidence: none of %s", strings.Join(lacks, "; "))
	}
	return nil
}

// Holes returns what the nodes' journals lost before the tool could read it.
func (r reports) Holes(nodes []string) []string {
	var out []string
	for _, node := range nodes {
		out = append(out, r.tiers[2].Holes(node)...)
	}
	return out
}

// Ask has the tool judge the lab at every tier. round names the subdirectory of the results. fileOnly are the nodes
// without node log query.
func (t Tool) Ask(ctx context.Context, round string, nodes, fileOnly []string) (reports, error) {
	in := func(name string) string { return filepath.Join(round, name) }
	path := func(name string) string { return filepath.Join(t.Results, in(name)) }
	kubeconfig := "--kubeconfig=" + t.Lab.Kubeconfig()
	if err := os.MkdirAll(filepath.Join(t.Results, round), 0o755); err != nil {
		return reports{}, fmt.Errorf("make results directory: %w", err)
	}

	// One after the other: they are separate uses, and together they would compete for two cores.
	r := reports{byFile: map[string]judge.Report{}}
	var err error
	if r.tiers[0], err = t.report(ctx, in("tier0.json"), "-A", kubeconfig, "--evidence=api"); err != nil {
		return reports{}, err
	}
	if r.tiers[1], err = t.report(ctx, in("tier1.json"), "-A", kubeconfig, "--evidence=logs"); err != nil {
		return reports{}, err
	}
	// Kept for a later analyzer: the report above was made from the same sources.
	logs := path("cluster-and-logs.tar.zst")
	if _, err := t.Run(ctx, in("collect-logs.txt"), "collect", "-A", kubeconfig,
		"--evidence=logs", "-o", logs); err != nil {
		return reports{}, err
	}
	cluster := path("cluster.tar.zst")
	if _, err := t.Run(ctx, in("collect-cluster.txt"), "collect", "-A", kubeconfig,
		"--evidence=api", "-o", cluster); err != nil {
		return reports{}, err
	}
	for _, node := range fileOnly {
		log, err := t.exportKubeletLog(ctx, in(node+"-kubelet.export"), node)
		if err != nil {
			return reports{}, err
		}
		if r.byFile[node], err = t.report(ctx, in("tier1-"+node+".json"), "analyze", cluster, log); err != nil {
			return reports{}, err
		}
	}

	args := []string{"analyze", cluster}
	collected := make([]error, len(nodes))
	var wg sync.WaitGroup
	for i, node := range nodes {
		bundle := path(node + ".tar.zst")
		args = append(args, bundle)
		wg.Go(func() { collected[i] = t.CollectNode(ctx, node, bundle) })
	}
	wg.Wait()
	if err := errors.Join(collected...); err != nil {
		return reports{}, err
	}
	r.tiers[2], err = t.report(ctx, in("tier2.json"), args...)
	return r, err
}

// exportKubeletLog copies a node's kubelet journal to the host, as an operator does who only has a shell on the node.
func (t Tool) exportKubeletLog(ctx context.Context, name, node string) (string, error) {
	m, err := t.Lab.Machine(node)
	if err != nil {
		return "", err
	}
	out, err := m.Run(ctx, "journalctl", "-u", "kubelet", "-o", "export")
	if err != nil {
		return "", err
	}
	return filepath.Join(t.Results, name), t.keep(name, []byte(out))
}

// CollectNode runs the tool inside a node and copies its bundle to the host.
func (t Tool) CollectNode(ctx context.Context, node, bundle string) error {
	ctx, cancel := context.WithTimeout(ctx, toolLimit)
	defer cancel()
	m, err := t.Lab.Machine(node)
	if err != nil {
		return err
	}
	if err := m.CopyFile(t.Path, toolInNode, 0o755); err != nil {
		return err
	}
	if _, err := m.Run(ctx, toolInNode, "collect", "--local", "--force", "-o", bundleInNode); err != nil {
		return err
	}
	return m.Fetch(bundleInNode, bundle)
}

// LastPart returns the end of a program's output.
func LastPart(s string) string {
	s = strings.TrimSpace(s)
	return s[max(0, len(s)-600):]
}
