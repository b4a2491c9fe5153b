package report

// The values of Item.WorkloadFrom, the most reliable first.
const (
	FromOwners = "owners"
	FromLabel  = "label"
	FromName   = "name"
)

// WorkloadText returns the workload for display, with how it is known, unless the API server names it. It is "" where
// nothing is known.
func (i *Item) WorkloadText() string {
	switch {
	case i.Workload == "":
		return ""
	case i.WorkloadFrom == FromLabel:
		return i.Workload + " (by label)"
	case i.WorkloadFrom == FromName:
		return i.Workload + " (by name)"
	}
	return i.Workload
}
