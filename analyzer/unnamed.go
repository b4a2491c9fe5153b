package analyzer

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file reports containers that ended without a name, so that the answer is never "no restarts found" there.

// unnamedGaps reports the number of ends in logs that do not name the container.
func unnamedGaps(t *timeline.History, inScope func(string) bool) (gaps []report.Gap) {
	for _, node := range slices.Sorted(maps.Keys(t.Unnamed)) {
		if n := t.Unnamed[node]; n > 0 && inScope(node) {
			source := evidence.SourceRuntimeLog
			if slices.ContainsFunc(t.Snapshot.Read, func(log evidence.Span) bool {
				return log.Source == evidence.SourceKubeletLog && log.Node == node
			}) {
				source = evidence.SourceKubeletLog
			}
			gaps = append(gaps, report.Gap{
				Source: string(source), Node: node,
				Why: counted(n, " container ended", " containers ended") +
					" that the log does not name: not among the items",
				Hint: "the pods of that time (kubectl get pods -o yaml) or the container runtime's log would name them",
			})
		}
	}
	for _, node := range slices.Sorted(maps.Keys(t.UnnamedKills)) {
		if n := t.UnnamedKills[node]; n > 0 && inScope(node) {
			gaps = append(gaps, report.Gap{
				Source: string(evidence.SourceKernelLog), Node: node,
				Why: counted(n, " OOM-killed process belongs", " OOM-killed processes belong") +
					" to no container that is known to have ended: not among the items",
				Hint: "the log of the kubelet or the container runtime would show what ended then",
			})
		}
	}
	return gaps
}

// counted puts a number before a phrase in its singular or plural.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1" + one
	}
	return strconv.Itoa(n) + several
}

// wholesale is what ends containers of a node and names none of them; marks are its moments, the last one last.
type wholesale struct {
	what, why string
	marks     []timeline.Occurrence
}

func wholesales(n *timeline.NodeStory) []wholesale {
	boots := slices.DeleteFunc(slices.Clone(n.Boots), func(m timeline.Occurrence) bool {
		own, _ := m.Obs.Fact.(evidence.KernelBooted) // of one before its first line a log tells nothing
		return m.At.IsZero() || own.Reckoned ||
			m.At.Sub(n.Info.CreatedAt) < tolerance.FirstBoot // no containers existed before it
	})
	emptied := func(f evidence.Fact) bool { return f.(evidence.RuntimeTrouble).State == evidence.RuntimeEmptied }
	return slices.DeleteFunc([]wholesale{
		{"rebooted", "all its containers ended before that", boots},
		{"ran out of memory", "the kernel killed processes of it", systemOOMs(n)},
		{"found nothing of its pods in /run", "a boot empties it", spaced(n.RuntimeErrors, emptied)},
		{"dockerd was stopped", "unless live-restore is on, all containers ended with it",
			spaced(n.AdminActions, timeline.StopsDocker)},
	}, func(e wholesale) bool { return len(e.marks) == 0 })
}

// endedWithNodes adds an end without a name for each node on which containers ended, where no other end and no pod is
// known: whoever shows that a node booted asks about its containers.
func endedWithNodes(t *timeline.History) {
	if len(t.Restarts) > 0 || t.Listed() {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t.Nodes)) {
		var last timeline.Occurrence
		for _, e := range wholesales(t.Nodes[name]) {
			if m := e.marks[len(e.marks)-1]; m.At.After(last.At) {
				last = m
			}
		}
		if last.Obs == nil || upForWeeks.MatchString(last.Obs.Text.String()) {
			continue
		}
		in := &timeline.Instance{Attempt: -1, Spoken: last.At}
		t.Restarts = append(t.Restarts, &timeline.Restart{
			Kind: timeline.KindDeath, Node: name, Namespace: evidence.UsualNamespace(evidence.Unnamed),
			PodName: evidence.Unnamed, PodUID: ofNode(name),
			Container: evidence.Unnamed, Restarts: -1, From: in.Marked([]timeline.Occurrence{last}),
		})
	}
}

// upForWeeks matches what uptime and top print of a machine that nobody shows because of its boot.
var upForWeeks = regexp.MustCompile(`\bup \d{2,} days\b`)

// named reports whether an end is any but those of endedWithNodes.
func named(x *timeline.Restart) bool { return x.PodUID != ofNode(x.Node) }

// ofNode returns the UID of the pod without a name whose container ended with its node.
func ofNode(node string) string { return timeline.UnknownUID + evidence.Unnamed + "/" + node }

// unnamedEnds returns notes about nodes on which containers ended, named or not. It is called where no other end is
// known; shown: the report has the last one of each node as an item, which is all where there was one.
func unnamedEnds(t *timeline.History, inScope func(string) bool, shown bool) (notes []report.NodeNote) {
	const hint = "the node's pods name its containers: kubectl get pods -A -o yaml --field-selector spec.nodeName="
	for _, name := range slices.Sorted(maps.Keys(t.Nodes)) {
		if !inScope(name) {
			continue
		}
		all := wholesales(t.Nodes[name])
		if shown && len(all) == 1 && len(all[0].marks) == 1 {
			continue
		}
		for _, e := range all {
			last := e.marks[len(e.marks)-1]
			note := report.NodeNote{Node: name, Hint: hint + name, Evidence: []string{last.Obs.ID}, ContainersEnded: true}
			note.Text = fmt.Sprintf("%s %s: %s, but the evidence names none of them",
				e.what, last.At.UTC().Format("2006-01-02 15:04:05Z"), e.why)
			if len(e.marks) > 1 {
				note.Text += fmt.Sprintf(" (the last of %d times)", len(e.marks))
			}
			notes = append(notes, note)
		}
	}
	return notes
}

// systemOOMs returns the kubelet's reports that the kernel killed processes because of memory.
func systemOOMs(n *timeline.NodeStory) (all []timeline.Occurrence) {
	for _, m := range n.Shortages {
		if _, ok := m.Obs.Fact.(evidence.SystemOOM); ok && !m.At.IsZero() {
			all = append(all, m)
		}
	}
	return all
}

// spaced returns the moments of some facts, one for each time: those close together are one.
func spaced(all []timeline.Occurrence, is func(evidence.Fact) bool) (out []timeline.Occurrence) {
	for _, m := range all {
		if is(m.Obs.Fact) && (len(out) == 0 || m.At.Sub(out[len(out)-1].At) > tolerance.StopsApart) {
			out = append(out, m)
		}
	}
	return out
}
