package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// slips is how many letters may differ between a typed and an intended name; for a long name, a quarter.
const slips = 2

// Meant returns up to three names that a mistyped word may mean: those that begin with it, else those in which the
// fewest letters differ, else those that contain it. A short word must be closer.
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

// Question returns "did you mean a, b?"; nil if there are no names.
func Question(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(names, ", ") + "?"}
}

// CauseHints returns hints for an unknown cause id.
func CauseHints(typed string) []string {
	return append([]string{"'explain' without a name lists the causes"}, Question(Meant(typed, analyzer.CauseIDs()))...)
}

// WordHints returns hints for words that have no known meaning.
func WordHints(args []string) []string {
	hints := []string{"'explain' without a word lists the causes; it takes exit codes, reasons, events, and lines of " +
		"the logs of kubelet, runtime and kernel"}
	if len(args) != 1 || args[0] == "-" {
		return hints
	}
	if n, err := strconv.Atoi(args[0]); err == nil {
		return []string{fmt.Sprintf("exit codes are 0 to 255 on Linux, and NTSTATUS codes such as -1073741819 on Windows; "+
			"%d is neither", n)}
	}
	return append(hints, Question(Meant(args[0], append(lookup.Terms(), analyzer.CauseIDs()...)))...)
}

// Shortened shortens a text for repetition in an error, and removes secrets first: within an error's quotes they would
// not be recognized.
func Shortened(s string) string { return safetext.Shorten(safetext.Clean(s).String(), 80) }

// SimilarCommands returns the commands that a word may have meant that is not a pod.
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

// WithSimilar adds similar commands to an error about the first word, which was treated as a pod. There may well be a
// pod with that name, so this happens only after a failure.
func WithSimilar(cmd *cobra.Command, args []string, err error) error {
	if err == nil || len(args) == 0 || strings.Contains(args[0], "/") {
		return err
	}
	var m *Matched
	if hints := SimilarCommands(cmd, args[0]); len(hints) > 0 && !errors.As(err, &m) {
		return &failure{err: &mistyped{args[0], hints[0], err}, hints: []string{"as the name of a pod: " + err.Error()}}
	}
	return err
}

// mistyped is the error of a word that is like a command, and that no pod was found for.
type mistyped struct {
	word, meant string
	err         error
}

func (m *mistyped) Error() string {
	return "unknown command or pod " + strconv.Quote(Shortened(m.word)) + ": " + m.meant
}

func (m *mistyped) Unwrap() error { return m.err }

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
	if unknown.GetSpecifiedName() == "from" && cmd.Name() == "analyze" {
		return []string{"analyze takes the path alone: " + cmd.CommandPath() + " PATH"}
	}
	near := Meant(unknown.GetSpecifiedName(), names)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return Question(near)
}

// Cause returns an entry of the catalogue, an empty one if it has none.
func Cause(id string) (found analyzer.Cause) {
	for _, c := range analyzer.Causes() {
		if c.ID == id {
			found = c
		}
	}
	return found
}

// Explained returns the page of a cause, "" if there is none.
func Explained(id string) string { return Cause(id).Page }

// hintTime is how long the search for a similar name may take.
const hintTime = 3 * time.Second

// Explain adds remedies to an error of the API server. cl may be nil; with it, similar names are looked up.
func Explain(ctx context.Context, err error, cl *collect.Cluster) error {
	var hints []string
	for _, e := range within[*kube.AccessError](err) {
		hints = append(hints, similar(ctx, e, cl)...)
		if errors.Is(e.Kind, kube.ErrForbidden) {
			hints = append(hints, forbidden(e)...)
		}
	}
	has := func(kind error) bool { return errors.Is(err, kind) }
	switch {
	case has(kube.ErrNoNamespace):
		hints = append(hints, "'kubectl get namespaces' lists them")
	case has(kube.ErrUnauthorized):
		hints = append(hints, "log in again, or check the credentials of this context: kubectl config current-context")
	case has(kube.ErrUnreachable):
		hints = append(hints, "is it the right cluster? kubectl config current-context",
			"recorded evidence needs no cluster: --from FILE")
	case has(collect.ErrNoPods):
		hints = append(hints, "deleted pods left traces only in the logs of their nodes: 'node NODE' reads them")
	case has(kube.ErrTimeout):
		hints = append(hints, "--request-timeout=2m waits longer; -n NAMESPACE or a pod's name asks for less")
	}
	slices.Sort(hints)
	return Hint(err, slices.Compact(hints)...)
}

func forbidden(e *kube.AccessError) []string {
	hints := []string{"this user may not " + e.Verb + " " + e.Resource + "; check with: " + e.CanI()}
	if e.Resource == "pods" && e.Namespace == "" && e.Verb == "list" {
		hints = append(hints, "one namespace may be allowed: -n NAMESPACE")
	}
	return hints
}

// similar suggests existing names close to one that was not found.
func similar(ctx context.Context, e *kube.AccessError, cl *collect.Cluster) []string {
	if !errors.Is(e.Kind, kube.ErrNotFound) || e.Name == "" {
		return nil
	}
	list := "kubectl get " + report.Quote(e.Resource)
	if e.Namespace != "" {
		list += " -n " + report.Quote(e.Namespace)
	}
	fallback := []string{"'" + list + "' lists them"}
	if cl == nil {
		return fallback
	}
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	var names []string
	var err error
	if k, ok := kinds[KindOf(e.Resource)]; ok {
		names, err = cl.Client.Names(ctx, k.Resource, e.Namespace, namePage)
	}
	if hints := Question(Meant(e.Name, names)); err == nil && len(hints) > 0 {
		return hints
	}
	return fallback
}

// distance is the number of letters to insert, delete, replace or swap with their neighbour.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] { // a swap of two letters is one typo
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
