package textlog

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

func TestStampsThatAreNone(t *testing.T) {
	for f, base := range map[Format]string{
		FormatKlog: klogLine, FormatSyslog: "Nov 21 07:24:45 n1 kubelet[80]: x",
		FormatISO:  "2026-11-21T07:24:45Z n1 kubelet[80]: x",
		FormatFull: "Sat 2026-11-21 07:24:45 UTC n1 kubelet[80]: x", FormatUnix: "1795245885.454287 n1 kubelet[80]: x",
		FormatMonotonic: "[    5.123456] n1 kubelet[80]: x", FormatRFC5424: "<30>1 2026-11-21T07:24:45Z n1 kubelet 80 - - x",
	} {
		if !cut(f, base, new(Envelope)) {
			t.Fatalf("%s: the base is not read", f)
		}
		for name, line := range map[string]string{
			"empty": "", "a blank": " ", "behind text": "x" + base, "cut in the time": base[:9],
			"a letter in the time": base[:8] + "x" + base[9:],
			"an impossible month":  strings.NewReplacer("Nov", "Nox", "-11-", "-13-", "1121", "1321").Replace(base),
			"an impossible hour":   strings.NewReplacer("07:", "27:").Replace(base),
			"no writer":            strings.NewReplacer("kubelet[80]: ", "", "kubelet 80 - - ", "", "] ", "").Replace(base),
		} {
			if line == base || f == FormatUnix && strings.HasPrefix(name, "an impossible") ||
				f == FormatMonotonic && strings.HasPrefix(name, "an impossible") {
				continue
			}
			if f == FormatKlog && name == "no writer" {
				continue
			}
			if cut(f, line, new(Envelope)) {
				t.Errorf("%s, %s: %q was read", f, name, line)
			}
		}
	}
}

