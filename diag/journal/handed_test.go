package journal

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// of makes an entry another machine's.
func of(host, machine string, e journalfiletest.Entry) journalfiletest.Entry {
	for i, f := range e.Fields {
		if strings.HasPrefix(f, "_HOSTNAME=") {
			e.Fields[i] = "_HOSTNAME=" + host
		}
	}
	e.Boot = machine
	e.Fields = append(e.Fields, fmt.Sprintf("_MACHINE_ID=%x", journalfiletest.ID(machine)))
	return e
}

func observed(node string, files ...evidence.File) *evidence.Snapshot {
	b := evidence.NewBuilder(now)
	NewFilesPiece(node, files).Observe(b)
	return b.Build()
}

func handedFile(name string, w *journalfiletest.Writer) evidence.File {
	return evidence.Bytes(nodefile.Path("_", "journal/"+name), w.Bytes())
}

// facts are what was observed, as "node: statement".
func facts(s *evidence.Snapshot) (out []string) {
	for _, o := range s.Observations {
		out = append(out, o.Subject.Node+": "+o.Fact.Statement())
	}
	return out
}

func reaches(s *evidence.Snapshot, kind evidence.SourceKind) (out []string) {
	for _, c := range s.Coverage {
		if c.Source == kind {
			out = append(out, fmt.Sprintf("%s %d-%d", c.Node, (c.From.UnixMicro()-int64(at(0)))/1e6,
				(c.Until.UnixMicro()-int64(at(0)))/1e6))
		}
	}
	return out
}

// The same journal as text and as files says the same.
func TestJournalFilesSayWhatTheirExportSays(t *testing.T) {
	w := usual()
	var set bytes.Buffer
	for _, e := range []journalfiletest.Entry{systemdSays(0, "kubelet.service", "Started kubelet.service."),
		kubeletSays(1, version), kernelSays(3, "tail[123]: segfault at 0 ip 1 sp 2 error 4"), kubeletSays(4, "two")} {
		fmt.Fprintf(&set, "__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%x\n%s\n\n",
			e.Realtime, e.Monotonic, journalfiletest.ID(e.Boot), strings.Join(e.Fields, "\n"))
	}
	b := evidence.NewBuilder(now)
	Observe(ReadExport, b, &set, statement.Options{Node: "n3", Where: "f"}, func(why string) { t.Error(why) })
	text, files := b.Build(), observed("n3", handedFile("system.journal", w))
	if diff := cmp.Diff(facts(text), facts(files)); diff != "" || len(facts(files)) < 3 {
		t.Errorf("%q: %s", facts(files), diff)
	}
	for i, o := range files.Observations {
		if !o.Time.Equal(text.Observations[i].Time) || o.Source.Where != "nodes/_/journal/system.journal" {
			t.Errorf("%+v", o)
		}
	}
}

func TestOneJournalInSeveralFilesIsReadAsOne(t *testing.T) {
	a := journalOf(journalfiletest.Options{State: 2}, kubeletSays(0, version), kubeletSays(10, version))
	second := kubeletSays(20, version)
	second.Seqnum = 3
	b := journalOf(journalfiletest.Options{}, second)
	second.Seqnum = 5
	gap := journalOf(journalfiletest.Options{}, second)
	s := observed("", handedFile("system.journal", b), handedFile("system@1.journal", a))
	if diff := cmp.Diff([]string{"n3 0-20"}, reaches(s, evidence.SourceKubeletLog)); diff != "" || len(s.Gaps) != 0 {
		t.Errorf("%s %+v", diff, s.Gaps)
	}
	s = observed("", handedFile("system.journal", gap), handedFile("system@1.journal", a))
	if diff := cmp.Diff([]string{"n3 0-10", "n3 20-20"}, reaches(s, evidence.SourceKubeletLog)); diff != "" {
		t.Error(diff)
	}
	if why := whys(s.Gaps); !strings.Contains(why,
		"read nodes/_/journal (2 journal files): entries are missing: system.journal: 2 of the entries before it are in no file") {
		t.Error(why)
	}
}

// What other units write tells how far the journal reaches: the kubelet's silence
// is known up to there.
func TestAJournalReachesToItsLastEntryWhoeverWroteIt(t *testing.T) {
	w := journalOf(journalfiletest.Options{}, kubeletSays(0, version),
		systemdSays(50, "cron.service", "Started cron.service."))
	if diff := cmp.Diff([]string{"n3 0-50"}, reaches(observed("", handedFile("system.journal", w)),
		evidence.SourceKubeletLog)); diff != "" {
		t.Error(diff)
	}
}

