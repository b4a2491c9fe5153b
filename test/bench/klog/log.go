package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

func recorded() ([]string, error) {
	z, err := gzip.NewReader(bytes.NewReader(recording))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}

// recording is what three kubelets (v1.20, v1.28 to v1.34, v1.30 to v1.36) logged at -v=2 while their pods were in all
// kinds of trouble, from their first line on.
//
//go:embed testdata/kubelet.log.gz
var recording []byte

// write repeats the recording until the file has the given size. Each repetition is a later period of another kubelet.
func write(path string, size int64) (int64, error) {
	lines, err := recorded()
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
			_ = w.WriteByte('\n') // Flush returns the error
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

// counter is a sink that only counts.
type counter struct {
	observations, coverage, gaps int
	bytes                        int64
}

func (c *counter) Observe(o evidence.Observation) {
	c.observations++
	c.bytes += int64(len(o.Text.String()))
}
func (c *counter) Cover(evidence.Coverage) { c.coverage++ }
func (c *counter) Read(evidence.Span)      {}
func (c *counter) Lose(evidence.Loss)      {}
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
	format := textlog.Sniff(head[:n])
	var c counter
	router := statement.NewRouter(&c, statement.Options{Node: "bench", Where: path})
	times := textlog.Times{Reference: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Zone: time.UTC}
	odd, err := textlog.Route(f, format, times, router)
	if err != nil {
		return err
	}
	router.Close()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %d observations of %d MiB, %d odd lines, %d stretches covered, %d gaps",
		format, c.observations, c.bytes>>20, odd, c.coverage, c.gaps)
	_, err = w.Write(b.Bytes())
	return err
}
