package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// own are causes that say that the process exited by itself: a signal from a neighbour that shares its process
// namespace looks the same.
var own = []string{"app-exit-error", "app-exit-zero", "app-signal", "init-container-failed"}

func nodeAttacks() []attack {
	return []attack{
		{"hole",
			"Lines around the end are lost, and something tells: a notice of the journal or of rsyslog, numbers that jump, a kubelet that says less from then on.", hole},
		{"filtered",
			"Only what a search for a word left of a log is handed over, and lines about kills do not have that word.",
			filtered},
		{"shared processes", "The pod shares its process ids with the node, or its containers with each other.", shared},
		{"memory", "The kernel killed a child in the container's cgroup, some seconds before or after the end.", memory},
		{"outer stop", "Somebody has systemd stop the unit of the container, of its pod or of all pods before the end.",
			outerStop},
		{"late kill", "The kubelet decides to kill right after the container has ended.", lateKill},
	}
}

// hole removes what one writer wrote in a window around the exit.
func hole(r *rand.Rand, t *target) (*variant, bool) {
	m := t.Machine.Clone()
	from := t.finish.Add(-time.Duration(r.IntN(40000)) * time.Millisecond)
	until := from.Add(time.Duration(1000+r.IntN(60000)) * time.Millisecond)
	lost := 0
	lose := func(writer string, until time.Time) {
		m.Each(func(_ *machine.Log, l *machine.Line) {
			if l.Writer == writer && !l.True.Before(from) && l.True.Before(until) &&
				!strings.HasPrefix(l.Text, "Linux version") {
				l.Lost = true
				lost++
			}
		})
	}
	journald := func(text string) {
		t.add(m, "kubelet", until, machine.Line{Writer: "systemd-journald", Unit: "systemd-journald.service",
			PID: 30, Text: text})
	}
	how := []string{"kubelet suppressed", "runtime suppressed", "rsyslog", "kernel's numbers", "verbosity"}[r.IntN(5)]
	switch how {
	case "kubelet suppressed":
		lose("kubelet", until)
		journald(fmt.Sprintf("Suppressed %d messages from kubelet.service", lost))
	case "runtime suppressed":
		lose("containerd", until)
		journald(fmt.Sprintf("Suppressed %d messages from containerd.service", lost))
	case "rsyslog":
		t.form = machine.Text
		lose("kubelet", until)
		lose("containerd", until)
		t.add(m, "kubelet", until, machine.Line{Writer: "rsyslogd", PID: 400,
			Text: fmt.Sprintf("imjournal: %d messages lost due to rate-limiting (20000 allowed within 600 seconds)", lost)})
	case "kernel's numbers":
		if t.form = machine.Kmsg; len(m.Boots) > 2 {
			return nil, false
		}
		lose("kernel", until)
	case "verbosity":
		m.Each(func(_ *machine.Log, l *machine.Line) {
			if l.Writer == "kubelet" && !l.True.Before(from) && strings.HasPrefix(l.Text, "I") {
				l.Lost = true
				lost++
			}
		})
	}
	if lost == 0 {
		return nil, false
	}
	e := t.put(m)
	if r.IntN(2) == 0 {
		e.Files = maps.Clone(e.Files)
		delete(e.Files, "cluster/events.json")
	}
	return &variant{how: fmt.Sprintf("%s: %d lines of %s to %s", how, lost,
		from.Format(time.TimeOnly), until.Format(time.TimeOnly)), entry: e}, true
}

func shared(r *rand.Rand, t *target) (*variant, bool) {
	field := "hostPID"
	if len(t.pod.Spec.Containers) > 1 && r.IntN(2) == 0 {
		field = "shareProcessNamespace"
	}
	e := t.put(t.Machine)
	e.Files = maps.Clone(e.Files)
	e.Files["cluster/pods.json"] = withSpec(e.Files["cluster/pods.json"], field)
	for i := range e.Truths {
		c := *e
		if c.Truths = slices.Clone(e.Truths); slices.Contains(own, c.Truths[i].Cause) {
			c.Truths[i].Cause = story.Undecided
		}
		e = &c
	}
	return &variant{how: field, entry: e}, true
}

