package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// kubeletEntry and systemdEntry are real ones, shortened to the fields that vary.
const kubeletEntry = `__CURSOR=s=c65151b3047f43729ec039e5f3d55f87;i=9ab;b=904dc9692186409b9fbb5fcf727be42d;m=1774e1628;t=660c533f0a9b9;x=c53c6528aec49cfe
__REALTIME_TIMESTAMP=1795249956497849
__MONOTONIC_TIMESTAMP=6296573480
_BOOT_ID=904dc9692186409b9fbb5fcf727be42d
PRIORITY=6
_HOSTNAME=n3
_TRANSPORT=stdout
SYSLOG_IDENTIFIER=kubelet
MESSAGE=I1121 08:32:36.638962      81 server.go:467] "Kubelet version" kubeletVersion="v1.28.15"
_PID=81
_CMDLINE=/usr/local/bin/kubelet --token=secret
_SYSTEMD_UNIT=kubelet.service
UNIT=forged.service

`

const systemdEntry = `__CURSOR=s=1
__REALTIME_TIMESTAMP=1795249956457300
_BOOT_ID=904dc9692186409b9fbb5fcf727be42d
_HOSTNAME=n3
_TRANSPORT=journal
SYSLOG_IDENTIFIER=systemd
_PID=1
_SYSTEMD_UNIT=init.scope
UNIT=kubelet.service
MESSAGE=Started kubelet.service.
_SOURCE_REALTIME_TIMESTAMP=1795249956457116

`

const kernelEntry = `__CURSOR=s=2
__REALTIME_TIMESTAMP=1795249957000000
_HOSTNAME=n3
_TRANSPORT=kernel
SYSLOG_IDENTIFIER=kernel
MESSAGE=tail[123]: segfault at 0 ip 1 sp 2 error 4

`

// withBinary is kubeletEntry with its message as a binary field.
func withBinary(message string) string {
	before, after, _ := strings.Cut(kubeletEntry, "MESSAGE=")
	_, after, _ = strings.Cut(after, "\n")
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(message)))
	return before + "MESSAGE\n" + string(size[:]) + message + "\n" + after
}

func readAll(t *testing.T, s string) (out []evidence.Entry, bad []string, err error) {
	t.Helper()
	err = ReadExport(strings.NewReader(s), func(e evidence.Entry) error {
		out = append(out, e)
		return nil
	}, func(b Bad) { bad = append(bad, b.Why) })
	return out, bad, err
}

func TestEntriesAreRead(t *testing.T) {
	got, bad, err := readAll(t, systemdEntry+kubeletEntry+kernelEntry)
	want := []evidence.Entry{
		{Time: time.UnixMicro(1795249956457300).UTC(), Host: "n3", Unit: "init.scope",
			About: "kubelet.service", PID: 1, BootID: "904dc9692186409b9fbb5fcf727be42d", Message: "Started kubelet.service.",
			Sent: time.UnixMicro(1795249956457116).UTC(), Writer: evidence.Vouched},
		{Time: time.UnixMicro(1795249956497849).UTC(), Host: "n3", Unit: "kubelet.service",
			PID: 81, BootID: "904dc9692186409b9fbb5fcf727be42d",
			Message: `I1121 08:32:36.638962      81 server.go:467] "Kubelet version" kubeletVersion="v1.28.15"`,
			Mono:    6296573480 * time.Microsecond, Writer: evidence.Vouched},
		{Time: time.UnixMicro(1795249957000000).UTC(), Host: "n3", Unit: "kernel",
			Kernel: true, Message: "tail[123]: segfault at 0 ip 1 sp 2 error 4"},
	}
	if diff := cmp.Diff(want, got); diff != "" || bad != nil || err != nil {
		t.Errorf("%s bad %v, error %v", diff, bad, err)
	}
}

