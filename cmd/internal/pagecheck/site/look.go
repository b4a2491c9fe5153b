package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/pagecheck/chromium"
)

// patience bounds what is asked of the browser about one page.
const patience = time.Minute

// sizes are the windows, by their width in pixels.
var sizes = []size{{"desk", 1280}, {"phone", 360}}

type size struct {
	name  string
	width int
}

// view is one way in which a reader has a page before them.
type view struct {
	size
	scheme string // prefers-color-scheme
}

var views = []view{{sizes[0], "light"}, {sizes[0], "dark"}, {sizes[1], "light"}, {sizes[1], "dark"}}

// checker looks at pages with one browser.
type checker struct {
	browser *chromium.Browser
	host    string
	known   map[string]place // by the address of the page
	links   int
}

// place is what a page has and where it leads to.
type place struct {
	IDs   []string
	Links []string // whole addresses
}

// look returns the width of the page, its anchors and its links, once its scripts have taken it over.
const look = `new Promise((done, fail) => {
  const end = performance.now() + 20000;
  const ask = () => {
    if (!document.getElementById("app")?.__vue_app__) {
      return performance.now() > end ? fail(new Error("its scripts never took it over")) : setTimeout(ask, 20);
    }
    const room = document.documentElement.clientWidth;
    done({
      Width: document.documentElement.scrollWidth, Room: room,
      Wide: [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > room + 1).map(e => e.tagName + "." + e.className + " to " + Math.round(e.getBoundingClientRect().right)).slice(0, 3).join(", "),
      IDs: [...document.querySelectorAll("[id]")].map(e => e.id),
      Links: [...document.querySelectorAll("a[href]")].map(a => a.href),
    });
  };
  ask();
})`

// all looks at every page in every view and then follows its links. A page is loaded once: a window may change
// its size and its theme under a page, and both are the theme's style sheet's matter.
func (c *checker) all(ctx context.Context, pages []string) (faults []string, err error) {
	for _, page := range pages {
		found, err := c.page(ctx, page)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", page, err)
		}
		faults = append(faults, found...)
	}
	return append(faults, c.follow()...), nil
}

func (c *checker) page(ctx context.Context, page string) (faults []string, err error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	t, err := c.open(ctx, page, views[0])
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		var saw struct {
			Width, Room int
			Wide        string // what sticks out
			place
		}
		if err := firstOf(t.show(ctx, v), c.browser.Evaluate(ctx, t.session, look, &saw)); err != nil {
			t.fault(err.Error())
		}
		if saw.Width > saw.Room {
			t.fault(fmt.Sprintf("%s, %s: it is %d wide in a window of %d (%s)", v.name, v.scheme, saw.Width, saw.Room, saw.Wide))
		}
		c.known[page] = saw.place
	}
	for _, f := range t.close(ctx) {
		faults = append(faults, page+": "+f)
	}
	return faults, nil
}

// follow says which links between pages lead nowhere.
func (c *checker) follow() (faults []string) {
	for page, p := range c.known {
		for _, link := range p.Links {
			u, err := url.Parse(link)
			if err != nil || u.Scheme+"://"+u.Host != c.host {
				continue // of another host
			}
			c.links++
			to, there := c.known[u.Path]
			fault := ""
			switch {
			case !there:
				fault = "no such page: " + u.Path
			case u.Fragment != "" && !slices.Contains(to.IDs, u.Fragment):
				fault = "no such anchor: " + u.Path + "#" + u.Fragment
			}
			if fault = page + ": " + fault; !strings.HasSuffix(fault, ": ") && !slices.Contains(faults, fault) {
				faults = append(faults, fault)
			}
		}
	}
	slices.Sort(faults)
	return faults
}

// tab is an open page, and what the browser told of it.
type tab struct {
	browser *chromium.Browser
	session string
	host    string
	loaded  chan struct{}
	once    sync.Once

	mu     sync.Mutex
	faults []string
}

func (t *tab) fault(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.faults, text) {
		t.faults = append(t.faults, text)
	}
}

// note takes the events of a tab.
func (t *tab) note(e chromium.Event) {
	var p struct {
		Request  struct{ URL string }
		Response struct {
			URL, StatusText string
			Status          int
		}
		Entry            struct{ Level, Text string }
		Type             string
		Args             []struct{ Value any }
		ExceptionDetails struct{ Exception struct{ Description string } }
	}
	_ = json.Unmarshal(e.Params, &p) // what is not there stays empty
	switch e.Method {
	case "Page.loadEventFired":
		t.once.Do(func() { close(t.loaded) })
	case "Network.requestWillBeSent":
		if !strings.HasPrefix(p.Request.URL, t.host+"/") && !strings.HasPrefix(p.Request.URL, "data:") {
			t.fault("it asks another host for " + p.Request.URL)
		}
	case "Network.responseReceived":
		if p.Response.Status >= 400 {
			t.fault(fmt.Sprintf("%s: %d", strings.TrimPrefix(p.Response.URL, t.host), p.Response.Status))
		}
	case "Log.entryAdded":
		t.fault(p.Entry.Level + " in the console: " + p.Entry.Text)
	case "Runtime.consoleAPICalled":
		t.fault(fmt.Sprint("a script wrote ", p.Args))
	case "Runtime.exceptionThrown":
		t.fault("a script failed: " + p.ExceptionDetails.Exception.Description)
	}
}

// show gives the window of a tab its size and its theme.
func (t *tab) show(ctx context.Context, v view) error {
	return firstOf(
		t.call(ctx, "Emulation.setEmulatedMedia", map[string]any{
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": v.scheme}}}),
		t.call(ctx, "Emulation.setDeviceMetricsOverride",
			map[string]any{"width": v.width, "height": 800, "deviceScaleFactor": 1, "mobile": v.name == "phone"}))
}

func (t *tab) call(ctx context.Context, method string, params any) error {
	return t.browser.Call(ctx, t.session, method, params, nil)
}

// open shows a page in a view and waits until it is loaded.
func (c *checker) open(ctx context.Context, page string, v view) (*tab, error) {
	t := &tab{browser: c.browser, host: c.host, loaded: make(chan struct{})}
	var err error
	if t.session, err = c.browser.Tab(ctx, t.note); err != nil {
		return nil, err
	}
	none := struct{}{}
	if err := firstOf(t.call(ctx, "Page.enable", none), t.call(ctx, "Log.enable", none),
		t.call(ctx, "Runtime.enable", none), t.call(ctx, "Network.enable", none), t.show(ctx, v),
		t.call(ctx, "Page.navigate", map[string]any{"url": c.host + page})); err != nil {
		return nil, err
	}
	select {
	case <-t.loaded:
		return t, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// close ends the tab and returns what was wrong with it.
func (t *tab) close(ctx context.Context) []string {
	_ = t.browser.Call(ctx, t.session, "Page.close", struct{}{}, nil) // nothing depends on it
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.faults
}
