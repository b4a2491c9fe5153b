package decide

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// CountFromLogs returns the restart count that a kubelet gives to a container without a record in the runtime, from the
// names of the files in the container's log directory, in the directory's order (1.21+, kuberuntime_container.go
// calcRestartCountByLogDir): one more than the highest number of a log file. used is false up to 1.20, where the count
// starts at 0 again.
//
// Up to 1.26 the pattern was not anchored, so that "old-7.log" counts too, and a number too large for the machine ends
// the search with what was found before it.
func CountFromLogs(p kubelet.Profile, files []string) (count int, used bool) {
	if p.Minor <= 20 {
		return 0, false
	}
	for _, name := range files {
		digits, ok := logNumber(name, p.Minor >= 27)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(digits)
		switch {
		case err == nil:
			count = max(count, n+1)
		case p.Minor < 27:
			return count, true
		}
	}
	return count, true
}

// logNumber finds the number in a log file's name: since 1.27 with `^(\d+)\.log`, before with the first `(\d+).log`,
// where the dot matches any character.
func logNumber(name string, anchored bool) (digits string, ok bool) {
	leading := func(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
	if anchored {
		n := leading(name)
		return name[:n], n > 0 && strings.HasPrefix(name[n:], ".log")
	}
	for i := 0; i < len(name); {
		n := leading(name[i:])
		if n == 0 {
			i++
			continue
		}
		// Greedy first, then give back one digit: a digit may match the dot.
		for take := n; take > 0; take-- {
			rest := name[i+take:]
			if dot, size := utf8.DecodeRuneInString(rest); size > 0 && dot != '\n' && strings.HasPrefix(rest[size:], "log") {
				return name[i : i+take], true
			}
		}
		i += n
	}
	return "", false
}
