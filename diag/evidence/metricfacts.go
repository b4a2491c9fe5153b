package evidence

import "time"

// This file holds what a monitoring system remembers: counters and gauges, each sampled at intervals. The two samples
// around an event bound its time; only a value that is itself a timestamp is exact.

// SourceMetrics are the series of a Prometheus, or of a server with its API.
const SourceMetrics SourceKind = "metrics"

// SourceHostMetrics are node-exporter's counters of a node's kernel.
const SourceHostMetrics SourceKind = "host-metrics"

// MetricsTellProbes is the Verbosity of a coverage of metrics where the node's kubelet exposes its probe counters, too.
const MetricsTellProbes = 1

// RestartCounted is an increase of a container's restart count. The observation's time is the first sample with the new
// count, by the clock of the monitoring system.
type RestartCounted struct {
	// Count is the new count, which is the attempt of the instance started last; By is the increase.
	Count, By int
	// Since is the last sample with the older count; zero where the series begins with this one.
	Since time.Time
	// Started is when the newest instance was started and Finished when the one before it ended, as sampled values say:
	// by the node's clock, in whole seconds. Zero where no value does.
	Started, Finished time.Time
	// Began is when the previous instance was started, likewise.
	Began time.Time
	// ExitCode and Reason are from the previous instance; nil and "" where no series has them.
	ExitCode *int32
	Reason   string
}

// Counter names what is counted.
type Counter string

// The counters.
const (
	CountedLiveness Counter = "liveness" // failed liveness probes of a container
	CountedStartup  Counter = "startup"  // failed startup probes of a container
	CountedOOM      Counter = "oom"      // kills for memory in a container's cgroup; includes children
)

// Counted is an increase of a counter between two samples: Since, and the observation's time.
type Counted struct {
	Counter Counter
	By      int
	Since   time.Time
}

// ProbeTotals is how often a container's probes failed since its kubelet started, by that kubelet's counters. A
// container without such counters has no ProbeTotals: its probes never ran, or the kubelet forgot it.
type ProbeTotals struct {
	Since             time.Time
	Liveness, Startup int
}

// MemoryNear is a container's memory right below its limit: the last sample of a stretch, and its beginning. Bytes.
type MemoryNear struct {
	WorkingSet int64
	Since      time.Time
}

// HostOOMKills is an increase of the kernel's own counter of processes killed for memory, a cgroup's or the whole
// node's (Linux vmstat oom_kill), between two samples: Since, and the observation's time.
type HostOOMKills struct {
	By    int
	Since time.Time
}

func (c Counted) part() string { return string(c.Counter) }

// Statement implements Fact.
func (RestartCounted) Statement() string { return "metrics.restart-counted" }
func (Counted) Statement() string        { return "metrics.counted" }
func (HostOOMKills) Statement() string   { return "metrics.host-oom-kills" }
func (ProbeTotals) Statement() string    { return "metrics.probe-totals" }
func (MemoryNear) Statement() string     { return "metrics.memory-near-limit" }
