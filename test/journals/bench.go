package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/test/bench/pairs"
)

// budget is the share of journalctl's time that our reading may take; both run in turn, this often.
const (
	budget = 0.3
	rounds = 3
)

// bench reads one journal in three ways, in one run and from the page cache: journalctl -u kubelet -o json, the same
// entries with all their fields through journalfile, and the collection of a node (all three logs, into memory).
func bench(ctx context.Context, all []*systemd, work string, entries int) error {
	t := judge(all)
	dir, err := filepath.Abs(filepath.Join(work, "bench"))
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // half a gigabyte
	id := "4501864c813d422e92191538b5b3c538"
	logs := filepath.Join(dir, "var/log/journal", id)
	for path, data := range map[string]string{filepath.Join(dir, "etc/machine-id"): id + "\n"} {
		if err := errors.Join(os.MkdirAll(logs, 0o755), os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(data), 0o644)); err != nil {
			return err
		}
	}
	if err := t.write(ctx, nil, filepath.Join(logs, "system.journal"), &kubelet{n: entries}); err != nil {
		return err
	}
	set, err := open(logs)
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }() // read only
	size := int64(0)
	for _, f := range set.Files() {
		size += f.Size()
	}
	fmt.Printf("%d files, %d MiB, %d entries of the kubelet: %s\n", len(set.Files()),
		size>>20, entries, set.Files()[0].String())
	ours := func() (time.Duration, error) {
		begin := time.Now()
		n := 0
		for e, err := range set.Entries(ctx, journalfile.Query{Any: unit}) {
			if err != nil {
				return 0, err
			}
			if len(e.Fields) > 0 {
				n++
			}
		}
		if n != entries {
			return 0, fmt.Errorf("read the kubelet's entries: %d of %d", n, entries)
		}
		return time.Since(begin), nil
	}
	if _, err := ours(); err != nil { // fills the page cache
		return err
	}
	devNull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = devNull.Close() }() // only /dev/null
	turns, err := pairs.Run(rounds, ours, func() (time.Duration, error) {
		cmd := t.command(ctx, nil, t.journalctl, "--directory", logs, "--unit=kubelet", "--output=json", "--no-pager")
		cmd.Stdout = devNull
		begin := time.Now()
		err := cmd.Run()
		return time.Since(begin), err
	})
	if err != nil {
		return err
	}
	ratio := pairs.Ratio(turns)
	last := turns[len(turns)-1]
	begin := time.Now()
	pieces, gaps := journal.NewSource("n1", journal.Options{Root: dir, Since: time.Unix(1, 0),
		Budget: 4 << 30, Timeout: 10 * time.Minute}).Collect(ctx)
	collected := time.Since(begin)
	if len(pieces) == 0 {
		return fmt.Errorf("collect %s: nothing: %v", dir, gaps)
	}
	read, n, err := window(ctx, logs)
	if err != nil {
		return err
	}
	fmt.Printf(
		"journalctl -u kubelet -o json  %8s\nall fields through journalfile %8s  %.3f x\ncollection of a node           %8s  %.3f x\n",
		last.Theirs.Round(time.Millisecond), last.Ours.Round(time.Millisecond), last.Ours.Seconds()/last.Theirs.Seconds(),
		collected.Round(time.Millisecond), collected.Seconds()/last.Theirs.Seconds())
	fmt.Printf("a window of %d entries reads %d KiB of %d MiB\n", n, read>>10, size>>20)
	fmt.Printf("journals: %d entries of the kubelet in %.3f of journalctl's time, budget %.1f\n", entries, ratio, budget)
	if pairs.Over(ratio, budget) {
		return errors.New("bench journals: over the budget")
	}
	return nil
}

// unit matches the entries of journalctl --unit=kubelet in these journals.
var unit = [][]journalfile.Match{{{Field: "_SYSTEMD_UNIT", Value: "kubelet.service"}},
	{{Field: "_PID", Value: "1"}, {Field: "UNIT", Value: "kubelet.service"}}}

// window reads ten seconds from the middle and counts the bytes.
func window(ctx context.Context, dir string) (read int64, entries int, err error) {
	set, err := open(dir)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = set.Close() }() // read only
	first, last := uint64(1<<63), uint64(0)
	for _, f := range set.Files() {
		first, last = min(first, f.HeadRealtime), max(last, f.TailRealtime)
	}
	since := time.UnixMicro(int64(first + (last-first)/2))
	for e, err := range set.Entries(ctx, journalfile.Query{Since: since, Any: unit}) {
		if err != nil {
			return 0, 0, err
		}
		if e.Time().After(since.Add(10 * time.Second)) {
			break
		}
		entries++
	}
	return set.BytesRead(), entries, nil
}
