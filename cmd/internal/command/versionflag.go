package command

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
)

// KubeletVersion parses the version given to a flag.
func KubeletVersion(flag, text string) (kubelet.Version, error) {
	v, err := kubelet.ParseVersion(text)
	if err == nil {
		_, err = kubelet.ProfileFor(v)
	}
	if err != nil {
		return v, Hint(Usage("--%s: %w", flag, err), versionHints(flag, text)...)
	}
	return v, nil
}

// number finds the version within a mistyped one.
var number = regexp.MustCompile(`^v?1\.[0-9]+`)

// versionHints returns hints for an unknown version.
func versionHints(flag, typed string) []string {
	known := fmt.Sprintf("kubelets from v1.%d to v1.%d are known; a version is written v1.31 or v1.31.4",
		kubelet.OldestMinor, kubelet.NewestMinor)
	words := VersionWords()[1:]
	word := strings.ToLower(strings.NewReplacer(",", ".", " ", "").Replace(typed))
	if begin := number.FindString(word); begin != "" {
		begin = "v" + strings.TrimPrefix(begin, "v")
		for _, w := range words {
			if w == begin {
				return []string{known, "did you mean --" + flag + " " + w + "?"}
			}
		}
	}
	var near []string
	for _, w := range words {
		// Versions are so similar that any two are within two letters.
		if len(near) < 3 && distance("v"+strings.TrimPrefix(word, "v"), w) == 1 {
			near = append(near, "--"+flag+" "+w)
		}
	}
	return append([]string{known}, Question(near)...)
}

// VersionForFile returns a version that was given in place of a recording.
func VersionForFile(names []string) (version string, ok bool) {
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil {
			continue // a file may have any name
		}
		if _, err := kubelet.ParseVersion(name); err == nil {
			return name, true
		}
	}
	return "", false
}

// VersionWords returns the minors that --to completes.
func VersionWords() []string {
	words := []string{preflight.Same}
	for minor := kubelet.NewestMinor; minor >= kubelet.OldestMinor; minor-- {
		words = append(words, fmt.Sprintf("v1.%d", minor))
	}
	return words
}
