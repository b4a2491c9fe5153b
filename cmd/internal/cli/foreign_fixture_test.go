package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// line is one line of a recorded journal.
type line struct {
	at          time.Time
	host, ident string
	pid         string
	text        string
}

// recorded reads a recorded journal of a real node (diag/statement/testdata).
func recorded(t *testing.T, name string) (lines []line) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "diag", "statement", "testdata", name+".export.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for len(data) > 0 {
		row, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		name, value, ok := strings.Cut(string(row), "=")
		switch {
		case ok:
			fields[name] = value
		case name != "": // a binary field: its length, then its bytes
			n := binary.LittleEndian.Uint64(data)
			fields[name] = string(data[8 : 8+n])
			data = data[8+n+1:]
		default:
			us, err := strconv.ParseInt(fields["__REALTIME_TIMESTAMP"], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line{time.UnixMicro(us).UTC(), fields["_HOSTNAME"],
				fields["SYSLOG_IDENTIFIER"], fields["_PID"], fields["MESSAGE"]})
			fields = map[string]string{}
		}
	}
	if len(lines) < 100 {
		t.Fatalf("%s: only %d lines", name, len(lines))
	}
	return lines
}

// The ways in which journalctl prints.
const (
	short   = "Jan _2 15:04:05"
	precise = "Jan _2 15:04:05.000000"
	iso     = "2006-01-02T15:04:05-0700"
)

// printed writes lines as journalctl does: the rest of a message stands indented
// below its first line. ident renames programs.
func printed(lines []line, layout string, ident ...string) string {
	renamed := strings.NewReplacer(ident...)
	var b strings.Builder
	for _, l := range lines {
		head := fmt.Sprintf("%s %s %s[%s]: ", l.at.Format(layout), l.host, renamed.Replace(l.ident), l.pid)
		b.WriteString(head + strings.ReplaceAll(l.text, "\n", "\n"+strings.Repeat(" ", len(head))) + "\n")
	}
	return b.String()
}

// on moves lines to another host.
func on(lines []line, host string) []line {
	out := slices.Clone(lines)
	for i := range out {
		out[i].host = host
	}
	return out
}

// tree is a directory to be: path → content.
type tree map[string]string

// dir writes a tree and returns its directory.
func (tr tree) dir(t *testing.T) string {
	t.Helper()
	return filetest.Plant(t, tr)
}

// packedAt is when the files of an archive were written.
var packedAt = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// tar packs a tree; top stands before every name.
func (tr tree) tar(top string) []byte { return filetest.Tar(packedAt, filetest.Entries(top, tr)...) }

func (tr tree) zip() []byte { return filetest.Zip(packedAt, filetest.Entries("", tr)...) }

// file writes one file and returns its path.
func file(t *testing.T, name string, data []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}