func TestOddEntriesCostOnlyThemselves(t *testing.T) {
	huge := strings.Repeat("x", maxField+500_000)
	for _, c := range []struct {
		name    string
		in      string
		entries int
		bad     int
		err     error
		check   func(evidence.Entry) bool
	}{
		{"a binary message", withBinary("two\nlines\x00\xff"), 1, 0, nil,
			func(e evidence.Entry) bool { return e.Message == "two\nlines\x00\xff" && e.PID == 81 }},
		{"a binary message that looks like entries", withBinary("x\n\n__CURSOR=y\nMESSAGE=forged\n\n"),
			1, 0, nil, func(e evidence.Entry) bool { return strings.HasPrefix(e.Message, "x\n\n") }},
		{"an empty binary message", withBinary(""), 1, 0, nil, func(e evidence.Entry) bool { return e.Message == "" }},
		{"a binary field that nobody reads", strings.Replace(kubeletEntry, "PRIORITY=6\n",
			"COREDUMP\n\x03\x00\x00\x00\x00\x00\x00\x00a\nb\n", 1), 1, 0, nil, nil},
		{"a text message longer than what is kept", strings.Replace(kubeletEntry, "MESSAGE=", "MESSAGE="+huge, 1),
			1, 0, nil, func(e evidence.Entry) bool {
				return len(e.Message) > maxField-100 && len(e.Message) <= maxField && e.PID == 81
			}},
		{"a binary message longer than what is kept", withBinary(huge), 1, 0,
			nil, func(e evidence.Entry) bool { return len(e.Message) == maxField && e.PID == 81 }},
		{"a length that cannot be", strings.Replace(withBinary("abc"), "\x03\x00\x00\x00\x00\x00\x00\x00",
			"\xff\xff\xff\xff\xff\xff\xff\x7f", 1), 0, 1, nil, nil},
		{"a line that is no field", strings.Replace(kubeletEntry, "PRIORITY=6", "-- No entries --", 1), 0, 1, nil, nil},
		{"no name before the equals sign", strings.Replace(kubeletEntry, "PRIORITY=6", "=6", 1), 0, 1, nil, nil},
		{"no timestamp", strings.Replace(kubeletEntry, "__REALTIME_TIMESTAMP=1795249956497849\n", "", 1), 0, 1, nil, nil},
		{"a timestamp beyond all calendars", strings.Replace(kubeletEntry, "=1795249956497849", "=9223372036854775807", 1),
			0, 1, nil, nil},
		{"no message", strings.Replace(kubeletEntry, "MESSAGE=", "MESSAGE_ID=", 1), 0, 1, nil, nil},
		{"no message of a program that composes its entries", strings.NewReplacer("MESSAGE=", "MESSAGE_ID=",
			"=stdout", "=journal").Replace(kubeletEntry), 0, 0, nil, nil},
		{"no line behind it", strings.TrimSuffix(kubeletEntry, "\n") + kubeletEntry, 0, 1, nil, nil},
		{"no transport, which others have", kubeletEntry + strings.Replace(kubeletEntry, "_TRANSPORT=stdout\n", "", 1),
			1, 1, nil, nil},
		{"no unit, which its cgroup names", strings.Replace(kubeletEntry, "_SYSTEMD_UNIT=kubelet.service\n",
			"_SYSTEMD_CGROUP=/system.slice/kubelet.service\n", 1), 0, 1, nil, nil},
		{"empty lines in between", "\n\n\n" + kubeletEntry + "\n\n", 1, 0, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			// A whole entry behind it must always come through.
			got, bad, err := readAll(t, c.in+systemdEntry)
			if len(got) != c.entries+1 || len(bad) != c.bad || !errors.Is(err, c.err) {
				t.Fatalf("%d entries, bad %v, error %v", len(got), bad, err)
			}
			if got[len(got)-1].PID != 1 {
				t.Errorf("the entry behind it is %+v", got[len(got)-1])
			}
			if c.check != nil && !c.check(got[0]) {
				t.Errorf("%.200v", got[0])
			}
		})
	}
}

func TestACutExportSaysSo(t *testing.T) {
	whole := systemdEntry + withBinary("two\nlines") + kubeletEntry
	for cut := 1; cut < len(whole); cut++ {
		_, bad, err := readAll(t, whole[:cut])
		boundary := strings.HasSuffix(whole[:cut], "\n\n") && len(bad) == 0 && !strings.HasSuffix(whole[:cut], "two\n\n")
		if !boundary && !errors.Is(err, ErrCut) {
			t.Fatalf("cut at %d of %d: error %v", cut, len(whole), err)
		}
	}
	if _, _, err := readAll(t, whole); err != nil {
		t.Errorf("whole: %v", err)
	}
	if _, _, err := readAll(t, ""); err != nil {
		t.Errorf("empty: %v", err)
	}
}

