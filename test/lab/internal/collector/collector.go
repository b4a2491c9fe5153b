package collector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/api"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/e2e"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

// What the collector pods of the lab are made of, and where.
const (
	imageName       = "lab.local/kubectl-restartwhy:lab"
	imageInNode     = "/opt/lab/collector.tar"
	namespace       = "restartwhy"
	labels          = "app.kubernetes.io/name=restartwhy-collector"
	restrictedSpace = "restricted"
)

// Run sets up a lab, provokes a few restarts and reads them in three ways: on the node, through a pod, and through the
// node log query. All three must see the same, and no pod may remain, even if the tool fails.
func Run(ctx context.Context, lab *cluster.Lab, out io.Writer) error {
	began := time.Now()
	t, err := e2e.BuildTool(ctx, lab)
	if err != nil {
		return err
	}
	specs := []cluster.NodeSpec{{Name: "n1", Version: "v1.20.15"}, {Name: "n3", Version: "v1.37.1"}}
	if err := lab.Up(ctx, specs); err != nil {
		return err
	}
	if err := lab.StartControllers(ctx); err != nil {
		return err
	}
	var some []scenario.Scenario
	for _, s := range scenario.All() {
		switch s.Name {
		case "exits-three", "eats-memory", "fails-liveness", "pauseless", "edited", "steady":
			some = append(some, s)
		}
	}
	if err := e2e.Provoke(ctx, lab, []string{"n1", "n3"}, some, e2e.ProvokeLimit); err != nil {
		return err
	}
	c := collector{Tool: t, nodes: []string{"n1", "n3"}}
	if c.client, err = lab.Client(); err != nil {
		return err
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	lab.Say("reading the nodes in three ways")
	same, err := c.threeWays(ctx)
	if err != nil {
		return err
	}
	lab.Say("%s", same)
	var ends []string
	for _, end := range []struct {
		name string
		do   func(context.Context) (string, error)
	}{{"success", c.success}, {"failure", c.failure}, {"a namespace that forbids it", c.restricted},
		{"Ctrl-C", c.interrupt}, {"kill -9", c.kill}} {
		how, err := end.do(ctx)
		if err != nil {
			return fmt.Errorf("collector pod after %s: %w", end.name, err)
		}
		lab.Say("after %s: %s", end.name, how)
		ends = append(ends, end.name)
	}
	_, err = fmt.Fprintf(out, "collector: %s; no pod is left after %s; %.0fs\n",
		same, strings.Join(ends, ", "), time.Since(began).Seconds())
	return err
}

// collector is the tool with what its pods need.
type collector struct {
	e2e.Tool
	client *api.Client
	nodes  []string
	image  string // by its digest
}

// prepare builds the image and puts it on the nodes, creates the namespaces, and gives the outsider the rights in
// docs/rbac and no others: everything is done as this user.
func (c *collector) prepare(ctx context.Context) error {
	root := filepath.Dir(filepath.Dir(c.Path))
	archive := filepath.Join(c.Lab.Dir, "run", "collector.tar")
	cmd := exec.CommandContext(ctx, "go", "run", "./hack/image", "-name",
		imageName, "-o", archive, "linux/"+runtime.GOARCH+"="+c.Path)
	cmd.Dir = root
	ref, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("make the collector's image: %w", err)
	}
	c.image = strings.TrimSpace(string(ref))
	for _, node := range c.nodes {
		m, err := c.Lab.Machine(node)
		if err != nil {
			return err
		}
		if err := m.CopyFile(archive, imageInNode, 0o644); err != nil {
			return err
		}
		for _, args := range [][]string{{"import", imageInNode}, {"tag", "--force", imageName, c.image}} {
			if _, err := m.Run(ctx, append([]string{"ctr", "-n", "k8s.io", "images"}, args...)...); err != nil {
				return err
			}
		}
	}
	for name, level := range map[string]string{namespace: "privileged", restrictedSpace: "restricted"} {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name,
			Labels: map[string]string{"pod-security.kubernetes.io/enforce": level}}}
		if _, err := c.client.Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("make namespace %s: %w", name, err)
		}
	}
	return bindRoles(ctx, c.client, filepath.Join(root, "docs", "rbac"), cluster.Outsider,
		namespace, restrictedSpace)
}

// args returns the tool's arguments for a collection through pods, by the outsider.
func (c *collector) args(more ...string) []string {
	return append([]string{"collect", "-A", "--kubeconfig=" + c.Lab.OutsiderKubeconfig(),
		"--evidence=pod", "--collector-image=" + c.image,
		"--collector-allow=cri,proc,systemd", "--force"}, more...)
}

func (c *collector) success(ctx context.Context) (string, error) {
	if _, err := c.Run(ctx, "pod-success.txt", c.args("-o", filepath.Join(c.Results, "success.tar.zst"))...); err != nil {
		return "", err
	}
	return c.gone(ctx, 0)
}

