// Command site looks at the built site (make site) in a real browser, as its readers have it: at a desk and on a
// phone, light and dark. It fails where a page asks for what is not there or for anything of another host, where its
// scripts complain, where it does not fit the window, where a link leads nowhere, and where the search does not find
// what people come with.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/pagecheck/chromium"
)

// base is the path that the site has on its host.
const base = "/kubectl-restartwhy/"

func main() {
	dir := flag.String("dir", "", "the built site")
	browser := flag.String("chromium", "", "the browser; chromium in PATH if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *dir, *browser); err != nil {
		fmt.Fprintf(os.Stderr, "error: check the site: %v\n", err)
		os.Exit(1)
	}
}

// pages lists the addresses of the pages below dir, each ending in a slash.
func pages(dir string) (all []string, err error) {
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "index.html" {
			rel, _ := filepath.Rel(dir, filepath.Dir(file)) // it is below dir
			all = append(all, path.Clean(base+filepath.ToSlash(rel))+"/")
		}
		return err
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no index.html")
	}
	if err != nil {
		return nil, fmt.Errorf("list the pages of %s: %w (make site builds them)", dir, err)
	}
	return all, nil
}

// served answers as a static host does, until ctx ends. It returns the address of the host.
func served(ctx context.Context, dir string) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle(base, http.StripPrefix(base, http.FileServer(http.Dir(dir))))
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }() // it ends with Close
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return "http://" + l.Addr().String(), nil
}

func run(ctx context.Context, w io.Writer, dir, browser string) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if browser == "" {
		if browser, err = exec.LookPath("chromium"); err != nil {
			return fmt.Errorf("%w: apt-get install chromium", err)
		}
	}
	all, err := pages(dir)
	if err != nil {
		return err
	}
	profile, err := os.MkdirTemp("", "sitecheck-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	b, err := chromium.Start(ctx, browser, profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := sees(ctx, b); err != nil {
		return err
	}
	host, err := served(ctx, dir)
	if err != nil {
		return err
	}
	c := &checker{browser: b, host: host, known: map[string]place{}}
	faults, err := c.all(ctx, all)
	if err != nil {
		return err
	}
	found, err := c.finds(ctx)
	if err != nil {
		return err
	}
	faults = append(faults, found...)
	for _, f := range faults {
		fmt.Fprintln(w, f)
	}
	fmt.Fprintf(w, "site-check: %d pages, %d views, %d links, %d searches, %d faults\n",
		len(all), len(all)*len(views), c.links, len(searches)*len(sizes), len(faults))
	if len(faults) > 0 {
		return fmt.Errorf("%d faults", len(faults))
	}
	return nil
}

// broken has every fault that is looked for: a browser that reports nothing would find none on any page.
const broken = `<!DOCTYPE html><html><body><div id="app"></div><p style="width:3000px">wide</p>
<a href="/kubectl-restartwhy/nowhere/">x</a><a href="#nobody">y</a><img src="missing.png"><img src="http://owned.invalid/x">
<script>document.getElementById("app").__vue_app__ = 1; console.error("a complaint"); nothing()</script></body></html>`

func sees(ctx context.Context, b *chromium.Browser) error {
	dir, err := os.MkdirTemp("", "sitecheck-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(broken), 0o600); err != nil {
		return err
	}
	host, err := served(ctx, dir)
	if err != nil {
		return err
	}
	c := &checker{browser: b, host: host, known: map[string]place{}}
	faults, err := c.all(ctx, []string{base})
	if err != nil {
		return err
	}
	said := strings.Join(faults, "\n")
	for _, want := range []string{"wide in a window", "no such page: " + base + "nowhere/",
		"no such anchor: " + base + "#nobody",
		"missing.png: 404", "asks another host for http://owned.invalid/x", "a complaint", "a script failed"} {
		if !strings.Contains(said, want) {
			return fmt.Errorf("the checks are blind: a page with every fault does not show %q:\n%s", want, said)
		}
	}
	return nil
}
