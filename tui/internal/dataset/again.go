package dataset

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// item returns the index of the item with this id, or None.
func (ds *Dataset) item(id string) int32 {
	return int32(slices.IndexFunc(ds.Report.Items, func(it report.Item) bool { return it.ID == id }))
}

// Again returns the index of the item for the same restart as it, which comes from an older report, or None. Better
// evidence gives a restart another id.
func (ds *Dataset) Again(it *report.Item) int32 {
	if i := ds.item(it.ID); i != None {
		return i
	}
	return int32(slices.IndexFunc(ds.Report.Items, func(o report.Item) bool { return sameRestart(&o, it) }))
}

func sameRestart(a, b *report.Item) bool {
	if a.Namespace != b.Namespace || a.Pod != b.Pod || a.PodUID != b.PodUID || a.Container != b.Container {
		return false
	}
	if a.From != nil && b.From != nil && a.From.ContainerID != "" && b.From.ContainerID != "" {
		return a.From.ContainerID == b.From.ContainerID
	}
	return a.Kind == b.Kind && a.Time != nil && b.Time != nil && a.Time.Equal(*b.Time)
}

// Arrivals counts the items of a newer dataset that the older one does not have.
func Arrivals(old, now *Dataset) (n int) {
	had := make(map[string]bool, len(old.Report.Items))
	for i := range old.Report.Items {
		had[old.Report.Items[i].End()] = true
	}
	for i := range now.Report.Items {
		if !had[now.Report.Items[i].End()] {
			n++
		}
	}
	return n
}
