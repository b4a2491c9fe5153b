package journal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
)

// journalctl is asked for the same that the files are searched for.
func TestJournalctlIsAskedForTheSame(t *testing.T) {
	f, _, _ := collect(t, Options{Since: time.Unix(1_795_246_400, 999)}, writes(""))
	kernel := strings.Join(f.args[2], " ")
	if want := "--since=@1795246400 _TRANSPORT=kernel + _TRANSPORT=driver MESSAGE_ID=e9bf28e6e834481bb6f48f548ad13606 + _PID=1 MESSAGE_ID=c7a787079b354eaaa9e77b371893cd27 --output-fields="; !strings.Contains(
		kernel,
		want,
	) {
		t.Errorf("%s", kernel)
	}
	for _, name := range fields() {
		if !wanted([]byte(name)) || !strings.Contains(kernel, name) {
			t.Errorf("%s is read, but not asked for", name)
		}
	}
	o := NewSource("n", Options{}).o
	stops := map[string]int{
		"runtime": 3,
	} // units that systemd stops, and signals, are searched for in files alone: --unit allows no other
	for kind, all := range map[string][]string{"kubelet": evidence.KubeletUnits(), "runtime": evidence.RuntimeUnits()} {
		args := journalctl{&o}.args(kind)
		if !slices.Contains(args, "--unit="+all[0]) || len(args) != 3+len(all) {
			t.Errorf("%s: %q", kind, args)
		}
		if got := terms(kind); !cmp.Equal(got[0], group{{Field: "_SYSTEMD_UNIT", Value: all[0]}}) ||
			len(got) != 4+4*len(all)+stops[kind] {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

func TestAllThatIsReadIsSearchedFor(t *testing.T) {
	all := allTerms()
	for _, want := range []group{
		{{Field: "_SYSTEMD_UNIT", Value: "kubelet.service"}},
		{{Field: "_SYSTEMD_UNIT", Value: "crio.service"}},
		{{Field: "_PID", Value: "1"}, {Field: "UNIT", Value: "containerd.service"}},
		{{Field: "SYSLOG_IDENTIFIER", Value: "kubelet"}},
		{{Field: "SYSLOG_IDENTIFIER", Value: "dockerd"}},
		{{Field: "_TRANSPORT", Value: "kernel"}},
		{{Field: "_TRANSPORT", Value: "driver"}, {Field: "MESSAGE_ID", Value: idDropped}},
		{{Field: "_TRANSPORT", Value: "driver"}, {Field: "MESSAGE_ID", Value: idStarted}},
		{{Field: "_TRANSPORT", Value: "kernel"}, {Field: "SYSLOG_IDENTIFIER", Value: "systemd-journald"}},
		{{Field: "_PID", Value: "1"}, {Field: "MESSAGE_ID", Value: idStopping}},
	} {
		if !slices.ContainsFunc(all, func(g group) bool { return cmp.Equal(g, want) }) {
			t.Errorf("%v is missing", want)
		}
	}
	for _, u := range append(evidence.KubeletUnits(), evidence.RuntimeUnits()...) {
		if !slices.ContainsFunc(all, func(g group) bool {
			return g[0] == journalfile.Match{Field: "_SYSTEMD_UNIT", Value: u}
		}) {
			t.Errorf("unit %s is missing", u)
		}
	}
}

func recorded(t *testing.T, write func(r *recorder)) string {
	t.Helper()
	r := newRecorder(t.Context(), 1<<20)
	write(r)
	return filetest.Content(t, NewPiece("n", "kubelet", r.buf.File("f"), now))
}

func TestARecordHasNoSecretsAndNoOtherFields(t *testing.T) {
	e := &journalfile.Entry{Cursor: journalfile.Cursor{Realtime: 1795249956497849}, Fields: []journalfile.Field{
		{Name: []byte("MESSAGE"), Value: []byte("Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789")},
		{Name: []byte("_CMDLINE"), Value: []byte("kubelet --token=secret")},
		{Name: []byte("_BOOT_ID"), Value: []byte("told by the entry")},
		{Name: []byte("_HOSTNAME"), Value: []byte("n3")},
	}}
	got := recorded(t, func(r *recorder) { r.add(e) })
	if strings.Contains(got, "abcdefghij") || strings.Contains(got, "_CMDLINE") ||
		strings.Count(got, "_BOOT_ID=") != 1 || !strings.Contains(got, "_HOSTNAME=n3") {
		t.Error(got)
	}
	if got := recorded(t, func(r *recorder) { r.begin(); r.field([]byte("OTHER"), []byte("x")); r.close() }); got != "" {
		t.Errorf("an entry of nothing: %q", got)
	}
}

func TestALongMessageIsCut(t *testing.T) {
	e := &journalfile.Entry{Cursor: journalfile.Cursor{Realtime: 1},
		Fields: []journalfile.Field{{Name: []byte("MESSAGE"), Value: bytes.Repeat([]byte("x"), maxField+5)}}}
	if n := len(recorded(t, func(r *recorder) { r.add(e) })); n > maxField+200 {
		t.Errorf("%d bytes", n)
	}
}

// A hole is neither an entry nor damage, and whoever reads it learns why.
func TestAHoleIsReadAsSuch(t *testing.T) {
	stored := recorded(t, func(r *recorder) {
		for i := range 2 {
			r.add(&journalfile.Entry{Cursor: journalfile.Cursor{Realtime: 1_795_249_956_000_000 + uint64(i)},
				Fields: []journalfile.Field{{Name: []byte("MESSAGE"), Value: []byte("x")}}})
			r.hole("system.journal: two\nlines")
		}
	})
	var bad []Bad
	n := 0
	err := ReadExport(strings.NewReader(stored), func(evidence.Entry) error { n++; return nil },
		func(b Bad) { bad = append(bad, b) })
	if err != nil || n != 2 || len(bad) != 2 || !bad[0].Missing || bad[0].Why != "system.journal: two\nlines" {
		t.Errorf("%d entries, %+v, %v", n, bad, err)
	}
	// A copy of it in another field is only text.
	forged := "__REALTIME_TIMESTAMP=1795249956497849\nMESSAGE=__HOLE=x\n\n"
	if err := ReadExport(strings.NewReader(forged), func(evidence.Entry) error { n++; return nil },
		func(b Bad) { t.Errorf("%+v", b) }); err != nil || n != 3 {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestAWayThatFailsInTheMiddleKeepsWhatItHad(t *testing.T) {
	_, pieces, gaps := collect(t, Options{}, func(_ context.Context, _ []string, out io.Writer) error {
		_, _ = io.WriteString(out, kubeletEntry)
		return fmt.Errorf("exit status 1")
	})
	if len(pieces) != 3 || len(gaps) != 3 {
		t.Errorf("%d pieces, %d gaps", len(pieces), len(gaps))
	}
}

// Any program may write into the kernel's log. What it begins there hides none of the kernel's lines.
func TestNothingHidesTheKernelsMessages(t *testing.T) {
	got := recorded(t, func(r *recorder) {
		for _, text := range []string{"-----BEGIN RSA PRIVATE KEY-----", "Memory cgroup out of memory: Killed process 4711"} {
			r.begin()
			r.field([]byte("_TRANSPORT"), []byte("kernel"))
			r.field([]byte("MESSAGE"), []byte(text))
			r.close()
		}
	})
	if !strings.Contains(got, "Killed process 4711") {
		t.Errorf("%q", got)
	}
}
