package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// preflightScreens are scripts that lead to every screen of a preflight.
var preflightScreens = map[string]string{
	"page":           "",
	"node-blocked":   "n n enter j j",
	"node":           "n n j enter j j j",
	"container":      "n n j enter j j enter",
	"search-typing":  "/ text:cart",
	"search-inside":  "/ text:cart-0 enter",
	"search-nothing": "/ text:zzz enter",
	"help":           "?",
	"gaps":           "m",
	"cause":          "n enter",
	"write":          "o",
}

// preflights are those that the viewer may meet.
func preflights() map[string]*report.Preflight {
	torn, wide, newer := foretold(), foretold(), foretold()
	torn.Nodes, torn.Groups = nil, nil
	for i := range torn.Items {
		switch i % 3 {
		case 0:
			torn.Items[i].Prediction = "certain"
		case 1:
			torn.Items[i].Node, torn.Items[i].Namespace, torn.Items[i].Rule = "", "", ""
		}
	}
	for i := range wide.Items {
		wide.Items[i].Pod, wide.Items[i].Rule = strings.Repeat("界", 60), strings.Repeat("x", 300)
	}
	for i := range wide.Nodes {
		wide.Nodes[i].Node, wide.Nodes[i].From = fmt.Sprint(strings.Repeat("漢", 90), i), strings.Repeat("v", 70)
		wide.Nodes[i].Findings = append(wide.Nodes[i].Findings,
			report.Finding{Level: "odd", Text: strings.Repeat("界x ", 200)})
	}
	newer.To, newer.Extrapolated = "same", true
	empty := &report.Preflight{}
	empty.Normalise()
	return map[string]*report.Preflight{"full": foretold(), "empty": empty, "torn": torn, "wide": wide, "newer": newer}
}

// writes is Options.Write of a preflight.
func writes(
	f func(format string) (string, error),
) func(context.Context, string, *report.Report, report.DetailProvider) (
	string, error) {
	return func(_ context.Context, format string, _ *report.Report, _ report.DetailProvider) (string, error) {
		return f(format)
	}
}

func preflightOptions(r *report.Preflight) Options {
	return Options{
		Preflight: r, Formats: []string{"markdown", "html"},
		Explain: func(id string) string {
			if id == "hash-kubelet-upgrade" {
				return "# hash-kubelet-upgrade: The hash changed\n\n## What happened\nAnother kubelet computes another hash.\n"
			}
			return ""
		},
		Write: writes(func(format string) (string, error) { return "restartwhy-1." + format, nil }),
	}
}

func foresee(t testing.TB, r *report.Preflight, s settings, size string) *driver {
	t.Helper()
	return foreseeWith(t, preflightOptions(r), s, size)
}

func foreseeWith(t testing.TB, o Options, s settings, size string) *driver {
	t.Helper()
	d := &driver{t: t, m: newModel(t.Context(), o, s)}
	d.run(d.m.Init())
	return d.play(size)
}

// Every screen at every width; the background changes colours and nothing else.
func TestPreflightScreensLookAsTheyShould(t *testing.T) {
	for _, name := range some(preflightScreens) {
		script := preflightScreens[name]
		t.Run(name, func(t *testing.T) {
			var all strings.Builder
			for _, size := range sizes {
				d := foresee(t, foretold(), settings{}, size).play(script)
				text := d.screen()
				if hasColour(d.m.View().Content) {
					t.Error("without colour there is a colour")
				}
				all.WriteString("== " + size + "\n" + text)
				for _, background := range []string{"#000000", "#ffffff"} {
					c := foresee(t, foretold(), settings{colour: true}, size)
					c.send(tea.BackgroundColorMsg{Color: lipgloss.Color(background)})
					if got := c.play(script).screen(); got != text {
						t.Errorf("on %s at %s the text differs:\n%s\nwithout colour:\n%s", background, size, got, text)
					}
				}
			}
			golden(t, "preflight-"+name, all.String())
		})
	}
}

func TestPreflightColoursLookAsTheyShould(t *testing.T) {
	for _, name := range []string{"page", "node-blocked"} {
		var all strings.Builder
		for _, look := range []struct{ name, background string }{{"dark", "#000000"}, {"light", "#ffffff"}} {
			d := foresee(t, foretold(), settings{colour: true}, "80x24")
			d.send(tea.BackgroundColorMsg{Color: lipgloss.Color(look.background)})
			d.play(preflightScreens[name])
			all.WriteString("== " + look.name + "\n" + strings.ReplaceAll(d.m.View().Content, "\x1b", "␛") + "\n")
		}
		golden(t, "colour-preflight-"+name, all.String())
	}
}

