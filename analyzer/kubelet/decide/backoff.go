package decide

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// BackOff is the kubelet's memory of crashes by container name (client-go flowcontrol.Backoff). A kubelet that has just
// started has none.
type BackOff map[string]BackOffEntry

// BackOffEntry is one container's delay and when it was last set.
type BackOffEntry struct {
	Delay      time.Duration
	LastUpdate time.Time
}

// The kubelet's defaults (kubelet.go MaxContainerBackOff, backOffPeriod; 1.33+ reducedMax and reducedInitial behind
// ReduceDefaultCrashLoopBackOffDecay), and how long a container must have run since 1.32 for its crashes to be
// forgotten.
const (
	backOffBase    = 10 * time.Second
	backOffMax     = 5 * time.Minute
	reducedBase    = time.Second
	reducedMax     = time.Minute
	backOffForgets = 10 * time.Minute
)

// BackOffLimits returns the first delay and the longest one of a kubelet (kubelet.go newCrashLoopBackOff). configured
// is its maxContainerRestartPeriod, 0 for the default: 5 minutes if its gate is on, regardless of ReduceDefault…
// (apis/config/v1beta1/defaults.go).
func BackOffLimits(p kubelet.Profile, configured time.Duration) (base, longest time.Duration) {
	base, longest = backOffBase, backOffMax
	if p.Gates.On(kubelet.ReduceDefaultCrashLoopBackOffDecay) {
		base, longest = reducedBase, reducedMax
	}
	if p.Gates.On(kubelet.KubeletCrashLoopBackOffMax) {
		longest = backOffMax
		if configured > 0 {
			longest = configured
		}
		base = min(base, longest)
	}
	return base, longest
}

// expired reports whether the container ran long enough after its last start for its crashes to be forgotten.
func (e BackOffEntry) expired(p kubelet.Profile, longest time.Duration, finished time.Time) bool {
	limit := 2 * longest
	if p.Minor >= 32 {
		limit = backOffForgets
	}
	return finished.Sub(e.LastUpdate) > limit
}

// after computes what delays the starts, and their restart counts.
func (d *decision) after(now time.Time) {
	for _, list := range []struct {
		kind    Kind
		indices []int
	}{
		{KindEphemeral, d.a.EphemeralContainersToStart},
		{KindInit, d.a.InitContainersToStart},
		{KindRegular, d.a.ContainersToStart},
	} {
		for _, i := range list.indices {
			name := d.nameOf(list.kind, i)
			d.backOff(list.kind, i, name, now)
			d.count(list.kind, i, name)
		}
	}
}

func (d *decision) nameOf(kind Kind, i int) string {
	switch kind {
	case KindInit:
		return d.pod.Spec.InitContainers[i].Name
	case KindEphemeral:
		return d.pod.Spec.EphemeralContainers[i].Name
	case KindRegular:
	}
	return d.pod.Spec.Containers[i].Name
}

// backOff is doBackOff: the clock runs from the end of the newest exited record.
func (d *decision) backOff(kind Kind, i int, name string, now time.Time) {
	var last *Container
	for j := range d.s.Containers {
		if st := &d.s.Containers[j]; st.Name == name && st.State == StateExited {
			last = st
			break
		}
	}
	if last == nil {
		return
	}
	entry, known := d.o.BackOff[name]
	_, longest := BackOffLimits(*d.p, d.o.MaxBackOff)
	waits := known && !entry.expired(*d.p, longest, last.FinishedAt) && now.Sub(last.FinishedAt) < entry.Delay
	if d.ask(&bBackOff, waits, name, func() string {
		if !known {
			return "this kubelet does not remember an earlier crash"
		}
		return fmt.Sprintf("the delay is %s, the last exit was %s ago", entry.Delay,
			now.Sub(last.FinishedAt).Round(time.Second))
	}) {
		d.a.BackOff = append(d.a.BackOff, Wait{Kind: kind, Index: i, Name: name,
			Until: last.FinishedAt.Add(entry.Delay), Delay: entry.Delay})
	}
}

func (d *decision) count(kind Kind, i int, name string) {
	st := d.s.find(name)
	r := Attempt{Kind: kind, Index: i, Name: name, Known: st != nil || d.p.Minor <= 20}
	if st != nil {
		r.Count = st.RestartCount + 1
	} else if files, ok := d.s.LogFiles[name]; ok && d.p.Minor >= 21 {
		r.Count, r.Known = CountFromLogs(*d.p, files)
	}
	d.ask(&bCount, st != nil, name, func() string {
		switch {
		case st != nil:
			return fmt.Sprintf("the record says %d", st.RestartCount)
		case d.p.Minor <= 20:
			return "no record is left: the count starts at 0 again"
		case r.Known:
			return fmt.Sprintf("no record is left: from the files in its log directory, the count is %d", r.Count)
		}
		return "no record is left: the highest number in the pod's log directory decides, 0 without one"
	})
	d.a.Restarts = append(d.a.Restarts, r)
}
