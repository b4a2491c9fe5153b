package promtest

import (
	"fmt"
	"time"
)

// Container is one container and what its exporters show.
type Container struct {
	Namespace, Pod, UID, Node, Name string
	Created                         time.Time
	Restarts                        []Restart // by time
	// Failed are the times at which its liveness probe failed.
	Failed []time.Time
	// OOM are kills for memory in its cgroup, Near the times when its memory was near its limit of 64 MiB.
	OOM  []time.Time
	Near [][2]time.Time
	// NoUID: no UID in the series of its containers (kube-state-metrics 1); NoTimes: no times (before 2.13); Renamed:
	// labels that the scrape renamed (exported_pod).
	NoUID, NoTimes, Renamed bool
	// Target is the kube-state-metrics that exported it.
	Target string
}

// Restart is the end of one instance and the start of the next.
type Restart struct {
	Ended, Started time.Time
	Code           int
	Reason         string
}

const limit = 64 << 20

// Container adds the series of a container.
func (w *World) Container(c Container) {
	target := c.Target
	if target == "" {
		target = "10.0.0.9:8080"
	}
	common := []string{"job=kube-state-metrics", "instance=" + target}
	prefix := ""
	if c.Renamed {
		prefix = "exported_"
		common = append(common, "namespace=monitoring", "pod=kube-state-metrics-0", "container=kube-state-metrics")
	}
	of := func(more ...string) []string {
		return append(append(append([]string{}, common...), prefix+"namespace="+c.Namespace, prefix+"pod="+c.Pod), more...)
	}
	w.Add("kube_pod_info", Const(c.Created, 1), of("uid="+c.UID, "node="+c.Node)...)
	w.once("kube_node_info", Const(w.From, 1), append([]string{"node=" + c.Node}, common...)...)
	one := of(prefix + "container=" + c.Name)
	if !c.NoUID {
		one = append(one, "uid="+c.UID)
	}
	count, started := Const(c.Created, 0), Const(c.Created, sec(c.Created))
	var codes, times []Step
	reasons := map[string][]Step{}
	last := ""
	for i, r := range c.Restarts {
		count = append(count, Step{At: r.Started, V: float64(i + 1)})
		started = append(started, Step{At: r.Ended, Gone: true}, Step{At: r.Started, V: sec(r.Started)})
		codes, times = append(codes, Step{At: r.Ended, V: float64(r.Code)}), append(times, Step{At: r.Ended, V: sec(r.Ended)})
		if last != "" && last != r.Reason {
			reasons[last] = append(reasons[last], Step{At: r.Ended, Gone: true})
		}
		if last = r.Reason; last != "" {
			reasons[last] = append(reasons[last], Step{At: r.Ended, V: 1})
		}
	}
	w.Add("kube_pod_container_status_restarts_total", count, one...)
	w.Add("kube_pod_container_state_started", started, one...)
	if len(codes) > 0 {
		w.Add("kube_pod_container_status_last_terminated_exitcode", codes, one...)
	}
	if len(times) > 0 && !c.NoTimes {
		w.Add("kube_pod_container_status_last_terminated_timestamp", times, one...)
	}
	for reason, steps := range reasons {
		w.Add("kube_pod_container_status_last_terminated_reason", steps, append([]string{"reason=" + reason}, one...)...)
	}
	kubelet := []string{
		"job=kubelet",
		"instance=" + c.Node + ":10250",
		"namespace=" + c.Namespace,
		"pod=" + c.Pod,
		"container=" + c.Name,
	}
	var failed []Step
	for i, at := range c.Failed {
		failed = append(failed, Step{At: at, V: float64(i + 1)})
	}
	w.once(
		"prober_probe_total",
		failed,
		append([]string{"result=failed", "probe_type=Liveness", "pod_uid=" + c.UID}, kubelet...)...)
	w.once(
		"prober_probe_total",
		Const(c.Created, 1),
		append([]string{"result=successful", "probe_type=Readiness", "pod_uid=" + c.UID}, kubelet...)...)
	cadvisor := append(
		[]string{"id=/kubepods/burstable/pod" + c.UID + "/" + fmt.Sprintf("%064x", len(w.Series))},
		kubelet...)
	ooms := Const(c.Created, 0)
	for i, at := range c.OOM {
		ooms = append(ooms, Step{At: at, V: float64(i + 1)})
	}
	w.Add("container_oom_events_total", ooms, cadvisor...)
	used := Const(c.Created, 10<<20)
	for _, n := range c.Near {
		used = append(used, Step{At: n[0], V: limit - 1<<20}, Step{At: n[1], V: 10 << 20})
	}
	w.Add("container_memory_working_set_bytes", used, cadvisor...)
	w.Add("container_spec_memory_limit_bytes", Const(c.Created, limit), cadvisor...)
}

