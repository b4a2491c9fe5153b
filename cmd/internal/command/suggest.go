package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// slips is how many letters may differ between what was typed and what was meant; of a long name, a quarter.
const slips = 2

// Meant are up to three of the names that a mistyped word may stand for: those that begin with it, else those in which
// the fewest letters differ, else those that have it somewhere. A short word must be closer.
func Meant(typed string, names []string) (out []string) {
	typed = strings.ToLower(typed)
	const begins, within = 0, 1 << 10
	best := within + 1
	for _, n := range names {
		name := strings.ToLower(n)
		far := distance(typed, name)
		switch {
		case len(typed) > 2 && strings.HasPrefix(name, typed):
			far = begins
		case far <= max(slips, len(typed)/4) && far*3 <= len(typed):
		case len(typed) > 2 && strings.Contains(name, typed):
			far = within
		default:
			continue
		}
		if far < best {
			best, out = far, nil
		}
		if far == best && len(out) < 3 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Question is "did you mean a, b?"; "" where nothing is near.
func Question(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(names, ", ") + "?"}
}

// CauseHints help whoever typed an id that there is not.
func CauseHints(typed string) []string {
	return append([]string{"'explain' without a name lists the causes"}, Question(Meant(typed, analyzer.CauseIDs()))...)
}

// WordHints help whoever asked for words that mean nothing known.
func WordHints(args []string) []string {
	hints := []string{"'explain' without a word lists the causes; it takes exit codes, reasons, events, and lines of " +
		"the logs of kubelet, runtime and kernel"}
	if len(args) != 1 || args[0] == "-" {
		return hints
	}
	return append(hints, Question(Meant(args[0], append(lookup.Terms(), analyzer.CauseIDs()...)))...)
}

// Shortened is a text that an error repeats, without secrets: behind the quotes of an error their shape is lost.
func Shortened(s string) string { return safetext.Shorten(safetext.Clean(s).String(), 80) }

// SimilarCommands name the command that a word which is no pod may have been meant for.
func SimilarCommands(cmd *cobra.Command, word string) []string {
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
			names = append(names, c.Aliases...)
		}
	}
	near := Meant(word, names)
	for i := range near {
		near[i] = "kubectl restartwhy " + near[i]
	}
	return Question(near)
}

// WithSimilar adds to an error about the first word, which was taken for a pod, the
// command that it may have been meant for. There may well be a pod of that name, so only
// what failed gets it.
func WithSimilar(cmd *cobra.Command, args []string, err error) error {
	if err == nil || len(args) == 0 || strings.Contains(args[0], "/") {
		return err
	}
	var m *Matched
	if hints := SimilarCommands(cmd, args[0]); len(hints) > 0 && !errors.As(err, &m) {
		return &failure{err: err, hints: hints}
	}
	return err
}

func flagHints(cmd *cobra.Command, err error) []string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return nil
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := Meant(unknown.GetSpecifiedName(), names)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return Question(near)
}
