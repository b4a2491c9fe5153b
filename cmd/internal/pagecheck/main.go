// Command pagecheck checks the pages of -o html in a real browser, as a user would see them: light, dark, narrow,
// printed, without scripts. It fails if a page requests or logs anything, does not fit a phone, has a text that is hard
// to read, or lets a text from a cluster become more than text.
//
// It may import what makes a page from the recorded incident. The released program never imports it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/pagecheck/chromium"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

func main() {
	browser := flag.String("chromium", "",
		"the browser; the first of chromium, chromium-browser, google-chrome that is there")
	out := flag.String("o", "", "the directory for the pages and their pictures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *browser, *out); err != nil {
		fmt.Fprintf(os.Stderr, "error: check pages: %v\n", err)
		os.Exit(1)
	}
}

func found(path string) (string, error) {
	if path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no chromium in PATH: apt-get install chromium")
}

func run(ctx context.Context, w io.Writer, path, out string) (err error) {
	if path, err = found(path); err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	profile, err := os.MkdirTemp("", "pagecheck-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	all, err := pages(clock.Now())
	if err != nil {
		return err
	}
	b, err := chromium.Start(ctx, path, profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	c := &checker{browser: b, out: out}
	if err := c.sees(ctx); err != nil {
		return err
	}
	faults, looks := 0, 0
	for _, p := range all {
		plain := ""
		for _, v := range views {
			found, body, err := c.check(ctx, p, v)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name, v.name, err)
			}
			switch {
			case v.name == "light":
				plain = body
			case v.noScript && body != plain:
				found = append(found, "without scripts it is another page")
			}
			looks++
			faults += len(found)
			for _, f := range found {
				fmt.Fprintf(w, "%s, %s: %s\n", p.name, v.name, f)
			}
		}
	}
	fmt.Fprintf(w, "html-check: %d pages, %d views, %d faults; pictures in %s\n", len(all), looks, faults, out)
	if faults > 0 {
		return fmt.Errorf("%d faults", faults)
	}
	return nil
}

// broken has every fault that is checked for, and texts.
var broken = page{name: "broken", says: []string{"what nobody wrote"},
	html: `<!DOCTYPE html><html><body style="background:#fff">
<p style="color:#ccc">pale</p><p style="width:2000px">wide</p><a href="#nowhere">x</a><a href="https://owned.invalid/">y</a>
<img src="https://owned.invalid/picture" onerror="1"><script>console.error("owned"); document.body.append("by a script"); nothing()</script>
<table style="width:1px;overflow-wrap:anywhere"><tr><td>whole</table><details class="item" open><details class="fold"><summary>s</summary><p>folded in</p></details></details></body></html>`}

// sees makes sure that the checks find what they are for: a browser that reports nothing would show no fault on any
// page.
func (c *checker) sees(ctx context.Context) error {
	said, bodies := "", map[string]string{}
	for _, v := range views {
		faults, body, err := c.check(ctx, broken, v)
		if err != nil {
			return err
		}
		said += strings.Join(faults, "\n") + "\n"
		bodies[v.name] = body
	}
	for _, want := range []string{
		"contrast", "wide in a window", "sticks out", "leads nowhere", "leads off the page",
		"asks for https://owned.invalid/picture", "a script wrote", "a script failed",
		"an element that no page has: script", "an attribute that no page has: onerror",
		"is not printed", "it breaks the word whole", "does not find",
	} {
		if !strings.Contains(said, want) {
			return fmt.Errorf("the checks are blind: a page with every fault does not show %q:\n%s", want, said)
		}
	}
	if bodies["light"] == bodies["without scripts"] {
		return errors.New("the checks are blind: a script runs where scripts are off")
	}
	return nil
}