func TestAnASCIITerminalGetsASCIIMarksOfAPreflight(t *testing.T) {
	for name, script := range preflightScreens {
		for _, r := range foresee(t, foretold(), settings{ascii: true}, "100x30").play(script).screen() {
			if r > 0x7e {
				t.Errorf("%q is on the ASCII screen %s", r, name)
			}
		}
	}
}

// A search unfolds the nodes that have what it looks for.
func TestASearchOpensNodes(t *testing.T) {
	d := foresee(t, foretold(), settings{}, "120x40").misses("cart-0")
	d.play("/ text:cart-0 enter").sees("shop/cart-0/app", "shop/cart-1/log").misses("web-1")
	d.play("enter").sees("pod uid", "uid-cart-0")
	d.play("esc").sees("shop/cart-0/app").play("esc esc esc").sees("shop/cart-0/app")
}

func TestTheCursorStaysWhereItWas(t *testing.T) {
	d := foresee(t, foretold(), settings{}, "120x40").play("n n j")
	was := d.underCursor()
	if !strings.Contains(was, "worker-3 4 restart, 1 stays") {
		t.Fatalf("the cursor is on %q", was)
	}
	if d.play("enter enter 60x20 200x50 120x40"); d.underCursor() != was {
		t.Errorf("opened, closed, resized: %q", d.underCursor())
	}
}

func TestWhatIsTakenAwayFromAPreflight(t *testing.T) {
	d := foresee(t, foretold(), settings{}, "120x40")
	for _, tt := range []struct{ keys, copied, command string }{
		{"g", "blocker (feature-gate-removed): the feature gate CSIMigrationvSphere is set and v1.31 does not know it: " +
			"the kubelet exits at once; do: take it out of the kubelet's configuration", "--to v1.31.4 -A --no-tui"},
		{"n n j", "worker-3: 4 restart, 1 stays", "--to v1.31.4 --node worker-3 --no-tui"},
		{"enter j", "risk (minor-in-place): a change of the minor in place is not supported; do: drain the node first",
			"--to v1.31.4 -A --no-tui"},
		{"j", "infra/collector-with-a-long-name-7d9f5b6c4-x2x4z/collector: restarts (hash-kubelet-upgrade): " + becauseHash,
			"--to v1.31.4 pod/collector-with-a-long-name-7d9f5b6c4-x2x4z -n infra --no-tui"},
		{"enter j j", "stored hash c87f01d2, v1.31 computes 5d6b02aa",
			"--to v1.31.4 pod/collector-with-a-long-name-7d9f5b6c4-x2x4z -n infra --no-tui"},
	} {
		d.play(tt.keys + " y")
		if d.clipboard != tt.copied {
			t.Errorf("after %s: copied %q, want %q", tt.keys, d.clipboard, tt.copied)
		}
		if d.play("c"); !strings.HasPrefix(d.clipboard, "kubectl restartwhy preflight ") ||
			!strings.HasSuffix(d.clipboard, tt.command) {
			t.Errorf("after %s: the command is %q", tt.keys, d.clipboard)
		}
	}
	d.play("o").sees("write the whole report:  m markdown  h html").play("h").sees("wrote restartwhy-1.html")
	d.play("o x").sees("nothing was written")
	d.play("e").sees("Another kubelet computes another hash")
	d.play("esc esc g n j j j e").sees("no page explains unchanged")
	r := foretold()
	r.Scope.From = []string{"a bundle.tar.zst"}
	d = foresee(t, r, settings{}, "120x40").play("n n c")
	if !strings.HasSuffix(d.clipboard, "--to v1.31.4 --node worker-2 --no-tui --from 'a bundle.tar.zst'") {
		t.Errorf("the source is not in %q", d.clipboard)
	}
	if d.play("g c"); !strings.HasSuffix(d.clipboard, "--to v1.31.4 --no-tui --from 'a bundle.tar.zst'") {
		t.Errorf("a recording has no namespaces to choose: %q", d.clipboard)
	}
}

