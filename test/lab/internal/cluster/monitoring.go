package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/debian"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/statemetrics"
)

// ScrapeInterval is how often the lab's Prometheus reads its targets.
const ScrapeInterval = 15 * time.Second

const (
	prometheusAddress = "127.0.0.1:19391"
	stateAddress      = "127.0.0.1:19392"
	exporterPort      = "9100"
	exporterInNode    = "/usr/local/bin/prometheus-node-exporter"
)

// PrometheusURL is where the lab's Prometheus answers.
const PrometheusURL = "http://" + prometheusAddress

// Monitor runs a Prometheus that scrapes the API server, each node's kubelet (/metrics, /metrics/probes,
// /metrics/cadvisor) and node-exporter, and the stand-in for kube-state-metrics, which ends with this program.
// Prometheus and node-exporter are Debian's. It returns once every target was scraped.
func (l *Lab) Monitor(ctx context.Context) (stop func(), err error) {
	work := filepath.Join(l.cache(), "debian")
	prometheus, err := debian.Program(ctx, work, "prometheus", "prometheus")
	if err != nil {
		return nil, err
	}
	exporter, err := debian.Program(ctx, work, "prometheus-node-exporter", "prometheus-node-exporter")
	if err != nil {
		return nil, err
	}
	client, err := l.Client()
	if err != nil {
		return nil, err
	}
	for _, n := range l.Book.Book().Nodes {
		m, err := l.Machine(n.Name)
		if err != nil {
			return nil, err
		}
		if err := m.CopyFile(exporter, exporterInNode, 0o755); err != nil {
			return nil, err
		}
		if _, err := m.Run(ctx, "systemd-run", "--unit=node-exporter", exporterInNode,
			"--web.listen-address="+net.JoinHostPort(machine.Address(n.Index), exporterPort)); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", stateAddress)
	if err != nil {
		return nil, fmt.Errorf("stand in for kube-state-metrics: %w", err)
	}
	server := &http.Server{Handler: statemetrics.Handler(client), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	stop = func() { _ = server.Close() }
	if err := l.startPrometheus(ctx, prometheus); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

func (l *Lab) startPrometheus(ctx context.Context, program string) error {
	config, targets, err := l.scrapeConfig()
	if err != nil {
		return err
	}
	file := filepath.Join(l.run(), "prometheus.yaml")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return fmt.Errorf("start prometheus: %w", err)
	}
	cmd := machine.HostCommand(program, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(l.run(), "prometheus"),
		"--web.listen-address="+prometheusAddress, "--log.level=warn")
	if err := startLogged(l.Book, "prometheus", filepath.Join(l.run(), "prometheus.log"), cmd); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 4*ScrapeInterval)
	defer cancel()
	for {
		up, err := scraped(ctx)
		if err == nil && up == targets {
			l.Say("Prometheus scrapes %d targets", targets)
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("start prometheus: %d of %d targets are scraped: %w (%s/targets tells why; %w)",
				up, targets, ctx.Err(), PrometheusURL, err)
		case <-time.After(time.Second):
		}
	}
}

// scrapeConfig returns Prometheus' configuration, with labels as the Prometheus operator sets them, and its number of
// targets.
func (l *Lab) scrapeConfig() (config []byte, targets int, err error) {
	authority := filepath.Join(l.run(), "pki", "ca.crt")
	admins, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig())
	if err != nil {
		return nil, 0, fmt.Errorf("configure prometheus: %w", err)
	}
	var kubelets, exporters []string
	for _, n := range l.Book.Book().Nodes {
		kubelets = append(kubelets, net.JoinHostPort(machine.Address(n.Index), "10250"))
		exporters = append(exporters, net.JoinHostPort(machine.Address(n.Index), exporterPort))
	}
	var jobs []any
	job := func(name, of, path, scheme string, tls map[string]any, at ...string) {
		j := map[string]any{"job_name": name, "scheme": scheme, "metrics_path": path, "honor_labels": true,
			"static_configs": []any{map[string]any{"targets": at}},
			"relabel_configs": []any{
				map[string]any{"target_label": "job", "replacement": of},
				map[string]any{"source_labels": []string{"__metrics_path__"}, "target_label": "metrics_path"}}}
		if tls != nil {
			j["authorization"], j["tls_config"] = map[string]any{"credentials": admins.BearerToken}, tls
		}
		jobs, targets = append(jobs, j), targets+len(at)
	}
	// Kubelets serve a self-signed certificate.
	own := map[string]any{"insecure_skip_verify": true}
	job("kubelet", "kubelet", "/metrics", "https", own, kubelets...)
	job("probes", "kubelet", "/metrics/probes", "https", own, kubelets...)
	job("cadvisor", "kubelet", "/metrics/cadvisor", "https", own, kubelets...)
	job("apiserver", "apiserver", "/metrics", "https", map[string]any{"ca_file": authority},
		net.JoinHostPort(machine.HostAddress, apiPort))
	job("node-exporter", "node-exporter", "/metrics", "http", nil, exporters...)
	job("kube-state-metrics", "kube-state-metrics", "/metrics", "http", nil, stateAddress)
	every := ScrapeInterval.String()
	config, err = yaml.Marshal(map[string]any{
		"global": map[string]any{"scrape_interval": every, "scrape_timeout": "10s"}, "scrape_configs": jobs})
	return config, targets, err
}

// scraped returns how many targets answered their last scrape.
func scraped(ctx context.Context) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, PrometheusURL+"/api/v1/query?query=up==1", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data struct {
			Result []any `json:"result"`
		} `json:"data"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return len(answer.Data.Result), err
}
