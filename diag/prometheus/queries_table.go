package prometheus

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The queried series, by exporter.
const (
	restartsTotal = "kube_pod_container_status_restarts_total"
	lastExitCode  = "kube_pod_container_status_last_terminated_exitcode"
	lastReason    = "kube_pod_container_status_last_terminated_reason"
	lastTime      = "kube_pod_container_status_last_terminated_timestamp" // kube-state-metrics 2.13+
	stateStarted  = "kube_pod_container_state_started"
	podInfo       = "kube_pod_info"
	podReason     = "kube_pod_status_reason"
	probeTotal    = "prober_probe_total"
	kubeletNode   = "kubelet_node_name"
	oomEvents     = "container_oom_events_total"
	workingSet    = "container_memory_working_set_bytes"
	memoryLimit   = "container_spec_memory_limit_bytes"
	bootTime      = "node_boot_time_seconds"
	oomKills      = "node_vmstat_oom_kill"
	nodeCondition = "kube_node_status_condition"
)

// exporters are the required scrape targets, each with a series that it always has and the cost of its absence.
var exporters = []struct{ name, series, costs string }{
	{"kube-state-metrics", restartsTotal, "restarts, exit codes and evictions of the past are not known"},
	{"the kubelets' /metrics", kubeletNode, "restarts and upgrades of kubelets are not known"},
	{"the kubelets' /metrics/probes", probeTotal, "failed probes of the past are not known"},
	{"the kubelets' /metrics/cadvisor", workingSet, "memory kills and the use of memory are not known"},
	{"node-exporter", bootTime, "boots of nodes are not known"},
}

// naming is how one Prometheus names labels: where a target's own labels win over the exporter's (honor_labels: false),
// the exporter's are called exported_….
type naming map[string]bool // by series

// in returns the labels of a series under their local names.
func (n naming) in(series string, labels ...string) string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = n.label(series, l)
	}
	return strings.Join(out, ", ")
}

func (n naming) label(series, label string) string {
	if n[series] && (label == "namespace" || label == "pod" || label == "container") {
		return "exported_" + label
	}
	return label
}

// asking builds queries for a scope and a step.
type asking struct {
	naming
	scope  Scope
	window time.Duration
	step   time.Duration
	pods   []string // whose count rose, or that were evicted; sorted
}

// within returns a series with the matchers of the scope.
func (a *asking) within(series string, more ...string) string {
	m := more
	if a.scope.Namespace != "" {
		m = append(m, a.label(series, "namespace")+"="+strconv.Quote(a.scope.Namespace))
	}
	if a.scope.Pods != "" {
		m = append(m, a.label(series, "pod")+"=~"+strconv.Quote(a.scope.Pods))
	}
	return series + "{" + strings.Join(m, ", ") + "}"
}

// of returns a series with the matchers of the pods that were found.
func (a *asking) of(series string, more ...string) string {
	m := append(more, a.label(series, "pod")+"=~"+strconv.Quote(strings.Join(a.pods, "|")))
	if a.scope.Namespace != "" {
		m = append(m, a.label(series, "namespace")+"="+strconv.Quote(a.scope.Namespace))
	}
	return series + "{" + strings.Join(m, ", ") + "}"
}

var ofContainer = []string{"namespace", "pod", "uid", "container"}

// rose selects the containers whose restart count rose within the window, or that appeared within it with a count.
func (a *asking) rose() string {
	g, m, w := a.in(restartsTotal, ofContainer...), a.within(restartsTotal), span(a.window)
	top := fmt.Sprintf("max by (%s) (max_over_time(%s[%s]))", g, m, w)
	low := fmt.Sprintf("min by (%s) (min_over_time(%s[%s]))", g, m, w)
	q := fmt.Sprintf("(%s - %s > 0) or (%s > 0 unless max by (%s) (%s offset %s))", top, low, top, g, m, w)
	if len(a.scope.Nodes) > 0 {
		names := make([]string, len(a.scope.Nodes))
		for i, n := range a.scope.Nodes {
			names[i] = quoteMeta(n)
		}
		on := a.in(podInfo, "namespace", "pod")
		q = fmt.Sprintf("(%s) and on (%s) max by (%s) (max_over_time(%s{node=~%q}[%s]))", q, on, on, podInfo,
			strings.Join(names, "|"), w)
	}
	return fmt.Sprintf("topk(%d, %s)", maxContainers+1, q)
}

