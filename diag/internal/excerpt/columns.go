package excerpt

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// This file reads kubectl's output of chosen fields: custom columns, and the values of a jsonpath.

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
