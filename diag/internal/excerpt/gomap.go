package excerpt

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// This file reads states as a Go template prints them: "LastState: map[terminated:map[exitCode:137 reason:OOMKilled]]",
// with the template in the Kubernetes documentation.

var (
	goState = regexp.MustCompile(`(?i)(?:\b(last)?state:\s*)?(map\[(?:terminated|waiting|running):map\[.*)$`)
	goName  = regexp.MustCompile(`(?i)^\s*(?:container )?name:\s*([a-z0-9][a-z0-9-]{0,62})\s*$`)
	goKey   = regexp.MustCompile(`^\s*([A-Za-z]+):`)
	goNext  = regexp.MustCompile(`\s[A-Za-z]+:`)
)

// deepest is the maximum nesting of maps: a state has two levels.
const deepest = 8

// isGoState reports whether a line begins such a state, or is the name above one.
func (s *splitter) isGoState(line string) bool {
	return goStated(line) || s.at+1 < len(s.lines) && goStated(s.lines[s.at+1]) && goName.MatchString(line)
}

func goStated(line string) bool { return strings.Contains(line, "map[") && goState.MatchString(line) }

// goStates returns the pod in such lines, if there is one.
func (p Part) goStates(at describe.Place) []json.RawMessage {
	var statuses []any
	name := at.Container
	for _, line := range p.Lines {
		if m := goName.FindStringSubmatch(line); m != nil {
			name = m[1]
			continue
		}
		m := goState.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		state, _ := goMap(m[2][len("map["):], 0)
		if !isState(state) {
			continue
		}
		key := "lastState"
		if m[1] == "" && strings.Contains(strings.ToLower(line), "state:") || state["terminated"] == nil {
			key = "state"
		}
		if n := len(statuses); n > 0 {
			if last := statuses[n-1].(object); last["name"] == name && last[key] == nil {
				last[key] = state
				continue
			}
		}
		statuses = append(statuses, object{"name": name, key: state})
	}
	if len(statuses) == 0 {
		return nil
	}
	return podrecord.Append(nil, asPod(object{}, object{"containerStatuses": statuses}, at))
}

// goMap parses what follows "map[", up to its bracket, and returns the rest. A value is a map, or a text up to the next
// key. Levels deeper than in any state are left out.
func goMap(s string, depth int) (m object, rest string) {
	m = object{}
	for {
		s = strings.TrimLeft(s, " ")
		if after, closed := strings.CutPrefix(s, "]"); closed || s == "" {
			return m, after
		}
		key := goKey.FindStringSubmatch(s)
		if key == nil {
			return m, ""
		}
		s = s[len(key[0]):]
		if inner, ok := strings.CutPrefix(s, "map["); ok {
			if depth == deepest {
				return m, ""
			}
			m[key[1]], s = goMap(inner, depth+1)
			continue
		}
		end := len(s)
		if at := goNext.FindStringIndex(s); at != nil { // first: a line without a bracket is searched once
			end = at[0]
		}
		if at := strings.IndexByte(s[:end], ']'); at >= 0 {
			end = at
		}
		m[key[1]] = scalar(s[:end])
		s = s[end:]
	}
}
