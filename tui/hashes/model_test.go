package hashes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane/panetest"
)

func play(h *report.Hashes, actions ...pane.Action) *Model {
	m := New(panetest.Plain(), h)
	m.Resize(120, 40)
	for _, a := range actions {
		m.Do(a)
	}
	return &m
}

func screen(m *Model) string { return strings.Join(m.Lines(), "\n") }

// under returns the line under the cursor, in single spaces.
func under(m *Model) string {
	for _, line := range m.Lines() {
		if rest, ok := strings.CutPrefix(line, m.look.Glyphs.Cursor); ok {
			return strings.Join(strings.Fields(rest), " ")
		}
	}
	return ""
}

func TestTheSentenceSaysWhatTheHashesHaveToDoWithEachOther(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(*report.Hashes)
		want   string
	}{
		{"the present spec made both", func(*report.Hashes) {}, "The same spec under another kubelet (v1.30.14, then v1.31.0): they hash it differently."},
		{"the present spec made both, the versions are not known", func(h *report.Hashes) { h.Before = "" }, "The same spec under another kubelet: they hash it differently."},
		{"the present spec made both, long before this restart", func(h *report.Hashes) { h.Before = h.At }, "The same spec under another kubelet: they hash it differently."},
		{"the hashes are one", func(h *report.Hashes) { h.New.Hex = h.Old.Hex }, "The same hash before and after: nothing that is hashed has changed."},
		{"nothing makes the old one", func(h *report.Hashes) { h.Old.MadeBy = nil }, "Nothing known makes the old hash: the spec that it comes from is not in the evidence."},
		{"nothing makes the new one", func(h *report.Hashes) { h.New.MadeBy = nil }, "Nothing known makes the new hash: the spec that it comes from is not in the evidence."},
		{"nothing makes either", func(h *report.Hashes) { h.Old.MadeBy, h.New.MadeBy = nil, nil }, "Nothing known makes either hash: the specs that they come from are not in the evidence."},
		{"only the new one is known", func(h *report.Hashes) { h.Old = nil }, "Only the hash of the new instance is known: there is nothing to compare it with."},
		{"only the old one is known, and nothing makes it", func(h *report.Hashes) { h.New, h.Old.MadeBy = nil, nil }, "Only the hash of the old instance is known, and nothing known makes it."},
		{"neither is known", func(h *report.Hashes) { h.Old, h.New = nil, nil }, unknownText},
		{"another image and another kubelet", func(h *report.Hashes) {
			h.Old.MadeBy[0].Image, h.Old.MadeBy[0].PresentSpec = web2, false
		}, "Another image, under another kubelet: " + web2 + ", then " + web1 + "."},
		{"another image, the same kubelet", func(h *report.Hashes) { *h = *imageChanged() }, "Another image: " + web1 + ", then " + web2 + "."},
		{"another image, the same algorithm over other fields", func(h *report.Hashes) {
			h.Old.MadeBy = []report.HashMaker{{From: "v1.6", To: "v1.12", Algorithm: "fnv32a-struct", Image: web2}}
			h.New.MadeBy = []report.HashMaker{{From: "v1.13", To: "v1.15", Algorithm: "fnv32a-struct", Image: web1, PresentSpec: true}}
		}, "Another image, under another kubelet: " + web2 + ", then " + web1 + "."},
		{"the same image from another spec", func(h *report.Hashes) {
			h.Old.MadeBy[0] = report.HashMaker{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image", Image: web1}
		}, "The same image from another spec."},
		{"two images can have made the old one", func(h *report.Hashes) {
			*h = *imageChanged()
			h.Old.MadeBy = append(h.Old.MadeBy, report.HashMaker{From: "v1.16", To: "v1.30", Algorithm: "fnv32a-json", Image: "x:1"})
		}, "Another image: " + web1 + " or x:1, then " + web2 + "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := upgraded()
			c.mutate(h)
			m := play(h)
			if got := sentence(h); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if first := strings.Join(strings.Fields(screen(m)), " "); !strings.HasPrefix(first, c.want) {
				t.Errorf("the sentence does not stand on top:\n%s", screen(m))
			}
			if !strings.HasPrefix(m.Plain(), c.want) {
				t.Errorf("the sentence does not begin the plain text:\n%s", m.Plain())
			}
		})
	}
}

