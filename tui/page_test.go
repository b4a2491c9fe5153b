package tui

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestWrap(t *testing.T) {
	for text, want := range map[string][]string{
		"":                         {""},
		"one two":                  {"one two"},
		"one two three":            {"one two", "three"},
		"a --evidence pod":         {"a", "--evidence", "pod"},
		"abcdefghijklmnop":         {"abcdefghij", "klmnop"},
		"ab abcdefghijklmnop":      {"ab abcdefg", "hijklmnop"},
		"abcdef abcdefghijklmnop":  {"abcdef", "abcdefghij", "klmnop"},
		"I1121  80 x":              {"I1121  80", "x"},
		"界界界界界界":                   {"界界界界界", "界"},
		"trailing   ":              {"trailing"},
		"abcdefghij klmnopqrst u":  {"abcdefghij", "klmnopqrst", "u"},
		"abcdefghijabcdefghij end": {"abcdefghij", "abcdefghij", "end"},
	} {
		if d := cmp.Diff(want, wrap(text, 10)); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range []string{"", "one two", "I1121 07:22:24.235722      80 x.go:1] \"y\" pod=\"a/b\"", "界界 界", "e\u0301 x", "👩‍👩‍👧‍👦 family"} {
		for _, w := range []int{1, 2, 10, 80} {
			f.Add(s, w)
		}
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 2 || width > 500 || len(s) > 4096 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
			return // safe text is valid and holds no control characters
		}
		joined := strings.Join(wrap(s, width), "")
		if got, want := strings.ReplaceAll(joined, " ", ""), strings.ReplaceAll(s, " ", ""); got != want {
			t.Fatalf("wrap lost something: %q, want %q", got, want)
		}
		for _, line := range wrap(s, width) {
			if w := ansi.StringWidth(line); w > width {
				t.Fatalf("%q is %d wide, want at most %d", line, w, width)
			}
		}
	})
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Minute: "0s", 0: "0s", 59 * time.Second: "59s", time.Minute: "1m", 59 * time.Minute: "59m",
		time.Hour: "1h", 23*time.Hour + 59*time.Minute: "23h", 24 * time.Hour: "1d", 999 * 24 * time.Hour: "999d", 1000 * 24 * time.Hour: "2y",
	} {
		if got := age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestExitAndLifetimeSayOnlyWhatIsKnown(t *testing.T) {
	code := func(c int32) *int32 { return &c }
	at := func(s string) *time.Time { v, _ := time.Parse(time.RFC3339, s); return &v }
	for name, tt := range map[string]struct {
		in        *report.Instance
		exit, ran string
	}{
		"nothing":         {nil, "", ""},
		"empty":           {&report.Instance{}, "", ""},
		"code zero":       {&report.Instance{ExitCode: code(0), Reason: "Completed"}, "exit 0 Completed", ""},
		"signal":          {&report.Instance{ExitCode: code(139), Signal: 11}, "exit 139 signal 11", ""},
		"start only":      {&report.Instance{StartedAt: at("2026-01-01T00:00:00Z")}, "", ""},
		"seconds":         {&report.Instance{StartedAt: at("2026-01-01T00:00:00Z"), FinishedAt: at("2026-01-01T00:00:07Z")}, "", "7s"},
		"days":            {&report.Instance{StartedAt: at("2026-01-01T00:00:00Z"), FinishedAt: at("2026-01-04T02:30:00Z")}, "", "3d2h"},
		"clocks disagree": {&report.Instance{StartedAt: at("2026-01-01T00:00:07Z"), FinishedAt: at("2026-01-01T00:00:00Z")}, "", ""},
	} {
		if got := exit(tt.in); got != tt.exit {
			t.Errorf("%s: exit %q, want %q", name, got, tt.exit)
		}
		if got := lifetime(tt.in); got != tt.ran {
			t.Errorf("%s: ran %q, want %q", name, got, tt.ran)
		}
	}
}
