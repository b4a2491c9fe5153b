package excerpt

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// This file reads kubectl's output of chosen fields: custom columns, and the values of a jsonpath.

// output parses the argument of -o.
func (c *Command) output(format string) {
	if p, ok := strings.CutPrefix(format, "custom-columns="); ok {
		for _, column := range strings.Split(p, ",") {
			if _, path, ok := strings.Cut(column, ":"); ok {
				c.Columns = append(c.Columns, fields(path))
			}
		}
		return
	}
	p, ok := strings.CutPrefix(format, "jsonpath=")
	if !ok {
		return
	}
	var paths [][]string
	for _, m := range template.FindAllStringSubmatch(p, 32) {
		paths = append(paths, fields(m[1]))
	}
	if len(paths) == 1 {
		c.Path = paths[0]
	}
	if strings.Contains(p, "{range") || len(paths) > 1 {
		c.Columns = paths
	}
}

// template is a field of a jsonpath, except a range over all items.
var template = regexp.MustCompile(`\{(\.[^{}]+)\}`)

// unquoted joins the words of a quoted argument.
func unquoted(words []string) (out []string) {
	quote := byte(0)
	for _, w := range words {
		if quote != 0 {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
		for i := 0; i < len(w); i++ {
			switch {
			case quote == 0 && (w[i] == '\'' || w[i] == '"'):
				quote = w[i]
			case w[i] == quote:
				quote = 0
			}
		}
	}
	return out
}

// values returns the pods in lines of chosen fields.
func (p Part) values(at describe.Place) (pods []json.RawMessage) {
	paths := p.Command.Columns
	if len(paths) == 0 {
		paths = [][]string{p.Command.Path}
	}
	for _, line := range p.Lines {
		cells := strings.Fields(line)
		if len(cells) != len(paths) {
			continue
		}
		pod, head := object{}, false
		for i, cell := range cells {
			if cell == "<none>" {
				continue
			}
			values := strings.Split(cell, ",")
			last := paths[i][len(paths[i])-1]
			_, number := scalar(values[0]).(int64)
			head = head || !number && (last == "exitCode" || last == "restartCount")
			put(pod, paths[i], values)
		}
		if o := chosen(pod, at); o != nil && !head {
			pods = podrecord.Append(pods, o)
		}
	}
	return pods
}

// chosen returns a pod of which some fields are known; nil if none of them shows a container's state.
func chosen(pod object, at describe.Place) object {
	if items, ok := pod["items"].([]any); ok && len(items) == 1 {
		pod, _ = items[0].(object)
	}
	status, _ := pod["status"].(object)
	told := false
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		all, _ := status[list].([]any)
		for i := range all {
			c, ok := all[i].(object)
			if !ok {
				return nil
			}
			if c["name"] == nil {
				if len(all) > 1 {
					return nil // nothing shows which of several it is
				}
				c["name"] = at.Container
			}
			told = true
		}
	}
	if !told && status["reason"] == nil {
		return nil
	}
	return asPod(pod, status, at)
}

// put sets the field at a path. A list gets the values one by one.
func put(in object, path, values []string) {
	if len(path) == 0 {
		return
	}
	if len(path) == 1 {
		in[path[0]] = scalar(strings.Join(values, ","))
		return
	}
	if path[1] != "[]" {
		below, ok := in[path[0]].(object)
		if !ok {
			below = object{}
			in[path[0]] = below
		}
		put(below, path[1:], values)
		return
	}
	list, _ := in[path[0]].([]any)
	for i, v := range values {
		if i == len(list) {
			list = append(list, object{})
		}
		if item, ok := list[i].(object); ok {
			put(item, path[2:], []string{v})
		}
	}
	in[path[0]] = list
}

func scalar(s string) any {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil {
		return n
	}
	return s
}
