package present

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// instance describes one instance of a container in a line, "" for none. Times on the item's day have no date.
func instance(i *report.Instance, of *report.Item) string {
	if i == nil {
		return ""
	}
	attempt := ""
	if i.Attempt != nil {
		attempt = "attempt " + strconv.Itoa(*i.Attempt)
	}
	return Joined(" · ", attempt, End(i), Named("started", clock(i.StartedAt, of.Time)),
		Named("finished", clock(i.FinishedAt, of.Time)),
		i.Image, Named("hash", i.Hash), ShortID(i.ContainerID))
}

// Named puts a name before a value that is not empty.
func Named(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

// ShortID returns as much of a container's id as crictl prints, without the runtime's name.
func ShortID(id string) string {
	id = id[strings.LastIndex(id, "/")+1:]
	return id[:min(len(id), 13)]
}
