// Package report describes what changed between two releases in everything that this program knows about a kubelet, for
// the person who updates it.
//
// It may import newminor's inventory, modelled and tables, and the standard library. It uses no sources.
package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/tables"
)

// A Section is one kind of change: its lines, and what to do about them.
type Section struct {
	Name, Where string
	Lines       []string
}

// Report is a comparison.
type Report struct {
	From, To string
	Sections []Section
	Gaps     []string // what could not be read of one of the two
}

// Compare finds what changed. decides returns what a log message's text becomes in this program, "" or "-" if nothing.
func Compare(from, to *inventory.Inventory, parts []modelled.Part, decides func(text string) string) Report {
	r := Report{From: from.Version, To: to.Version}
	add := func(name, where string, lines []string) {
		if len(lines) > 0 {
			r.Sections = append(r.Sections, Section{name, where, lines})
		}
	}
	add("functions that we model", "by hand, each at its place; then make oracle", functions(from, to, parts))
	add("print of every pod", "generated: analyzer/kubelet/staticpod/changes.json", printed(from, to))
	add("types in a pod's print, if used", "docs only: static pods that use them", others(from.Print, to.Print))
	add("types of the API's container", "hashes up to 1.30 know them; what is new is to be read",
		others(from.Container, to.Container))
	add("feature gates", "generated: analyzer/preflight/gates.json, newgates.json; by hand: "+
		"analyzer/kubelet/gates.go", gates(from, to))
	add("flags", "generated: analyzer/preflight/flags.json", names("flag --", from.Flags, to.Flags))
	add("configuration", "by hand: diag/internal/hostfiles, diag/kubeletlog settings", configuration(from.Config, to.Config))
	add("log messages", "generated: test/messages/messages.tsv; by hand: diag/kubeletlog, diag/internal/kubeletmsg, as make "+
		"verify says", logs(from, to, decides))
	add("reasons of events", "by hand: diag/internal/kubeletmsg", names("", from.Reasons, to.Reasons))
	add("events", "by hand: diag/internal/kubeletmsg", events(from, to))
	add("texts of errors", "by hand where one is read: diag/kubeletlog, diag/collectorpod", errorTexts(from, to))
	for _, i := range []*inventory.Inventory{from, to} {
		for _, g := range i.Gaps {
			r.Gaps = append(r.Gaps, i.Version+": "+g)
		}
	}
	return r
}

// Changes counts the lines.
func (r Report) Changes() (n int) {
	for _, s := range r.Sections {
		n += len(s.Lines)
	}
	return n
}

// Print writes the report; the last line is a summary.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	var counts []string
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "%s (%s)\n", s.Name, s.Where)
		for _, line := range s.Lines {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		b.WriteString("\n")
		counts = append(counts, fmt.Sprintf("%d %s", len(s.Lines), s.Name))
	}
	if len(r.Gaps) > 0 {
		b.WriteString("not read\n")
		for _, g := range r.Gaps {
			fmt.Fprintf(&b, "  %s\n", g)
		}
		b.WriteString("\n")
	}
	sum := "nothing changed"
	if n := r.Changes(); n > 0 {
		sum = fmt.Sprintf("%d changes: %s", n, strings.Join(counts, ", "))
	}
	if len(r.Gaps) > 0 {
		sum += fmt.Sprintf("; %d things not read", len(r.Gaps))
	}
	fmt.Fprintf(&b, "newminor: %s → %s: %s\n", r.From, r.To, sum)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// minorOf returns the minor version for which a release chooses the stages of its gates: an early alpha still uses the
// previous one.
func minorOf(i *inventory.Inventory) int {
	for _, v := range []string{"v" + i.Binary + ".0", i.Version} {
		if p, err := release.Parse(v); err == nil {
			return int(p.Minor())
		}
	}
	return 0
}

func gates(from, to *inventory.Inventory) (all []string) {
	for _, name := range union(from.Gates, to.Gates) {
		was, had := tables.Effective(from.Gates[name], minorOf(from))
		is, has := tables.Effective(to.Gates[name], minorOf(to))
		switch {
		case had && !has:
			all = append(all, "gone "+name)
		case has && !had:
			all = append(all, fmt.Sprintf("new %s, %s", name, stage(is)))
		case is.Locked && !was.Locked:
			all = append(all, fmt.Sprintf("locked %s to %t", name, is.Default))
		case was.Default != is.Default || was.Stage != is.Stage || was.Locked != is.Locked:
			all = append(all, fmt.Sprintf("changed %s: %s, was %s", name, stage(is), stage(was)))
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

func rank(line string) int {
	word, _, _ := strings.Cut(line, " ")
	return slices.Index([]string{"gone", "locked", "new", "changed"}, word)
}

func stage(s inventory.Stage) string {
	word := strings.ToLower(s.Stage)
	if word == "" {
		word = "GA"
	}
	if s.Default {
		return word + " on"
	}
	return word + " off"
}

func names(kind string, was, is []string) (all []string) {
	for _, n := range was {
		if !slices.Contains(is, n) {
			all = append(all, "gone "+kind+n)
		}
	}
	for _, n := range is {
		if !slices.Contains(was, n) {
			all = append(all, "new "+kind+n)
		}
	}
	return all
}

func configuration(was, is map[string]inventory.Field) (all []string) {
	shown := func(f inventory.Field) string {
		if f.Default == "" {
			return f.Type + ", no default"
		}
		return f.Type + ", default " + f.Default
	}
	for _, name := range union(was, is) {
		old, had := was[name]
		now, has := is[name]
		switch {
		case had && !has:
			all = append(all, "gone "+name)
		case has && !had:
			all = append(all, fmt.Sprintf("new %s: %s", name, shown(now)))
		case old != now:
			all = append(all, fmt.Sprintf("changed %s: %s; was %s", name, shown(now), shown(old)))
		}
	}
	return all
}

// printed lists the changes that give every static pod another UID.
func printed(from, to *inventory.Inventory) []string {
	return tables.PrintChanges(from.Print, to.Print)
}

// others lists the changes of types that only some pods use.
func others(was, is map[string]inventory.Type) (all []string) {
	for _, name := range union(was, is) {
		old, had := was[name]
		now, has := is[name]
		if old.Always || now.Always || slices.Equal(old.Fields, now.Fields) {
			continue
		}
		switch {
		case had && !has:
			all = append(all, "gone "+name)
		case has && !had:
			all = append(all, fmt.Sprintf("new %s {%s}", name, strings.Join(now.Fields, "; ")))
		default:
			said := names(name+".", old.Fields, now.Fields)
			if len(said) == 0 {
				said = []string{"changed " + name + ": order of its fields"}
			}
			all = append(all, said...)
		}
	}
	return all
}

func errorTexts(from, to *inventory.Inventory) (all []string) {
	for _, file := range union(from.Errors, to.Errors) {
		for _, line := range names("", from.Errors[file], to.Errors[file]) {
			word, text, _ := strings.Cut(line, " ")
			all = append(all, fmt.Sprintf("%s %s %q", word, file, text))
		}
	}
	return all
}

func union[V any](a, b map[string]V) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}
