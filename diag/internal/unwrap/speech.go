package unwrap

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// maxPrefix is how far into a line to look for a header.
const maxPrefix = 512

// speaks reports whether a message looks like a line that we can read.
func speaks(s string) bool {
	s = safetext.Uncoloured(s)
	if _, _, ok := klogline.ParseHeader(s); ok {
		return true
	}
	if headerAt(s) >= 0 {
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

// headerAt returns where a kubelet's header begins in a line with a prefix, -1 if it has none.
func headerAt(s string) int {
	const digits = 4
	head := s[:min(len(s), maxPrefix)]
	for from := 0; from+digits < len(head); {
		at := strings.IndexAny(head[from:], "IWEF")
		if at < 0 {
			return -1
		}
		at += from
		from = at + 1
		if at > 0 && (isWord(s[at-1])) || at+1 >= len(s) || s[at+1] < '0' || s[at+1] > '1' {
			continue
		}
		if _, _, ok := klogline.ParseHeader(s[at:]); ok {
			return at
		}
	}
	return -1
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
