// Command fuzz runs every fuzz target of the given packages, one after another, and ends with one line of figures. It
// exits 1 if an input broke a target, and says which input and where it was written: from then on `go test` runs that
// input too.
//
// The test binaries are built once each, with the compiler's coverage counters only in the packages of this module: `go
// test -fuzz` handles one package at a time and rebuilds the standard library and every dependency with counters that
// guide the search into other people's code.
//
// It belongs to the Makefile and imports nothing of the project.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

func main() {
	o := options{grace: time.Minute}
	flag.DurationVar(&o.each, "time", 30*time.Second, "how long each target runs")
	flag.StringVar(&o.only, "only", "", "a regular expression: run only targets whose PACKAGE.TARGET holds it")
	flag.StringVar(&o.cache, "cache", "", "a directory that keeps inputs that found new code, for the next run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := fuzz(ctx, o, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "error: fuzz: %v\n", err)
		os.Exit(1)
	}
}

type options struct {
	each time.Duration
	// grace is how long a target may take to end after its time is up: it may still be working on an input. A target
	// that takes longer hangs.
	grace       time.Duration
	only, cache string
}

// fuzz finds, builds and runs the targets of some packages; ./... if none are given.
func fuzz(ctx context.Context, o options, patterns []string) error {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	dir, err := os.MkdirTemp("", "fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := packages(ctx, patterns)
	if err != nil {
		return err
	}
	var wanted []pkg
	for _, p := range all {
		if p.targets = matching(only, p); len(p.targets) > 0 {
			wanted = append(wanted, p)
		}
	}
	if err := build(ctx, dir, wanted); err != nil {
		return err
	}
	sum := sums{packages: len(wanted)}
	for _, p := range wanted {
		for _, target := range p.targets {
			r := run(ctx, p, target, o)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			sum.add(os.Stdout, p.short()+"."+target, r)
		}
	}
	sum.print(os.Stdout, o.each)
	if sum.targets == 0 {
		return fmt.Errorf("no target called %q", cmp.Or(o.only, "Fuzz…"))
	}
	if sum.broken > 0 {
		return fmt.Errorf("%d of %d targets broke", sum.broken, sum.targets)
	}
	return nil
}

func matching(only *regexp.Regexp, p pkg) (out []string) {
	for _, t := range p.targets {
		if only.MatchString(p.short() + "." + t) {
			out = append(out, t)
		}
	}
	return out
}
