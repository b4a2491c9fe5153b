package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
)

func compare(ctx context.Context, all []*systemd, work string) error {
	dir, err := filepath.Abs(filepath.Join(work, "made"))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // two gigabytes
	made, err := makeAll(ctx, all, dir)
	if err != nil {
		return err
	}
	variants, files, entries, ways, wrong := map[string]bool{}, 0, 0, 0, 0
	for _, path := range made {
		set, err := open(path)
		if err != nil {
			return err
		}
		names := map[string]bool{}
		for _, f := range set.Files() {
			files++
			names[f.String()] = true
			variants[f.String()] = true
		}
		n, bad, err := same(ctx, judge(all), set, path)
		if err != nil {
			return err
		}
		entries, ways, wrong = entries+n, ways+6, wrong+len(bad)
		verdict := "equal"
		if len(bad) > 0 {
			verdict = "DIFFERS: " + strings.Join(bad, "; ")
		}
		fmt.Printf("%-34s %3d files %6d entries  %s  %s\n", strings.TrimPrefix(path, dir+"/"),
			len(set.Files()), n, verdict, keys(names))
		if err := set.Close(); err != nil {
			return err
		}
	}
	fmt.Printf(
		"journals: %d journals in %d files of %d variants of the format, %d entries, %d comparisons with journalctl, %d differ\n", len(made), files, len(variants), entries, ways, wrong)
	if wrong > 0 {
		return errors.New("compare journals: some differ")
	}
	return nil
}

// makeAll creates the journals: what each release can write, and what a journald leaves behind.
func makeAll(ctx context.Context, all []*systemd, dir string) (made []string, err error) {
	// Each is a directory: the programs rotate by size and by the number of fields.
	add := func(t *systemd, env []string, name string, export io.Reader) error {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
		made = append(made, path)
		return t.write(ctx, env, filepath.Join(path, "remote.journal"), export)
	}
	seed := uint64(0)
	for _, t := range all {
		for _, compact := range []string{"0", "1"} {
			for _, keyed := range []string{"0", "1"} {
				for _, compress := range []string{"0", "XZ", "LZ4", "ZSTD"} {
					seed++
					env := []string{"SYSTEMD_JOURNAL_COMPACT=" + compact, "SYSTEMD_JOURNAL_KEYED_HASH=" + keyed,
						"SYSTEMD_JOURNAL_COMPRESS=" + compress}
					name := fmt.Sprintf("%s-compact%s-keyed%s-%s", t.suite, compact, keyed, compress)
					if err := add(t, env, name, bytes.NewReader(awkward(seed, 1500))); err != nil {
						return nil, err
					}
				}
			}
		}
		// Long enough for several files by size alone.
		if err := add(t, nil, t.suite+"-rotated", &kubelet{n: 150_000}); err != nil {
			return nil, err
		}
	}
	for _, how := range [][2]string{{"0", "plain"}, {"1", "plain"}, {"1", "sealed"}} {
		left, err := live(ctx, filepath.Join(dir, "journald-compact"+how[0]+"-"+how[1]), how[0], how[1])
		if err != nil {
			fmt.Printf("skipped: journals of a real journald: %v\n", err)
			continue
		}
		made = append(made, left...)
	}
	return made, nil
}

// judge returns the first release whose journalctl can read the files: the oldest one does not know compact files.
func judge(all []*systemd) *systemd {
	for _, t := range all {
		if t.suite != "bullseye" {
			return t
		}
	}
	return all[0]
}

func open(path string) (*journalfile.Set, error) {
	set := &journalfile.Set{}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	paths := []string{path}
	if info.IsDir() {
		if paths, err = journalfile.Find(path); err != nil {
			return nil, err
		}
	}
	for _, p := range paths {
		if err := set.Open(p); err != nil {
			return nil, errors.Join(err, set.Close())
		}
	}
	return set, nil
}

