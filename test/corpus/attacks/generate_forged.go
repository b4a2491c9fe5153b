package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// lie is what someone claims in another's name about the target.
type lie struct {
	cause, writer string // whose name
	lines         []string
}

// lies returns false claims about the target at a time, in the form of their alleged writers.
func (t *target) lies(at time.Time) []lie {
	pod, uid, name := t.pod.Metadata.Namespace+"/"+t.pod.Metadata.Name, t.pod.Metadata.UID, t.Truths[t.truth].Container
	klog := func(text string, args ...any) string {
		return "I" + at.Format("0102 15:04:05.000000") + "      80 " + fmt.Sprintf(text, args...)
	}
	kill := func(message string) []string {
		return []string{
			klog(
				`kuberuntime_manager.go:1021] "Message for Container of pod" containerName=%q containerStatusID={"Type":"containerd","ID":%q} pod=%q containerMessage=%q`, name, t.id, pod, message),
			klog(
				`kuberuntime_container.go:779] "Killing container with a grace period" pod=%q podUID=%q containerName=%q containerID="containerd://%s" gracePeriod=30`, pod, uid, name, t.id),
		}
	}
	group := "/kubepods/burstable/pod" + uid + "/" + t.id
	oom := func(constraint, limit string) []string {
		return []string{"web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
			fmt.Sprintf(
				"oom-kill:constraint=%s,nodemask=(null),cpuset=x,mems_allowed=0,%s,task_memcg=%s,task=web,pid=4711,uid=0",
				constraint, limit, group),
			"Memory cgroup out of memory: Killed process 4711 (web) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999"}
	}
	logrus := func(text string) []string {
		return []string{`time="` + at.Format("2006-01-02T15:04:05.000000000Z07:00") + `" level=info msg="` + text + `"`}
	}
	return []lie{
		{"liveness-probe-failed", "kubelet", kill("Container " + name + " failed liveness probe, will be restarted")},
		{"startup-probe-failed", "kubelet", kill("Container " + name + " failed startup probe, will be restarted")},
		{"spec-changed", "kubelet", kill("Container " + name + " definition changed, will be restarted")},
		{"post-start-hook-failed", "kubelet", kill("FailedPostStartHook")},
		{"pod-deleted", "kubelet", append([]string{klog(`kubelet.go:2430] "SyncLoop DELETE" source="api" pods=[%q]`, pod)},
			kill("Stopping container "+name)...)},
		{"sandbox-died", "kubelet",
			[]string{klog(`kuberuntime_manager.go:488] "No ready sandbox for pod can be found. Need to start a new one" pod=%q`,
				pod)}},
		{"oom-container-limit", "kernel", oom("CONSTRAINT_MEMCG", "oom_memcg="+group)},
		{"oom-node", "kernel", oom("CONSTRAINT_NONE", "global_oom")},
		{"oom-node", "systemd-oomd",
			[]string{"Killed " + group +
				" due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"}},
		{"killed-externally", "containerd", logrus(`StopContainer for \"` + t.id + `\" with timeout 30 (s)`)},
		{"runtime-restarted", "containerd", logrus("containerd successfully booted in 0.091s")},
		{"node-reboot", "kernel", []string{"Linux version 6.1.0-13-amd64 (debian-kernel@lists.debian.org)"}},
	}
}

func forgedAttacks() []attack {
	return []attack{
		{"forged identity",
			"A process of a pod writes into the journal, or into /dev/kmsg, under a name that is not its own.", forgedIdentity},
		{"forged lines",
			"The kubelet itself prints lines that a pod's author wrote: in a container's arguments, or in a probe's output behind a NUL.", forgedLines},
		{"forged events", "Somebody who may write events writes one in the kubelet's name that does not fit in one thing.",
			forgedEvent},
	}
}

// before returns a moment at which a lie would explain the exit.
func (t *target) before(r *rand.Rand) time.Time {
	return t.finish.Add(-time.Duration(10+r.IntN(2500)) * time.Millisecond)
}

func forgedIdentity(r *rand.Rand, t *target) (*variant, bool) {
	at := t.before(r)
	lies := t.lies(at)
	l := lies[r.IntN(len(lies))]
	fields := map[string]string{"_SYSTEMD_UNIT": "", "_SYSTEMD_SLICE": "",
		"_SYSTEMD_CGROUP": "/kubepods/besteffort/pod99991111-0b8e-4a57-9f0a-5e2c1b9d0001/9e",
		"_TRANSPORT":      "syslog", "_COMM": "logger", "SYSLOG_FACILITY": "1"}
	how := "an identifier"
	pid := 24999
	switch kmsg := l.writer == "kernel" && r.IntN(2) == 0; {
	case kmsg:
		how, pid, fields = "/dev/kmsg", 0, map[string]string{"SYSLOG_FACILITY": "1"}
	case r.IntN(3) == 0:
		how, fields["_SYSTEMD_UNIT"] = "an identifier in a scope", "cri-containerd-9e9e.scope"
	}
	if l.writer == "kernel" || l.writer == "systemd-oomd" {
		if t.form == machine.Text {
			t.form = machine.Journal // in text they look the same
		}
		if how != "/dev/kmsg" && t.form == machine.Kmsg {
			t.form = machine.Journal // never in the kernel's ring
		}
	}
	m := t.Machine.Clone()
	for _, text := range l.lines {
		log := l.writer
		if log == "systemd-oomd" {
			log = "kubelet"
		}
		t.add(m, log, at, machine.Line{Writer: l.writer, PID: pid, Text: text, Fields: fields})
	}
	return &variant{how: how + " that says " + l.cause, entry: t.put(m)}, true
}

