package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func handedAttacks() []attack {
	return []attack{
		{"replaced", "One file of the bundle is another bundle's.", replaced},
		{"stale", "The API server answered from a cache: before the end, or before the next start.", stale},
		{"put back", "The pod's status is of a backup: an instance from before those of the log.", putBack},
		{"skewed", "The API server's clock is minutes off the node's.", skewed},
		{"second kubelet", "Another kubelet of the host starts, or takes the pod for an orphan.", second},
		{"quieter", "The kubelet starts again near the end, and says less from then on.", quieter},
		{"cut", "A text log was rotated: it begins or ends in the middle of a line near the end.", cutOff},
	}
}

func replaced(r *rand.Rand, t *target) (*variant, bool) {
	e, o := t.put(t.Machine), t.others[r.IntN(len(t.others))]
	theirs := o.put(o.Machine)
	paths := slices.DeleteFunc(e.Paths(), func(p string) bool { return p == "cluster/pods.json" })
	p := paths[r.IntN(len(paths))]
	from := strings.Replace(p, "nodes/"+t.Name()+"/", "nodes/"+o.Name()+"/", 1)
	if o.Entry.Name == t.Entry.Name || theirs.Files[from] == nil {
		return nil, false
	}
	c, less := *e, e.Keep(func(q string) bool { return q != p })
	c.Files = maps.Clone(e.Files)
	c.Files[p] = []byte(anyID.ReplaceAllStringFunc(strings.ReplaceAll(string(theirs.Files[from]), `"`+o.Name()+`"`,
		`"`+t.Name()+`"`), turned)) // the worked examples have the same ids
	return &variant{how: p + " of " + o.Entry.Name, entry: &c, less: less}, true
}

// statuses changes the status of the target's container, and reports whether there is one.
func (t *target) statuses(e *variant, change func(status story.Object)) bool {
	name := t.Truths[t.truth].Container
	changed, found := story.Objects(e.entry, func(o story.Object) bool {
		last, _ := o["lastState"].(story.Object)
		_, counted := o["restartCount"]
		end, _ := last["terminated"].(story.Object)
		id, _ := end["containerID"].(string)
		return counted && o["name"] == name && strings.HasSuffix(id, t.id)
	}, change)
	e.entry = changed
	return found
}

func stale(r *rand.Rand, t *target) (*variant, bool) {
	v := &variant{how: "before the end", entry: t.put(t.Machine)}
	before := r.IntN(2) == 0
	ok := t.statuses(v, func(status story.Object) {
		end := status["lastState"].(story.Object)["terminated"].(story.Object)
		n, _ := status["restartCount"].(json.Number)
		count, _ := n.Int64()
		status["restartCount"] = max(0, count-1)
		status["containerID"] = end["containerID"]
		delete(status, "lastState")
		status["state"] = story.Object{"terminated": end}
		if before {
			status["state"] = story.Object{"running": story.Object{"startedAt": end["startedAt"]}}
		}
	})
	if !before {
		v.how = "before the next start"
	}
	return v, ok
}

func putBack(r *rand.Rand, t *target) (*variant, bool) {
	v, former := &variant{entry: t.put(t.Machine)}, "containerd://"+turned(t.id)
	back, kind := t.began.Add(-time.Duration(1+r.IntN(7200))*time.Second), r.IntN(3)
	code := []int{0, 1, 137, 143, 255}[r.IntN(5)]
	running := story.Object{"running": story.Object{"startedAt": back.Format(time.RFC3339)}}
	over := story.Object{"terminated": story.Object{"exitCode": code, "reason": "Error", "containerID": former,
		"startedAt": back.Add(-time.Minute).Format(time.RFC3339), "finishedAt": back.Format(time.RFC3339)}}
	ok := t.statuses(v, func(status story.Object) {
		end := status["lastState"].(story.Object)["terminated"].(story.Object)
		status["restartCount"], status["containerID"] = 0, former
		delete(status, "lastState")
		switch kind {
		case 0:
			status["lastState"], status["containerID"] = over, end["containerID"]
			status["state"] = story.Object{"running": story.Object{"startedAt": end["startedAt"]}}
		case 1:
			status["state"] = running
		case 2:
			status["state"] = over
		}
	})
	e := v.entry
	v.how = fmt.Sprintf("to %s, kind %d", back.Format(time.TimeOnly), kind)
	v.judge = func() ([]string, *report.Report, error) {
		return together([]*entry.Entry{e}, []ofInstance{t.ofTarget()})
	}
	return v, ok
}

