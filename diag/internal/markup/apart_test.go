package markup_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
)

func TestLinesOfALogThatWereRunTogether(t *testing.T) {
	const (
		syslog = `Oct 10 09:23:06 n1 kubelet[1966]: E1010 09:23:06.070208    1966 log.go:32] "x" err="a \"b\""`
		klog   = `I1010 09:23:06.070208    1966 kubelet.go:2401] SyncLoop (PLEG)`
		logrus = `time="2025-05-12T09:51:40.2Z" level=info msg="shim disconnected" id=1`
		kernel = `[  407.202854] java invoked oom-killer`
	)
	for name, c := range map[string]struct {
		text, want string
		apart      bool
	}{
		"syslog, whose lines have klog's": {syslog + " " + syslog, syslog + "\n" + syslog, true},
		"without a blank between them":    {klog + klog, klog + "\n" + klog, true},
		"with escaped line breaks":        {logrus + `\n` + logrus, logrus + "\n" + logrus, true},
		"the kernel's":                    {"dmesg: " + kernel + " " + kernel, "dmesg: " + kernel + "\n" + kernel, true},
		"a line each":                     {syslog + "\n" + syslog, syslog + "\n" + syslog, false},
		"a tool that shows another's": {"W1010 09:23:06.070208    8120 logs.go:132] Found: " + syslog,
			"W1010 09:23:06.070208    8120 logs.go:132] Found: " + syslog, false},
		"records of a store": {`{"e":[{"m":"{\"m\":\"` + klog + `\"}"},{"m":"{\"m\":\"` + klog + `\"}"}]}`,
			`{"e":[{"m":"{\"m\":\"` + klog + `\"}"},{"m":"{\"m\":\"` + klog + `\"}"}]}`, false},
		"a line that quotes one": {klog + ` output="` + klog + `"`, klog + ` output="` + klog + `"`, false},
	} {
		got, apart := markup.Apart(c.text)
		if got != c.want || apart != c.apart {
			t.Errorf("%s: %v, %q", name, apart, got)
		}
	}
	if inner, ok := markup.Inner(klog + " " + klog); !ok || inner != klog+"\n"+klog {
		t.Errorf("what is in a text: %q", inner)
	}
	// A program that writes such a line into a log does not change how the log is read.
	if _, apart := markup.Apart(strings.Repeat(klog+"\n", 3) + klog + " " + klog + "\n"); apart {
		t.Error("one line of many")
	}
}
