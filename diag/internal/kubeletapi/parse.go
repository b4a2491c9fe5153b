package kubeletapi

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

const (
	// maxAnswer limits one answer as it comes over the wire; /metrics of a large node has 3 MB.
	maxAnswer = 32 << 20
	// maxKept limits the lines that are parsed, and maxLine each line.
	maxKept, maxLine = 8 << 20, 64 << 10
	// maxProbes limits the containers; a node has up to 500 pods.
	maxProbes = 10_000
)

// The series that are read.
const (
	startTime  = "process_start_time_seconds"
	buildInfo  = "kubernetes_build_info"
	probeTotal = "prober_probe_total"
)

// process reads the kubelet's start time and version.
func (c *counters) process(r io.Reader) error {
	all, err := families(r, startTime, buildInfo)
	if err != nil {
		return err
	}
	for _, m := range all[startTime].GetMetric() {
		if at := value(m); at > 1e9 && at < 1e11 {
			c.StartedAt = time.UnixMilli(int64(at * 1000)).UTC()
		}
	}
	for _, m := range all[buildInfo].GetMetric() {
		c.Version = label(m, "git_version", "gitVersion") // gitVersion before 1.17
	}
	if c.StartedAt.IsZero() {
		return errors.New("the answer has no " + startTime)
	}
	return nil
}

func (c *counters) probes(r io.Reader) error {
	all, err := families(r, probeTotal)
	if err != nil {
		return err
	}
	by := map[[4]string]*probeCount{}
	for _, m := range all[probeTotal].GetMetric() {
		p := probeCount{Namespace: label(m, "namespace"), Pod: label(m, "pod"), UID: label(m, "pod_uid"),
			Container: label(m, "container")}
		key := [4]string{p.Namespace, p.Pod, p.UID, p.Container}
		if by[key] == nil {
			if len(by) == maxProbes {
				return fmt.Errorf("more than %d containers have probes", maxProbes)
			}
			by[key] = &p
		}
		switch label(m, "probe_type") {
		case "Liveness":
			by[key].Liveness.count(m)
		case "Startup":
			by[key].Startup.count(m)
		}
	}
	c.Probes = []probeCount{}
	for _, p := range by {
		if p.Liveness != (runs{}) || p.Startup != (runs{}) {
			c.Probes = append(c.Probes, *p)
		}
	}
	slices.SortFunc(c.Probes, func(a, b probeCount) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Pod, b.Pod), cmp.Compare(a.UID, b.UID),
			cmp.Compare(a.Container, b.Container))
	})
	return nil
}

func (r *runs) count(m *dto.Metric) {
	n := value(m)
	if !(n >= 0 && n <= most) {
		return
	}
	switch label(m, "result") {
	case "failed":
		r.Failed = int(n)
	case "successful":
		r.Succeeded = int(n)
	}
}

// families parses the lines of some series, and drops all others before anything reads them. Errors repeat nothing of
// the answer.
func families(r io.Reader, series ...string) (map[string]*dto.MetricFamily, error) {
	limited := &io.LimitedReader{R: r, N: maxAnswer + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	var kept bytes.Buffer
	for lines.Scan() {
		line := lines.Bytes()
		name, _, _ := strings.Cut(string(line[:min(len(line), 64)]), "{")
		name, _, _ = strings.Cut(name, " ")
		if slices.Contains(series, name) {
			kept.Write(line)
			kept.WriteByte('\n')
		}
		if kept.Len() > maxKept {
			return nil, fmt.Errorf("more than %d MiB of counters", maxKept>>20)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, errors.New("the answer is no list of metrics")
	case err != nil:
		return nil, err
	case limited.N == 0:
		return nil, fmt.Errorf("longer than %d MiB", maxAnswer>>20)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	all, err := parser.TextToMetricFamilies(&kept)
	if err != nil {
		return nil, errors.New("the answer is no list of metrics")
	}
	return all, nil
}

// value returns a series' value; without a TYPE line it is untyped.
func value(m *dto.Metric) float64 {
	switch {
	case m.GetCounter() != nil:
		return m.GetCounter().GetValue()
	case m.GetGauge() != nil:
		return m.GetGauge().GetValue()
	}
	return m.GetUntyped().GetValue()
}

// label returns the first of some labels that a series has.
func label(m *dto.Metric, names ...string) string {
	for _, name := range names {
		for _, l := range m.GetLabel() {
			if l.GetName() == name {
				return l.GetValue()
			}
		}
	}
	return ""
}
