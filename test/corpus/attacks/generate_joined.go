package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

func joinedAttacks() []attack {
	return []attack{
		{"two clusters", "A bundle of another cluster, whose nodes and pods have the same names, is read along.", twoClusters},
		{"twice", "The node was collected twice, before and behind a reboot.", twice},
	}
}

// ofInstance is a truth about one instance.
type ofInstance struct {
	id    string
	truth score.Truth
}

// ofTarget returns the truth about the target's exit.
func (t *target) ofTarget() ofInstance {
	s := t.Scored()[t.truth]
	s.Which = 0
	return ofInstance{t.id, s}
}

// together reads bundles as one, and judges the verdicts about the given instances.
func together(all []*entry.Entry, of []ofInstance) ([]string, *report.Report, error) {
	snap, err := entry.Together(all...)
	if err != nil {
		return nil, nil, err
	}
	r := analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt})
	var out []string
	for _, it := range r.Items {
		if it.Verdict.Confidence != report.Proven || it.From == nil {
			continue
		}
		for _, o := range of {
			if !strings.HasSuffix(it.From.ContainerID, o.id) {
				continue
			}
			o.truth.Pod, o.truth.Container = it.Namespace+"/"+it.Pod, it.Container
			for _, j := range score.All([]score.Truth{o.truth}, []report.Item{it}) {
				if j.Outcome == score.WrongProven {
					out = append(out, fmt.Sprintf("%s was %q: %s", o.id, o.truth.Cause, j.Why))
				}
			}
		}
	}
	return out, r, nil
}

func twoClusters(r *rand.Rand, t *target) (*variant, bool) {
	o := *t.others[r.IntN(len(t.others))]
	if o.Entry.Name == t.Entry.Name {
		return nil, false
	}
	_, theirs, _ := strings.Cut(o.Truths[o.truth].Pod, "/")
	_, ours, _ := strings.Cut(t.Truths[t.truth].Pod, "/")
	named, again := strings.NewReplacer(theirs, ours), strings.NewReplacer("elsewhere-"+theirs, ours, "elsewhere-", "")
	m, base := t.abroad(&o), machine.Moved(o.Entry, t.finish.Sub(o.finish))
	m.Each(func(_ *machine.Log, l *machine.Line) { l.Text = again.Replace(l.Text) })
	files := base.Files
	base.Files = map[string][]byte{}
	for p, data := range files {
		text := strings.ReplaceAll(string(data), `"`+o.Name()+`"`, `"`+t.Name()+`"`)
		base.Files[strings.Replace(p, "nodes/"+o.Name()+"/", "nodes/"+t.Name()+"/", 1)] =
			[]byte(named.Replace(anyID.ReplaceAllStringFunc(text, turned)))
	}
	o.form = machine.Forms[r.IntN(2)]
	second := m.Put(base, o.form)
	if o.form != machine.Text {
		m.Tell(second, "")
	}
	first := t.put(t.Machine)
	keep := func(e *entry.Entry) (*entry.Entry, string) {
		switch paths, i := e.Paths(), r.IntN(5); i {
		case 0:
			return e, "all"
		case 1, 2:
			return e.Keep(func(p string) bool { return strings.HasPrefix(p, "cluster/") == (i == 1) }),
				[]string{"cluster", "nodes"}[i-1]
		default:
			gone := paths[r.IntN(len(paths))]
			return e.Keep(func(p string) bool { return p != gone }), "without " + gone
		}
	}
	first, of1 := keep(first)
	second, of2 := keep(second)
	of := []ofInstance{t.ofTarget(), o.ofTarget()}
	of[1].id = turned(o.id)
	all := []*entry.Entry{first, second}
	r.Shuffle(2, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return &variant{how: fmt.Sprintf("%s + %s of %s (%s)", of1, of2, o.Entry.Name, o.form), entry: first,
		judge: func() ([]string, *report.Report, error) { return together(all, of) }}, true
}

// twice ends what ran at the end of the first bundle with a boot, of which the second tells.
func twice(r *rand.Rand, t *target) (*variant, bool) {
	if t.form == machine.Kmsg {
		t.form = machine.Journal
	}
	first := t.put(t.Machine)
	down := first.CollectedAt.Add(time.Duration(60+r.IntN(7200)) * time.Second)
	m := t.Machine.Clone()
	if len(m.Boots) > 3 {
		return nil, false
	}
	boot := len(m.Boots)
	m.Boots = append(m.Boots, turned(turned(m.Boots[0])))
	if r.IntN(2) == 0 { // its journal is volatile
		for _, l := range m.Logs {
			l.Lines = nil
		}
	}
	t.add(m, "kernel", down, machine.Line{Writer: "kernel", Text: "Linux version 6.1.0"})
	ready := down.Add(5 * time.Second)
	t.add(m, "containerd", ready, machine.Line{Writer: "containerd", Unit: "containerd.service", PID: 700, Text: `time="` +
		ready.Format(time.RFC3339Nano) + `" level=info msg="starting containerd" version="1.7.2"`})
	for after, text := range map[time.Duration]string{8: `server.go:491] "Kubelet version" kubeletVersion="v1.30.14"`,
		600: `kubelet_getters.go:187] "Pod status updated" pod="kube-system/other" status="Running"`} {
		t.other(m, "kubelet.service", down.Add(after*time.Second), text)
	}
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if !l.True.Before(down) {
			l.Boot = boot
		}
	})
	second := *t.Entry
	second.Files = maps.Clone(t.Entry.Files)
	second.CollectedAt = down.Add(time.Hour)
	var was string
	v := &variant{entry: &second}
	ok := t.statuses(v, func(status story.Object) {
		running, _ := status["state"].(story.Object)["running"].(story.Object)
		id, _ := status["containerID"].(string)
		if running == nil || id == "" {
			return
		}
		was = id
		status["lastState"] = story.Object{"terminated": story.Object{"exitCode": 255, "reason": "Unknown", "containerID": id,
			"startedAt": running["startedAt"], "finishedAt": down.Add(12 * time.Second).UTC().Format(time.RFC3339)}}
		status["containerID"] = "containerd://" + strings.Repeat("d7", 32)
		again := down.Add(15 * time.Second).UTC().Format(time.RFC3339)
		status["state"] = story.Object{"running": story.Object{"startedAt": again}}
	})
	if !ok || was == "" {
		return nil, false
	}
	delete(v.entry.Files, "nodes/"+t.Name()+"/cri.json")
	later := m.Put(v.entry, t.form)
	if t.form != machine.Text {
		m.Tell(later, "")
	}
	_, id, _ := strings.Cut(was, "://")
	of := []ofInstance{t.ofTarget(), {id, score.Truth{Cause: "node-reboot"}}}
	v.how = "rebooted at " + down.Format(time.TimeOnly)
	all := []*entry.Entry{first, later}
	if i := r.IntN(4); i < 2 {
		all[i] = all[i].Keep(func(p string) bool { return !strings.HasPrefix(p, "cluster/") })
	}
	v.judge = func() ([]string, *report.Report, error) { return together(all, of) }
	return v, true
}
