package present

import (
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// TableOptions say which rows and columns a table of items has.
type TableOptions struct {
	// Wide adds the columns that do not fit a terminal.
	Wide bool
	// Ages shows how long ago it was instead of when: right for a live cluster, wrong for a recording.
	Ages bool
	// Loops merges one container's restarts for one cause into a single row with their number: a crash loop of a day is
	// hundreds of rows that hide the one with another cause.
	Loops bool
	// Rows is how many are shown, 0 for all.
	Rows int
	// Link is the address of an item on the same page, "" for none.
	Link func(item int) string
}

// Row is one row of a table of items: the newest of the items that it covers.
type Row struct {
	Item  int // index into the report
	Times int
}

// Rows returns the rows of a table of items, newest first.
func Rows(r *report.Report, loops bool) []Row {
	type loop struct {
		podUID, namespace, pod, container, cause string
		kind                                     report.ItemKind
		confidence                               report.Confidence
	}
	if !loops {
		rows := make([]Row, len(r.Items))
		for n := range rows {
			rows[n] = Row{n, 1}
		}
		return rows
	}
	var rows []Row
	at := map[loop]int{}
	for n := range r.Items {
		i := &r.Items[n]
		of := loop{i.PodUID, i.Namespace, i.Pod, i.Container, i.Verdict.Cause, i.Kind, i.Verdict.Confidence}
		if of.kind == report.Death { // the last end of a crash loop, not restarted yet: its row says so
			of.kind = report.Restart
		}
		if row, ok := at[of]; ok {
			rows[row].Times++
			continue
		}
		at[of] = len(rows)
		rows = append(rows, Row{n, 1})
	}
	return rows
}

// column is one column of the table of items.
type column struct {
	head string
	cell func(i *report.Item) document.Text
}

func text(head string, cell func(i *report.Item) string) column {
	return column{head, func(i *report.Item) document.Text { return document.Say(cell(i)) }}
}

// Table returns the table of items.
func Table(r *report.Report, o TableOptions) document.Table {
	rows := Rows(r, o.Loops)
	var t document.Table
	cols := columns(r, o)
	repeated := len(rows) < len(r.Items)
	for _, c := range cols {
		if c.head == "CAUSE" && repeated {
			t.Heads = append(t.Heads, "TIMES")
		}
		t.Heads = append(t.Heads, c.head)
	}
	rows, left := First(rows, o.Rows)
	if left > 0 {
		t.More = report.Count(left, "older row") + " not shown"
	}
	t.Rows = make([]document.Row, 0, len(rows))
	for _, row := range rows {
		i := &r.Items[row.Item]
		cells := make([]document.Text, 0, len(t.Heads))
		for _, c := range cols {
			if c.head == "CAUSE" && repeated {
				cells = append(cells, document.Say(strconv.Itoa(row.Times)))
			}
			cell := c.cell(i)
			if c.head == "POD" && o.Link != nil && len(cell) == 1 {
				cell[0].To = o.Link(row.Item)
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	return t
}

func columns(r *report.Report, o TableOptions) []column {
	when := text("WHEN", func(i *report.Item) string { return Stamp(i.Time) })
	age := text("AGE", func(i *report.Item) string { return age(r, i.Time) })
	var cols []column
	add := func(more ...column) { cols = append(cols, more...) }
	if severalNamespaces(r) {
		add(text("NAMESPACE", func(i *report.Item) string { return i.Namespace }))
	}
	add(text("POD", func(i *report.Item) string { return i.Pod }),
		text("CONTAINER", func(i *report.Item) string { return i.Container }))
	if severalKinds(r) || o.Wide {
		add(text("KIND", func(i *report.Item) string { return string(i.Kind) }))
	}
	if o.Ages {
		add(age)
	} else {
		add(when)
	}
	add(text("CAUSE", func(i *report.Item) string { return i.Verdict.Cause }),
		column{"CONFIDENCE", func(i *report.Item) document.Text { return document.Word(string(i.Verdict.Confidence)) }})
	if o.Wide {
		if o.Ages {
			add(when)
		}
		add(text("TYPE", func(i *report.Item) string { return i.ContainerKind }),
			text("WORKLOAD", func(i *report.Item) string { return i.WorkloadText() }),
			text("NODE", func(i *report.Item) string { return i.Node }),
			text("MECHANISM", func(i *report.Item) string { return i.Verdict.Mechanism }),
			text("EXIT", func(i *report.Item) string { return End(i.From) }),
			text("FROM", func(i *report.Item) string { return shortInstance(i.From) }),
			text("TO", func(i *report.Item) string { return shortInstance(i.To) }),
			text("INCIDENT", func(i *report.Item) string { return i.Incident }),
			text("EVIDENCE", func(i *report.Item) string { return strconv.Itoa(len(i.Verdict.Cited())) }))
	}
	add(text("SUMMARY", Sentence))
	return cols
}

func age(r *report.Report, t *time.Time) string {
	if t == nil {
		return ""
	}
	return duration.HumanDuration(r.GeneratedAt.Sub(*t))
}

func severalNamespaces(r *report.Report) bool {
	if r.Scope.AllNamespaces {
		return true
	}
	for i := range r.Items {
		if r.Items[i].Namespace != r.Items[0].Namespace {
			return true
		}
	}
	return false
}

// severalKinds reports whether the table needs the kind: a column that says Restart in every row is useless.
func severalKinds(r *report.Report) bool {
	return slices.ContainsFunc(r.Items, func(i report.Item) bool { return i.Kind != report.Restart })
}

func shortInstance(i *report.Instance) string {
	if i == nil {
		return ""
	}
	id := ShortID(i.ContainerID)
	if i.Attempt != nil {
		id += "#" + strconv.Itoa(*i.Attempt)
	}
	return id
}
