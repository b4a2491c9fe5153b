// Command newminor reports what a new Kubernetes release changes for this program, and regenerates the tables that can
// be derived from its source.
//
//	newminor -v v1.38.0 [-from v1.37.1] [-write] [-diff]
//	newminor -v newest | stable
//	newminor -tables
//	newminor -again
//
// It reads releases from the Go module proxy, with Go's own parser and type checker, into inventories (releases/), and
// compares two of them. -write stores the new inventory and regenerates the tables; -diff shows on the terminal the
// changed functions that we model. -tables regenerates the tables from the stored inventories, without a network.
// -again reads each stored release again, which is needed after a change of this program or of what it looks for.
//
// Exit codes: 0 nothing changed, and everything was read (or tables were regenerated); 1 something changed, or a part
// could not be read: the report says what; 2 nothing was compared: bad usage, an unavailable release, a table that
// cannot be generated.
//
// It may import newminor's packages and the standard library, and runs at the root of the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/read"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/report"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/tables"
)

// releases is where inventories are stored.
const releases = "hack/newminor/releases"

const (
	nothing = iota
	changed
	failed
)

// sources returns the inventory of a release's source, and the folders that it was read from.
type sources func(ctx context.Context, version string) (*inventory.Inventory, map[string]string, error)

func main() {
	code, err := run(context.Background(), os.Args[1:], os.Stdout, fetch)
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
	}
	os.Exit(code)
}

func fetch(ctx context.Context, version string) (*inventory.Inventory, map[string]string, error) {
	r, err := release.Fetch(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	return read.Read(version, r.Dirs, r.Gaps, modelled.Parts), r.Dirs, nil
}

// run returns the exit code; an error comes with failed.
func run(ctx context.Context, args []string, out io.Writer, get sources) (int, error) {
	flags := flag.NewFlagSet("newminor", flag.ContinueOnError)
	version := flags.String("v", "",
		"the release to read; newest or stable, without alphas, of those that the proxy lists")
	from := flags.String("from", "", "the release to compare it with; the newest one up to it that is in "+releases)
	write := flags.Bool("write", false, "keep the inventory and renew the tables")
	diff := flags.Bool("diff", false, "show what changed in functions that we model")
	only := flags.Bool("tables", false, "renew the tables and do nothing else")
	again := flags.Bool("again", false, "read every release again that is in "+releases+", and renew the tables")
	if err := flags.Parse(args); err != nil {
		return failed, fmt.Errorf("read flags: %w", err)
	}
	if modes := []bool{*only, *again, *version != ""}; count(modes) != 1 || flags.NArg() > 0 {
		return failed, errors.New("read flags: give a release (-v), -tables or -again")
	}
	kept, err := tables.Load(releases)
	if err != nil {
		return failed, err
	}
	if *again {
		if kept, err = anew(ctx, out, kept, get); err != nil {
			return failed, err
		}
	}
	if *only || *again {
		if err := renew(out, kept); err != nil {
			return failed, err
		}
		return nothing, nil
	}
	candidates := []string{*version}
	if *version == "newest" || *version == "stable" {
		if candidates, err = release.Newest(ctx, *version == "stable"); err != nil {
			return failed, err
		}
	}
	now, dirs, err := first(ctx, out, candidates, get)
	if err != nil {
		return failed, err
	}
	before, err := earlier(ctx, kept, *from, now.Version, get)
	if err != nil {
		return failed, err
	}
	r := report.Compare(before, now, modelled.Parts, decides())
	if err := r.Print(out); err != nil {
		return failed, err
	}
	if *diff {
		if err := show(ctx, out, before, now, dirs, get); err != nil {
			return failed, err
		}
	}
	if *write {
		if err := keep(out, kept, now); err != nil {
			return failed, err
		}
	}
	if r.Changes() > 0 || len(r.Gaps) > 0 {
		return changed, nil
	}
	return nothing, nil
}

func count(all []bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// anew reads releases again; one that is not available keeps its inventory.
func anew(ctx context.Context, out io.Writer, kept []*inventory.Inventory,
	get sources) ([]*inventory.Inventory, error) {
	for n, old := range kept {
		now, _, err := get(ctx, old.Version)
		if err != nil {
			fmt.Fprintf(out, "newminor: %s stays as it was: %v\n", old.Version, err)
			continue
		}
		if err := now.Write(filepath.Join(releases, now.Version+".json.gz")); err != nil {
			return kept, err
		}
		fmt.Fprintf(out, "newminor: read %s\n", now.Version)
		kept[n] = now
	}
	return kept, nil
}

// first reads the first of some releases that is available: a list may name one whose source is not.
func first(ctx context.Context, out io.Writer, versions []string, get sources) (*inventory.Inventory,
	map[string]string, error) {
	var all error
	for _, version := range versions {
		i, dirs, err := get(ctx, version)
		if err == nil {
			return i, dirs, nil
		}
		all = errors.Join(all, err)
		if len(versions) > 1 {
			fmt.Fprintf(out, "left out: %v\n", err)
		}
	}
	return nil, nil, all
}

// earlier returns the inventory to compare with: a stored one, or one that is read for it. A stored release is compared
// with itself: it changed nothing unless this program did. A pre-release is only used to compare with its successors on
// the way to the same release: so a release is compared with a release, and an alpha that was already reviewed and
// stored is not reported again.
func earlier(ctx context.Context, kept []*inventory.Inventory, from, version string,
	get sources) (*inventory.Inventory, error) {
	want, err := release.Parse(version)
	if err != nil {
		return nil, err
	}
	var best *inventory.Inventory
	for _, i := range kept {
		v, err := release.Parse(i.Version)
		if err != nil {
			return nil, err
		}
		if i.Version == from || from == "" && (v.PreRelease() == "" || want.PreRelease() != "") && !v.GreaterThan(want) {
			best = i
		}
	}
	switch {
	case best != nil:
		return best, nil
	case from == "":
		return nil, fmt.Errorf("compare %s: there is no inventory of an earlier release in %s; name one with -from",
			version, releases)
	}
	i, _, err := get(ctx, from)
	return i, err
}

// keep writes an inventory and regenerates the tables with it.
func keep(out io.Writer, kept []*inventory.Inventory, now *inventory.Inventory) error {
	file := filepath.Join(releases, now.Version+".json.gz")
	if err := now.Write(file); err != nil {
		return err
	}
	fmt.Fprintf(out, "newminor: wrote %s\n", file)
	all := []*inventory.Inventory{now}
	for _, i := range kept {
		if i.Version != now.Version {
			all = append(all, i)
		}
	}
	return renew(out, all)
}

func renew(out io.Writer, all []*inventory.Inventory) error {
	m, err := tables.Newest(all)
	if err != nil {
		return err
	}
	names, err := tables.Write(".", m)
	for _, name := range names {
		fmt.Fprintf(out, "newminor: renewed %s\n", name)
	}
	return err
}

// decides returns what messages.tsv says about a text; nothing if the table is missing.
func decides() func(text string) string {
	says := map[string]string{}
	table, _ := os.ReadFile("test/messages/messages.tsv")
	for row := range strings.Lines(string(table)) {
		if c := strings.Split(strings.TrimSuffix(row, "\n"), "\t"); len(c) == 7 && c[6] != "-" {
			says[c[4]] = c[6]
		}
	}
	return func(text string) string { return says[text] }
}
