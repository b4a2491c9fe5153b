package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
)

// count is what the table and the rules have for one minor version.
type count struct{ messages, decide, read, rules int }

// result is what a check found.
type result struct {
	problems []string
	minors   map[int]*count
	rules    int
}

func check(rows []message) result {
	r := result{minors: map[int]*count{}}
	met := map[kubeletlog.Matcher]map[int]bool{}
	for minor := first; minor <= last; minor++ {
		c := &count{}
		r.minors[minor] = c
		for _, m := range rows {
			if !m.in(minor) {
				continue
			}
			c.messages++
			if m.statement != "-" {
				c.decide++
			}
			line := render(m, minor)
			by, known := kubeletlog.Match(line)
			if known {
				if met[by] == nil {
					met[by] = map[int]bool{}
				}
				met[by][minor] = true
			}
			said := statements(line, minor)
			if problem := judge(m, minor, by, known, said); problem != "" {
				r.problems = append(r.problems, fmt.Sprintf("v1.%d %s: %s", minor, m, problem))
				continue
			}
			if m.statement != "-" {
				c.read++
			}
		}
	}
	r.unmet(met)
	return r
}

// judge returns what is wrong with the reading of one message, "" if nothing is.
func judge(m message, minor int, by kubeletlog.Matcher, known bool, said []string) string {
	want := []string{m.statement}
	if m.statement == "-" || m.statement == "=" {
		want = nil
	}
	switch {
	case m.statement == "?":
		return "nobody has said what it becomes"
	case !slices.Equal(said, want):
		return fmt.Sprintf("says %v, not %v", said, want)
	case m.statement == "=" && !known:
		return "no rule knows it"
	case known && m.statement != "-" && (minor < by.Since || by.Until != 0 && minor > by.Until):
		return fmt.Sprintf("the rule %q is for v1.%d to %d", by.Message, by.Since, by.Until)
	case known && by.Level > m.level:
		return fmt.Sprintf("the rule %q takes it for V%d, it is at V%d", by.Message, by.Level, m.level)
	}
	return ""
}

// elsewhere are messages of packages that the inventory does not cover, which report no decision but name a container;
// read in the sources of v1.20.15, v1.24.17, v1.30.14 and v1.37.1.
var elsewhere = map[string]string{
	"Finished parsing log file":            "kuberuntime/logs/logs.go, v1.31+ k8s.io/cri-client logs.go",
	"RemoveContainer":                      "cm/topologymanager/scope.go",
	"Created an OOM event in container ":   "cAdvisor's manager/manager.go",
	`Event(v1.ObjectReference{Kind:"Node"`: "client-go's tools/record/event.go",
	`Event(v1.ObjectReference{Kind:"Pod"`:  "client-go's tools/record/event.go",
	"Error running pod ":                   "dockertools/manager.go up to v1.2", // not in the inventory
	"PostStart handler: ":                  "dockertools/manager.go before v1.2",
	"HTTP":                                 "apiserver's pkg/server/httplog/httplog.go",
	"Event occurred":                       "client-go's tools/record/event.go",
	"Operation for ":                       "volume/util/nestedpendingoperations",
	"[topologymanager] RemoveContainer - Container ID: ": "cm/topologymanager/scope.go",
}

// unmet finds rules that match no message of a minor version that they claim.
func (r *result) unmet(met map[kubeletlog.Matcher]map[int]bool) {
	for _, by := range kubeletlog.Matchers() {
		if elsewhere[by.Message] != "" {
			continue
		}
		r.rules++
		until := by.Until
		if until == 0 {
			until = last
		}
		for minor := by.Since; minor <= until; minor++ {
			if c := r.minors[minor]; c != nil {
				c.rules++
			}
			if !met[by][minor] {
				r.problems = append(r.problems, fmt.Sprintf("v1.%d: the rule %q %q meets no message", minor, by.Message, by.Has))
			}
		}
	}
}

// statements returns the facts of a line from a kubelet of that minor version, each once.
func statements(line string, minor int) []string {
	var out []string
	take := func(o evidence.Observation) {
		if s := o.Fact.Statement(); !slices.Contains(out, s) {
			out = append(out, s)
		}
		if strings.Contains(o.Text.String(), "canary") {
			out = append(out, "the value of an environment variable")
		}
	}
	// Some lines mean something in one version only, so the parser must know the version.
	p := kubeletlog.Parser{Known: true}
	version := fmt.Sprintf(`I1121 07:24:00.000000   24911 server.go:1] "Kubelet version" kubeletVersion="v1.%d.0"`, minor)
	start := ""
	p.Add(evidence.Entry{Message: version}, func(o evidence.Observation) { start = o.Fact.Statement() })
	p.Add(evidence.Entry{Message: line}, take)
	_, alone := kubeletlog.Parse(line)
	for _, o := range alone {
		if o.Fact.Statement() == start { // reported already
			take(o)
		}
	}
	return out
}