// Kubelet is one start of a kubelet.
type Kubelet struct {
	At      time.Time
	Version string
}

// Node adds the series of a node: its kubelet's starts, the first from before the world, and its boots.
func (w *World) Node(name string, kubelets []Kubelet, boots ...time.Time) {
	target := []string{"job=kubelet", "instance=" + name + ":10250"}
	var starts []Step
	versions := map[string][]Step{}
	last := ""
	for _, k := range kubelets {
		from := k.At
		if from.Before(w.From) {
			from = w.From.Add(-time.Hour)
		}
		starts = append(starts, Step{At: from, V: sec(k.At)})
		if last != "" && last != k.Version {
			versions[last] = append(versions[last], Step{At: from, Gone: true})
		}
		if last != k.Version {
			versions[k.Version] = append(versions[k.Version], Step{At: from, V: 1})
		}
		last = k.Version
	}
	w.Add("process_start_time_seconds", starts, target...)
	w.Add("kubelet_node_name", Const(w.From.Add(-time.Hour), 1), append([]string{"node=" + name}, target...)...)
	for v, steps := range versions {
		w.Add("kubernetes_build_info", steps, append([]string{"git_version=" + v}, target...)...)
	}
	exporter := []string{"job=node-exporter", "instance=" + name + ":9100"}
	booted := Const(w.From.Add(-time.Hour), sec(w.From.Add(-100*time.Hour)))
	for _, at := range boots {
		booted = append(booted, Step{At: at, V: sec(at)})
	}
	w.Add("node_boot_time_seconds", booted, exporter...)
	w.Add("node_uname_info", Const(w.From.Add(-time.Hour), 1), append([]string{"nodename=" + name}, exporter...)...)
}

// Kills adds the kernel's counter of processes that it killed for memory on a node.
func (w *World) Kills(node string, at ...time.Time) {
	steps := Const(w.From.Add(-time.Hour), 7)
	for i, t := range at {
		steps = append(steps, Step{At: t, V: float64(8 + i)})
	}
	w.Add("node_vmstat_oom_kill", steps, "job=node-exporter", "instance="+node+":9100")
}

// Evicted adds an evicted pod.
func (w *World) Evicted(namespace, pod, uid, node string, at time.Time) {
	w.Add("kube_node_status_condition",
		[]Step{{At: w.From, V: 0}, {At: at.Add(-time.Minute), V: 1}, {At: at.Add(5 * time.Minute), V: 0}},
		"job=kube-state-metrics", "instance=10.0.0.9:8080", "node="+node, "condition=MemoryPressure", "status=true")
	of := []string{
		"job=kube-state-metrics",
		"instance=10.0.0.9:8080",
		"namespace=" + namespace,
		"pod=" + pod,
		"uid=" + uid,
	}
	w.Add("kube_pod_info", Const(w.From, 1), append([]string{"node=" + node}, of...)...)
	w.Add(
		"kube_pod_status_reason",
		[]Step{{At: w.From, V: 0}, {At: at, V: 1}},
		append([]string{"reason=Evicted"}, of...)...)
}

func sec(t time.Time) float64 { return float64(t.Unix()) }
