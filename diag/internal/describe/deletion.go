package describe

import (
	"regexp"
	"strings"
	"time"
)

// inFuture is the age of what is still to come (apimachinery util/duration HumanDuration).
const inFuture = "<invalid>"

// terminating is the status of a pod that is being deleted, with the end of its grace: its time (up to 1.10) or age.
var terminating = regexp.MustCompile(`^Terminating \((?:expires (.+)|lasts (\S+))\)$`)

// deletion reads since when a pod is being deleted.
func (p *pod) deletion(status, grace string) {
	m := terminating.FindStringSubmatch(status)
	if m == nil {
		return
	}
	if t, ok := printedTime(m[1]); ok { // it may be later than now
		p.meta["deletionTimestamp"] = t.Format(time.RFC3339)
	}
	p.leaving = m[2]
	if n, ok := number(strings.TrimSuffix(grace, "s")); ok {
		p.meta["deletionGracePeriodSeconds"] = n
	}
}

// allEnded returns the last end of the pod's containers, zero if one of them has not ended.
func (p *pod) allEnded() (last time.Time) {
	statuses, _ := p.status["containerStatuses"].([]object)
	for _, s := range statuses {
		state, _ := s["state"].(object)
		terminated, _ := state["terminated"].(object)
		finished, _ := terminated["finishedAt"].(string)
		at, err := time.Parse(time.RFC3339, finished)
		if err != nil {
			return time.Time{}
		}
		if at.After(last) {
			last = at
		}
	}
	return last
}