// outerStop makes an exit of the process come from outside.
func outerStop(r *rand.Rand, t *target) (*variant, bool) {
	if !slices.Contains(own, t.cause()) || t.finish.Sub(t.began) < 4*time.Second {
		return nil, false
	}
	if t.form == machine.Text {
		t.form = machine.Journal // in text anyone may have written it
	}
	slice := "kubepods-burstable-pod" + strings.ReplaceAll(t.pod.Metadata.UID, "-", "_") + ".slice"
	unit := []string{"cri-containerd-" + t.id + ".scope", slice, "kubepods.slice"}[r.IntN(3)]
	m := t.Machine.Clone()
	at := t.finish.Truncate(time.Second).Add(-time.Duration(10+r.IntN(2900)) * time.Millisecond)
	t.add(m, "kubelet", at, machine.Line{Writer: "systemd", Unit: "init.scope", PID: 1,
		Text: "Stopping " + unit + " - libcontainer container...", Fields: map[string]string{"UNIT": unit}})
	return &variant{how: unit + " at " + at.Format("15:04:05.000"), entry: t.undecided(t.put(m))}, true
}

func withSpec(pods []byte, field string) []byte {
	var list map[string]any
	if json.Unmarshal(pods, &list) != nil {
		return pods
	}
	items, _ := list["items"].([]any)
	for _, item := range items {
		if spec, ok := item.(map[string]any)["spec"].(map[string]any); ok {
			spec[field] = true
		}
	}
	out, err := json.Marshal(list)
	if err != nil {
		return pods
	}
	return out
}

func memory(r *rand.Rand, t *target) (*variant, bool) {
	before := time.Duration(r.IntN(12000)-2000) * time.Millisecond
	at := t.finish.Add(-before)
	if t.began.After(at) || strings.HasPrefix(t.cause(), "oom-") {
		return nil, false
	}
	m := t.Machine.Clone()
	group := "/kubepods/burstable/pod" + t.pod.Metadata.UID + "/" + t.id
	for _, text := range []string{
		"worker invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		"Tasks state (memory values in pages):",
		"[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
		story.TaskRow(24711, "main"), story.TaskRow(24712, "worker"),
		fmt.Sprintf(
			"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=%s,mems_allowed=0,oom_memcg=%s,task_memcg=%s,task=worker,pid=24712,uid=0", t.id, group, group),
		"Memory cgroup out of memory: Killed process 24712 (worker) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999",
	} {
		t.add(m, "kernel", at, machine.Line{Writer: "kernel", Text: text})
	}
	v := &variant{how: fmt.Sprintf("%s before the end", before), entry: t.put(m)}
	if slices.Contains(own, t.cause()) && t.code > 0 && t.code < 126 && before > -300*time.Millisecond {
		v.entry = t.undecided(v.entry) // nothing shows whether it exited because of its child
	}
	return v, true
}

func lateKill(r *rand.Rand, t *target) (*variant, bool) {
	if !t.exact ||
		!slices.Contains(append([]string{"killed-externally", "oom-container-limit",
			"oom-node", "oom-pod-limit", "oom-child-process"}, own...), t.cause()) {
		return nil, false
	}
	m := t.Machine.Clone()
	at := t.finish.Add(time.Duration(50+r.IntN(240)) * time.Millisecond)
	id, name := t.pod.Metadata.Namespace+"/"+t.pod.Metadata.Name, t.Truths[t.truth].Container
	say := func(after time.Duration, text string) {
		t.add(m, "kubelet", at.Add(after), machine.Line{Writer: "kubelet", Unit: "kubelet.service",
			Text: "I" + at.Add(after).Format("0102 15:04:05.000000") + "      80 " + text})
	}
	say(0,
		fmt.Sprintf(
			`kuberuntime_manager.go:1021] "Message for Container of pod" containerName=%q containerStatusID={"Type":"containerd","ID":%q} pod=%q containerMessage="Container %s failed liveness probe, will be restarted"`, name, t.id, id, name))
	say(5*time.Millisecond,
		fmt.Sprintf(
			`kuberuntime_container.go:779] "Killing container with a grace period" pod=%q podUID=%q containerName=%q containerID="containerd://%s" gracePeriod=30`, id, t.pod.Metadata.UID, name, t.id))
	if r.IntN(2) == 0 {
		stop := at.Add(10 * time.Millisecond)
		t.add(m, "containerd", stop, machine.Line{Writer: "containerd", Unit: "containerd.service",
			Text: fmt.Sprintf(`time="%s" level=info msg="StopContainer for \"%s\" with timeout 30 (s)"`,
				stop.Format("2006-01-02T15:04:05.000000000Z07:00"), t.id)})
	}
	v := &variant{how: fmt.Sprintf("%s after the end", at.Sub(t.finish)), entry: t.put(m)}
	if t.code == 0 || t.code == 143 {
		v.entry = t.undecided(v.entry) // the kubelet's SIGTERM may have been faster than its log line
	}
	return v, true
}
