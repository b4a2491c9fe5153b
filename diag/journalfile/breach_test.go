package journalfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// part is a file of the entries from…to, numbered from 1 on, shifted by skip.
type part struct {
	name     string
	sequence string
	from, to int
	skip     int
	state    byte
	boot     string // of all its entries
	machine  string
}

func (p part) add(t *testing.T, s *Set) {
	t.Helper()
	o := plain()
	o.State, o.FileID = p.state, p.name
	if p.sequence != "" {
		o.SeqnumID = p.sequence
	}
	if p.machine != "" {
		o.MachineID = p.machine
	}
	w := journalfiletest.New(o)
	for i := p.from; i < p.to; i++ {
		e := nth(i)
		e.Seqnum = uint64(i + 1 + p.skip)
		if p.boot != "" {
			e.Boot = p.boot
		}
		w.Add(e)
	}
	b := w.Bytes()
	if err := s.Add(p.name, bytes.NewReader(b), int64(len(b))); err != nil {
		t.Fatal(err)
	}
}

func TestFilesThatDoNotFollowOnOneAnotherHaveAHoleBetweenThem(t *testing.T) {
	const boot = "boot"
	old := part{name: "system@1.journal", to: 4, state: 2, boot: boot}
	next := part{name: "system.journal", from: 4, to: 6, boot: boot}
	later := part{name: "system.journal", from: 6, to: 8, boot: boot}
	other := func(p part, skip int) part { p.sequence, p.skip = "anew", skip; return p }
	user := func(p part) part { p.name, p.sequence = "user-1000.journal", "user"; return p }
	reboot := func(p part) part { p.boot = "later"; return p }
	online := func(p part) part { p.state = 1; return p }
	whole := numbered(0, 1, 2, 3, 4, 5)
	gap := append(append(numbered(0, 1, 2, 3), "!2 of the entries before it are in no file"), numbered(6, 7)...)
	unclean := "!it was not closed: what was written last before the machine stopped may be missing"
	for _, c := range []struct {
		name  string
		parts []part
		want  []string
	}{
		{"one goes on where the other ends", []part{old, next}, whole},
		{"entries between two are in no file", []part{old, later}, gap},
		{"they are a user's", []part{old, later, user(next)}, numbered(0, 1, 2, 3, 4, 5, 6, 7)},
		{"a user's file has only one of them", []part{old, later, user(part{from: 5, to: 6, boot: boot})},
			append(append(numbered(0, 1, 2, 3, 5), "!1 of the entries before it are in no file"), numbered(6, 7)...)},
		{"the user is of another machine", []part{old, later, user(part{from: 4, to: 6, boot: boot, machine: "another"})},
			append(append(numbered(0, 1, 2, 3, 4, 5), "!2 of the entries before it are in no file"), numbered(6, 7)...)},
		{"a user's own numbers have gaps as a rule",
			[]part{old, next, user(part{from: 7, to: 8, boot: boot}),
				{name: "user-1000@1.journal", sequence: "user", from: 5, to: 6, skip: 20, boot: boot}},
			append(whole, append(numbered(5), numbered(7)...)...)},
		{"the first file was rotated before anything that is here",
			[]part{{name: "system.journal", from: 4, to: 6, boot: boot}}, numbered(4, 5)},
		{"a sequence begins anew with 1", []part{old, other(next, -4)}, whole},
		{"a sequence begins anew and counts on", []part{old, other(next, 0)}, whole},
		{"a sequence begins anew, but not with its first", []part{old, other(next, -2)},
			append(append(numbered(0, 1, 2, 3), "!2 of the entries before it are in no file"), numbered(4, 5)...)},
		{"the same file twice", []part{old, old, next}, whole},
		{"two that overlap", []part{old, {name: "system@2.journal", from: 2, to: 5, state: 2, boot: boot}, next}, whole},
		{"a machine stopped without closing", []part{online(old), reboot(next)},
			append(append(numbered(0, 1, 2, 3), unclean), numbered(4, 5)...)},
		{"the same, set aside", []part{online(old), other(reboot(next), -4)},
			append(append(numbered(0, 1, 2, 3), unclean), numbered(4, 5)...)},
		{"a journald was killed, the machine ran on", []part{online(old), other(next, -4)}, whole},
		{"files that are being written", []part{online(old), online(user(next))}, whole},
	} {
		var s Set
		for _, p := range c.parts {
			p.add(t, &s)
		}
		got := messages(t, &s, Query{})
		if c.name == "a user's own numbers have gaps as a rule" { // order is not the matter here
			if strings.Contains(strings.Join(got, ""), "!") {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A query that wants nothing of the lost time has no hole.
func TestAHoleBeforeTheFirstEntryIsNone(t *testing.T) {
	var s Set
	part{name: "system@1.journal", to: 4, state: 2}.add(t, &s)
	part{name: "system.journal", from: 6, to: 8}.add(t, &s)
	if diff := cmp.Diff(numbered(6, 7), messages(t, &s, Query{Since: second(5)})); diff != "" {
		t.Error(diff)
	}
	if got := messages(t, &s, Query{Since: second(3)}); len(got) != 4 || !strings.HasPrefix(got[1], "!") {
		t.Errorf("%q", got)
	}
}