// evicted selects the pods of the scope that were evicted within the window.
func (a *asking) evicted() string {
	return fmt.Sprintf("topk(%d, max by (%s) (max_over_time(%s[%s])) > 0)", maxContainers,
		a.in(podReason, "namespace", "pod", "uid", "reason"), a.within(podReason, ends), span(a.window))
}

// sinceWhen dates the evictions, to the precision of look.
func (a *asking) sinceWhen() string {
	return fmt.Sprintf("min by (%s) (min_over_time(timestamp(%s == 1)[%s:%s]))",
		a.in(podReason, "namespace", "pod", "uid", "reason"), a.of(podReason, ends), span(a.window), span(a.look()))
}

// look is the sampling interval for subqueries where steps would be too many.
func (a *asking) look() time.Duration { return max(a.step, a.window/4000).Truncate(time.Second) }

// ends is the matcher of the reasons for which a node ends a pod.
const ends = `reason=~"Evicted|NodeLost|Shutdown"`

// bearers selects the pods with the found names, with the nodes that they were on.
func (a *asking) bearers() string {
	return fmt.Sprintf("max by (%s) (max_over_time(%s[%s]))", a.in(podInfo, "namespace", "pod", "uid", "node"),
		a.of(podInfo), span(a.window))
}

// differs counts, for containers whose replicas disagree, the samples at which they do.
func (a *asking) differs() string {
	g, m := a.in(restartsTotal, ofContainer...), a.of(restartsTotal)
	return fmt.Sprintf("count_over_time((max by (%s) (%s) != min by (%s) (%s))[%s:%s])", g, m, g, m, span(a.window),
		span(a.look()))
}

// before returns the values at the beginning of the window of the series for which then only changes are queried.
func (a *asking) before() string {
	all := strings.Join([]string{restartsTotal, lastExitCode, lastReason, lastTime, stateStarted}, "|")
	named := strings.Replace(a.of(restartsTotal, `__name__=~`+strconv.Quote(all)), restartsTotal, "", 1)
	return fmt.Sprintf(`max by (%s, reason, series) (label_replace(%s, "series", "$1", "__name__", "(.+)"))`,
		a.in(restartsTotal, ofContainer...), named)
}

// changes selects an expression only where it changes or begins: constant series return nothing. An @ in it is the
// placeholder for an offset.
func (a *asking) changes(by, expr string) string {
	now, was := a.nowAndBefore(by, expr)
	return fmt.Sprintf("%s unless %s == %s", now, now, was)
}

// andEnds is changes with -1 where the series is gone.
func (a *asking) andEnds(by, expr string) string {
	now, was := a.nowAndBefore(by, expr)
	return fmt.Sprintf("(%s unless %s == %s) or (0 * (%s unless %s) - 1)", now, now, was, was, now)
}

func (a *asking) nowAndBefore(by, expr string) (now, before string) {
	at := func(offset string) string {
		return fmt.Sprintf("max by (%s) (%s)", by, strings.ReplaceAll(expr, "@", offset))
	}
	return at(""), at(" offset " + span(a.step))
}

// series returns the range queries about the found containers.
func (a *asking) series() []query {
	g := a.in(restartsTotal, ofContainer...)
	alive := []string{`container!=""`, `container!="POD"`}
	near := a.in(workingSet, "namespace", "pod", "container", "id")
	return []query{
		{restartsTotal, a.andEnds(g, a.of(restartsTotal)+"@")},
		{stateStarted, a.andEnds(g, a.of(stateStarted)+"@")},
		{lastExitCode, a.changes(g, a.of(lastExitCode)+"@")},
		{lastTime, a.changes(g, a.of(lastTime)+"@")},
		{lastReason, a.changes(g+", reason", a.of(lastReason)+"@ == 1")},
		{probeTotal, a.changes(a.probed())},
		{oomEvents, a.changes(a.in(oomEvents, "namespace", "pod", "container", "id"), a.of(oomEvents, alive...)+"@")},
		{
			workingSet,
			fmt.Sprintf("max by (%s) (%s) > 0.9 * max by (%s) (%s > 0)", near, a.of(workingSet, alive...), near,
				a.of(memoryLimit, alive...)),
		},
	}
}

