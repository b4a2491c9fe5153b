package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

var anyID = regexp.MustCompile(
	`(\bpod|\b)[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}\b|\b[0-9a-f]{12,64}\b`)

// turned returns an id that no other story has.
func turned(id string) string {
	const digits = "0123456789abcdef"
	if of, pod := strings.CutPrefix(id, "pod"); pod {
		return "pod" + turned(of)
	}
	return strings.Map(func(c rune) rune {
		if i := strings.IndexRune(digits, c); i >= 0 {
			return rune(digits[(i+5)%16])
		}
		return c
	}, id)
}

// abroad returns the machine of another story with the target's node name and at the same time: with other ids and
// pods.
func (t *target) abroad(o *target) *machine.Machine {
	m := o.Machine.Moved(t.finish.Sub(o.finish))
	m.Name, m.ID = t.Name(), "11d4c6115937648fb1ac4b72adadc911"
	for i := range m.Boots {
		m.Boots[i] = turned(m.Boots[i])
	}
	var renamed []string
	for _, truth := range slices.Concat(o.Truths, t.Truths) {
		_, pod, _ := strings.Cut(truth.Pod, "/")
		renamed = append(renamed, pod, "elsewhere-"+pod)
	}
	names := strings.NewReplacer(renamed...)
	m.Each(func(_ *machine.Log, l *machine.Line) {
		l.Text = names.Replace(anyID.ReplaceAllStringFunc(l.Text, turned))
	})
	return m
}

func (t *target) Name() string { return t.Machine.Name }

func foreignAttacks() []attack {
	return []attack{
		{"foreign log", "Every log is another machine's that has the node's name and was up at the same time.",
			func(r *rand.Rand, t *target) (*variant, bool) {
				o := t.others[r.IntN(len(t.others))]
				e := t.put(t.abroad(o))
				logs := func(p string) bool { return strings.HasPrefix(p, "cluster/") }
				foreign := e.Keep(func(p string) bool {
					return logs(p) || strings.Contains(p, "/logquery/") || strings.Contains(p, "/journal/") ||
						strings.HasSuffix(p, "kmsg.txt")
				})
				return &variant{how: "of " + o.Entry.Name, entry: foreign, less: foreign.Keep(logs)}, true
			}},
		{"one foreign log", "One of the logs is another machine's; its ids say so.",
			func(r *rand.Rand, t *target) (*variant, bool) {
				o := t.others[r.IntN(len(t.others))]
				other, m := t.abroad(o), t.Machine.Clone()
				log := m.Logs[r.IntN(len(m.Logs))]
				if t.form = machine.Journal; len(other.Log(log.Name).Lines) == 0 {
					return nil, false
				}
				less := m.Clone()
				less.Log(log.Name).Lines = nil
				m.Boots = append(m.Boots, other.Boots...)
				lines := other.Log(log.Name).Lines
				for i := range lines {
					lines[i].Boot += len(m.Boots) - len(other.Boots)
					lines[i].Fields = map[string]string{"_MACHINE_ID": other.ID}
				}
				ids := t.put(t.Machine)
				log.Lines = lines
				return &variant{how: log.Name + " of " + o.Entry.Name, entry: m.Put(ids, t.form), less: less.Put(ids, t.form)}, true
			}},
	}
}
