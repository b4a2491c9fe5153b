// Package tables writes what is generated from inventories: tables of gates, flags, static pods' UIDs and log messages.
// Entries older than the oldest inventory were read by hand and stay as they are in the table. So a table is generated
// from itself and the inventories, and one that is up to date does not change.
//
// It may import newminor's inventory and release, analyzer/kubelet and the standard library. It uses no sources and no
// network.
package tables

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/release"
)

// Oldest is the first minor version whose tables come from an inventory.
const Oldest = 24

// A Table is a generated file. Make returns its new text from its old one.
type Table struct {
	File string // below the root of this repository
	Make func(old []byte, all Minors) ([]byte, error)
}

// All lists the tables.
var All = []Table{
	{"analyzer/preflight/gates.json", rows(gatesTable)},
	{"analyzer/preflight/newgates.json", rows(newGatesTable)},
	{"analyzer/preflight/flags.json", rows(flagsTable)},
	{"analyzer/kubelet/staticpod/changes.json", rows(changesTable)},
	{"test/messages/messages.tsv", messagesTable},
}

// rows handles a JSON table with one row per line. fill gets the existing rows: those of minor versions up to Oldest
// stay.
func rows[K string | int, V any](fill func(map[K]V, Minors)) func([]byte, Minors) ([]byte, error) {
	return func(old []byte, m Minors) ([]byte, error) {
		all := map[K]V{}
		if err := json.Unmarshal(old, &all); err != nil {
			return nil, fmt.Errorf("read the rows that there are: %w", err)
		}
		fill(all, m)
		var lines []string
		for _, key := range slices.Sorted(maps.Keys(all)) {
			row, err := json.Marshal(all[key])
			if err != nil {
				return nil, err
			}
			lines = append(lines, fmt.Sprintf("  \"%v\": %s", key, row))
		}
		return []byte("{\n" + strings.Join(lines, ",\n") + "\n}\n"), nil
	}
}

// Minors are the inventories of the newest patch of each minor version, from Oldest on, without gaps.
type Minors []*inventory.Inventory

// First returns the oldest minor version.
func (m Minors) First() int { return Oldest }

// Last returns the newest minor version.
func (m Minors) Last() int { return Oldest + len(m) - 1 }

// At returns a minor version's inventory.
func (m Minors) At(minor int) *inventory.Inventory { return m[minor-Oldest] }

// Newest returns the newest release of each minor version from all inventories, without pre-releases.
func Newest(all []*inventory.Inventory) (Minors, error) {
	newest := map[int]*inventory.Inventory{}
	last := 0
	for _, i := range all {
		v, err := release.Parse(i.Version)
		if err != nil {
			return nil, err
		}
		minor := int(v.Minor())
		if v.PreRelease() != "" || minor < Oldest {
			continue
		}
		last = max(last, minor)
		if have := newest[minor]; have == nil || release.Compare(have.Version, i.Version) < 0 {
			newest[minor] = i
		}
	}
	var m Minors
	for minor := Oldest; minor <= last; minor++ {
		if newest[minor] == nil {
			return nil, fmt.Errorf("make tables: there is no inventory of a release of 1.%d", minor)
		}
		m = append(m, newest[minor])
	}
	if len(m) == 0 {
		return nil, errors.New("make tables: there are no inventories")
	}
	return m, nil
}

// Load reads every inventory of a folder, oldest release first.
func Load(dir string) ([]*inventory.Inventory, error) {
	files, err := filepath.Glob(filepath.Join(dir, "v*.json.gz"))
	if err != nil {
		return nil, fmt.Errorf("read inventories: %w", err)
	}
	var all []*inventory.Inventory
	for _, file := range files {
		i, err := inventory.Read(file)
		if err != nil {
			return nil, err
		}
		if filepath.Base(file) != i.Version+".json.gz" {
			return nil, fmt.Errorf("read inventory %s: it is of %s", file, i.Version)
		}
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b *inventory.Inventory) int { return release.Compare(a.Version, b.Version) })
	return all, nil
}

// Write regenerates the tables below root and returns those that changed.
func Write(root string, m Minors) (changed []string, err error) {
	for _, t := range All {
		file := filepath.Join(root, filepath.FromSlash(t.File))
		old, err := os.ReadFile(file)
		if err != nil {
			return changed, fmt.Errorf("make table: %w", err)
		}
		made, err := t.Make(old, m)
		if err != nil {
			return changed, fmt.Errorf("make table %s: %w", t.File, err)
		}
		if string(made) == string(old) {
			continue
		}
		if err := os.WriteFile(file, made, 0o644); err != nil { //nolint:gosec // a source file
			return changed, fmt.Errorf("make table: %w", err)
		}
		changed = append(changed, t.File)
	}
	return changed, nil
}

// Effective returns the stage of a gate in a minor version; false if the kubelet of that version does not know the
// gate: each entry is for a later one (featuregate featureSpecAtEmulationVersion).
func Effective(stages []inventory.Stage, minor int) (best inventory.Stage, known bool) {
	for _, s := range stages {
		if s.Since == "" || since(s.Since) <= minor {
			best, known = s, true
		}
	}
	return best, known
}

// since returns 31 for "1.31", and 0 for "1.0".
func since(version string) int {
	_, minor, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(minor)
	if err != nil {
		return 0
	}
	return n
}

// knows lists the gates that a minor version's kubelet accepts.
func (m Minors) knows(minor int) map[string]inventory.Stage {
	all := map[string]inventory.Stage{}
	for name, stages := range m.At(minor).Gates {
		if s, known := Effective(stages, minor); known {
			all[name] = s
		}
	}
	return all
}
