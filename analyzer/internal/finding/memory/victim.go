package memory

import (
	"cmp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file compares the kernel's record of an out-of-memory kill with the end that it should explain.

const (
	// forks is the largest distance between the PIDs of processes created one after the other: beyond it the counter
	// may have wrapped around, and the lowest PID need not be the first.
	forks = 1 << 14
)

// child reports whether the victim was not the container's main process: the kernel's table lists that one, and it was
// not chosen.
func (f *finder) child(k *evidence.OOMKill) bool {
	if k.Group || k.PID == 0 {
		return false
	}
	for _, p := range k.Processes {
		if p.PID != k.PID && (p.PID == f.MainPID() || k.First != 0 && k.First < k.PID &&
			k.OOMMemcg == k.TaskMemcg && k.PID-k.First < forks) {
			return true
		}
	}
	return false
}

// ofMain reports whether the kernel killed the main process during its life. Nothing survives that, but a process with
// much memory, or one that waits for a disk, takes its time to end.
func (f *finder) ofMain(m timeline.Occurrence, k *evidence.OOMKill) bool {
	return k.PID != 0 && k.PID == f.MainPID() && !k.Asked && f.Exit.Code == 137 && f.Exit.OfProcess() &&
		f.InLife(f.R.From, m.At)
}

// victimFits doubts what is open about a kill: whether the kernel wrote the record, when it was, whether the victim was
// the container's main process, and whether the whole node's memory was full.
func (f *finder) victimFits(m timeline.Occurrence, k *evidence.OOMKill) {
	in := f.R.From
	id := m.Obs.ID
	_, latest := in.EndWithin()
	if end, exact := f.ExactEnd(); exact {
		latest = end
	}
	if d := latest.Sub(m.At); d > tolerance.Dies+time.Second || d < -tolerance.Jitter {
		f.Doubt("the kernel's kill and the container's end are too far apart", id)
	}
	if !m.Obs.Source.Vouched && !f.OOM.Label && !f.noticed() {
		f.Doubt("nothing confirms that the kernel wrote the record, and the runtime reports no OOM kill", id)
	}
	pid := f.MainPID()
	switch {
	case f.R.Pod == nil && k.Tasks == 1:
		f.Doubt("its pod was not read and may have had a kernel of its own: the victim is then the whole pod", id)
	case !f.OnNodesKernel():
		f.Doubt("the pod has a kernel of its own, and the node's kernel does not know the processes in it", id)
	case f.Exit.Code != 137, k.Group, k.PID != 0 && k.PID == pid:
	case k.Tasks == 1 && pid == 0 && m.Obs.Source.Origin.Counts(): // a text may have lost rows of the table
	default:
		f.Doubt("the kernel's record does not show that its victim was the container's main process", id)
	}
	if s := &m.Obs.Subject; s.PodUID != "" && !f.IsPod(s.PodUID) {
		f.Doubt("the kernel's victim was in a cgroup of this container's name that belongs to another pod", id)
	}
	if Nested(k.TaskMemcg, in.ID) && (pid == 0 || k.PID != pid) {
		f.Doubt("the kernel's victim was in a cgroup that the container created for some of its own processes", id)
	}
	if k.Constraint == "CONSTRAINT_MEMORY_POLICY" || k.Constraint == "CONSTRAINT_CPUSET" {
		f.Doubt("only the memory that the process may use was full, not the whole node's", id)
	}
}

// noticed reports whether the runtime reported an out-of-memory event at the end.
func (f *finder) noticed() bool {
	for _, m := range f.R.From.MarksWith(timeline.HasMemory) {
		if _, ok := m.Obs.Fact.(evidence.TaskOOM); ok && f.R.From.Finished.Sub(m.At).Abs() < tolerance.OOMLag {
			return true
		}
	}
	return false
}

// page is the largest size of a page: the kernel rounds limits to whole ones.
const page = 64 << 10

// othersCharged doubts that a full cgroup of the pod means that its only container was at its limit: the pod's may be
// larger, and other things count there that have no limit of their own.
func (f *finder) othersCharged(record string, k *evidence.OOMKill) {
	limit := cmp.Or(f.R.From.MemoryLimit, f.R.Spec.MemoryLimit)
	if d := f.OOM.Limit - limit; f.OOM.Limit > 0 && max(d, -d) > page {
		f.Doubt("the pod's cgroup was full, and its limit is not the container's", record)
	}
	o := f.PodObject()
	if o == nil {
		return
	}
	if len(o.Spec.EphemeralContainers) > 0 {
		f.Doubt("the pod's cgroup was full, and the memory of its ephemeral containers counts there, too", record)
	}
	former, used := f.R.From.Attempt != 0 || len(o.Spec.InitContainers) > 0, int64(0)
	for _, p := range k.Processes {
		used += p.RSS
	}
	if former && k.Tasks > 0 && used < limit/2 {
		f.Doubt("the pod's cgroup was full, and its processes used less than half of that: files that earlier containers "+
			"left in a volume in memory count there, too", record)
	}
}
