package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/test/bench/pairs"
)

// This file measures the whole program, analyze FILE, with logs in which few lines are relevant and in which all are.

// row is one log and its limits for analyze.
type row struct {
	name    string
	mib     int
	share   int     // of the relevant lines, in percent
	ratio   float64 // of grep's wall time; 0 if the seconds count
	seconds float64
	peak    int64 // MiB
}

// rows are a kubelet's log at -v=2 as on real nodes, and one that consists only of restarts.
var rows = []row{
	{"realistic", 1024, 8, 1.2, 0, 250},
	{"every line matters", 300, 100, 0, 6, 800},
}

// mixed writes a log with a share of relevant lines, until it has the given size. Each repetition of the recording is
// about other pods: their UIDs and ids differ.
func mixed(path string, size int64, share int) error {
	lines, err := recorded()
	if err != nil {
		return err
	}
	var matter, other []string
	for _, l := range lines {
		switch _, met := kubeletlog.Match(l); {
		case len(l) < 30 || l[5] != ' ' || strings.Contains(l, "] FLAG: ") || strings.HasSuffix(l, "=<"):
		case met:
			matter = append(matter, l)
		default:
			other = append(other, l)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	clock := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	step := time.Duration(float64(300*24*time.Hour) / float64(size/100)) // the log covers less than a year
	var n int64
	for i, m, o := 0, 0, 0; n < size; i++ {
		l := ""
		if (i+1)*share/100 > i*share/100 {
			l = renamed(matter[m%len(matter)], m/len(matter))
			m++
		} else {
			l = other[o%len(other)]
			o++
		}
		clock = clock.Add(step)
		k, err := w.WriteString(l[:1] + clock.Format("0102 15:04:05.000000") + "    1000" + l[29:] + "\n")
		if err != nil {
			return err
		}
		n += int64(k)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// renamed gives the ids in a line, of containers and pods, another beginning.
func renamed(l string, round int) string {
	if round == 0 {
		return l
	}
	b := []byte(l)
	for at, run := 0, 0; at <= len(b); at++ {
		if at < len(b) && strings.IndexByte("0123456789abcdef-", b[at]) >= 0 {
			run++
			continue
		}
		if run >= 36 {
			copy(b[at-run:], fmt.Sprintf("%06x", round))
		}
		run = 0
	}
	return string(b)
}

// whole measures the rows with the program at bin, and reports those that exceed their limits.
func (b bench) whole(bin string, mib int) error {
	var over []string
	for _, r := range rows {
		if mib > 0 {
			r.mib = mib
		}
		log := filepath.Join(b.dir, "kubelet-"+fmt.Sprint(r.share)+".log")
		if err := mixed(log, int64(r.mib)<<20, r.share); err != nil {
			return fmt.Errorf("write the log: %w", err)
		}
		got, err := b.against(log, bin, "analyze", log, "-o", "name")
		_ = os.Remove(log) // makes room for the next one
		if err != nil {
			return fmt.Errorf("analyze %s: %w", r.name, err)
		}
		ours, peak := got.ours.Wall.Seconds(), got.ours.Peak>>20
		fmt.Printf(
			"whole: %s, %d MiB: analyze %.2f s, grep %.2f s, %.2f of grep's wall time, %d MiB at most (budget %s, %d MiB)\n",
			r.name, r.mib, ours, got.grep.Wall.Seconds(), got.ratio, peak, r.budget(), r.peak)
		if peak > r.peak || r.ratio > 0 && pairs.Over(got.ratio, r.ratio) || r.seconds > 0 && ours > r.seconds {
			over = append(over, r.name)
		}
	}
	if over != nil {
		return fmt.Errorf("over budget: %s", strings.Join(over, ", "))
	}
	return nil
}

func (r row) budget() string {
	if r.ratio > 0 {
		return fmt.Sprintf("%.2f", r.ratio)
	}
	return fmt.Sprintf("%.0f s", r.seconds)
}