// scrapes is the scrape interval in seconds of the exporter with the longest one, by the times of its samples in the
// last 20 minutes.
var scrapes = strings.ReplaceAll("max(min by (job) ((max_over_time(@) - min_over_time(@)) / (changes(@) > 0)))", "@",
	`timestamp({__name__=~"kube_node_info|kubelet_node_name"})[1200s:5s]`)

// The exporters say which node a target belongs to; its address never does.
const (
	kubelets = "max by (job, instance) (process_start_time_seconds@) * on (job, instance) group_right () " +
		"max by (job, instance, node, git_version) (" +
		"kubernetes_build_info@ * on (job, instance) group_left (node) max by (job, instance, node) (kubelet_node_name@))"
	ofHost = " * on (job, instance) group_left (nodename) max by (job, instance, nodename) (node_uname_info@)"
)

// probing selects the nodes whose kubelets' probe metrics are scraped. A counter includes what happened between
// scrapes.
func (a *asking) probing() string {
	return fmt.Sprintf(
		"count by (node) (max by (job, instance) (%s) * on (job, instance) group_right () max by (job, instance, node) (%s))",
		probeTotal,
		kubeletNode,
	) + a.killsSince()
}

// kills selects increases of the hosts' counters of processes killed for memory. A new counter is not an increase, nor
// is one that falls, at a boot. It is part of the query for boots: a separate query would be one of fifty.
func (a *asking) kills() string {
	return ofKills("max by (job, instance) (" + oomKills + " - " + oomKills + " offset " + span(a.step) + " > 0)")
}

// killsSince is since when each host has that counter; it is part of the query for the nodes with probe metrics.
func (a *asking) killsSince() string {
	return ofKills(fmt.Sprintf("min by (job, instance) (min_over_time(timestamp(%s)[%s:%s]))",
		oomKills, span(a.window), span(a.look())))
}

func ofKills(expr string) string {
	return ` or label_replace(max by (nodename) (` + expr + strings.ReplaceAll(ofHost, "@", "") +
		`), "series", "kills", "", "")`
}

// pressed matches the conditions under which a kubelet evicts; conditions is the number of known ones per node.
const (
	pressed    = `{status="true", condition=~"(Memory|Disk|PID)Pressure"}`
	conditions = "count by (node) (max by (node, condition) (" + nodeCondition + pressed + "))"
)

// nodes returns the range queries about nodes.
func (a *asking) nodes() []query {
	return []query{
		{kubeletNode, a.changes("node, git_version", kubelets)},
		{nodeCondition, a.andEnds("node, condition", nodeCondition+pressed+`@ == 1`)},
		{bootTime, a.changes("nodename", "max by (job, instance) (node_boot_time_seconds@)"+ofHost) + a.kills()},
	}
}

// probed selects the failed probes that can end a container.
func (a *asking) probed() (by, expr string) {
	return a.in(probeTotal, "namespace", "pod", "pod_uid", "container", "probe_type"),
		a.of(probeTotal, `result="failed"`, `probe_type=~"Liveness|Startup"`) + "@"
}

// probedBefore returns their counts at the beginning of the window.
func (a *asking) probedBefore() string {
	now, _ := a.nowAndBefore(a.probed())
	return now
}

// query is one query, and the name of its answer.
type query struct{ name, promQL string }

// span formats a duration as in PromQL.
func span(d time.Duration) string { return strconv.Itoa(int(d/time.Second)) + "s" }

// quoteMeta escapes the only regexp metacharacter that names can contain.
func quoteMeta(name string) string { return strings.ReplaceAll(name, ".", `\.`) }
