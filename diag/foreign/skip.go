package foreign

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/glob"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostprint"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mention"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// The reasons to leave a file out.
const (
	isContainerLog = "logs of containers"
	isOfNoUse      = "of a kind that says nothing about restarts"
)

// skip decides about a file before it is kept: by its path, and, if no layout knows the path, by its first bytes.
func skip(path string, head []byte) string {
	segments := strings.Split(path, "/")
	fits := func(g glob.Glob) bool { return g.Find(segments) >= 0 }
	if ofContainers(path) {
		return isContainerLog
	}
	for i := range layouts {
		for _, r := range layouts[i].rules {
			if r.path.Find(withoutPacking(segments)) >= 0 {
				if r.use == useNothing {
					return isOfNoUse
				}
				return ""
			}
		}
	}
	if slices.ContainsFunc(useless, fits) && !archive.MatchString(path) {
		return isOfNoUse
	}
	if head == nil {
		return "" // an archive, which is read later
	}
	head = []byte(safetext.Uncoloured(string(head)))
	if contentOf(head) == contentOther && !mayTellLater(head) && !pieces(head) && !naming.Note(string(head)) &&
		hostprint.Settings(string(head)) == "" && !mention.Of(string(head), path, time.Time{}).In() {
		return isOfNoUse
	}
	return ""
}

// ofContainers reports whether containers write the file, by its path.
func ofContainers(path string) bool {
	segments := strings.Split(path, "/")
	return slices.ContainsFunc(containerLogs, func(g glob.Glob) bool { return g.Find(segments) >= 0 })
}

// mayTellLater reports whether more may follow a text's beginning: the writer of a log may have printed much before it.
func mayTellLater(head []byte) bool {
	return len(head) >= bundle.HeadBytes && textlog.Sniff(head) == textlog.FormatUnknown &&
		bytes.Count(head, []byte("\n")) > 16
}

// archive matches the file name of an archive, which may contain anything.
var archive = regexp.MustCompile(`\.(?:tar|tgz|zip|tar\.(?:gz|xz|zst|bz2))$`)

// withoutPacking removes the extension of a compressed file from the last segment.
func withoutPacking(segments []string) []string {
	last := segments[len(segments)-1]
	for _, ext := range []string{".gz", ".xz", ".zst", ".bz2"} {
		if stem, ok := strings.CutSuffix(last, ext); ok {
			return append(slices.Clone(segments[:len(segments)-1]), stem)
		}
	}
	return segments
}
