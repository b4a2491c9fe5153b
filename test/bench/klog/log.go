package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/nodelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// recorded are the text lines of the recorded kubelets.
func recorded(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "kubelet-*.export.gz"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no recordings in %s", dir)
	}
	var lines []string
	for _, name := range files {
		if err := entries(name, func(e evidence.Entry) {
			if _, _, ok := kubeletlog.ParseHeader(e.Message); ok || strings.HasPrefix(e.Message, "\t") || strings.HasPrefix(e.Message, " >") {
				lines = append(lines, e.Message)
			}
		}); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func entries(name string, yield func(evidence.Entry)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return journal.ReadExport(z, func(e evidence.Entry) error { yield(e); return nil }, nil)
}

// write repeats the recordings until the file has the size. Each repetition is a
// later stretch of time of another kubelet.
func write(path, dir string, size int64) (int64, error) {
	lines, err := recorded(dir)
	if err != nil {
		return 0, err
	}
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var n int64
	clock := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for round := 0; n < size; round++ {
		for _, l := range lines {
			if len(l) > 30 && l[5] == ' ' && l[21] == ' ' {
				clock = clock.Add(500 * time.Microsecond)
				l = l[:1] + clock.Format("0102 15:04:05.000000") + fmt.Sprintf(" %7d", 1000+round) + l[29:]
			}
			k, err := w.WriteString(l)
			if err != nil {
				return n, err
			}
			_ = w.WriteByte('\n') // Flush tells
			n += int64(k) + 1
		}
	}
	if err := w.Flush(); err != nil {
		return n, err
	}
	return n, f.Close()
}

func touch(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, f)
	return err
}

// counter is a sink that keeps nothing but numbers.
type counter struct {
	observations, coverage, gaps int
	bytes                        int64
}

func (c *counter) Observe(o evidence.Observation) {
	c.observations++
	c.bytes += int64(len(o.Text.String()))
}
func (c *counter) Cover(evidence.Coverage) { c.coverage++ }
func (c *counter) Gap(evidence.Gap)        { c.gaps++ }

// readOnce reads a log as analyze does and prints what it found.
func readOnce(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && n == 0 {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	format := nodelog.Sniff(head[:n])
	var c counter
	router := statement.NewRouter(&c, statement.Options{Node: "bench", Where: path})
	times := nodelog.Times{Reference: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Zone: time.UTC}
	odd, err := nodelog.Route(f, format, times, "", router)
	if err != nil {
		return err
	}
	router.Close()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %d observations of %d MiB, %d odd lines, %d stretches covered, %d gaps", format, c.observations, c.bytes>>20, odd, c.coverage, c.gaps)
	_, err = w.Write(b.Bytes())
	return err
}
