package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func twinAttacks() []attack {
	return []attack{
		{"codes", "One source gives another exit code than the others.", codes},
		{"lost end", "The runtime lost what was being stopped, and nobody saw its end.", lostEnd},
		{"within", "The kubelet itself runs a command in the container.", within},
		{"namesake", "Another instance has the container's name, and its pod's, and is killed.", namesake},
		{"cgroup's name", "Another container has a cgroup that is called as this one's, where memory runs out.", groupName},
	}
}

// end matches the records of the target's exit: of the API, of the runtime.
func (t *target) end(of ...string) func(story.Object) bool {
	return func(o story.Object) bool {
		id, _ := o["containerID"].(string)
		own, _ := o["id"].(string)
		_, coded := o["exitCode"]
		return coded && (slices.Contains(of, "API") && strings.HasSuffix(id, t.id) || slices.Contains(of, "runtime") &&
			own == t.id)
	}
}

var coded = regexp.MustCompile(`exit_status:\d+|exitCode=-?\d+`)

// codes gives the exit another code in one source. If the code decides who ended it, the truth becomes undecided.
func codes(r *rand.Rand, t *target) (*variant, bool) {
	code := []int{0, 1, 3, 137, 139, 143}[r.IntN(6)]
	if code == t.code || !slices.Contains(own, t.cause()) {
		return nil, false
	}
	source := []string{"API", "runtime", "containerd", "kubelet"}[r.IntN(4)]
	m, found := t.Machine.Clone(), false
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == source && strings.Contains(l.Text, t.id) && coded.MatchString(l.Text) {
			found = true
			l.Text = coded.ReplaceAllStringFunc(l.Text, func(s string) string {
				return s[:strings.IndexAny(s, ":=")+1] + fmt.Sprint(code)
			})
		}
	})
	e := t.put(m)
	if !found {
		e, found = story.Objects(e, t.end(source), func(o story.Object) { o["exitCode"] = code })
	}
	return &variant{how: fmt.Sprintf("%s says %d", source, code), entry: t.undecided(e)}, found
}

// kills are causes with which the kubelet stops a container, or someone stops it through the runtime.
var kills = []string{"liveness-probe-failed", "startup-probe-failed", "spec-changed", "spec-image-changed",
	"hash-kubelet-upgrade", "killed-externally", "resize-restart", "pod-deleted"}

func lostEnd(_ *rand.Rand, t *target) (*variant, bool) {
	if !slices.Contains(kills, t.cause()) {
		return nil, false
	}
	m := t.Machine.Clone()
	m.Each(func(_ *machine.Log, l *machine.Line) {
		l.Lost = l.Lost || strings.Contains(l.Text, t.id) && coded.MatchString(l.Text)
	})
	lost := func(o story.Object) { o["exitCode"], o["reason"] = 255, "Unknown" }
	e, found := story.Objects(t.put(m), t.end("API", "runtime"), lost)
	return &variant{how: "255", entry: t.undecided(e)}, found
}

func within(r *rand.Rand, t *target) (*variant, bool) {
	name := t.Truths[t.truth].Container
	if !slices.Contains(own, t.cause()) {
		return nil, false
	}
	exec := story.Object{"exec": story.Object{"command": []any{"sh", "-c", "kill 1"}}}
	where, what := "readinessProbe", any(exec)
	if r.IntN(2) == 0 {
		where, what = "lifecycle", story.Object{"postStart": exec}
	}
	e, found := story.Objects(t.put(t.Machine), func(o story.Object) bool {
		_, spec := o["image"].(string)
		_, status := o["restartCount"]
		return o["name"] == name && spec && !status && o["podUID"] == nil
	}, func(o story.Object) { o[where] = what })
	return &variant{how: where, entry: t.undecided(e)}, found
}

// namesake adds a kill of another instance, in another pod.
func namesake(r *rand.Rand, t *target) (*variant, bool) {
	at := t.before(r)
	lies := slices.DeleteFunc(t.lies(at), func(l lie) bool { return l.writer != "kubelet" && l.writer != "containerd" })
	l := lies[r.IntN(len(lies))]
	own, meta := t.Truths[t.truth], t.pod.Metadata
	other := []string{t.id, turned(t.id), meta.UID, turned(meta.UID)}
	how := "a pod of another UID"
	if r.IntN(2) == 0 || slices.Contains([]string{"pod-deleted", "sandbox-died"}, l.cause) { // those lines have no UID
		how = "a pod of another namespace"
		other = append(other, own.Pod, "zz-"+own.Pod, strings.Replace(own.Pod, "/", `\/`, 1), "zz-"+own.Pod)
	}
	if l.cause == "runtime-restarted" {
		return nil, false
	}
	m := t.Machine.Clone()
	for _, text := range l.lines {
		t.add(m, l.writer, at, machine.Line{Writer: l.writer, Unit: l.writer + ".service",
			Text: strings.NewReplacer(other...).Replace(text)})
	}
	return &variant{how: how + ": " + l.cause, entry: t.put(m), less: t.put(t.Machine)}, true
}

func groupName(r *rand.Rand, t *target) (*variant, bool) {
	at, uid := t.before(r), t.pod.Metadata.UID
	above := fmt.Sprintf("/kubepods/burstable/pod%s/%s", turned(uid), turned(t.id))
	group := []string{above + "/kubepods/burstable/pod" + uid + "/" + t.id, above + "/" + t.id,
		strings.TrimSuffix(above, turned(t.id)) + t.id, above + "/cri-containerd-" + t.id + ".scope",
		fmt.Sprintf("/kubepods/burstable/pod%s/%s", uid, turned(t.id))}[r.IntN(5)]
	if t.form == machine.Text {
		t.form = machine.Journal
	}
	m := t.Machine.Clone()
	if len(m.Log("kernel").Lines) == 0 {
		return nil, false
	}
	for _, text := range []string{"web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=" + group + ",task_memcg=" + group +
			",task=web,pid=31711,uid=0", "Memory cgroup out of memory: Killed process 31711 (web) total-vm:270000kB, " +
			"anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999"} {
		t.add(m, "kernel", at, machine.Line{Writer: "kernel", Text: text})
	}
	return &variant{how: group, entry: t.put(m), less: t.put(t.Machine)}, true
}
