// Command metrics runs the queries of diag/prometheus against a real Prometheus. It writes the past of
// diag/prometheus/promtest into its database; the result must be the same as from the tests' stand-in, fact by fact.
//
// Prometheus is unpacked from Debian's package below -work and never installed; an installed one is used.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus/promtest"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/debian"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	work := flag.String("work", ".cache/metrics", "directory for the package and the database")
	program.Main(func(ctx context.Context) error { return run(ctx, *work) })
}

func run(ctx context.Context, work string) error {
	bin, err := unpacked(ctx, work)
	if err != nil {
		return fmt.Errorf("get prometheus: %w", err)
	}
	world := promtest.Scenario()
	address, stop, err := serve(ctx, bin, work, world)
	if err != nil {
		return fmt.Errorf("run prometheus: %w", err)
	}
	defer stop()
	standIn := httptest.NewServer(&promtest.Server{World: world})
	defer standIn.Close()
	told := 0
	for _, scope := range []prometheus.Scope{{}, {Namespace: "shop", Pods: "web-0|db-.*"}, {Namespace: "none"}} {
		real, err := read(ctx, address, world, scope)
		if err != nil {
			return err
		}
		made, err := read(ctx, standIn.URL, world, scope)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(made, real); diff != "" {
			return fmt.Errorf("scope %+v: the stand-in (-) and Prometheus (+) differ:\n%s", scope, diff)
		}
		told = max(told, len(real))
	}
	one, err := read(ctx, address, world, prometheus.Scope{Nodes: []string{"n2"}})
	if err != nil {
		return err
	}
	if text := strings.Join(one, "\n"); strings.Contains(text, "loop-0") || !strings.Contains(text, "big-0") {
		return fmt.Errorf("what is told of n2:\n%s", text)
	}
	if err := rules(ctx, bin, work); err != nil {
		return fmt.Errorf("check the rules of contrib: %w", err)
	}
	spent, err := crowd(ctx)
	if err != nil {
		return fmt.Errorf("read a large cluster's past: %w", err)
	}
	fmt.Printf("metrics: a real Prometheus and the stand-in tell the same %d things; %s\n", told, spent)
	return nil
}

// rules has promtool check the rules, which are below spec.
func rules(ctx context.Context, bin, work string) error {
	data, err := os.ReadFile("contrib/prometheusrule.yaml")
	if err != nil {
		return err
	}
	var rule struct {
		Spec map[string]any `json:"spec"`
	}
	if err := yaml.Unmarshal(data, &rule); err != nil {
		return err
	}
	if data, err = yaml.Marshal(rule.Spec); err != nil {
		return err
	}
	file := filepath.Join(work, "rules.yaml")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	return debian.Run(ctx, ".", filepath.Join(bin, "promtool"), "check", "rules", file)
}

// read returns what a server answers: each fact and gap as a line.
func read(ctx context.Context, address string, w *promtest.World, scope prometheus.Scope) ([]string, error) {
	api, err := prometheus.Direct(address, prometheus.Access{})
	if err != nil {
		return nil, err
	}
	scope.Since = w.Until.Sub(promtest.T0)
	source := prometheus.NewSource(api, scope, func() time.Time { return w.Until })
	pieces, gaps := source.Collect(ctx)
	b := evidence.NewBuilder(w.Until)
	for _, p := range pieces {
		p.Observe(b)
	}
	for _, g := range gaps {
		b.Gap(g)
	}
	s := b.Build()
	var out []string
	for i := range s.Observations {
		o := &s.Observations[i]
		out = append(
			out,
			fmt.Sprintf("%s %s %s: %s", o.Time.Format(time.RFC3339), o.Subject.Node, o.Fact.Statement(), o.Text),
		)
	}
	for _, g := range s.Gaps {
		out = append(out, "gap: "+g.Why)
	}
	if len(out) == 0 {
		return nil, errors.New("nothing was read")
	}
	return out, nil
}

func unpacked(ctx context.Context, work string) (string, error) {
	path, err := debian.Program(ctx, work, "prometheus", "promtool")
	return filepath.Dir(path), err
}

func serve(ctx context.Context, bin, work string, w *promtest.World) (address string, stop func(), err error) {
	data := filepath.Join(work, "data")
	if err := errors.Join(os.RemoveAll(data), os.MkdirAll(data, 0o755)); err != nil {
		return "", nil, err
	}
	text := filepath.Join(work, "world.txt")
	f, err := os.Create(text)
	if err != nil {
		return "", nil, err
	}
	if err := errors.Join(
		openMetrics(f, w),
		f.Close(),
		os.WriteFile(filepath.Join(work, "empty.yml"), nil, 0o644),
	); err != nil {
		return "", nil, err
	}
	if err := debian.Run(
		ctx,
		".",
		filepath.Join(bin, "promtool"),
		"tsdb",
		"create-blocks-from",
		"openmetrics",
		text,
		data,
	); err != nil {
		return "", nil, err
	}
	const listen = "127.0.0.1:19390"
	cmd := exec.CommandContext(
		ctx,
		filepath.Join(bin, "prometheus"),
		"--config.file="+filepath.Join(work, "empty.yml"),
		"--storage.tsdb.path="+data,
		"--storage.tsdb.retention.time=100y",
		"--web.listen-address="+listen,
		"--log.level=warn",
		"--query.lookback-delta=29s",
	)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	for range 100 {
		if r, err := http.Get("http://" + listen + "/-/ready"); err == nil {
			_ = r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return "http://" + listen, stop, nil
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New("it does not get ready")
}

// openMetrics writes all samples as `promtool tsdb create-blocks-from openmetrics` reads them.
func openMetrics(out io.Writer, w *promtest.World) error {
	byName := map[string][]*promtest.Series{}
	for _, s := range w.Series {
		byName[s.Name] = append(byName[s.Name], s)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if _, err := fmt.Fprintf(out, "# TYPE %s unknown\n", name); err != nil {
			return err
		}
		for _, s := range byName[name] {
			var labels []string
			for _, k := range slices.Sorted(maps.Keys(s.Labels)) {
				labels = append(labels, fmt.Sprintf("%s=%q", k, s.Labels[k]))
			}
			prefix := name + "{" + strings.Join(labels, ",") + "} "
			for t := w.From.Truncate(w.Interval); !t.After(w.Until); t = t.Add(w.Interval) {
				if v, ok := w.At(s, t); ok {
					if _, err := fmt.Fprintf(out, "%s%v %d\n", prefix, v, t.Unix()); err != nil {
						return err
					}
				}
			}
		}
	}
	_, err := fmt.Fprintln(out, "# EOF")
	return err
}
