package signs

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestTheLineOfACrash(t *testing.T) {
	for _, c := range []struct{ name, said, want string }{
		{"Go", "starting\npanic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\n",
			"panic: runtime error: index out of range [3] with length 3"},
		{"Python, whose error comes last",
			"Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no port\n", "ValueError: no port"},
		{"Java", "Exception in thread \"main\" java.lang.IllegalStateException: no port\n\tat App.main\n",
			"Exception in thread \"main\" java.lang.IllegalStateException: no port"},
		{"a logger", "time=1 level=info msg=on\ntime=2 level=fatal msg=\"no port\"\n", `time=2 level=fatal msg="no port"`},
		{"a long line", "panic: " + strings.Repeat("x", 500), "panic: " + strings.Repeat("x", mostOfLine-7) + "…"},
		{"a JVM without memory", "java.lang.OutOfMemoryError: Java heap space\nTerminating due to it\n",
			"java.lang.OutOfMemoryError: Java heap space"},
		{"no crash", "listening on 8080\nbye\n", ""},
		{"nothing", "", ""},
	} {
		f := &finding.Findings{}
		f.R = &timeline.Restart{From: &timeline.Instance{Message: safetext.Clean(c.said)}}
		if got := Crash(f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLastWords(t *testing.T) {
	for _, c := range []struct{ name, uid, said, want string }{
		{"one line", "u1", "cannot reach the database\n", "cannot reach the database"},
		{"two lines", "u1", "no port\nbye\n", "no port"},
		{"a log: which line matters is not known", "u1", "a\nb\nc\n", ""},
		{"a log with a crash", "u1", "a\nb\npanic: no port\n", "panic: no port"},
		{"nothing", "u1", "", ""},
		{"what a text says", evidence.Mentioned + "shop/web-0", "it restarts", ""},
	} {
		f := &finding.Findings{}
		f.R = &timeline.Restart{PodUID: c.uid, From: &timeline.Instance{Message: safetext.Clean(c.said)}}
		if got := LastWords(f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A journal names whose line it is in front: what a program prints there is its own.
func TestARuntimesOwnLine(t *testing.T) {
	for line, want := range map[string]bool{
		"Nov 30 06:00:02 n1 containerd[812]: panic: boom":           true,
		"2026-11-30T06:00:02+0000 n1 containerd[812]: panic: boom":  true,
		"containerd[812]: panic: boom":                              true,
		"Nov 30 06:00:02 n1 app[900]: containerd[812]: panic: boom": false,
		"panic: containerd[812]: panic: boom":                       false,
	} {
		f := &finding.Findings{}
		f.R = &timeline.Restart{PodUID: evidence.Mentioned, From: &timeline.Instance{Message: safetext.Clean(line)}}
		if got := RuntimeFell(f); got != want || OfRuntime(line) != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
}