func TestMachinesAreKeptApart(t *testing.T) {
	n1 := journalOf(journalfiletest.Options{MachineID: "one", SeqnumID: "one"},
		of("localhost", "one", kubeletSays(0, version)), of("n1", "one", kubeletSays(3, version)))
	n2 := journalOf(journalfiletest.Options{MachineID: "two", SeqnumID: "two"}, of("n2", "two", kubeletSays(1, version)))
	collector := journalOf(journalfiletest.Options{MachineID: "collector", SeqnumID: "remote"},
		of("n4", "four", kubeletSays(1, version)), of("n5", "five", kubeletSays(2, version)),
		of("n4", "four", kubeletSays(3, version)))
	started := func(s *evidence.Snapshot) map[string]int {
		out := map[string]int{}
		for _, o := range s.Observations {
			if _, ok := o.Fact.(evidence.KubeletStarted); ok {
				out[o.Subject.Node]++
			}
		}
		return out
	}
	for _, c := range []struct {
		name, node string
		files      []evidence.File
		want       map[string]int
	}{
		{"a machine is called as its last entry says", "", []evidence.File{handedFile("a.journal", n1)},
			map[string]int{"n1": 1}},
		{"unless somebody said its name", "node-1", []evidence.File{handedFile("a.journal", n1)},
			map[string]int{"node-1": 1}},
		{"two machines", "", []evidence.File{handedFile("a.journal", n1), handedFile("b.journal", n2)},
			map[string]int{"n1": 1, "n2": 1}},
		{"two machines cannot have one name", "node-1",
			[]evidence.File{handedFile("a.journal", n1), handedFile("b.journal", n2)}, map[string]int{"n1": 1, "n2": 1}},
		{"a collector's file holds many", "", []evidence.File{handedFile("remote.journal", collector)},
			map[string]int{"n4": 1, "n5": 1}},
	} {
		s := observed(c.node, c.files...)
		if diff := cmp.Diff(c.want, started(s)); diff != "" {
			t.Errorf("%s: %s; %q", c.name, diff, facts(s))
		}
		for node := range c.want {
			if got := strings.Join(reaches(s, evidence.SourceKubeletLog), ","); !strings.Contains(got, node+" ") {
				t.Errorf("%s: no reach of %s: %s", c.name, node, got)
			}
		}
	}
}

func TestAnIdentifierStandsInForAUnit(t *testing.T) {
	bare := journalfiletest.Entry{Realtime: at(0), Monotonic: 1e6, Boot: "boot",
		Fields: []string{"_HOSTNAME=n3", "SYSLOG_IDENTIFIER=kubelet", "MESSAGE=" + version}}
	stranger := bare
	stranger.Fields = append([]string{"_SYSTEMD_UNIT=evil.service"}, bare.Fields...)
	stranger.Realtime, stranger.Monotonic = at(1), 2e6
	if got := facts(observed("",
		handedFile("f.journal", journalOf(journalfiletest.Options{}, bare, stranger)))); len(got) != 2 { // and the boot
		t.Errorf("%q", got)
	}
}

func TestWhatCannotBeReadIsAGap(t *testing.T) {
	stream := evidence.File{Path: nodefile.Path("n1", "journal/stream.journal"), Size: 3,
		Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("LPK")), nil
		}}
	gone := evidence.File{Path: nodefile.Path("n1", "journal/gone.journal"),
		Open: func() (io.ReadCloser, error) { return nil, io.ErrClosedPipe }}
	text := evidence.Bytes(nodefile.Path("n1", "journal/text.journal"), []byte("some text"))
	s := observed("n1", stream, gone, text, handedFile("good.journal", usual()))
	for _, want := range []string{"stream.journal: it cannot be read at random",
		"gone.journal: io: read/write on closed pipe", "text.journal: not a journal file"} {
		if !strings.Contains(whys(s.Gaps), want) {
			t.Errorf("no gap says %q: %s", want, whys(s.Gaps))
		}
	}
	if len(s.Gaps) != 3 || len(facts(s)) == 0 {
		t.Errorf("%d gaps, %q", len(s.Gaps), facts(s))
	}
	if p := NewFilesPiece("n1", []evidence.File{text}); len(p.Files()) != 1 {
		t.Error("the piece has lost its file")
	}
}

func FuzzHandedFiles(f *testing.F) {
	f.Add(usual().Bytes())
	f.Add(journalOf(journalfiletest.Options{Compress: "zstd"},
		of("n1", "one", kubeletSays(0, version+strings.Repeat(" long", 40)))).Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		s := observed("", evidence.Bytes("f", b), evidence.Bytes("g", b))
		for _, c := range s.Coverage {
			if c.Until.Before(c.From) {
				t.Fatalf("%+v", c)
			}
		}
		for _, o := range s.Observations {
			if o.Time.IsZero() || o.Time.Year() > 9999 {
				t.Fatalf("%+v", o)
			}
		}
	})
}