func TestZonesAndFractions(t *testing.T) {
	for line, want := range map[string]string{
		"2026-11-21T07:24:45Z n1 k: x":                "2026-11-21T07:24:45Z",
		"2026-11-21T07:24:45.5Z n1 k: x":              "2026-11-21T07:24:45.5Z",
		"2026-11-21T07:24:45,123456789+02:00 n1 k: x": "2026-11-21T05:24:45.123456789Z",
		"2026-11-21T00:24:45+0530 n1 k: x":            "2026-11-20T18:54:45Z",
		"2026-11-21T23:24:45-01 n1 k: x":              "2026-11-22T00:24:45Z",
		"2028-02-29T07:24:45Z n1 k: x":                "2028-02-29T07:24:45Z",
		"2026-12-31T23:59:60Z n1 k: x":                "2027-01-01T00:00:00Z", // a leap second
	} {
		var e Envelope
		if !cut(FormatISO, line, &e) {
			t.Errorf("%s is not read", line)
			continue
		}
		if got := e.at.Time(Times{}).UTC().Format(time.RFC3339Nano); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
	for _, line := range []string{"2026-11-21T07:24:45 n1 k: x", "2026-11-21T07:24:45+1 n1 k: x",
		"2026-11-21T07:24:45+01:0 n1 k: x", "2026-11-21T07:24:45.Z n1 k: x",
		"2026-11-21T07:24:45+25:00 n1 k: x", "2026-11-21T07:24:45.1234567890Z n1 k: x", "0000-11-21T07:24:45Z n1 k: x"} {
		if cut(FormatISO, line, new(Envelope)) {
			t.Errorf("%s was read", line)
		}
	}
}

func TestADayIsRememberedOnlyWithinItsYear(t *testing.T) {
	var d days
	times := Times{Reference: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		month time.Month
		day   int
		hour  time.Duration
		want  string
	}{
		{2, 27, 1, "2026-02-27T01:00:00Z"}, {2, 27, 23, "2026-02-27T23:00:00Z"},
		{2, 29, 1, "2024-02-29T01:00:00Z"}, {2, 29, 5, "2024-02-29T05:00:00Z"}, // of a leap year
		{3, 2, 11, "2026-03-02T11:00:00Z"}, {3, 2, 13, "2025-03-02T13:00:00Z"}, // more than a day ahead: last year's
		{3, 2, 11, "2026-03-02T11:00:00Z"}, {12, 31, 23, "2025-12-31T23:00:00Z"}, {1, 1, 0, "2026-01-01T00:00:00Z"},
	} {
		s := stamp{month: c.month, day: c.day, clock: c.hour * time.Hour}
		if got := d.time(s, times).Format(time.RFC3339); got != c.want || !d.time(s, times).Equal(s.Time(times)) {
			t.Errorf("%v is %s", c, got)
		}
	}
}

// A line of a gigabyte, escape sequences, NULs, broken UTF-8, forged lines: what
// a log holds costs no more than its size, and forges nothing.
func TestAHostileLog(t *testing.T) {
	for name, data := range map[string]string{
		"escape sequences":      klogLine + "\x1b[2J\x1b]0;x\x07\n",
		"NUL behind the begin":  klogLine + "\n" + strings.Repeat("x", 70<<10) + "\x00\x00\n" + klogLine + "\n",
		"broken UTF-8":          klogLine + "\xff\xfe\xf0\x28\n",
		"a forged line in text": `I1121 07:24:45.454287      80 x.go:1] "hello" msg="\nI1121 07:24:45.454287      80 kubelet.go:1] \"SyncLoop REMOVE\" pods=[\"a/b\"]"` + "\n" + klogLine + "\n",
		"brackets for ever": klogLine + "\n" + `I1121 07:24:45.454287      80 kubelet.go:1] "SyncLoop REMOVE" pods=` +
			strings.Repeat("[{", 200<<10) + "\n",
		"keys for ever": klogLine + "\n" + `I1121 07:24:45.454287      80 kubelet.go:1] "SyncLoop REMOVE"` +
			strings.Repeat(" a=b", 100<<10) + "\n",
		"backslashes for ever": klogLine + "\n" + `I1121 07:24:45.454287      80 kubelet.go:1] "SyncLoop REMOVE" pods="` +
			strings.Repeat(`\`, 300<<10) + "\"\n",
		"quotes for ever": klogLine + "\n" + `I1121 07:24:45.454287      80 kubelet.go:1] "SyncLoop REMOVE" pods="` +
			strings.Repeat(`\"`, 300<<10) + "\"\n",
	} {
		elapsed := clock.Stopwatch()
		s := observeBytes([]byte(data), Options{Until: ref})
		if took := elapsed(); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		judged := 0
		for _, o := range s.Observations {
			if o.Fact.Statement() == "kubelet.sandbox-judged" {
				judged++
			} else {
				t.Errorf("%s: says %+v", name, o)
			}
			if strings.ContainsAny(o.Text.String(), "\x00\x1b") || !utf8.ValidString(o.Text.String()) {
				t.Errorf("%s: quoted as %q", name, o.Text)
			}
		}
		if judged == 0 {
			t.Errorf("%s: the ordinary line says nothing; gaps %+v", name, s.Gaps)
		}
	}
}

func TestMonthsOfOtherLanguages(t *testing.T) {
	for line, want := range map[string]string{
		"Mai 22 08:07:35 n1 k[1]: x":     "05-22",
		"Mär  2 08:07:35 n1 k[1]: x":     "03-02",
		"févr. 09 08:07:35 n1 k[1]: x":   "02-09",
		"juil. 14 08:07:35 n1 k[1]: x":   "07-14",
		"dic 01 08:07:35 n1 k[1]: x":     "12-01",
		"4月 20 06:45:47 n1 k[1]: x":      "04-20",
		"12月 11 11:42:07 n1 k[1]: x":     "12-11",
		"13月 11 11:42:07 n1 k[1]: x":     "",
		"月 11 11:42:07 n1 k[1]: x":       "",
		"Tuesday 11 11:42:07 n1 k[1]: x": "",
	} {
		var e Envelope
		ok := cut(FormatSyslog, line, &e)
		got := ""
		if ok {
			got = fmt.Sprintf("%02d-%02d", e.at.month, e.at.day)
		}
		if got != want || ok && (e.host != "n1" || e.Unit != "k" || e.Message != "x") {
			t.Errorf("%s: %q %+v, want %q", line, got, e, want)
		}
	}
}

func TestALineWhoseHostWasCutOut(t *testing.T) {
	var e Envelope
	if !cut(FormatSyslog, "Aug 10 15:05:16 containerd[2514]: started: a", &e) || e.host != "" || e.Unit != "containerd" ||
		e.pid != 2514 || e.Message != "started: a" {
		t.Errorf("%+v", e)
	}
}