func skewed(r *rand.Rand, t *target) (*variant, bool) {
	by := time.Duration(5+r.IntN(600)) * time.Second
	if r.IntN(2) == 0 {
		by = -by
	}
	move := func(o story.Object, key string) {
		if text, ok := o[key].(string); ok {
			if at, err := time.Parse(time.RFC3339, text); err == nil {
				o[key] = at.Add(by).Format(time.RFC3339)
			}
		}
	}
	e, found := story.Objects(t.put(t.Machine), func(o story.Object) bool {
		_, created := o["creationTimestamp"]
		_, managed := o["fieldsV1"]
		return created || managed
	}, func(o story.Object) {
		move(o, "creationTimestamp")
		move(o, "deletionTimestamp")
		move(o, "time")
	})
	return &variant{how: by.String(), entry: e}, found
}

// other adds a line of another kubelet, in its own unit or one of the same name.
func (t *target) other(m *machine.Machine, unit string, at time.Time, text string) {
	t.add(m, "kubelet", at, machine.Line{Writer: "kubelet", Unit: unit, PID: 24180,
		Text: "I" + at.Format("0102 15:04:05.000000") + "   24180 " + text})
}

func second(r *rand.Rand, t *target) (*variant, bool) {
	units := []string{"kubelet.service", "k3s-agent.service", "rke2-agent.service", "snap.kubelet.daemon.service"}
	unit := units[r.IntN(len(units))]
	at, kill := t.finish.Add(time.Duration(r.IntN(30000)-25000)*time.Millisecond), time.Time{}
	if r.IntN(2) == 0 {
		kill = t.before(r)
		at = kill.Add(-time.Duration(500+r.IntN(20000)) * time.Millisecond)
	}
	m := t.Machine.Clone()
	goesOn := func(l machine.Line) bool { return headed(&l) && l.True.After(at.Add(8*time.Second)) }
	if before := func(l machine.Line) bool { return headed(&l) && l.True.Before(at) }; !slices.ContainsFunc(
		m.Log("kubelet").Lines, goesOn) || !slices.ContainsFunc(m.Log("kubelet").Lines, before) {
		return nil, false // nothing distinguishes it from a successor
	}
	t.other(m, unit, at, `flags.go:64] FLAG: --v="2"`)
	t.other(m, unit, at.Add(10*time.Millisecond), `server.go:491] "Kubelet version" kubeletVersion="v1.33.4"`)
	v := &variant{how: fmt.Sprintf("%s at %s", unit, at.Format("15:04:05.000"))}
	if !kill.IsZero() {
		pod, name := t.Truths[t.truth].Pod, t.Truths[t.truth].Container
		t.other(m, unit, kill, fmt.Sprintf(`kuberuntime_container.go:779] "Killing container with a grace period override" pod=%q `+
			`podUID=%q containerName=%q containerID="containerd://%s" gracePeriod=1`, pod, t.pod.Metadata.UID, name, t.id))
		v.how += ", a kill at " + kill.Format("15:04:05.000")
	}
	v.entry, v.less = t.put(m), t.put(t.Machine)
	return v, true
}

func quieter(r *rand.Rand, t *target) (*variant, bool) {
	at := t.finish.Add(time.Duration(r.IntN(12000)-10000) * time.Millisecond)
	m, lost, version := t.Machine.Clone(), 0, ""
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if _, told, ok := strings.Cut(l.Text, `kubeletVersion="`); ok && l.True.Before(at) {
			version, _, _ = strings.Cut(told, `"`)
		}
		if l.Writer == "kubelet" && l.True.After(at) {
			l.PID = 24180
			if strings.HasPrefix(l.Text, "I") {
				l.Lost, lost = true, lost+1
			}
		}
	})
	t.other(m, "kubelet.service", at, `server.go:491] "Kubelet version" kubeletVersion="`+version+`"`)
	if lost == 0 || version == "" || strings.Contains(t.cause(), "kubelet") || strings.HasPrefix(t.cause(), "hash-") {
		return nil, false
	}
	e := t.put(m)
	if r.IntN(2) == 0 {
		e = e.Keep(func(p string) bool { return p != "cluster/events.json" })
	}
	return &variant{how: fmt.Sprintf("from %s, %d lines", at.Format("15:04:05.000"), lost), entry: e}, true
}

func cutOff(r *rand.Rand, t *target) (*variant, bool) {
	t.form = machine.Text
	e := t.put(t.Machine)
	logs := slices.DeleteFunc(e.Paths(), func(p string) bool { return path.Ext(p) != ".log" })
	p := logs[r.IntN(len(logs))]
	text := string(e.Files[p])
	at := strings.Index(text, t.id)
	if at < 0 {
		return nil, false
	}
	at = min(max(0, at+r.IntN(4000)-2000), len(text)-1)
	c := *e
	c.Files = maps.Clone(e.Files)
	how := "begins"
	if c.Files[p] = []byte(text[at:]); r.IntN(2) == 0 {
		how, c.Files[p] = "ends", []byte(text[:at])
	}
	if r.IntN(2) == 0 {
		delete(c.Files, "cluster/events.json")
	}
	return &variant{how: fmt.Sprintf("%s %s at byte %d", p, how, at), entry: &c}, true
}
