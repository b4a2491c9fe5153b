package textlog

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var ref = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const (
	klogLine = `I1121 07:24:45.454287      80 kuberuntime_manager.go:1] "No ready sandbox for pod can be found. Need to start a new one" pod="s/p"`
	jsonLine = `{"ts":1795245885454.287,"caller":"kuberuntime/util.go:1","msg":"No ready sandbox for pod can be found. Need to start a new one","v":2,"pod":{"name":"p","namespace":"s"}}`
	bootLine = `time="2026-11-21T07:24:45.454287Z" level=info msg="containerd successfully booted in 0.01s"`
)

// want is the time of all those lines.
var want = time.Date(2026, 11, 21, 7, 24, 45, 454287000, time.UTC)

var envelopes = []struct {
	name   string
	line   string
	format Format
	entry  evidence.Entry
}{
	{"journalctl short-precise", "Nov 21 07:24:45.454287 n1 kubelet[80]: " + klogLine,
		FormatSyslog, evidence.Entry{Time: want, Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"journalctl short", "Nov 21 07:24:45 n1 kubelet[80]: " + klogLine, FormatSyslog,
		evidence.Entry{Time: want.Truncate(time.Second), Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"syslog's day of one digit", "Nov  1 07:24:45 n1 kubelet[80]: x", FormatSyslog,
		evidence.Entry{Time: want.AddDate(0, 0, -20).Truncate(time.Second), Host: "n1",
			Unit: "kubelet", PID: 80, Message: "x"}},
	{"the kernel in syslog", "Nov 21 07:24:45.454287 n1 kernel: [  123.4] tail[1]: segfault at 0",
		FormatSyslog, evidence.Entry{Time: want, Host: "n1", Unit: "kernel",
			Kernel: true, Message: "tail[1]: segfault at 0"}},
	{"no host, as people post it", "Nov 21 07:24:45.454287 kernel: oom-kill:constraint=CONSTRAINT_MEMCG,task=java",
		FormatSyslog, evidence.Entry{Time: want, Unit: "kernel", Kernel: true,
			Message: "oom-kill:constraint=CONSTRAINT_MEMCG,task=java"}},
	{"journalctl short-iso", "2026-11-21T07:24:45+0000 n1 kubelet[80]: " + klogLine,
		FormatISO, evidence.Entry{Time: want.Truncate(time.Second), Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"rsyslog with a zone", "2026-11-21T09:24:45.454287+02:00 n1 kubelet[80]: " + klogLine,
		FormatISO, evidence.Entry{Time: want, Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"journalctl short-iso-precise", "2026-11-21T07:24:45.454287+0000 n1 kubelet[80]: " + klogLine,
		FormatISO, evidence.Entry{Time: want, Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"journalctl short-full", "Sat 2026-11-21 07:24:45 UTC n1 kubelet[80]: " + klogLine,
		FormatFull, evidence.Entry{Time: want.Truncate(time.Second), Host: "n1",
			Unit: "kubelet", PID: 80, Message: klogLine}},
	{"journalctl with-unit", "Sat 2026-11-21 07:24:45 UTC n1 kubelet.service[80]: " + klogLine,
		FormatFull, evidence.Entry{Time: want.Truncate(time.Second), Host: "n1",
			Unit: "kubelet.service", PID: 80, Message: klogLine}},
	{"journalctl short-unix", "1795245885.454287 n1 kubelet[80]: " + klogLine,
		FormatUnix, evidence.Entry{Time: want, Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"OpenShift's journal", "Nov 21 07:24:45.454287 n1 kubenswrapper[80]: " + klogLine,
		FormatSyslog, evidence.Entry{Time: want, Host: "n1", Unit: "kubenswrapper", PID: 80, Message: klogLine}},
	{"RFC 3164", "<30>Nov 21 07:24:45 n1 kubelet[80]: " + klogLine, FormatSyslog,
		evidence.Entry{Time: want.Truncate(time.Second), Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"RFC 5424", "<30>1 2026-11-21T07:24:45.454287Z n1 kubelet 80 - - " + klogLine,
		FormatRFC5424, evidence.Entry{Time: want, Host: "n1", Unit: "kubelet", PID: 80, Message: klogLine}},
	{"RFC 5424 with data", `<30>1 2026-11-21T08:24:45.454287+01:00 n1 kubelet - ID47 [a@1 b="x\"]y"][c] ` + klogLine,
		FormatRFC5424, evidence.Entry{Time: want, Host: "n1", Unit: "kubelet", Message: klogLine}},
	{"a container's log with more tags", "2026-11-21T07:24:45.454287Z stdout F:x " + klogLine,
		FormatContainer, evidence.Entry{Time: want, PID: 80, Message: klogLine}},
	{"a container's log", "2026-11-21T07:24:45.454287Z stderr F " + klogLine,
		FormatContainer, evidence.Entry{Time: want, PID: 80, Message: klogLine}},
	{"docker's log", `{"log":"` + strings.ReplaceAll(klogLine, `"`, `\"`) +
		`\n","stream":"stderr","time":"2026-11-21T07:24:45.454287Z"}`, FormatDockerLog,
		evidence.Entry{Time: want, PID: 80, Message: klogLine}},
	{"klog", klogLine, FormatKlog, evidence.Entry{Time: want, PID: 80, Message: klogLine}},
	{"klog in JSON", jsonLine, FormatKlogJSON, evidence.Entry{Time: want, Message: jsonLine}},
	{"containerd's own file", bootLine, FormatLogfmt, evidence.Entry{Time: want, Message: bootLine}},
}

func TestAnotherLoggersJSONIsNoKubelets(t *testing.T) {
	for _, line := range []string{
		`{"level":"info","ts":"2024-11-12T19:48:20+08:00","caller":"a/b.go:1","msg":"x"}`,
		`{"level":"error","ts":1613718786.180378,"logger":"setup","msg":"x"}`,
	} {
		if got := Sniff([]byte(line + "\n")); got == FormatKlogJSON {
			t.Errorf("%s is taken for the kubelet's", line)
		}
	}
}

func TestEveryEnvelopeIsToldAndRead(t *testing.T) {
	for _, e := range envelopes {
		t.Run(e.name, func(t *testing.T) {
			if got := Sniff([]byte(e.line + "\n")); got != e.format {
				t.Fatalf("taken for %q", got)
			}
			for _, end := range []string{"\n", " \t \r\n"} {
				var got []evidence.Entry
				odd, err := ReadText(strings.NewReader(e.line+end), e.format, Times{Reference: ref}, func(x evidence.Entry) {
					x.Time = x.Time.UTC()
					got = append(got, x)
				})
				if diff := cmp.Diff([]evidence.Entry{e.entry}, got); diff != "" || odd != 0 || err != nil {
					t.Errorf("before %q: %s %d odd lines, %v", end, diff, odd, err)
				}
			}
		})
	}
}

func TestSniffKnowsWhatItDoesNotKnow(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		want Format
	}{
		"a journal export": {"__CURSOR=s=1\n__REALTIME_TIMESTAMP=1\n", FormatExport},
		"kmsg":             {"6,1234,5678901234,-;text\n", FormatKernel},
		"kmsg with the caller": {"6,1234,5678901234,-,caller=T42;text\n6,1235,5678901234,-,caller=C0;text\n",
			FormatKernel},
		"dmesg --time-format iso":               {"2026-11-21T07:24:45,123456+00:00 Linux version 6\n", FormatKernel},
		"klog's fields deeper in a record":      {`{"_source":{"ts":1.5,"msg":"x","v":2}}` + "\n", FormatUnknown},
		"Apache's error log":                    {"[Thu Apr 17 22:43:41.123456 2025] [core:error] [pid 1] x\n", FormatUnknown},
		"dmesg -T in Chinese":                   {"[四 4月 17 22:43:41 2025] Linux version 6\n", FormatKernel},
		"dmesg":                                 {"[    0.000000] Linux version 6\n", FormatKernel},
		"a program":                             {"\x7fELF\x02\x01\x00\x00", FormatBinary},
		"compressed":                            {"\x1f\x8b\x08\x08\x01\x02\x03\x04\x05\x06\x0e\x0f", FormatBinary},
		"prose":                                 {"Dear node,\nhow are you?\n", FormatUnknown},
		"empty":                                 {"", FormatUnknown},
		"continuation lines do not vote":        {"goroutine 1 [running]:\nmain.main()\n" + klogLine + "\n", FormatKlog},
		"most lines decide":                     {"[    0.000000] x\n" + klogLine + "\n" + klogLine + "\n", FormatKlog},
		"a kubelet and a runtime":               {klogLine + "\n" + bootLine + "\n", FormatBare},
		"k3s, which says more than its kubelet": {strings.Repeat(bootLine+"\n", 30) + klogLine + "\n", FormatBare},
		"a kubelet that quotes a container": {bootLine + "\n" + strings.Repeat(klogLine+"\n", 40),
			FormatKlog},
		"windows line ends":                     {klogLine + "\r\n", FormatKlog},
		"a month that is none":                  {"Foo 21 07:24:45 n1 kubelet[80]: x\n", FormatUnknown},
		"a clock that is none":                  {"Nov 21 27:24:45 n1 kubelet[80]: x\n", FormatUnknown},
		"JSON of somebody else":                 {`{"a":1}` + "\n", FormatUnknown},
		"a container log with another's stream": {"2026-11-21T07:24:45.4Z stdin F x\n", FormatUnknown},
	} {
		if got := Sniff([]byte(c.head)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What k3s writes is its own lines and its kubelet's.
func TestLinesOfBothAreRead(t *testing.T) {
	var got []evidence.Entry
	text := bootLine + "\n" + klogLine + "\ngoroutine 1 [running]:\n" + bootLine + "\n"
	odd, err := ReadText(strings.NewReader(text), FormatBare, Times{Reference: ref}, func(e evidence.Entry) {
		e.Time = e.Time.UTC()
		got = append(got, e)
	})
	boot, kubelet := evidence.Entry{Time: want, Message: bootLine}, evidence.Entry{Time: want, PID: 80, Message: klogLine}
	later := evidence.Entry{Time: want, PID: 80, Message: "goroutine 1 [running]:"}
	if diff := cmp.Diff([]evidence.Entry{boot, kubelet, later, boot}, got); diff != "" || odd != 0 || err != nil {
		t.Errorf("%s %d odd lines, %v", diff, odd, err)
	}
	s := snapshot(ForeignPath("n1", "k3s.log"), strings.Repeat(bootLine+"\n", 3)+klogLine+"\n", Options{Until: ref})
	var kinds []evidence.SourceKind
	for _, o := range s.Observations {
		kinds = append(kinds, o.Source.Kind)
	}
	if !slices.Contains(kinds, evidence.SourceKubeletLog) || !slices.Contains(kinds, evidence.SourceRuntimeLog) {
		t.Errorf("observed by %q", kinds)
	}
}

func TestPartsOfALineAreJoined(t *testing.T) {
	half := len(klogLine) / 2
	in := "2026-11-21T07:24:45Z stderr P " + klogLine[:half] + "\n2026-11-21T07:24:46Z stderr F " + klogLine[half:] + "\n"
	var got []string
	odd, err := ReadText(strings.NewReader(in), FormatContainer, Times{},
		func(e evidence.Entry) { got = append(got, e.Message) })
	if diff := cmp.Diff([]string{klogLine}, got); diff != "" || odd != 0 || err != nil {
		t.Errorf("%s %d odd, %v", diff, odd, err)
	}
}

func TestACutLineIsReportedAndNotRead(t *testing.T) {
	n := 0
	_, err := ReadText(strings.NewReader(klogLine+"\n"+klogLine[:60]), FormatKlog,
		Times{Reference: ref}, func(evidence.Entry) { n++ })
	if err == nil || n != 1 {
		t.Errorf("%d entries, error %v", n, err)
	}
}

func TestALongLineCostsOnlyItsRest(t *testing.T) {
	var got []int
	in := "Nov 21 07:24:45 n1 kubelet[80]: " + strings.Repeat("x", 3*maxLine) + "\nNov 21 07:24:45 n1 kubelet[80]: y\n"
	if _, err := ReadText(strings.NewReader(in), FormatSyslog, Times{Reference: ref},
		func(e evidence.Entry) { got = append(got, len(e.Message)) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0] > maxLine || got[0] < maxLine-100 || got[1] != 1 {
		t.Errorf("lengths %v", got)
	}
}

func snapshot(path, data string, o Options) *evidence.Snapshot {
	b := evidence.NewBuilder(ref)
	NewPiece("n1", evidence.Bytes(path, []byte(data)), o).Observe(b)
	return b.Build()
}

func TestAFileBecomesFactsReachAndGaps(t *testing.T) {
	for _, e := range envelopes {
		if !strings.Contains(e.line, "No ready sandbox") && e.format != FormatLogfmt {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			s := snapshot(ForeignPath("n1", "x.log"), e.line+"\n", Options{Until: ref})
			if len(s.Observations) != 1 || s.Observations[0].Subject.Node != "n1" ||
				s.Observations[0].Time.Truncate(time.Second) != want.Truncate(time.Second) {
				t.Fatalf("%+v, gaps %+v", s.Observations, s.Gaps)
			}
			assumed := e.format == FormatSyslog || e.format == FormatKlog
			if assumed != (len(s.Gaps) == 1) {
				t.Errorf("gaps %+v", s.Gaps)
			}
			if assumed { // silence at a time that is a guess proves nothing
				if len(s.Coverage) != 0 {
					t.Errorf("reach %+v, though the zone is a guess", s.Coverage)
				}
				s = snapshot(ForeignPath("n1", "x.log"), e.line+"\n", Options{Until: ref, Zone: time.UTC})
			}
			if len(s.Coverage) != 1 || !s.Coverage[0].Until.Equal(ref) {
				t.Errorf("reach %+v", s.Coverage)
			}
		})
	}
}

func TestABlockInATextLogKeepsItsLines(t *testing.T) {
	probe := `"Probe failed" probeType="Liveness" pod="s/p" podUID="u" containerName="a" probeResult="failure" output=<`
	for name, in := range map[string]string{
		"syslog": "Nov 21 07:24:45.1 n1 kubelet[80]: I1121 07:24:45.454287      80 prober.go:1] " +
			probe + "\nNov 21 07:24:45.1 n1 kubelet[80]:         no file\nNov 21 07:24:45.1 n1 kubelet[80]:  >\n",
		"klog": "I1121 07:24:45.454287      80 prober.go:1] " + probe + "\n\tno file\n >\n",
		"cri": "2026-11-21T07:24:45Z stderr F I1121 07:24:45.454287      80 prober.go:1] " +
			probe + "\n2026-11-21T07:24:45Z stderr F \tno file\n2026-11-21T07:24:45Z stderr F  >\n",
	} {
		s := snapshot(ForeignPath("n1", "x.log"), strings.ReplaceAll(in, "        no file", "\tno file"), Options{Until: ref})
		if len(s.Observations) != 1 || s.Observations[0].Fact.(evidence.ProbeFailed).Output.String() != "no file" {
			t.Errorf("%s: %+v, gaps %+v", name, s.Observations, s.Gaps)
		}
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		o    Options
		why  string
	}{
		"an empty file": {"", Options{Until: ref}, "empty"},
		"a program":     {"\x7fELF\x00", Options{Until: ref}, "not a text file"},
		"prose":         {"hello\n", Options{Until: ref}, "no known log format"},
		"a cut file": {klogLine + "\n" + klogLine[:40], Options{Until: ref, Zone: time.UTC},
			"the last line is cut"},
		"garbage in between":       {jsonLine + "\nxyz\n", Options{Until: ref}, "lines skipped: 1; they are not klog-json"},
		"nothing to tell the year": {klogLine + "\n", Options{Zone: time.UTC}, "no year"},
		"a cut journal export": {"__CURSOR=1\n__REALTIME_TIMESTAMP=17952458",
			Options{Until: ref}, "ends within an entry"},
		"a kernel log of no boot": {"[  1.0] x\n", Options{Until: ref}, "boot"},
	} {
		s := snapshot(ForeignPath("n1", "x"), c.data, c.o)
		if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, c.why) || s.Gaps[0].Node != "n1" {
			t.Errorf("%s: %+v", name, s.Gaps)
		}
		for _, r := range s.Coverage {
			if strings.HasPrefix(name, "a cut") && r.Until.Equal(ref) {
				t.Errorf("%s: reaches to %v", name, r.Until)
			}
		}
	}
}

func TestTheZoneOfTheNodeCanBeGiven(t *testing.T) {
	s := snapshot(ForeignPath("n1", "x"), klogLine+"\n", Options{Until: ref, Zone: time.FixedZone("", 2*3600)})
	if got := s.Observations[0].Time; !got.Equal(want.Add(-2*time.Hour)) || len(s.Gaps) != 0 {
		t.Errorf("%v, gaps %+v", got, s.Gaps)
	}
	// A node log query is in UTC, whatever the zone of the node.
	s = snapshot(QueryPath("n1", "kubelet"), envelopes[0].line+"\n", Options{Until: ref, Zone: time.FixedZone("", 2*3600)})
	if got := s.Observations[0].Time; !got.Equal(want) || len(s.Gaps) != 0 {
		t.Errorf("%v, gaps %+v", got, s.Gaps)
	}
}

func FuzzNodeLog(f *testing.F) {
	for _, e := range envelopes {
		f.Add(e.line + "\n" + e.line)
	}
	f.Add("6,1,1,-;x\n")
	f.Add("__CURSOR=1\n__REALTIME_TIMESTAMP=1795249956497849\nMESSAGE=x\n\n")
	f.Fuzz(func(t *testing.T, data string) {
		s := snapshot(ForeignPath("n1", "x"), data, Options{Until: ref})
		if len(s.Observations) == 0 && len(s.Coverage) == 0 && len(s.Gaps) == 0 && len(data) == 0 {
			t.Fatal("nothing was said of an empty file")
		}
		for _, format := range []Format{FormatSyslog, FormatISO, FormatContainer,
			FormatDockerLog, FormatKlog, FormatKlogJSON, FormatLogfmt,
			FormatFull, FormatFullLocal, FormatUnix, FormatMonotonic, FormatRFC5424} {
			entries := 0
			_, _ = ReadText(strings.NewReader(data), format, Times{Reference: ref}, func(e evidence.Entry) {
				entries++
				if y := e.Time.Year(); !e.Time.IsZero() && (y < 0 || y > 9999) {
					t.Fatalf("%s: an entry of %v", format, e.Time)
				}
			})
			if entries > len(data) {
				t.Fatal("more entries than bytes")
			}
		}
	})
}

func TestTheKernelsUptimeIsNoPartOfItsMessage(t *testing.T) {
	for in, want := range map[string]string{
		"[   12.345678] oom-kill:x":           "oom-kill:x",
		"[12345.345678][ T4711] oom-kill:x":   "oom-kill:x",
		"[   12.345678][    C0] oom-kill:x":   "oom-kill:x",
		"[drm] initialized":                   "[drm] initialized",
		"[   12.345678] [drm] initialized":    "[drm] initialized",
		"[   12.345678][drm] initialized":     "[   12.345678][drm] initialized",
		"[   12.345678":                       "[   12.345678",
		"oom-kill:x":                          "oom-kill:x",
		"[   12.345678][ T1] [ T2] a message": "[ T2] a message",
	} {
		if got := uptimeless(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// uptimeless is the message of a line that the kernel wrote to syslog.
func uptimeless(s string) string {
	e := Envelope{Unit: "kernel", Message: s}
	e.whole()
	return e.Message
}

// What is said of a file as a whole names the log that the file is, by its name.
func TestAGapIsOfTheLogThatTheFileIs(t *testing.T) {
	for name, want := range map[string]evidence.SourceKind{
		"kern.log": evidence.SourceKernelLog, "dmesg.txt": evidence.SourceKernelLog, "kubelet.log": evidence.SourceKubeletLog,
		"containerd.log": evidence.SourceRuntimeLog, "crio.log.1": evidence.SourceRuntimeLog,
		"messages": evidence.SourceKubeletLog,
	} {
		s := snapshot(ForeignPath("n1", name), "", Options{Until: ref})
		if len(s.Gaps) != 1 || s.Gaps[0].Source != want {
			t.Errorf("%s: %+v", name, s.Gaps)
		}
	}
}
