package collector

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// threeWays reads both nodes from inside, through pods and through the node log query, and compares the results.
func (c *collector) threeWays(ctx context.Context) (string, error) {
	path := func(name string) string { return filepath.Join(c.Results, name) }
	if err := os.MkdirAll(c.Results, 0o755); err != nil {
		return "", fmt.Errorf("make results directory: %w", err)
	}
	before := time.Now().UTC()
	args := []string{"analyze", path("cluster.tar.zst")}
	kubeconfig := "--kubeconfig=" + c.Lab.OutsiderKubeconfig()
	if _, err := c.Run(ctx, "cluster.txt", "collect", "-A", kubeconfig, "--evidence=api",
		"-o", path("cluster.tar.zst")); err != nil {
		return "", err
	}
	for _, node := range c.nodes {
		if err := c.CollectNode(ctx, node, path(node+".tar.zst")); err != nil {
			return "", err
		}
		args = append(args, path(node+".tar.zst"))
	}
	if _, err := c.Run(ctx, "pods.txt", c.args("-o", path("pods.tar.zst"))...); err != nil {
		return "", err
	}
	if _, err := c.Run(ctx, "logs.txt", "collect", "-A", kubeconfig, "--evidence=logs",
		"-o", path("logs.tar.zst")); err != nil {
		return "", err
	}
	entries, err := c.sameJournals(path)
	if err != nil {
		return "", err
	}
	lines, err := sameLines(path("n3.tar.zst"), path("logs.tar.zst"), "n3", before)
	if err != nil {
		return "", err
	}
	local, err := c.verdicts(ctx, before, "local.json", args...)
	if err != nil {
		return "", err
	}
	// The same objects of the API server for both: between two readings a pod in a crash loop loses an earlier end.
	if err := nodesOf(path("pods.tar.zst"), path("pods")); err != nil {
		return "", err
	}
	pod, err := c.verdicts(ctx, before, "pod.json", "analyze", path("cluster.tar.zst"), path("pods"))
	if err != nil {
		return "", err
	}
	for _, key := range slices.Sorted(maps.Keys(local)) {
		if pod[key] != local[key] {
			return "", fmt.Errorf("verdict about %s: on the node %q, through the pod %q", key, local[key], pod[key])
		}
	}
	if len(local) != len(pod) || len(local) < 10 {
		return "", fmt.Errorf("%d restarts on the nodes, %d through pods", len(local), len(pod))
	}
	return fmt.Sprintf(
		"%d restarts judged alike on the node and through the pod, %d journal entries and %d lines of the log query the same",
		len(local), entries, lines), nil
}

// sameJournals checks that what a pod saw begins with everything seen on the node a moment before.
func (c *collector) sameJournals(path func(string) string) (entries int, err error) {
	pods, err := contents(path("pods.tar.zst"))
	if err != nil {
		return 0, err
	}
	for _, node := range c.nodes {
		local, err := contents(path(node + ".tar.zst"))
		if err != nil {
			return 0, err
		}
		for _, kind := range []string{"kubelet", "runtime", "kernel"} {
			name := "nodes/" + node + "/journal/" + kind + ".export"
			if len(local[name]) == 0 || !bytes.HasPrefix(pods[name], local[name]) {
				return 0, fmt.Errorf("compare %s: %d bytes on the node are not the beginning of %d bytes through the pod",
					name, len(local[name]), len(pods[name]))
			}
			entries += bytes.Count(local[name], []byte("__REALTIME_TIMESTAMP="))
		}
	}
	return entries, nil
}

// sameLines checks that every line of a node's log query is in its journal, and the other way round, up to a time.
func sameLines(local, logs, node string, before time.Time) (int, error) {
	a, err := contents(local)
	if err != nil {
		return 0, err
	}
	b, err := contents(logs)
	if err != nil {
		return 0, err
	}
	journal, query := map[string]int{}, map[string]int{}
	for entry := range strings.SplitSeq(string(a["nodes/"+node+"/journal/kubelet.export"]), "\n\n") {
		kubelet, message, micros := false, "", int64(0)
		for line := range strings.Lines(entry) {
			switch name, value, _ := strings.Cut(strings.TrimRight(line, "\n"), "="); name {
			case "SYSLOG_IDENTIFIER":
				kubelet = value == "kubelet"
			case "MESSAGE":
				message = value
			case "__REALTIME_TIMESTAMP":
				_, _ = fmt.Sscan(value, &micros)
			}
		}
		if kubelet && message != "" && time.UnixMicro(micros).Before(before) {
			journal[message]++
		}
	}
	for line := range strings.Lines(string(b["nodes/"+node+"/logquery/kubelet.log"])) {
		stamp := line[:min(15, len(line))]
		at, err := time.Parse("Jan _2 15:04:05", stamp)
		head, message, found := strings.Cut(strings.TrimRight(line, "\n"), "]: ")
		if err != nil || !found || !strings.Contains(head, " kubelet[") {
			continue
		}
		if at.AddDate(before.Year(), 0, 0).Before(before.Truncate(time.Second)) {
			query[message]++
		}
	}
	for message := range query {
		if journal[message] == 0 {
			return 0, fmt.Errorf("compare the log of %s: the log query alone has %q", node, message)
		}
	}
	missing := 0
	for message := range journal {
		if query[message] == 0 {
			missing++ // the last second, cut by the truncation above
		}
	}
	if missing > 50 || len(query) < 100 {
		return 0, fmt.Errorf("compare the log of %s: %d of %d messages are not in the log query", node, missing, len(journal))
	}
	return len(query), nil
}

// verdicts returns a report's verdicts about what happened before a time. A death may have become a restart by now, and
// the API's seconds become a log's microseconds: only the instance that ended stays the same.
func (c *collector) verdicts(ctx context.Context, before time.Time, name string,
	args ...string) (map[string]string, error) {
	out, err := c.Run(ctx, name, append(args, "-o", "json")...)
	if err != nil {
		return nil, err
	}
	var report struct {
		Items []struct {
			Node, Namespace, Pod, Container string
			Time                            time.Time
			From                            struct{ ContainerID string }
			Verdict                         struct{ Cause, Mechanism, Confidence string }
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	found := map[string]string{}
	for _, i := range report.Items {
		if i.Time.Before(before) {
			found[fmt.Sprintf("%s/%s/%s/%s %s", i.Node, i.Namespace, i.Pod, i.Container, i.From.ContainerID)] =
				strings.Join([]string{i.Verdict.Cause, i.Verdict.Mechanism, i.Verdict.Confidence}, " ")
		}
	}
	return found, nil
}

func nodesOf(bundle, dir string) error {
	files, err := contents(bundle)
	if err != nil {
		return err
	}
	for name, text := range files {
		if !strings.HasPrefix(name, "nodes/") && name != "bundle.json" {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("unpack %s: %w", bundle, err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return fmt.Errorf("unpack %s: %w", bundle, err)
		}
	}
	return nil
}

func contents(path string) (map[string][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer z.Close()
	files := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if files[h.Name], err = io.ReadAll(t); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
	}
}