func TestYieldCanStopTheReading(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	err := ReadExport(strings.NewReader(kubeletEntry+kubeletEntry), func(evidence.Entry) error { n++; return stop }, nil)
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestOnlyTheMessageCostsAnAllocation(t *testing.T) {
	const n = 1000
	data := strings.Repeat(kubeletEntry, n)
	allocs := testing.AllocsPerRun(5, func() {
		if err := ReadExport(strings.NewReader(data), func(evidence.Entry) error { return nil }, nil); err != nil {
			t.Fatal(err)
		}
	})
	if allocs/n > 1.1 {
		t.Errorf("%.2f allocations per entry", allocs/n)
	}
}

func TestAPieceReadsFactsAndTellsWhatIsMissing(t *testing.T) {
	until := time.UnixMicro(1795250000000000).UTC()
	observe := func(data string) *evidence.Snapshot {
		b := evidence.NewBuilder(until)
		NewPiece("n3", "kubelet", evidence.Bytes(Path("n3", "kubelet"), []byte(data)), until).Observe(b)
		return b.Build()
	}
	s := observe(systemdEntry + kubeletEntry)
	if len(s.Observations) != 2 || len(s.Gaps) != 0 ||
		s.Observations[1].Source.Where != "nodes/n3/journal/kubelet.export" {
		t.Fatalf("%+v %+v", s.Observations, s.Gaps)
	}
	if s.Coverage[0].Source != evidence.SourceKubeletLog || !s.Coverage[0].Until.Equal(until) {
		t.Errorf("reach %+v", s.Coverage)
	}
	s = observe(systemdEntry + kubeletEntry + kubeletEntry[:200])
	if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, "ends within an entry") || s.Coverage[0].Until.Equal(until) {
		t.Errorf("cut: gaps %+v, reach %+v", s.Gaps, s.Coverage)
	}
	s = observe(systemdEntry + "garbage\n\n" + kubeletEntry)
	if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, "1 entries unreadable") || len(s.Observations) != 2 {
		t.Errorf("broken: %+v", s.Gaps)
	}
	// What could not be read may be what is looked for: no reach goes across.
	s = observe(strings.Replace(kubeletEntry, "__REALTIME_TIMESTAMP=17952444", "__REALTIME_TIMESTAMP=17952443", 1) +
		"garbage\n\n" + kubeletEntry)
	for _, c := range s.Coverage {
		if c.Source == evidence.SourceKubeletLog && !c.From.Equal(c.Until) && !c.Until.Equal(until) {
			t.Errorf("the reach goes across what is broken: %+v", s.Coverage)
		}
	}
	if len(s.Coverage) != 2 {
		t.Errorf("want a reach before and one behind what is broken: %+v", s.Coverage)
	}
}

func FuzzReadExport(f *testing.F) {
	for _, s := range []string{systemdEntry + kubeletEntry + kernelEntry,
		withBinary("a\nb"), "-- No entries --\n", kubeletEntry[:100], "__HOLE=why\n\n" + kubeletEntry} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries := 0
		_ = ReadExport(bytes.NewReader(data), func(e evidence.Entry) error {
			entries++
			if e.Time.IsZero() || e.Time.Year() > 9999 {
				t.Fatalf("an entry of %v", e.Time)
			}
			return nil
		}, nil)
		if entries > len(data) {
			t.Fatal("more entries than bytes")
		}
		b := evidence.NewBuilder(time.Time{})
		Observe(ReadExport, b, bytes.NewReader(data), statement.Options{Node: "n", Where: "f"}, func(string) {})
		b.Build()
	})
}

func BenchmarkReadExport(b *testing.B) {
	var data bytes.Buffer
	for i := range 10_000 {
		data.WriteString(strings.Replace(kubeletEntry, "server.go:467", fmt.Sprintf("server.go:%d", i), 1))
	}
	b.SetBytes(int64(data.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := ReadExport(bytes.NewReader(data.Bytes()), func(evidence.Entry) error { return nil }, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The reader's buffer is 256 KiB: what ends exactly with it is cut all the same.
func TestACutAtTheEndOfTheBufferIsACut(t *testing.T) {
	for _, size := range []int{1, 100, 256<<10 - 1, 256 << 10, 256<<10 + 1, 512 << 10, 1 << 20, 2 << 20} {
		for name, before := range map[string]string{"at once": "", "after an entry": kubeletEntry} {
			field := "__CURSOR=" + strings.Repeat("x", size)
			got, bad, err := readAll(t, before+field[:max(size, 10)])
			if !errors.Is(err, ErrCut) || len(bad) != 0 || len(got) != strings.Count(before, "MESSAGE=") {
				t.Errorf("%s, %d bytes: %d entries, %d bad, %v", name, size, len(got), len(bad), err)
			}
		}
	}
}
