package exchange

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Compare returns what happened to the containers of each node that is in the prediction and in both states. Seen is
// empty where neither the kubelet nor a container changed. Outcomes are ordered by node, and not settled: the caller
// knows the time.
func Compare(r *report.Preflight, before, now Extract) []report.PreflightOutcome {
	items := map[string][]*report.PreflightItem{}
	for i := range r.Items {
		items[r.Items[i].Node] = append(items[r.Items[i].Node], &r.Items[i])
	}
	var out []report.PreflightOutcome
	for i := range r.Nodes {
		name := r.Nodes[i].Node
		b, known := before.nodes[name]
		n, there := now.nodes[name]
		if !known || !there {
			continue
		}
		o := report.PreflightOutcome{ObservedAt: now.At.UTC(), Node: name, From: b.version,
			Now: n.version, To: r.To, Seen: exchange(b, n, before.At)}
		o.OtherVersion = o.Seen == report.SeenVersion && r.To != preflight.Same && minorOf(r.To) != minorOf(n.version)
		changed := compareNode(&o, items[name], b, n)
		if o.Seen == "" && changed {
			o.Seen = report.SeenContainers
		}
		o.Normalise()
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b report.PreflightOutcome) int { return cmp.Compare(a.Node, b.Node) })
	return out
}

// exchange returns what shows that the node's kubelet is another one, or was started again after since: an event that
// could not be read at first is not new.
func exchange(before, now nodeState, since time.Time) report.ExchangeSeen {
	switch {
	case before.version != "" && now.version != "" && before.version != now.version:
		return report.SeenVersion
	case now.started.After(before.started) && now.started.After(since):
		return report.SeenStart
	}
	return ""
}

// minorOf returns "" if it is no version.
func minorOf(version string) string {
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		return ""
	}
	return v.MinorString()
}

// compareNode counts the containers of one node, and reports whether one of them restarted or ended.
func compareNode(o *report.PreflightOutcome, items []*report.PreflightItem, before, now nodeState) (changed bool) {
	type containerName struct {
		podName
		container string
	}
	predicted := map[containerName]bool{}
	for _, it := range items {
		key := podName{it.Namespace, it.Pod}
		// Another pod of this name replaced it before the exchange, without a prediction.
		b, known := before.pods[key]
		if known && (b.uid == it.PodUID || b.mirror) {
			predicted[containerName{key, it.Container}] = true
			if !b.containers[it.Container].running {
				o.Count.NotRunning++
				continue
			}
		}
		one := report.PreflightOutcomeItem{Namespace: it.Namespace, Pod: it.Pod,
			Container: it.Container, Prediction: it.Prediction, Rule: it.Rule, Became: report.BecameMoved,
			Verdict: report.VerdictNeither}
		if predicted[containerName{key, it.Container}] {
			n, there := now.pods[key]
			var done bool
			one.Became, done = became(b, n, there, it.Container)
			one.Verdict = judge(it.Prediction, one.Became, done)
			changed = changed || one.Became == report.BecameRestarted || one.Became == report.BecameEnded && !done
		}
		o.Count.Add(&one)
		if it.Prediction != report.Stays || one.Verdict != report.VerdictRight {
			o.Items = append(o.Items, one)
		}
	}
	for key, p := range before.pods {
		for name, c := range p.containers {
			if c.running && !predicted[containerName{key, name}] {
				o.Count.Unpredicted++
			}
		}
	}
	return changed
}

// became returns what happened to a container that ran; done, that it ended with exit code 0.
func became(before, now podState, there bool, container string) (b report.Became, done bool) {
	switch {
	case before.mirror && (!there || now.leaving):
		// A static pod is no API object that someone drains: its mirror is being recreated.
		return report.BecameEnded, false
	case !there || now.leaving || !before.mirror && now.uid != before.uid:
		return report.BecameMoved, false
	}
	was, is := before.containers[container], now.containers[container]
	switch {
	case is.id != "" && is.id != was.id || is.restarts > was.restarts:
		return report.BecameRestarted, false
	case is.running:
		return report.BecameStayed, false
	}
	return report.BecameEnded, is.done && !now.failed
}

// judge compares one prediction with what happened. A container that was predicted to restart and has ended counts as
// right: a slow or missing next instance is another matter.
func judge(p report.Prediction, b report.Became, done bool) report.OutcomeVerdict {
	switch {
	case b == report.BecameMoved:
		return report.VerdictNeither
	case p != report.Restarts && p != report.Stays:
		return report.VerdictOpen
	case p == report.Restarts && b == report.BecameStayed:
		return report.VerdictWaiting
	case p == report.Restarts || b == report.BecameStayed:
		return report.VerdictRight
	case done: // its work was done, and nothing has restarted it yet
		return report.VerdictNeither
	}
	return report.VerdictWrong
}
