package data

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// MostSeries limits the series of one metric. Workloads, namespaces and nodes are as many as a cluster has; those
// beyond the limit are summed up under the value "(other)".
const MostSeries = 1000

// other replaces the workloads, namespaces and nodes of series beyond the limit.
const other = "(other)"

// series is one combination of labels.
type series struct{ cause, confidence, kind, node, namespace, workload string }

func (s series) compare(t series) int {
	return cmp.Or(cmp.Compare(s.cause, t.cause), cmp.Compare(s.confidence, t.confidence), cmp.Compare(s.kind, t.kind),
		cmp.Compare(s.node, t.node), cmp.Compare(s.namespace, t.namespace), cmp.Compare(s.workload, t.workload))
}

func (s series) labels() string {
	return fmt.Sprintf(`cause="%s",confidence="%s",kind="%s",node="%s",namespace="%s",workload="%s"`,
		labelValue(s.cause), labelValue(s.confidence), labelValue(s.kind), labelValue(s.node),
		labelValue(s.namespace), labelValue(s.workload))
}

// Prometheus writes counts in the text format, for the textfile collector of the node exporter or a push gateway. They
// are gauges: each report counts only what is in its scope. That collector accepts no timestamps, so the time of the
// report is a separate metric.
func Prometheus(w io.Writer, r *report.Report) error {
	counts := map[series]int{}
	for i := range r.Items {
		if item := &r.Items[i]; item.Kind != report.None {
			v := &item.Verdict
			counts[series{v.Cause, string(v.Confidence), string(item.Kind), item.Node, item.Namespace, item.Workload}]++
		}
	}
	folded := bound(counts)
	var b strings.Builder
	family(&b, "restartwhy_restarts",
		"Container restarts, deaths and refusals in the scope of the report, by root cause and confidence.")
	for _, s := range slices.SortedFunc(maps.Keys(counts), series.compare) {
		fmt.Fprintf(&b, "restartwhy_restarts{%s} %d\n", s.labels(), counts[s])
	}
	incidents := map[string]int{}
	for i := range r.Incidents {
		incidents[r.Incidents[i].Cause]++
	}
	family(&b, "restartwhy_incidents", "Groups of restarts that share one root, by root cause.")
	for _, cause := range slices.Sorted(maps.Keys(incidents)) {
		fmt.Fprintf(&b, "restartwhy_incidents{cause=\"%s\"} %d\n", labelValue(cause), incidents[cause])
	}
	gaps := map[string]int{}
	for i := range r.Gaps {
		gaps[r.Gaps[i].Source]++
	}
	family(&b, "restartwhy_evidence_gaps", "Pieces of evidence that could not be read, by source.")
	for _, source := range slices.Sorted(maps.Keys(gaps)) {
		fmt.Fprintf(&b, "restartwhy_evidence_gaps{source=\"%s\"} %d\n", labelValue(source), gaps[source])
	}
	family(&b, "restartwhy_series_folded", "Combinations of labels of restartwhy_restarts that were summed up as (other).")
	fmt.Fprintf(&b, "restartwhy_series_folded %d\n", folded)
	family(&b, "restartwhy_report_timestamp_seconds", "When the report was made, in seconds since the epoch.")
	fmt.Fprintf(&b, "restartwhy_report_timestamp_seconds %d\n", r.GeneratedAt.Unix())
	family(&b, "restartwhy_report_info", "The version that made the report.")
	fmt.Fprintf(&b, "restartwhy_report_info{version=\"%s\"} 1\n", labelValue(r.Tool.Version))
	_, err := io.WriteString(w, b.String())
	return err
}

// bound sums up the smallest series until the rest is within the limit, and returns how many it folded. Sums over cause
// and confidence stay exact: those two and the kind have few values, and are kept.
func bound(counts map[series]int) (folded int) {
	if len(counts) <= MostSeries {
		return 0
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b series) int {
		return cmp.Or(counts[b]-counts[a], a.compare(b))
	})
	for _, s := range all[MostSeries:] {
		n := counts[s]
		delete(counts, s)
		s.node, s.namespace, s.workload = other, other, other
		counts[s] += n
		folded++
	}
	return folded
}

func family(b *strings.Builder, name, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

// labelEscapes are the escapes of the text format within a label's value.
var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func labelValue(s string) string { return labelEscapes.Replace(strings.ToValidUTF8(s, "\uFFFD")) }
