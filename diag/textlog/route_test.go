package textlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// heard is everything that a router told of a log.
type heard struct {
	Odd      int
	Err      string
	Facts    []string
	Coverage []string
	Gaps     []string
}

func hear(f Format, read func(Format, Times, *statement.Router) (int, error)) heard {
	b := evidence.NewBuilder(ref)
	router := statement.NewRouter(b, statement.Options{Where: "x"})
	odd, err := read(f, Times{Reference: ref}, router)
	router.Close()
	s := b.Build()
	out := heard{Odd: odd, Err: fmt.Sprint(err)}
	for _, o := range s.Observations {
		out.Facts = append(out.Facts, fmt.Sprintf("%s %s %+v %+v %s", o.Time.Format(time.RFC3339Nano),
			o.Fact.Statement(), o.Subject, o.Fact, o.Text))
	}
	for _, c := range s.Coverage {
		c.Origin = nil // a pointer
		out.Coverage = append(out.Coverage, fmt.Sprintf("%+v", c))
	}
	for _, g := range s.Gaps {
		out.Gaps = append(out.Gaps, fmt.Sprintf("%+v", g))
	}
	return out
}

// compare holds the reading side by side against the plain one.
func compare(t *testing.T, name string, data []byte, f Format, size int) {
	t.Helper()
	want := hear(f, func(f Format, times Times, r *statement.Router) (int, error) {
		return ReadText(bytes.NewReader(data), f, times, r.Add)
	})
	got := hear(f, func(f Format, times Times, r *statement.Router) (int, error) {
		return routeChunks(&splitter{r: bytes.NewReader(data), size: size}, f, times, r)
	})
	if !reflect.DeepEqual(want, got) {
		diff := cmp.Diff(want, got)
		t.Errorf("%s in chunks of %d bytes: %.3000s", name, size, diff)
	}
}

func TestReadingSideBySideSaysTheSame(t *testing.T) {
	for output, f := range map[string]Format{
		"short": FormatSyslog, "short-precise": FormatSyslog, "short-iso": FormatISO,
		"short-full": FormatFull, "short-full-CET": FormatFullLocal,
		"with-unit": FormatFull, "short-unix": FormatUnix, "cat": FormatKlog,
	} {
		data := recording(t, output)
		for _, size := range []int{700, 4 << 10, chunkBytes} {
			compare(t, output, data, f, size)
		}
	}
}

// Each mutation makes the recording harder to cut into chunks.
func TestReadingADamagedLogSideBySideSaysTheSame(t *testing.T) {
	lines := strings.SplitAfter(string(recording(t, "cat")), "\n")
	every := func(n int, f func(string) string) []byte {
		var b strings.Builder
		for i, l := range lines {
			if i%n == n-1 {
				l = f(l)
			}
			b.WriteString(l)
		}
		return []byte(b.String())
	}
	for name, data := range map[string][]byte{
		"lines without a header":   every(5, func(l string) string { return "goroutine 1 [running]:\n" + l }),
		"a clock that goes back":   every(7, func(l string) string { return strings.Replace(l, " 08:3", " 08:1", 1) }),
		"processes that alternate": every(2, func(l string) string { return strings.Replace(l, "     81 ", "     82 ", 1) }),
		"windows' line ends":       every(3, func(l string) string { return strings.Replace(l, "\n", "\r\n", 1) }),
		"empty lines":              every(2, func(l string) string { return "\n\n" + l }),
		"boots": every(40, func(l string) string {
			return "-- Boot 0123456789abcdef0123456789abcdef --\n" + l
		}),
		"boots without an id":     every(40, func(l string) string { return "-- Reboot --\n" + l }),
		"blocks that break off":   every(3, func(l string) string { return strings.Replace(l, " >\n", "", 1) }),
		"blocks that never end":   every(9, func(l string) string { return strings.TrimSuffix(l, "\n") + " output=<\n" }),
		"fatal lines":             every(30, func(l string) string { return "F" + l[min(1, len(l)):] }),
		"a last line that is cut": every(1<<30, nil)[:20000],
		"a header and no more":    []byte("I1121 08:32:36.497795      81 flags.go:64] \n"),
		"nothing":                 nil,
		"no end":                  []byte("I1121"),
		"only line ends":          []byte("\n\n\r\n\n"),
	} {
		for _, size := range []int{300, 1 << 10, 64 << 10} {
			compare(t, name, data, FormatKlog, size)
		}
	}
}

func TestReadingALongLineSideBySide(t *testing.T) {
	long := klogLine + strings.Repeat("x", 3*maxLine)
	for name, data := range map[string]string{
		"between others":   klogLine + "\n" + long + "\n" + klogLine + "\n",
		"first":            long + "\n" + klogLine + "\n",
		"last":             klogLine + "\n" + long + "\n",
		"last, cut":        klogLine + "\n" + long,
		"of the limit":     long[:maxLine] + "\n" + klogLine + "\n",
		"one byte shorter": long[:maxLine-1] + "\n" + klogLine + "\n",
		"one byte longer":  long[:maxLine+1] + "\n" + klogLine + "\n",
	} {
		for _, size := range []int{64 << 10, chunkBytes} {
			compare(t, name, []byte(data), FormatKlog, size)
		}
	}
}

// broken fails in the middle.
type broken struct{ io.Reader }

var errBroken = errors.New("the disk is gone")

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}
	return n, err
}

func TestAReadErrorKeepsWhatWasRead(t *testing.T) {
	got := hear(FormatKlog, func(f Format, times Times, r *statement.Router) (int, error) {
		return Route(broken{strings.NewReader(klogLine + "\n" + klogLine[:30])}, f, times, r)
	})
	if len(got.Facts) != 1 || got.Err != errBroken.Error() {
		t.Errorf("%+v", got)
	}
}

func FuzzRoute(f *testing.F) {
	f.Add([]byte(klogLine+"\n"+klogLine+" output=<\n\tx\n >\n"), 30)
	f.Add(recording(f, "short")[:4000], 500)
	f.Add([]byte("-- Reboot --\n\r\nNov 21 07:24:45 n1 kubelet[80]: "+klogLine+"\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 1 || size > 1<<16 {
			t.Skip("no size of a chunk")
		}
		for _, format := range []Format{FormatKlog, FormatSyslog, FormatISO, FormatRFC5424, FormatFull, FormatUnix} {
			compare(t, string(format), data, format, size)
		}
	})
}