// same compares one journal; bad names the comparisons that failed.
func same(ctx context.Context, t *systemd, set *journalfile.Set, path string) (entries int, bad []string, err error) {
	all, list, err := export(ctx, set, journalfile.Query{})
	if err != nil || len(list) == 0 {
		return 0, nil, errors.Join(fmt.Errorf("read %s: %d entries", path, len(list)), err)
	}
	check := func(what string, ours []byte, args ...string) error {
		theirs, err := t.read(ctx, path, append([]string{"--output=export"}, args...)...)
		theirs = bytes.TrimPrefix(numbers.ReplaceAll(theirs, []byte("$1")), []byte("-- No entries --\n"))
		if err == nil && !bytes.Equal(ours, theirs) {
			bad = append(bad, fmt.Sprintf("%s (%d bytes, journalctl %d, apart at byte %d)",
				what, len(ours), len(theirs), apart(ours, theirs)))
		}
		return err
	}
	if err := check("all", all); err != nil {
		return 0, nil, err
	}
	// As journalctl --unit: a unit's own entries, and systemd's about it.
	ours, _, err := export(ctx, set, journalfile.Query{Any: unit})
	if err == nil {
		err = check("unit", ours, "--unit=kubelet.service")
	}
	if err != nil {
		return 0, nil, err
	}
	since := list[len(list)/3]
	ours, _, err = export(ctx, set, journalfile.Query{Since: time.UnixMicro(int64(since.Realtime))})
	if err == nil {
		err = check("since", ours, "--since=@"+seconds(since.Realtime))
	}
	if err != nil {
		return 0, nil, err
	}
	why, err := collected(ctx, t, set, path)
	if err != nil {
		return 0, nil, err
	}
	if why != "" {
		bad = append(bad, why)
	}
	return len(list), bad, nil
}

// numbers are the lines that later releases add to the head of an entry.
var numbers = regexp.MustCompile(`(\n__MONOTONIC_TIMESTAMP=\d+\n)__SEQNUM=\d+\n__SEQNUM_ID=[0-9a-f]{32}\n`)

func seconds(micros uint64) string { return fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6) }

// collected compares what a node's collection stores: read from the files, and through journalctl.
func collected(ctx context.Context, t *systemd, _ *journalfile.Set, path string) (why string, err error) {
	direct := journal.Options{Since: time.Unix(1, 0), Dirs: []string{path},
		Runner: journal.Command{"journalctl-must-not-be-asked"}}
	asked := journal.Options{Since: time.Unix(1, 0), Dirs: []string{},
		Runner: journal.Command(append(append([]string{}, t.loader...), t.journalctl, "--directory", path))}
	var logs [2]map[string][]byte
	for i, o := range []journal.Options{direct, asked} {
		logs[i] = map[string][]byte{}
		pieces, _ := journal.NewSource("n1", o).Collect(ctx)
		for _, p := range pieces {
			r, err := p.Files()[0].Open()
			if err != nil {
				return "", err
			}
			if logs[i][p.Files()[0].Path], err = io.ReadAll(r); err != nil {
				return "", err
			}
			if err := r.Close(); err != nil {
				return "", err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(logs[1])) {
		if ours, theirs := withoutHoles(logs[0][name]), logs[1][name]; !bytes.Equal(ours, theirs) {
			return fmt.Sprintf("%s (%d bytes, journalctl %d, apart at byte %d)",
				name, len(ours), len(theirs), apart(ours, theirs)), nil
		}
	}
	if len(logs[0]) != len(logs[1]) {
		return fmt.Sprintf("collected %d logs, by journalctl %d", len(logs[0]), len(logs[1])), nil
	}
	return "", nil
}

// withoutHoles removes what journalctl cannot show: where entries are missing.
func withoutHoles(b []byte) []byte { return holes.ReplaceAll(b, nil) }

var holes = regexp.MustCompile(`(?m)^__HOLE=.*\n\n`)

// apart returns where two texts begin to differ.
func apart(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func export(ctx context.Context, set *journalfile.Set, q journalfile.Query) (out []byte,
	list []journalfile.Cursor, err error) {
	for e, err := range set.Entries(ctx, q) {
		if err != nil {
			return nil, nil, err
		}
		out = e.AppendExport(out)
		list = append(list, e.Cursor)
	}
	return out, list, nil
}

func keys(m map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), " | ")
}
