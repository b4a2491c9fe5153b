package evidence

import "time"

// This file holds what a monitoring system remembers: counters and gauges, each read every so often. What happened
// between two readings is dated by them; only what a value itself dates is exact.

// SourceMetrics are the series of a Prometheus, or of what speaks as one.
const SourceMetrics SourceKind = "metrics"

// SourceHostMetrics are node-exporter's counters of a node's kernel.
const SourceHostMetrics SourceKind = "host-metrics"

// MetricsTellProbes is the Verbosity of a coverage of metrics: the node's kubelet shows its counters of probes, too.
const MetricsTellProbes = 1

// RestartCounted is a container's restart count that rose. The observation's time is the first reading with the new
// count, by the clock of the monitoring system.
type RestartCounted struct {
	// Count is the new count, which is the attempt of the instance that was started last, and By how much it rose.
	Count, By int
	// Since is the last reading with the older count; zero where the series begins with this one.
	Since time.Time
	// Started is when the newest instance was started and Finished when the one before it ended, as values tell: by the
	// node's clock, whole seconds. Zero where none does.
	Started, Finished time.Time
	// Began is when the one before was started, likewise.
	Began time.Time
	// ExitCode and Reason are those of the one before; nil and "" where no series tells.
	ExitCode *int32
	Reason   string
}

// Counter is what is counted.
type Counter string

// The counters.
const (
	CountedLiveness Counter = "liveness" // failed liveness probes of a container
	CountedStartup  Counter = "startup"  // failed startup probes of a container
	CountedOOM      Counter = "oom"      // kills for memory in a container's cgroup; of children too
)

// Counted is a counter that rose between two readings: Since, and the observation's time.
type Counted struct {
	Counter Counter
	By      int
	Since   time.Time
}

// ProbeTotals is how often a container's probes failed since its kubelet was started, as that kubelet counts it. A
// container without such counters has none of these: its probes never ran, or it was forgotten.
type ProbeTotals struct {
	Since             time.Time
	Liveness, Startup int
}

// MemoryNear is a container's memory right below its limit: the last reading of a stretch, and its beginning. Bytes.
type MemoryNear struct {
	WorkingSet int64
	Since      time.Time
}

// HostOOMKills is the kernel's own counter of processes that it killed for memory, of a cgroup's or the whole node's
// (Linux vmstat oom_kill), which rose between two readings: Since, and the observation's time.
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