func TestAPreflightAloneIsEnough(t *testing.T) {
	d := foreseeWith(t, Options{Preflight: foretold()}, settings{}, "80x24")
	d.play("o").sees("no file can be written here").play("n e").sees("no page explains hash-kubelet-upgrade")
	d.play("s f r b 1 tab + - 0 [ ]").sees("Reasons") // these mean nothing here
	o := preflightOptions(foretold())
	o.Write = writes(func(string) (string, error) { return "", errors.New("write markdown: disk full") })
	foreseeWith(t, o, settings{}, "80x24").play("o m").sees("write markdown: disk full")
}

func TestTheMouseOpensWhatItClicksTwice(t *testing.T) {
	d := foresee(t, foretold(), settings{}, "120x40").play("M")
	click := func(on string) {
		for y, l := range strings.Split(d.screen(), "\n") {
			if strings.Contains(l, on) {
				d.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: y})
				return
			}
		}
		t.Fatalf("no %q in\n%s", on, d.screen())
	}
	click("worker-3  4 restart")
	if !strings.Contains(d.underCursor(), "worker-3") {
		t.Fatalf("the click chose %q", d.underCursor())
	}
	click("worker-3  4 restart")
	click("cart-1/log")
	click("cart-1/log")
	d.sees("shop/cart-1/log", "pod uid")
	click("pod uid")
	d.sees("shop/cart-1/log")
}

// walkPreflight plays keys, looks at every frame, and finds back.
func walkPreflight(t *testing.T, name string, r *report.Preflight, walk []string) {
	t.Helper()
	d := foresee(t, r, settings{}, "80x24")
	for n, step := range walk {
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%s preflight: %v after: %s", name, p, strings.Join(walk[:n+1], " "))
				}
			}()
			d.play(step)
		}()
	}
	d.play("80x24" + strings.Repeat(" esc", 2*len(d.m.stack)+3))
	if len(d.m.stack) != 1 || d.m.prompting() != nil || d.m.asking != nil {
		t.Fatalf("%s preflight: escape does not lead back after: %s\n%s", name, strings.Join(walk, " "), d.screen())
	}
}

func TestAnyWalkThroughAPreflightKeepsItsShapeAndFindsBack(t *testing.T) {
	for name, r := range preflights() {
		for seed := range walks() {
			random := rand.New(rand.NewPCG(seed, 11))
			var walk []string
			for range 60 {
				walk = append(walk, steps[random.IntN(len(steps))])
			}
			walkPreflight(t, name, r, walk)
		}
	}
}

// FuzzPreflightKeys lets the fuzzer choose the keys: any sequence, on any preflight.
func FuzzPreflightKeys(f *testing.F) {
	f.Add([]byte("enter"), uint8(0))
	f.Add([]byte{10, 10, 10, 24, 25, 26, 30, 31, 32}, uint8(1))
	f.Add([]byte{34, 35, 10, 11, 12, 13, 40, 41, 42, 50, 51, 52}, uint8(2))
	f.Fuzz(func(t *testing.T, keys []byte, which uint8) {
		if len(keys) > 40 {
			return
		}
		names := []string{"empty", "full", "newer", "torn", "wide"}
		name := names[int(which)%len(names)]
		walk := make([]string, 0, len(keys)+1)
		for _, k := range keys {
			walk = append(walk, steps[int(k)%len(steps)])
		}
		walkPreflight(t, name, preflights()[name], append(walk, "j"))
	})
}

func TestEveryPreflightKeepsItsShapeAtEverySize(t *testing.T) {
	for _, r := range preflights() {
		for _, size := range []string{"60x20", "99x27", "100x28", "200x60"} {
			d := foresee(t, r, settings{}, size)
			for _, name := range some(preflightScreens) {
				d.play(preflightScreens[name] + strings.Repeat(" esc", 8) + " g")
			}
		}
	}
}

func TestRunPreflightShowsAndRestoresTheTerminal(t *testing.T) {
	keys, out, done := start(t, t.Context(), newModel(t.Context(), preflightOptions(foretold()), settings{}))
	out.Await(t, "the kubelet would not start; 5 of 9")
	io.WriteString(keys, "q")
	if err := result(t, done); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, leaveAltScreen) || !strings.Contains(s, showCursor) {
		t.Errorf("the terminal was not restored: %q", s[max(0, len(s)-200):])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	o := preflightOptions(foretold())
	o.In, o.Out = in, io.Discard
	if err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