func TestTheCursorFindsWhatTheReaderAsksFor(t *testing.T) {
	next, down := pane.Next, pane.Down
	for _, c := range []struct {
		name     string
		actions  []pane.Action
		want     string
		evidence []string
	}{
		{"it begins at the hash before", nil, "before c87f01d2 [e5]", []string{"e5"}},
		{"then the hash after", []pane.Action{down}, "after 5d6b2a10 [e6]", []string{"e6"}},
		{"a heading cites nothing", []pane.Action{pane.Top}, "▾ Stored by the runtime", nil},
		{"next goes to the minor that makes it", []pane.Action{next, next}, "● v1.16–v1.30 c87f01d2 fnv32a-json → stored before", []string{"e5"}},
		{"next goes past minors that make neither", []pane.Action{next, next, next}, "● v1.31–v1.36 5d6b2a10 fnv32a-name-image → stored after", []string{"e6"}},
		{"a minor that makes neither cites nothing", []pane.Action{next, down, down, down}, "v1.6–v1.12 11a0b3c4 fnv32a-struct", nil},
		{"toggle folds the section", []pane.Action{pane.Toggle}, "▸ Stored by the runtime (3)", nil},
		{"and unfolds it", []pane.Action{pane.Toggle, pane.Toggle, down}, "before c87f01d2 [e5]", []string{"e5"}},
		{"left folds, right unfolds", []pane.Action{pane.Left, pane.Right}, "▾ Stored by the runtime", nil},
		{"zooming out folds all", []pane.Action{pane.Bottom, pane.ZoomOut, pane.Up}, "▸ Stored by the runtime (3)", nil},
		{"fit unfolds all", []pane.Action{pane.ZoomOut, pane.Fit, pane.Bottom}, "● v1.31–v1.36 5d6b2a10 fnv32a-name-image → stored after", []string{"e6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := play(upgraded(), c.actions...)
			if d := cmp.Diff(c.want, under(m)); d != "" {
				t.Errorf("%s\n%s", d, screen(m))
			}
			if d := cmp.Diff(c.evidence, m.Evidence()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOneMinorThatMakesBothSaysSo(t *testing.T) {
	h := upgraded()
	h.New.Hex = h.Old.Hex
	m := play(h, pane.Next, pane.Next)
	if want := "● v1.16–v1.30 c87f01d2 fnv32a-json → stored before and after"; under(m) != want {
		t.Errorf("got %q, want %q", under(m), want)
	}
	if d := cmp.Diff([]string{"e5", "e6"}, m.Evidence()); d != "" {
		t.Error(d)
	}
}

func TestAStoredHashThatIsUnknownSaysSo(t *testing.T) {
	h := upgraded()
	h.Old = nil
	m := play(h)
	if want := "before not known"; under(m) != want || m.Evidence() != nil {
		t.Errorf("got %q citing %v, want %q", under(m), m.Evidence(), want)
	}
	if !strings.Contains(m.Plain(), "- before: not known\n") {
		t.Errorf("the plain text does not say it:\n%s", m.Plain())
	}
}

func TestTheKubeletsStandBesideTheHashes(t *testing.T) {
	for _, c := range []struct{ name, before, at, want string }{
		{"another one", "v1.30.14", "v1.31.0", "kubelet v1.30.14 → v1.31.0 at the restart"},
		{"the same one", "v1.31.0", "v1.31.0", "kubelet v1.31.0 before and at the restart"},
		{"before is not known", "", "v1.31.0", "kubelet v1.31.0 at the restart"},
		{"at is not known", "v1.30.14", "", "kubelet v1.30.14 before the restart"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := upgraded()
			h.Before, h.At = c.before, c.at
			if got := under(play(h, pane.Down, pane.Down)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	h := upgraded()
	h.Before, h.At = "", ""
	if m := play(h); strings.Contains(screen(m)+m.Plain(), "at the restart") {
		t.Errorf("a kubelet is named that is not known:\n%s", screen(m))
	}
}

func TestSectionsWithoutContentAreLeftOut(t *testing.T) {
	h := upgraded()
	h.Minors = nil
	if text := screen(play(h)) + play(h).Plain(); strings.Contains(text, "present spec, by") || strings.Contains(text, "Known to differ") {
		t.Errorf("an empty section is shown:\n%s", text)
	}
}

func TestPlainTextHoldsAllThatTheScreenHolds(t *testing.T) {
	h := imageChanged()
	m := play(h, pane.ZoomOut)
	for _, want := range []string{h.Old.Hex, h.New.Hex, "e5", "e6", web1, web2, h.Before, h.At, h.Changed[0], "v1.6 to v1.12: 11a0b3c4 (fnv32a-struct)", "stored after"} {
		if !strings.Contains(m.Plain(), want) {
			t.Errorf("%q is missing:\n%s", want, m.Plain())
		}
	}
}

func TestUnknownHashesAreNoPanic(t *testing.T) {
	m := play(nil, pane.Down, pane.Toggle, pane.Bottom, pane.ZoomOut, pane.Left)
	panetest.Fits(t, m.Lines(), 120, 40)
	if !strings.HasPrefix(screen(m), unknownText) || m.Evidence() != nil || m.Plain() != unknownText+"\n" {
		t.Errorf("unknown hashes show\n%s", screen(m))
	}
}

func FuzzAnyUseFits(f *testing.F) {
	f.Add([]byte{1, 1, 13, 250, 60, 20, 10, 11, 250, 3, 2, 1, 0}, "c87f01d2", uint8(3))
	f.Add([]byte{11, 9, 250, 0, 0, 8, 250, 200, 50, 5}, "a\tb\x1b[31mc\u00852❤️", uint8(255))
	f.Fuzz(func(t *testing.T, script []byte, text string, shape uint8) {
		h := upgraded()
		h.Minors[2].Algorithm, h.New.MadeBy[0].Image, h.Before = text, text, text
		if shape&1 > 0 {
			h.Old = nil
		}
		if shape&2 > 0 {
			h.New.MadeBy = nil
		}
		if shape&4 > 0 {
			h.Minors = nil
		}
		if shape&8 > 0 {
			h.Changed = []string{text, text + text}
		}
		m := New(panetest.Colour(), h)
		panetest.Play(t, &m, script[:min(len(script), 200)])
	})
}

func BenchmarkAKey(b *testing.B) {
	m := New(panetest.Colour(), upgraded())
	m.Resize(200, 50)
	keys := []pane.Action{pane.Down, pane.Toggle, pane.Toggle, pane.Next, pane.Up}
	n := 0
	for b.Loop() {
		m.Do(keys[n%len(keys)])
		n++
		if len(m.Lines()) != 50 {
			b.Fatal("no frame")
		}
	}
}