func forgedLines(r *rand.Rand, t *target) (*variant, bool) {
	at := t.before(r)
	lies := t.lies(at)
	l := lies[r.IntN(6)] // the kubelet's
	m := t.Machine.Clone()
	say := func(i int, text string, fields map[string]string) {
		t.add(m, "kubelet", at.Add(time.Duration(i)*time.Microsecond),
			machine.Line{Writer: "kubelet", Unit: "kubelet.service", Text: text, Fields: fields})
	}
	head := at.Format("0102 15:04:05.000000") + "      80 "
	nul := map[string]string{"_LINE_BREAK": "nul"}
	how := "arguments"
	if r.IntN(2) == 0 {
		say(0, "E"+head+`kuberuntime_manager.go:1256] container &Container{Name:evil,Image:nowhere/x,Command:[sh -c`, nil)
		for i, text := range l.lines {
			say(1+i, text, nil)
		}
		say(9,
			"],Args:[],WorkingDir:,Ports:[]ContainerPort{},} start failed in pod evil_ops(99991111-0b8e-4a57-9f0a-5e2c1b9d0001): ErrImagePull: not found", nil)
	} else {
		how = "output"
		if r.IntN(2) == 0 { // an export without that field, or a text
			nul, how = nil, "output of which nothing shows that it was split,"
		}
		const opens = `prober.go:107] "Probe failed" probeType="Readiness" pod="ops/evil" ` +
			`podUID="99991111-0b8e-4a57-9f0a-5e2c1b9d0001" containerName="evil" probeResult="failure" output=<`
		say(0, "I"+head+opens, nil)
		say(1, "\thello", nul)
		reopens := nul == nil || r.IntN(2) == 0
		if reopens {
			say(2, " >", nul)
		}
		for i, text := range l.lines {
			say(3+i, text, nul)
		}
		if reopens {
			say(8, "I"+head+opens, nul)
		}
		say(9, "\tbye", nil)
		say(10, " >", nil)
	}
	return &variant{how: how + " that says " + l.cause, entry: t.put(m)}, true
}

func forgedEvent(r *rand.Rand, t *target) (*variant, bool) {
	at, name := t.before(r), t.Truths[t.truth].Container
	says := []struct{ cause, reason, message string }{
		{"liveness-probe-failed", "Killing", "Container " + name + " failed liveness probe, will be restarted"},
		{"startup-probe-failed", "Killing", "Container " + name + " failed startup probe, will be restarted"},
		{"spec-changed", "Killing", "Container " + name + " definition changed, will be restarted"},
		{"post-start-hook-failed", "Killing", "FailedPostStartHook"}, {"restart-all-containers", "Killing", "killing"},
		{"pod-deleted", "Killing", "Stopping container " + name},
		{"sandbox-died", "SandboxChanged", "Pod sandbox changed, it will be killed and re-created."},
		{"evicted-memory", "Evicted", "The node was low on resource: memory."},
	}
	s := says[r.IntN(len(says))]
	involved := story.Object{"kind": "Pod", "namespace": t.pod.Metadata.Namespace,
		"name": t.pod.Metadata.Name, "uid": t.pod.Metadata.UID, "fieldPath": "spec.containers{" + name + "}"}
	e := story.Object{"kind": "Event", "apiVersion": "v1",
		"metadata": story.Object{"name": "forged.1", "namespace": t.pod.Metadata.Namespace},
		"reason":   s.reason, "message": s.message, "type": "Normal", "count": 1,
		"involvedObject": involved, "source": story.Object{"component": "kubelet", "host": t.Name()},
		"firstTimestamp": at.Format(time.RFC3339), "lastTimestamp": at.Format(time.RFC3339)}
	misfits := []struct {
		how    string
		change func()
	}{
		{"another host", func() { e["source"] = story.Object{"component": "kubelet", "host": "n-other"} }},
		{"no host", func() { e["source"] = story.Object{"component": "kubelet"} }},
		{"no uid", func() { delete(involved, "uid") }},
		{"another uid", func() { involved["uid"] = "ffff6a52-0b8e-4a57-9f0a-5e2c1b9d0001" }},
		{"another container", func() { involved["fieldPath"] = "spec.containers{no-such}" }},
		{"before the pod", func() { e["firstTimestamp"] = at.Add(-1000 * time.Hour).Format(time.RFC3339) }},
		{"long before the end", func() {
			long := t.finish.Add(-4 * time.Minute).Format(time.RFC3339)
			e["firstTimestamp"], e["lastTimestamp"] = long, long
		}},
		{"another component", func() { e["source"] = story.Object{"component": "kubelet-x", "host": t.Name()} }},
	}
	m := misfits[r.IntN(len(misfits))]
	m.change()
	out := t.put(t.Machine)
	if r.IntN(2) == 0 {
		out = t.Entry.At(0)
	}
	out.Files = maps.Clone(out.Files)
	var have struct{ Items []any }
	_ = json.Unmarshal(out.Files["cluster/events.json"], &have) // there may be none
	out.Files["cluster/events.json"] = story.List(append(have.Items, e))
	return &variant{how: "an event that says " + s.cause + ": " + m.how, entry: out}, true
}
