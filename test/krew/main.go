// Command krew checks the archives of a release with Krew's own programs:
//
//	krew -dist dist -bin .cache
//
// The checker of the Krew index installs every platform of the manifest, from a server on the loopback interface with
// the local archives. Then each archive is installed offline into an empty Krew, and the plugin for this machine's
// platform runs as kubectl's own subcommand. It imports nothing of the project except the builder of Kubernetes'
// programs, for machines without kubectl.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/binaries"
)

// kubectlVersion is built if the machine has no kubectl.
const kubectlVersion = "v1.34.4"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("krew", flag.ContinueOnError)
	dist := flags.String("dist", "dist", "directory with the archives, checksums.txt and the manifest")
	bin := flags.String("bin", ".cache", "directory with krew and validate-krew-manifest")
	kubectl := flags.String("kubectl", "", "the kubectl to use; empty for that of the machine")
	if err := flags.Parse(args); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "restartwhy-krew-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c := check{work: work, path: filepath.Join(work, "path")}
	if c.dist, err = filepath.Abs(*dist); err != nil {
		return err
	}
	if err := c.programs(ctx, *bin, *kubectl); err != nil {
		return err
	}
	platforms, err := c.manifest()
	if err != nil {
		return err
	}
	if err := c.validate(ctx); err != nil {
		return err
	}
	for _, p := range platforms {
		if err := c.install(ctx, p); err != nil {
			return err
		}
	}
	demo, err := c.demo(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("krew: the index's checker and %d offline installs passed; kubectl restartwhy demo: %s\n",
		len(platforms), demo)
	return nil
}

// check is one run: its folder, and the programs on its path.
type check struct{ work, path, dist string }

func (c check) programs(ctx context.Context, bin, kubectl string) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	if kubectl == "" {
		kubectl, _ = exec.LookPath("kubectl")
	}
	if kubectl == "" {
		dir := os.Getenv("RESTARTWHY_LAB_DIR")
		if dir == "" {
			dir = bin
		}
		b := binaries.Builder{Dir: filepath.Join(dir, "cache", "bin")}
		fmt.Fprintf(os.Stderr, "krew: no kubectl here, building %s\n", kubectlVersion)
		if kubectl, _, err = b.Build(ctx, binaries.Program{Name: "kubectl", Version: kubectlVersion}); err != nil {
			return err
		}
	}
	if err := os.Mkdir(c.path, 0o755); err != nil {
		return err
	}
	for name, target := range map[string]string{
		"kubectl": kubectl, "kubectl-krew": filepath.Join(bin, "krew"),
		"validate-krew-manifest": filepath.Join(bin, "validate-krew-manifest"),
	} {
		if _, err := os.Stat(target); err != nil {
			return fmt.Errorf("check archives: %w", err)
		}
		if err := os.Symlink(target, filepath.Join(c.path, name)); err != nil {
			return err
		}
	}
	return nil
}

func (c check) command(ctx context.Context, root string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.path, name), args...)
	cmd.Env = append([]string{
		"HOME=" + c.work, "KREW_ROOT=" + root, "NO_COLOR=1", "KUBECONFIG=" + filepath.Join(c.work, "none"),
		"PATH=" + strings.Join([]string{filepath.Join(root, "bin"), c.path, os.Getenv("PATH")}, string(os.PathListSeparator)),
	}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("run %s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// install installs the archive of one platform into an empty Krew without a network.
func (c check) install(ctx context.Context, p platform) error {
	system, arch, _ := strings.Cut(p.pair, "/")
	root := filepath.Join(c.work, "root-"+system+"-"+arch)
	out, err := c.command(ctx, root, []string{"KREW_OS=" + system, "KREW_ARCH=" + arch}, "kubectl-krew", "install",
		"--manifest="+filepath.Join(c.dist, manifestFile), "--archive="+filepath.Join(c.dist, p.archive))
	if err != nil {
		return err
	}
	if !strings.Contains(out, "Installed plugin: restartwhy") {
		return fmt.Errorf("install %s: krew does not say that it installed the plugin: %s", p.archive, out)
	}
	licence, err := filepath.Glob(filepath.Join(root, "store", "restartwhy", "*", "LICENSE"))
	if err != nil || len(licence) != 1 {
		return fmt.Errorf("install %s: %d licences were installed", p.archive, len(licence))
	}
	return nil
}

// demo runs the plugin that Krew installed for this machine through kubectl.
func (c check) demo(ctx context.Context) (string, error) {
	root := filepath.Join(c.work, "root-"+runtime.GOOS+"-"+runtime.GOARCH)
	if _, err := os.Stat(root); err != nil {
		return "", fmt.Errorf("run the demo: there is no archive for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	out, err := c.command(ctx, root, nil, "kubectl", "restartwhy", "demo", "-o",
		`jsonpath={range .items[*]}{.verdict.cause} {.verdict.confidence}{"\n"}{end}`)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	upgrades := 0
	for _, l := range lines {
		if l == "hash-kubelet-upgrade proven" {
			upgrades++
		}
	}
	if upgrades == 0 {
		return "", errors.New("run the demo: it proves no upgrade: " + out)
	}
	help, err := c.command(ctx, root, nil, "kubectl", "restartwhy", "--help")
	if err != nil {
		return "", err
	}
	if !strings.Contains(help, "kubectl restartwhy") {
		return "", errors.New("run kubectl restartwhy --help: it does not call itself by the name that was typed: " + help)
	}
	return fmt.Sprintf("%d restarts, %d proven to be by an upgrade", len(lines), upgrades), nil
}