func (c *collector) failure(ctx context.Context) (string, error) {
	_, err := c.Run(ctx, "pod-failure.txt", c.args("--collector-image=lab.local/none:1",
		"--collector-timeout=60s", "-v", "-o", filepath.Join(c.Results, "failure.tar.zst"))...)
	if err != nil {
		return "", err
	}
	if err := c.said("pod-failure.txt.stderr",
		"collector-pod: read the node through a pod: the container cannot start"); err != nil {
		return "", err
	}
	return c.gone(ctx, 0)
}

func (c *collector) restricted(ctx context.Context) (string, error) {
	_, err := c.Run(ctx, "pod-restricted.txt", c.args("--collector-namespace="+restrictedSpace,
		"-v", "-o", filepath.Join(c.Results, "restricted.tar.zst"))...)
	if err != nil {
		return "", err
	}
	if err := c.said("pod-restricted.txt.stderr", "violates PodSecurity"); err != nil {
		return "", err
	}
	return c.gone(ctx, 0)
}

// said checks the tool's output.
func (c *collector) said(name, want string) error {
	text, err := os.ReadFile(filepath.Join(c.Results, name))
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), want) {
		return fmt.Errorf("it did not say %q: %s", want, e2e.LastPart(string(text)))
	}
	return nil
}

// interrupt presses Ctrl-C while the pods run.
func (c *collector) interrupt(ctx context.Context) (string, error) {
	bundle := filepath.Join(c.Results, "interrupted.tar.zst")
	cmd, err := c.untilPods(ctx, "-o", bundle)
	if err != nil {
		return "", err
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		return "", err
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		return "", fmt.Errorf("it ended with %w, want exit code 1", err)
	}
	if _, err := os.Stat(bundle); err != nil {
		return "", fmt.Errorf("what was collected before is not kept: %w", err)
	}
	return c.gone(ctx, 0)
}

// killedTimeout is short, so that the test can wait for the cluster's own removal.
const killedTimeout = 45 * time.Second

// kill kills the tool, so that it cannot clean up.
func (c *collector) kill(ctx context.Context) (string, error) {
	// So far the nodes lacked the directory of static pods and kubeadm's configuration, and every first pod was
	// replaced by one without them. Nothing will replace these.
	for _, node := range c.nodes {
		m, err := c.Lab.Machine(node)
		if err != nil {
			return "", err
		}
		if _, err := m.Run(ctx, "mkdir", "-p", "/etc/kubernetes/manifests", "/var/log/pods"); err != nil {
			return "", err
		}
		if _, err := m.Run(ctx, "touch", "/var/lib/kubelet/config.yaml"); err != nil { // the lab's kubelets read another one
			return "", err
		}
	}
	cmd, err := c.untilPods(ctx, "--collector-timeout="+killedTimeout.String(),
		"-o", filepath.Join(c.Results, "killed.tar.zst"))
	if err != nil {
		return "", err
	}
	if err := cmd.Process.Kill(); err != nil {
		return "", err
	}
	_ = cmd.Wait() // killed on request
	ended, err := c.stdinKeepalive(ctx)
	if err != nil {
		return "", err
	}
	how, err := c.gone(ctx, killedTimeout+75*time.Second)
	return ended + ", " + how, err
}

func (c *collector) untilPods(ctx context.Context, more ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, c.Path, c.args(more...)...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		pods, err := c.client.Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: labels})
		if err == nil && len(pods.Items) >= len(c.nodes) {
			return cmd, nil
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			return nil, errors.Join(errors.New("it made no pods"), err, cmd.Wait())
		}
		if err := machine.Pause(ctx, 20*time.Millisecond); err != nil {
			return nil, errors.Join(err, cmd.Wait())
		}
	}
}

// gone waits until nothing of the tool is in the cluster, and returns how long that took: no time at all if the tool
// itself removes it.
func (c *collector) gone(ctx context.Context, limit time.Duration) (string, error) {
	began := time.Now()
	for {
		var left []string
		for _, in := range []string{namespace, restrictedSpace} {
			opts := metav1.ListOptions{LabelSelector: labels}
			pods, err := c.client.Pods(in).List(ctx, opts)
			if err != nil {
				return "", err
			}
			for _, p := range pods.Items {
				left = append(left, fmt.Sprintf("pod %s (%s)", p.Name, p.Status.Phase))
			}
			jobs, err := c.client.Jobs(in).List(ctx, opts)
			if err != nil {
				return "", err
			}
			for _, j := range jobs.Items {
				left = append(left, "job "+j.Name)
			}
		}
		took := time.Since(began)
		if len(left) == 0 {
			return fmt.Sprintf("nothing is left, %.1fs later", took.Seconds()), nil
		}
		if took > limit {
			return "", fmt.Errorf("still there after %.0fs: %s", took.Seconds(), strings.Join(left, ", "))
		}
		if err := machine.Pause(ctx, e2e.Poll); err != nil {
			return "", err
		}
	}
}
