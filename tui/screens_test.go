package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// scripts are scripts that lead to every screen.
var scripts = map[string]string{
	"incidents":        "",
	"incident":         "enter",
	"restarts":         "2",
	"by-cause":         "2 b",
	"by-workload":      "2 b b b j j",
	"verdict-upgrade":  "enter enter",
	"verdict-likely":   "enter j j j enter j j j",
	"verdict-oom":      "/ text:redis enter enter",
	"verdict-unknown":  "/ text:worker enter enter",
	"verdict-end":      "/ text:worker enter enter G",
	"never-started":    "/ text:canary enter enter",
	"no-restart":       "/ text:readiness enter enter",
	"raw":              "enter enter enter",
	"timeline":         "enter enter 2",
	"decision":         "enter enter 3",
	"hashes":           "enter enter 4",
	"nodes":            "3",
	"preview":          "/ text:redis",
	"search":           "enter enter / text:stored enter",
	"node":             "3 j enter",
	"node-timeline":    "3 j enter 2",
	"node-restarts":    "3 j enter 3",
	"causes":           "4",
	"cause":            "/ text:redis enter e",
	"help":             "?",
	"gaps":             "m",
	"first":            "t",
	"filter-typing":    "/ text:oom",
	"filter-nothing":   "/ text:zzzqqq enter",
	"nothing-to-write": "o",
}

var sizes = []string{"60x20", "80x24", "100x30", "160x45"}

// Every screen at every width. The terminal's background changes colours and
// nothing else: one text serves dark, light and no colour.
func TestScreensLookAsTheyShould(t *testing.T) {
	for _, name := range some(scripts) {
		script := scripts[name]
		t.Run(name, func(t *testing.T) {
			var all strings.Builder
			for _, size := range sizes {
				d := drive(t, fixture(t), size).play(script)
				text := d.screen()
				all.WriteString("== " + size + "\n" + text)
				for _, background := range []string{"#000000", "#ffffff"} {
					c := driveWith(t, options(fixture(t)), settings{colour: true}, size)
					c.send(tea.BackgroundColorMsg{Color: lipgloss.Color(background)})
					if got := c.play(script).screen(); got != text {
						t.Errorf("on %s at %s the text differs:\n%s\nwithout colour:\n%s", background, size, got, text)
					}
				}
			}
			golden(t, name, all.String())
		})
	}
}

// The colours of the main screens, on both backgrounds, with escapes made visible.
func TestColoursLookAsTheyShould(t *testing.T) {
	for _, name := range []string{"incidents", "verdict-likely", "raw"} {
		var all strings.Builder
		for _, look := range []struct{ name, background string }{{"dark", "#000000"}, {"light", "#ffffff"}} {
			d := driveWith(t, options(fixture(t)), settings{colour: true}, "80x24")
			d.send(tea.BackgroundColorMsg{Color: lipgloss.Color(look.background)})
			d.play(scripts[name])
			all.WriteString("== " + look.name + "\n" + strings.ReplaceAll(d.m.View().Content, "\x1b", "␛") + "\n")
		}
		golden(t, "colour-"+name, all.String())
	}
}

// Plain ASCII terminals get no glyph of ours beyond it.
func TestAnASCIITerminalGetsASCIIMarks(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"incidents", "verdict-likely", "timeline", "decision", "hashes", "raw"} {
		d := driveWith(t, options(fixture(t)), settings{ascii: true}, "100x30").play(scripts[name])
		text := d.screen()
		all.WriteString("== " + name + "\n" + text)
		for _, r := range text {
			// The texts of the report may hold any rune; these are the viewer's.
			if strings.ContainsRune("●◐○▸▾└├┬─│✗•–…→×❯█", r) && !strings.ContainsRune(reportText(t), r) {
				t.Errorf("%q is on the ASCII screen %s", r, name)
			}
		}
	}
	golden(t, "ascii", all.String())
}

func reportText(t *testing.T) string {
	var b strings.Builder
	r := fixture(t)
	for i := range r.Items {
		for _, l := range r.Items[i].Verdict.Chain {
			b.WriteString(l.Text)
		}
		for _, e := range r.Items[i].Verdict.Eliminated {
			b.WriteString(e.Because)
		}
		b.WriteString(r.Items[i].Verdict.Summary)
	}
	for _, e := range r.Evidence {
		b.WriteString(e.Text + e.Statement)
	}
	return b.String()
}

// Without a DetailProvider, without a catalogue, without anybody to write files, every
// screen says what it lacks.
func TestAReportAloneIsEnough(t *testing.T) {
	d := driveWith(t, Options{Report: fixture(t)}, settings{}, "80x24")
	d.play("enter enter").sees("hash-kubelet-upgrade", "What happened")
	d.play("2").sees("no timeline: only the report is available here")
	d.play("3").sees("no decision of the kubelet: only the report")
	d.play("4").sees("no hash: only the report")
	d.play("1 enter").sees("In context", "only the lines that verdicts cite are available here")
	d.play("esc N").sees("node n3", "nothing more could be read")
	d.play("2").sees("no timeline: only the report")
	d.play("esc esc esc 4").sees("hash-kubelet-upgrade")
	d.play("e").sees("no page explains hash-kubelet-upgrade")
	d.play("o").sees("no file can be written here")
	d.play("s").sees("nothing to save")
}

func TestSmallTerminalsGetANotice(t *testing.T) {
	for _, size := range []string{"59x20", "60x19", "1x1", "20x3"} {
		d := drive(t, fixture(t), size)
		want := "restartwhy needs 60x20, this is " + size
		if got := strings.TrimSpace(d.screen()); !strings.HasPrefix(want, strings.TrimSuffix(got, "…")) {
			t.Errorf("%s: %q", size, got)
		}
		// Keys do nothing unseen, and a larger terminal shows what was there.
		d.play("j enter tab 120x40").sees("[1 Overview]", "4 restarts on n3")
	}
}

// colour matches an SGR sequence that sets a foreground or background colour.
func hasColour(s string) bool {
	for _, seq := range strings.Split(s, "\x1b[")[1:] {
		params, _, _ := strings.Cut(seq, "m")
		for _, p := range strings.Split(params, ";") {
			if len(p) == 2 && strings.ContainsAny(p[:1], "349") && p != "39" && p != "49" {
				return true
			}
		}
	}
	return false
}

func TestWithoutColourThereIsNoColourAndTheSelectionStillShows(t *testing.T) {
	for _, name := range some(scripts) {
		script := scripts[name]
		frame := drive(t, fixture(t), "120x40").play(script).m.View().Content
		if hasColour(frame) {
			t.Errorf("%s has a colour", name)
		}
		if name == "incidents" && !strings.Contains(frame, "\x1b[7m") {
			t.Error("the selected row is not in reverse")
		}
	}
}

func TestTheThemeFollowsTheBackground(t *testing.T) {
	for _, name := range []string{"incidents", "timeline", "node-timeline"} {
		d := driveWith(t, options(fixture(t)), settings{colour: true}, "120x40").play(scripts[name])
		dark := d.m.View().Content
		d.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")})
		light := d.m.View().Content
		if !hasColour(dark) || dark == light {
			t.Errorf("%s: the light theme is the dark one", name)
		}
		if ansi.Strip(dark) != ansi.Strip(light) {
			t.Errorf("%s: the themes differ in their text", name)
		}
		d.send(tea.BackgroundColorMsg{Color: lipgloss.Color("#000000")})
		if d.m.View().Content != dark {
			t.Errorf("%s: the theme did not follow back", name)
		}
	}
}
