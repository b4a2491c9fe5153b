package pagecheck

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhatTheBrowserTellsIsAFaultUnlessItIsThePageItself(t *testing.T) {
	x := &tab{own: "file:///p.html", loaded: make(chan struct{})}
	for _, e := range []struct{ method, params, want string }{
		{"Network.requestWillBeSent", `{"request":{"url":"file:///p.html"}}`, ""},
		{"Network.requestWillBeSent", `{"request":{"url":"file:///p.html#e1"}}`, ""},
		{"Network.requestWillBeSent", `{"request":{"url":"https://x.invalid/"}}`, "it asks for https://x.invalid/"},
		{"Log.entryAdded", `{"entry":{"level":"error","text":"refused"}}`, "error in the console: refused"},
		{"Runtime.consoleAPICalled", `{"type":"log","args":[{"value":"owned"}]}`, "a script wrote [{owned}]"},
		{"Runtime.exceptionThrown", `{}`, "a script failed"},
		{"Runtime.exceptionThrown", `{}`, ""}, // said before
		{"Page.frameNavigated", `{"frame":{}}`, ""},
		{"Runtime.consoleAPICalled", `not JSON`, "a script wrote []"},
	} {
		before := len(x.faults)
		x.note(event{Method: e.method, Params: json.RawMessage(e.params)})
		if got := strings.Join(x.faults[before:], "|"); got != e.want {
			t.Errorf("%s %s: %q, want %q", e.method, e.params, got, e.want)
		}
	}
	x.note(event{Method: "Page.loadEventFired"})
	select {
	case <-x.loaded:
	default:
		t.Error("the page was loaded, and nobody knows")
	}
}

func TestABrowserIsFoundOrAskedFor(t *testing.T) {
	if got, err := found("/x/chromium"); err != nil || got != "/x/chromium" {
		t.Errorf("%q, %v", got, err)
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if _, err := found(""); err == nil || !strings.Contains(err.Error(), "apt-get install chromium") {
		t.Errorf("without a browser: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "google-chrome"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := found(""); err != nil || filepath.Base(got) != "google-chrome" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestEveryViewIsLookedAtInItsOwnWay(t *testing.T) {
	var names []string
	for _, v := range views {
		if v.name == "" || v.width == 0 || slices.Contains(names, v.name) {
			t.Errorf("%+v", v)
		}
		names = append(names, v.name)
	}
	// TestPagesInABrowser compares these two, and sees proves that the others see something.
	if names[0] != "light" || !slices.Contains(names, "without scripts") {
		t.Errorf("views %v", names)
	}
	for _, want := range broken.says {
		if strings.Contains(broken.html, want) {
			t.Errorf("the broken page says %q", want)
		}
	}
}
