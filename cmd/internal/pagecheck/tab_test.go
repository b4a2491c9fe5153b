package pagecheck

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed look.js
var look string

// patience limits all calls to the browser for one view.
const patience = 2 * time.Minute

// view is one way to view the page.
type view struct {
	name       string
	width      int
	dark, ink  bool
	noScript   bool
	everything bool // every fold is open
}

// views are checked for every page: two themes, a phone, paper, and a browser without scripts.
var views = []view{
	{name: "light", width: 1200},
	{name: "dark", width: 1200, dark: true},
	{name: "narrow", width: 400, everything: true},
	{name: "print", width: 800, ink: true},
	{name: "without scripts", width: 1200, noScript: true},
}

// checker checks pages with one browser.
type checker struct {
	browser *browser
	out     string
}

// check opens a page in a view and returns the faults, and the page's body as the browser parsed it.
func (c *checker) check(ctx context.Context, p page, v view) (faults []string, body string, err error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	file := filepath.Join(c.out, p.name+".html")
	t := &tab{browser: c.browser, own: "file://" + filepath.ToSlash(file), loaded: make(chan struct{})}
	if err := os.WriteFile(file, []byte(p.html), 0o600); err != nil {
		return nil, "", err
	}
	if t.session, err = c.browser.Tab(ctx, t.note); err != nil {
		return nil, "", err
	}
	defer func() { _ = t.call(context.WithoutCancel(ctx), "Page.close", nil, nil) }()
	if err := t.open(ctx, p, v); err != nil {
		return nil, "", err
	}
	if v.everything {
		err = t.run(ctx, `document.querySelectorAll("details").forEach(d => d.open = true)`, nil)
	}
	// The page has no script of its own that ours could disturb.
	err = firstOf(err, t.call(ctx, "Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil),
		t.run(ctx, look, &faults), t.run(ctx, "document.body.outerHTML", &body))
	if err != nil {
		return nil, "", err
	}
	var text string
	if err := t.run(ctx, "document.body.innerText", &text); err != nil {
		return nil, "", err
	}
	for _, want := range p.says {
		if !strings.Contains(text, want) {
			faults = append(faults, fmt.Sprintf("a reader does not find %q", want))
		}
	}
	if err := t.pictures(ctx, filepath.Join(c.out, p.name+"-"+v.name), v); err != nil {
		return nil, "", err
	}
	if v.ink {
		var hidden []string
		if err := t.run(ctx,
			`[...document.querySelectorAll(".item[open] .fold > :not(summary)")].filter(e => !e.getClientRects().length || !e.checkVisibility()).map(e => "it is not printed: " + e.textContent.slice(0, 40))`, &hidden); err != nil {
			return nil, "", err
		}
		faults = append(faults, hidden...)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(faults, t.faults...), body, nil
}

// tab is an open page, and the browser's events about it.
type tab struct {
	browser *browser
	session string
	own     string // its own address
	loaded  chan struct{}

	mu     sync.Mutex
	faults []string
}

// note handles the events: a request for anything but the page itself is a fault.
func (t *tab) note(e event) {
	var p struct {
		Request struct{ URL string }
		Entry   struct{ Level, Text string }
		Type    string
		Args    []struct{ Value any }
		Message string
	}
	_ = json.Unmarshal(e.Params, &p) // missing fields stay empty
	fault := ""
	switch e.Method {
	case "Page.loadEventFired":
		close(t.loaded)
		return
	case "Network.requestWillBeSent":
		if address, _, _ := strings.Cut(p.Request.URL, "#"); address != t.own {
			fault = "it asks for " + p.Request.URL
		}
	case "Log.entryAdded":
		fault = p.Entry.Level + " in the console: " + p.Entry.Text
	case "Runtime.consoleAPICalled":
		fault = fmt.Sprint("a script wrote ", p.Args)
	case "Runtime.exceptionThrown":
		fault = "a script failed"
	case "Page.javascriptDialogOpening":
		fault = "a script opened a dialogue: " + p.Message
		// While it is open nothing else is answered; this call must not wait for itself.
		go func() {
			_ = t.call(context.Background(), "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
		}()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if fault != "" && !slices.Contains(t.faults, fault) {
		t.faults = append(t.faults, fault)
	}
}

func (t *tab) call(ctx context.Context, method string, params, out any) error {
	if params == nil {
		params = struct{}{}
	}
	return t.browser.Call(ctx, t.session, method, params, out)
}

// run evaluates a script in the page.
func (t *tab) run(ctx context.Context, script string, out any) error {
	return t.browser.Evaluate(ctx, t.session, script, out)
}

// open loads the page and waits until it is loaded.
func (t *tab) open(ctx context.Context, p page, v view) error {
	media := map[string]any{"media": "",
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": "light"}}}
	if v.dark {
		media["features"] = []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}
	}
	if v.ink {
		media["media"] = "print"
	}
	err := firstOf(
		t.call(ctx, "Page.enable", nil, nil), t.call(ctx, "Log.enable", nil, nil),
		t.call(ctx, "Runtime.enable", nil, nil), t.call(ctx, "Network.enable", nil, nil),
		t.call(ctx, "Emulation.setEmulatedMedia", media, nil),
		t.call(ctx, "Emulation.setDeviceMetricsOverride",
			map[string]any{"width": v.width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil),
		t.call(ctx, "Emulation.setScriptExecutionDisabled", map[string]any{"value": v.noScript}, nil),
		// The page's policy forbids scripts and requests; its texts must be harmless even without it.
		t.call(ctx, "Page.setBypassCSP", map[string]any{"enabled": p.hostile}, nil),
		t.call(ctx, "Page.navigate", map[string]any{"url": t.own}, nil))
	if err != nil {
		return err
	}
	select {
	case <-t.loaded:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("open %s: %w", t.own, ctx.Err())
	}
}

// tallest is the height limit of a long page's picture, in pixels.
const tallest = 6000

// pictures writes images for people to look at: a PNG, and for paper a PDF.
func (t *tab) pictures(ctx context.Context, name string, v view) error {
	var height float64
	if err := t.run(ctx, "document.documentElement.scrollHeight", &height); err != nil {
		return err
	}
	var got struct{ Data string }
	method, end, params := "Page.captureScreenshot", ".png", map[string]any{"captureBeyondViewport": true,
		"clip": map[string]any{"x": 0, "y": 0, "width": v.width, "height": min(height, tallest), "scale": 1}}
	if v.ink {
		method, end, params = "Page.printToPDF", ".pdf", map[string]any{"printBackground": false}
	}
	if err := t.call(ctx, method, params, &got); err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if len(data) < 1000 {
		return fmt.Errorf("%s: an empty picture of %s", method, name)
	}
	return os.WriteFile(strings.ReplaceAll(name, " ", "-")+end, data, 0o600)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
