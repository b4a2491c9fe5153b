package judge

import (
	"fmt"
	"slices"
	"strings"
)

// key identifies what a result is about: the same container with the same truth at the same tier.
func (r Result) key() string {
	return fmt.Sprintf("%s/%s on %s, kubelet %s, truth %q, tier %d", r.Scenario, r.Container, r.Node, r.Kubelet, r.Cause,
		r.Tier)
}

// said returns the verdict and its score; times are not compared.
func (r Result) said() string {
	if r.Verdict == nil {
		return "nothing: " + r.Outcome.String()
	}
	return fmt.Sprintf("%s, %s: %s", r.Verdict.Cause, r.Verdict.Confidence, r.Outcome)
}

// Changes compares a run with the one before: a sorted line for each result that differs, and how many were judged in
// both. If a run has only some parts, only these are compared.
func Changes(before, now []Result) (lines []string, both int) {
	was := map[string]string{}
	for _, r := range before {
		was[r.key()] = r.said()
	}
	for _, r := range now {
		old, ok := was[r.key()]
		if !ok {
			continue
		}
		both++
		if said := r.said(); said != old {
			lines = append(lines, fmt.Sprintf("changed: %s: %s -> %s", r.key(), old, said))
		}
	}
	slices.Sort(lines)
	return lines, both
}

// Difference describes what differs from the run before; "" if there was none.
func Difference(before, now []Result) string {
	if before == nil {
		return ""
	}
	lines, both := Changes(before, now)
	return strings.Join(append(lines, fmt.Sprintf("%d of %d results that the last run has, too, differ from it\n",
		len(lines), both)), "\n")
}

// Merged returns the results of a run, and those of the one before for what this run did not judge.
func Merged(before, now []Result) []Result {
	judged := map[string]bool{}
	for _, r := range now {
		judged[r.key()] = true
	}
	rest := slices.DeleteFunc(slices.Clone(before), func(r Result) bool { return judged[r.key()] })
	return append(rest, now...)
}
