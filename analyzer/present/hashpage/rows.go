package hashpage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// minorOf parses the minor of a version; plain reports that it has neither a patch nor a vendor's build.
func minorOf(version string) (minor int, plain bool) {
	rest, _ := strings.CutPrefix(version, "v1.")
	minor, err := strconv.Atoi(rest)
	if err == nil {
		return minor, true
	}
	digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	minor, _ = strconv.Atoi(rest[:max(digits, 0)]) // 0 if it is no version
	return minor, false
}

// run is the first and the last of adjacent minors that compute the same.
type run struct{ first, last report.HashItem }

// hashRuns merges adjacent minors with the same hash. Versions that were requested by patch stay separate.
func hashRuns(items []report.HashItem) (out []run) {
	open := map[string]int{} // the last run of a container and algorithm
	for _, item := range items {
		key := fmt.Sprint(item.Place, item.Algorithm)
		if n, ok := open[key]; ok {
			last := &out[n].last
			a, plain := minorOf(last.Kubelet)
			if b, too := minorOf(item.Kubelet); last.Hash == item.Hash && plain && too && a+1 == b {
				*last = item
				continue
			}
		}
		open[key] = len(out)
		out = append(out, run{item, item})
	}
	return out
}

// span formats the versions of a run, with the one that is assumed for a newer one.
func span(first, last, as string) string {
	text := strings.TrimPrefix(first, "v")
	if first != last {
		text += "–" + strings.TrimPrefix(last, "v")
	}
	if as != "" {
		text += " (as " + strings.TrimPrefix(as, "v") + ")"
	}
	return text
}

// step is a change of version that changes the hash of containers.
type step struct {
	from, to   string
	containers []string
	all        bool
}

// stepsOf returns the changes between versions that change a hash, by the version that they lead to, and whether there
// was more than one version.
func stepsOf(items []report.HashItem) (out []step, compared bool) {
	at := map[[2]string]int{}
	places := map[int]bool{}
	before := map[int]*report.HashItem{}
	for i := range items {
		item := &items[i]
		places[item.Place] = true
		if item.Second {
			continue
		}
		was := before[item.Place]
		before[item.Place] = item
		if was == nil || was.Kubelet == item.Kubelet {
			continue // a pod's patches may have several for one version
		}
		compared = true
		if was.Hash == item.Hash {
			continue
		}
		key := [2]string{was.Kubelet, item.Kubelet}
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key], out = n, append(out, step{from: was.Kubelet, to: item.Kubelet})
		}
		name := item.Container
		if item.Pod != "" {
			name = item.Pod + "/" + name
		}
		out[n].containers = append(out[n].containers, name)
	}
	for n := range out {
		out[n].all = len(out[n].containers) == len(places)
	}
	slices.SortStableFunc(out, func(a, b step) int {
		x, _ := minorOf(a.to)
		y, _ := minorOf(b.to)
		return cmp.Compare(x, y)
	})
	return out, compared
}
