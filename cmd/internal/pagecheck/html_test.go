package pagecheck

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

var (
	pictures = flag.String("pictures", "",
		"the directory for the pages and their pictures; without it no browser is started")
	chromium = flag.String("chromium", "",
		"the browser; the first of chromium, chromium-browser, google-chrome that is there")
)

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

func TestPagesInABrowser(t *testing.T) {
	if *pictures == "" {
		t.Skip("make html-check looks at the pages in a headless Chromium")
	}
	path, err := found(*chromium)
	if err != nil {
		t.Fatal(err)
	}
	out, err := filepath.Abs(*pictures)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := pages(clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	b, err := start(context.WithoutCancel(t.Context()), path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := &checker{browser: b, out: out}
	if err := c.sees(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		plain := ""
		for _, v := range views {
			faults, body, err := c.check(t.Context(), p, v)
			if err != nil {
				t.Fatalf("%s, %s: %v", p.name, v.name, err)
			}
			switch {
			case v.name == "light":
				plain = body
			case v.noScript && body != plain:
				faults = append(faults, "without scripts it is another page")
			}
			for _, f := range faults {
				t.Errorf("%s, %s: %s", p.name, v.name, f)
			}
		}
	}
	t.Logf("%d pages, %d views of each; pictures in %s", len(all), len(views), out)
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
