package unwrap

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// speaks reports whether a message looks like a line that we can read.
func speaks(s string) bool {
	s = safetext.Uncoloured(s)
	if _, _, ok := klogline.ParseHeader(s); ok {
		return true
	}
	if klogline.At(s) >= 0 {
		return true
	}
	if _, ok := runtimelog.Time(s); ok {
		return true
	}
	return isKlogJSON(s)
}

// isKlogJSON reports whether it is a line of --logging-format=json.
func isKlogJSON(s string) bool {
	return strings.HasPrefix(s, "{") && strings.Contains(s, `"msg":`) && strings.Contains(s, `"ts":`)
}

// messageAt returns where the message of a kubelet, a runtime or the kernel begins in a line with a prefix, -1 if it
// has none.
func messageAt(s string) int {
	at := klogline.At(s)
	if at < 0 {
		at = loggedAt(s[:min(len(s), klogline.MaxPrefix)])
	}
	if at >= 0 && structuredAround(s[:at]) {
		return -1
	}
	return at
}

// loggedAt is messageAt for a runtime and the kernel.
func loggedAt(s string) int {
	at := strings.Index(s, `time="`)
	if at < 0 {
		return kernel.Begins(s)
	}
	if _, ok := runtimelog.Time(s[at:]); ok {
		return at
	}
	return -1
}

// labelled reports whether a prefix tells a time, a machine or a process: else a runtime's or the kernel's line may be
// quoted in a sentence.
func labelled(prefix string) bool {
	p := prefixed(prefix)
	return !p.Time.IsZero() || p.Host != "" || process.MatchString(prefix)
}

// process is how syslog names who wrote a line: "containerd[2002]: ".
var process = regexp.MustCompile(`(?:^|\s)[\w.-]+\[\d{1,9}\]: $`)
