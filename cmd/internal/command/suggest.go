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

// slips is how many letters may differ between what was typed and what was meant.
const slips = 2

// Meant are up to three of the names that a mistyped word may stand for: as few letters
// differ as in any, and never more than slips. A short word must be closer.
func Meant(typed string, names []string) []string {
	typed = strings.ToLower(typed)
	return near(names, true, func(name string) (int, bool) {
		far := distance(typed, strings.ToLower(name))
		return far, far <= slips && far*3 <= len(typed)
	})
}

// Nearest returns up to three names that are like the one that was asked for: one is the beginning of the other, or
// few letters differ.
func Nearest(want string, names []string) []string {
	return near(names, false, func(name string) (int, bool) {
		if strings.HasPrefix(name, want) || strings.HasPrefix(want, name) {
			return 0, true
		}
		far := distance(want, name)
		return far, far <= max(2, len(want)/4)
	})
}

// near are up to three of the names, the nearest first; with closest, none that is further than the first.
func near(names []string, closest bool, far func(name string) (letters int, like bool)) (out []string) {
	type like struct {
		name string
		far  int
	}
	var all []like
	for _, name := range names {
		if letters, ok := far(name); ok {
			all = append(all, like{name, letters})
		}
	}
	slices.SortStableFunc(all, func(a, b like) int { return a.far - b.far })
	for _, l := range all {
		if len(out) < 3 && (!closest || l.far == all[0].far) && !slices.Contains(out, l.name) {
			out = append(out, l.name)
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
	hints := []string{"'explain' without a name lists the causes"}
	typed = strings.ToLower(typed)
	ids := slices.DeleteFunc(analyzer.CauseIDs(), func(id string) bool {
		return typed == "" || !strings.Contains(id, typed)
	})
	if len(ids) == 0 {
		ids = Nearest(typed, analyzer.CauseIDs())
	}
	return append(hints, Question(ids)...)
}

// WordHints help whoever asked for words that mean nothing known.
func WordHints(args []string) []string {
	hints := []string{"'explain' without a word lists the causes; it takes exit codes, reasons, events, and lines of " +
		"the logs of kubelet, runtime and kernel"}
	if len(args) != 1 || args[0] == "-" {
		return hints
	}
	near := Meant(args[0], append(lookup.Terms(), analyzer.CauseIDs()...))
	if len(near) == 0 {
		for _, id := range analyzer.CauseIDs() {
			if len(args[0]) > 2 && strings.Contains(id, strings.ToLower(args[0])) {
				near = append(near, id)
			}
		}
	}
	return append(hints, Question(near)...)
}

// Shortened is a text that an error repeats.
func Shortened(s string) string { return safetext.Shorten(s, 80) }

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
