package tui

import (
	"strings"
	"testing"
)

// A search finds, goes on, and is dropped, on every page of text.
func TestAPageIsSearched(t *testing.T) {
	d := drive(t, fixture(t), "80x24").play("enter enter / text:Kube").sees("/Kube ", "enter finds it, esc drops it")
	d.play("text:let") // letters, not keys
	d.play("ctrl+u text:stored enter").sees("/stored", "n next, p previous, esc drops the search")
	first := d.underCursor()
	if !strings.Contains(first, "Stored hash") {
		t.Fatalf("the first find is %q", first)
	}
	d.play("n")
	second := d.underCursor()
	if second == first || !strings.Contains(d.screen(), "spec-image-changed") {
		t.Errorf("n goes to %q:\n%s", second, d.screen())
	}
	if d.play("p"); d.underCursor() != first {
		t.Errorf("p goes to %q", d.underCursor())
	}
	d.play("/ text:no-such-thing enter").sees("not found")
	d.play("esc").sees("[1 Verdict]", "? help").misses("no-such-thing")
	if d.play("n"); !strings.Contains(d.screen(), "[1 Verdict]") {
		t.Error("n is no section any more")
	}
	d.play("/ text:x esc").sees("[1 Verdict]").misses("drops")
	if d.play("esc"); len(d.m.stack) != 2 {
		t.Error("escape does not leave")
	}
}

func TestEveryPageOfTextIsSearched(t *testing.T) {
	for script, text := range map[string]string{
		"enter enter": "stored", "enter enter enter": "line",
		"enter enter 3": "definition", "enter enter 4": "chance",
		"3 j enter": "cgroup", "/ text:redis enter e": "kubectl", "?": "mouse", "m": "kubelet",
	} {
		d := drive(t, fixture(t), "60x20").play(script + " / text:" + text +
			" enter").sees("esc drops the search").misses("not found")
		if !strings.Contains(strings.ToLower(d.screen()), text) {
			t.Errorf("%q: %q is not in view:\n%s", script, text, d.screen())
		}
		depth := len(d.m.stack)
		if d.play("esc"); len(d.m.stack) != depth {
			t.Errorf("%q: escape leaves although a search stands", script)
		}
	}
	d := foresee(t, foretold(), settings{}, "80x24").play("n n j enter j j enter / text:proof enter").sees(
		"esc drops the search").misses("not found")
	if !strings.Contains(d.underCursor(), "proof") {
		t.Errorf("on %q", d.underCursor())
	}
}

// A search belongs to its page: another one does not have it, and coming back finds
// it as it was.
func TestASearchBelongsToItsPage(t *testing.T) {
	d := drive(t, fixture(t), "80x24").play("enter enter / text:stored enter")
	d.play("2").misses("/stored").play("1").sees("/stored")
	d.play("?").misses("/stored").play("?").sees("/stored")
	d.play("]").sees("/stored").play("n").sees("/stored")
	d.play("/ text:x down down")
	if d.m.prompting() == nil || d.page().Cursor() == 0 {
		t.Error("the arrows do not move the page while one types")
	}
	d.play("esc 2 / n").misses("/stored").sees("[2 Timeline]")
	d.play("esc").misses("/stored")
}
