// Command journals compares diag/journalfile with systemd's own journalctl, on journals that systemd's own programs
// have written: systemd-journal-remote of several Debian releases, in every variant of the format that they know, and a
// real systemd-journald in its own namespace, with rotation, users and a crash.
//
//	journals compare   byte for byte: all entries, one unit, since a time,
//	                   and what a node's collection stores
//	journals bench     a million entries of kubelet.service against journalctl -o json
//	journals record    the small files that the tests of journalfile read, with journalctl's answers
//
// The programs are unpacked from Debian's packages below -work and are never installed. What is unavailable is left
// out, with the reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	work := flag.String("work", ".cache/journals", "directory for packages and journals")
	suites := flag.String("suites", "bookworm,trixie,bullseye",
		"Debian releases whose systemd is used; the first one's journalctl is the judge")
	entries := flag.Int("entries", 1_000_000, "bench: entries of the kubelet")
	program.Main(func(ctx context.Context) error {
		return run(ctx, flag.Arg(0), *work, strings.Split(*suites, ","), *entries)
	})
}

func run(ctx context.Context, command, work string, suites []string, entries int) error {
	var all []*systemd
	for _, s := range suites {
		t, err := unpack(ctx, s, work)
		if err != nil {
			fmt.Printf("skipped: the systemd of %s: %v\n", s, err)
			continue
		}
		fmt.Printf("%s has %s\n", s, t.version)
		all = append(all, t)
	}
	if len(all) == 0 {
		fmt.Println("journals: skipped, no systemd-journal-remote is to be had here")
		return nil
	}
	switch command {
	case "compare":
		return compare(ctx, all, work)
	case "bench":
		return bench(ctx, all, work, entries)
	case "record":
		return record(ctx, all, "diag/journalfile/testdata")
	}
	return fmt.Errorf("run %q: want compare, bench or record", command)
}
