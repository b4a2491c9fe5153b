package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Scope is what the command line selects.
type Scope struct {
	collect.Scope
	// files are manifests that name the targets.
	files []string
}

// AddFlags adds the flags that select pods.
func (s *Scope) AddFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&s.AllNamespaces, "all-namespaces", "A", false, "check all namespaces")
	cmd.Flags().StringVarP(&s.Selector, "selector", "l", "", "only pods with these labels, as in kubectl")
	cmd.Flags().StringArrayVarP(&s.files, "filename", "f", nil,
		"the pods and workloads of this manifest (YAML or JSON), or - for standard input; may be repeated")
}

// Complete parses the arguments, and the manifests given instead.
func (s *Scope) Complete(conn *connection, args []string) error {
	targets, nodes, err := ParseTargets(args)
	if err != nil {
		return err
	}
	if len(s.files) > 0 {
		if len(args) > 0 {
			return Usage("name pods and workloads or give a manifest with -f, not both")
		}
		var namespace string
		if targets, namespace, err = Manifested(conn.env, s.files); err != nil {
			return err
		}
		// As in kubectl, -n must not contradict the objects.
		if given := conn.Namespace(); given == "" {
			conn.Overrides.Context.Namespace = namespace
		} else if namespace != "" && namespace != given {
			return Usage("-n %s: the objects of the manifest are in namespace %s", given, namespace)
		}
	}
	s.Targets = targets
	if len(nodes) > 0 {
		// A node has pods of all namespaces.
		s.Nodes, s.AllNamespaces = nodes, conn.Namespace() == ""
	}
	return nil
}

// Validate rejects selections that contradict each other.
func (s *Scope) Validate() error {
	switch {
	case len(s.Targets) > 0 && len(s.Nodes) > 0:
		return Usage("name nodes or what runs on them, not both: node/%s beside %s", s.Nodes[0], s.Targets[0])
	case len(s.Targets) > 0 && s.Selector != "":
		return Usage("name pods or select them with -l, not both")
	case len(s.Targets) > 0 && s.AllNamespaces:
		return Usage("a name belongs to one namespace: it cannot be combined with -A")
	}
	return nil
}

// Find returns the one pod that was named. A recording may hold several with the name. what is the operation, for
// messages.
func (s *Scope) Find(what string, snap *evidence.Snapshot) (*evidence.Pod, error) {
	var found []*evidence.Pod
	for i := range snap.Pods {
		p := &snap.Pods[i]
		if s.Picks(p) && (s.Namespace == "" || p.Namespace == s.Namespace) {
			found = append(found, p)
		}
	}
	name := s.Targets[0].Name
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%s pod %s: it is not in the evidence", what, name)
	case 1:
		return found[0], nil
	}
	var where []string
	for _, p := range found {
		where = append(where, p.Namespace)
	}
	return nil, Hint(fmt.Errorf("%s pod %s: there are %d of this name", what, name, len(found)),
		"choose with -n: "+strings.Join(where, ", "))
}

// ForReport returns the scope in the form of reports.
func (s *Scope) ForReport(f *Filter, from []string) report.Scope {
	out := report.Scope{Namespace: s.Namespace, AllNamespaces: s.AllNamespaces,
		Selector: s.Selector, Nodes: s.Nodes, From: from}
	for _, t := range s.Targets {
		out.Targets = append(out.Targets, t.String())
	}
	if f != nil {
		out.Container, out.Cause, out.Since = f.Container, f.Cause, f.Since
	}
	return out
}

// ForBundle returns the scope in the form of a bundle's manifest.
func (s *Scope) ForBundle() bundle.Scope {
	r := s.ForReport(nil, nil)
	return bundle.Scope{Namespace: r.Namespace, AllNamespaces: r.AllNamespaces,
		Selector: r.Selector, Targets: r.Targets, Nodes: r.Nodes}
}

// Asked returns a filter for the pods that were named; nil if no pod was.
func (s *Scope) Asked() func(*evidence.Pod) bool {
	if !s.OnePod() {
		return nil
	}
	return func(p *evidence.Pod) bool {
		return s.Picks(p) && (s.Namespace == "" || s.Namespace == p.Namespace)
	}
}

// LooksAt reports whether a pod is within the scope.
func (s *Scope) LooksAt(p *evidence.Pod) bool {
	if s.Namespace != "" && p.Namespace != s.Namespace || len(s.Nodes) > 0 && !slices.Contains(s.Nodes, p.Node) {
		return false
	}
	return len(s.Targets) == 0 || s.Picks(p)
}

// Filter narrows a report: one container, one cause, a time.
type Filter struct {
	Container string
	Cause     string
	Since     string
	age       time.Duration
	from      time.Time
}

// AddFlags adds the flags that narrow a report.
func (f *Filter) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.Container, "container", "c", "", "only this container")
	cmd.Flags().StringVar(&f.Cause, "cause", "", "only this cause or mechanism, an ID of 'explain'")
	cmd.Flags().StringVar(&f.Since, "since", "",
		"only what ended since then: a duration such as 24h or 7d, or an RFC 3339 time")
	Fixed(cmd, "cause", analyzer.CauseIDs()...)
}

// Validate parses the time and checks the cause.
func (f *Filter) Validate() error {
	if f.Cause != "" && !slices.Contains(analyzer.CauseIDs(), f.Cause) {
		return Hint(Usage("unknown cause %q", f.Cause), CauseHints(f.Cause)...)
	}
	if f.Since == "" {
		return nil
	}
	if t, err := time.Parse(time.RFC3339, f.Since); err == nil {
		f.from = t
		return nil
	}
	age, err := ParseAge(f.Since)
	if err != nil {
		return Usage("--since %q: want a duration such as 24h or 7d, or a time such as 2026-11-21T07:00:00Z", f.Since)
	}
	f.age = age
	return nil
}

// Start is the time from which ends count; zero for all. An age counts back from the collection, so that a recording
// gives the same report on any day.
func (f *Filter) Start(collectedAt time.Time) time.Time {
	if f.age > 0 {
		return collectedAt.Add(-f.age)
	}
	return f.from
}

// ParseAge parses a Go duration, or a whole number of days.
func ParseAge(s string) (time.Duration, error) {
	if n := len(s) - 1; n > 0 && s[n] == 'd' {
		d, err := time.ParseDuration(s[:n] + "h")
		if err == nil && d > 0 && d < MaxAge/24 {
			return 24 * d, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err == nil && (d <= 0 || d > MaxAge) {
		err = Usage("%s is out of range", duration.ShortHumanDuration(d))
	}
	return d, err
}

// MaxAge is ten years: more is a typo.
const MaxAge = 10 * 365 * 24 * time.Hour
