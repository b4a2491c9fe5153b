package describe

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

// Place says what a piece of a description belongs to. evidence.Unnamed is used for unknown names.
type Place struct {
	Namespace, Pod, Container string
	// Node is set if the text belongs to a node's description.
	Node string
	// File is the text's file, and Printed the latest time at which it can have been printed.
	File    string
	Printed time.Time
}

// PlaceOf returns the pod that metadata, or a reference to an object, names.
func PlaceOf(meta map[string]any) (p Place) {
	p.Namespace, _ = meta["namespace"].(string)
	p.Pod, _ = meta["name"].(string)
	return p
}

// UID returns the pod's UID in objects that are read from texts.
func (p Place) UID() string { return evidence.Described + p.Namespace + "/" + p.Pod }

// IsHead reports whether a line is the header of a table of pods or events.
func IsHead(line string) bool {
	h := headOf(strings.TrimRight(line, "\r"))
	return h.pods() || h.events()
}

// ReadPiece reads a piece of a pod's description: its containers, one of them, or a container's state. It finds nothing
// if there is no container.
func ReadPiece(lines []string, of Place) (f Found) {
	p := newPod()
	body, events := beforeEvents(lines)
	all := sections(body)
	var listed []section
	loose := section{key: of.Container}
	for _, s := range all {
		switch {
		case s.key == "Containers":
			p.containers(s.below, "containers", "containerStatuses")
		case s.key == "Init Containers":
			p.containers(s.below, "initContainers", "initContainerStatuses")
		case s.value == "" && (s.of("State") != "" || s.of("Last State") != "" || s.of("Container ID") != ""):
			listed = append(listed, s)
		default:
			loose.below = append(loose.below, s)
		}
	}
	switch {
	case len(listed) > 0:
		p.containers(listed, "containers", "containerStatuses")
	case p.spec["containers"] != nil || p.spec["initContainers"] != nil:
	case loose.of("State") != "" || loose.of("Last State") != "":
		p.containers([]section{loose}, "containers", "containerStatuses")
	case hasCode(&loose):
		ended := section{key: "Last State", value: "Terminated", below: loose.below}
		p.containers([]section{{key: of.Container, below: []section{ended}}}, "containers", "containerStatuses")
	case loose.of("Status") == "":
		return f
	}
	p.overall(&loose)
	p.name, p.namespace, p.events = of.Pod, of.Namespace, readEvents(events)
	p.meta["name"], p.meta["namespace"] = of.Pod, of.Namespace
	for _, list := range []string{"containers", "initContainers"} {
		p.whole(list)
	}
	f.pod(p, of)
	return f
}

// hasCode reports whether a piece has the code of an exit, and no sentence that begins with one.
func hasCode(s *section) bool {
	_, ok := exitcode.Parse(s.of("Exit Code"))
	return ok
}

// whole keeps the specs of containers that the text shows to their limits or further; of others it is unknown what they
// lack.
func (p *pod) whole(list string) {
	all, _ := p.spec[list].([]object)
	all = slices.DeleteFunc(slices.Clone(all), func(c object) bool {
		name, _ := c["name"].(string)
		return p.cut[name]
	})
	if p.spec[list] = all; len(all) == 0 {
		delete(p.spec, list)
	}
}

// ReadRows reads the events of a description without the description.
func ReadRows(lines []string, of Place) (f Found) {
	if i := slices.IndexFunc(lines, func(l string) bool {
		return strings.HasPrefix(strings.TrimSpace(l), "Events:")
	}); i >= 0 {
		lines = lines[i+1:]
	}
	rows := readEvents(lines)
	if of.Node == "" && of.Pod == evidence.Unnamed {
		of.Node = nodeOf(rows)
	}
	for _, e := range rows {
		if e.deletes() {
			f.deletion(e, of, evidence.Unnamed)
			if named := func(e event) bool { return e.reason == "SuccessfulDelete" }; slices.ContainsFunc(rows, named) {
				continue
			}
		}
		if of.Node != "" {
			f.add(e.ofNode(of.Node, of.Printed))
			continue
		}
		if slices.Contains(ofNode, e.reason) { // among a pod's events, or alone
			f.add(e.ofNode(cmp.Or(e.host, nodeOf(rows), evidence.Unnamed), of.Printed))
			continue
		}
		path := e.container()
		if of.Container != evidence.Unnamed && (e.reason == "Unhealthy" || e.reason == "BackOff" || e.reason == "Killing") {
			path = "spec.containers{" + of.Container + "}"
		}
		if path == "" && e.reason == "Unhealthy" {
			path = "spec.containers{" + evidence.Unnamed + "}" // some container's probe, whichever it is
		}
		e.table = of.File
		f.add(e.json(of.Namespace, of.Pod, of.UID(), path, of.Printed))
	}
	return f
}

// deletes reports whether an event is a controller's about a pod that it deleted, which its message names, or about the
// deadline at which a Job's does so.
func (e *event) deletes() bool {
	return e.reason == "SuccessfulDelete" || e.reason == "DeadlineExceeded" &&
		(e.component == "job-controller" ||
			strings.HasPrefix(strings.ToLower(strings.Replace(e.object, ".batch/", "/", 1)), "job/"))
}

// deletion adds such an event.
func (f *Found) deletion(e event, of Place, owner string) {
	e.table = of.File
	kind := strings.TrimSuffix(e.component, "-controller")
	f.add(e.about(object{"kind": kind, "namespace": of.Namespace, "name": owner}, of.Namespace, owner, of.Printed))
}

// Names returns the containers that objects name, in order.
func (f Found) Names() (names []string) {
	for _, raw := range f.Objects {
		var pod struct {
			Status struct {
				InitContainerStatuses, ContainerStatuses []struct{ Name string }
			}
			InvolvedObject struct{ FieldPath string }
		}
		if json.Unmarshal(raw, &pod) != nil {
			continue
		}
		for _, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
			names = append(names, c.Name)
		}
		if name, ok := strings.CutPrefix(pod.InvolvedObject.FieldPath, "spec.containers{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// NamesOfPods returns the pods in a table of kubectl get, and those of them that restarted or do not run.
func NamesOfPods(lines []string) (names, unwell []string) {
	for head, l := range below(lines, columns.pods) {
		row := head.row(l)
		if !strings.Contains(row["READY"], "/") {
			continue
		}
		name := strings.TrimPrefix(row["NAME"], "pod/")
		names = append(names, name)
		count, _, _ := strings.Cut(row["RESTARTS"], " ")
		if n, ok := number(count); ok && n > 0 || row["STATUS"] != "Running" && row["STATUS"] != "Completed" {
			unwell = append(unwell, name)
		}
	}
	return names, unwell
}

// Unwell returns the only pod in a text's tables that restarted or does not run: what shows an end without its pod is
// about that one, unless it never ran.
func Unwell(text string) string {
	lines := strings.Split(text, "\n")
	_, unwell := NamesOfPods(lines)
	if len(unwell) == 0 || slices.ContainsFunc(unwell, func(name string) bool { return name != unwell[0] }) {
		return ""
	}
	for head, l := range below(lines, columns.pods) {
		row := head.row(l)
		if strings.TrimPrefix(row["NAME"], "pod/") == unwell[0] && row["RESTARTS"] == "0" && !ends[row["STATUS"]] {
			return ""
		}
	}
	return unwell[0]
}

// phases are the values that kubectl prints as a pod's status.
var phases = map[string]bool{"Pending": true, "Running": true, "Succeeded": true, "Failed": true, "Unknown": true,
	"Terminating": true}

// rest reads a description whose containers were cut out, or cut short, and returns the number of pods.
func (f *Found) rest(lines []string, of Place) int {
	root := section{below: sections(lines)}
	of.Pod, of.Namespace, of.Container = root.of("Name"), cmp.Or(root.of("Namespace"), "default"), evidence.Unnamed
	phase, _, _ := strings.Cut(root.of("Status"), " ")
	switch {
	case of.Pod == "" || root.of("Namespace") == "" || phase != "" && !phases[phase],
		phase == "Terminating" && root.of("Node") == "": // a claim of a volume has that status, too
		return 0
	case slices.ContainsFunc(lines, ofController):
		_, events := beforeEvents(lines)
		for _, e := range readEvents(events) {
			if e.deletes() {
				f.deletion(e, of, of.Pod)
			}
		}
		return 0
	}
	at := slices.IndexFunc(lines, func(l string) bool {
		text := strings.TrimSpace(l)
		return strings.HasPrefix(text, "State:") || strings.HasPrefix(text, "Last State:") ||
			strings.HasPrefix(text, "Last Termination State:") ||
			strings.HasPrefix(text, "Exit Code:") || strings.HasPrefix(text, "Container ID:")
	})
	found := ReadPiece(lines[max(at, 0):], of)
	if len(found.Objects) == 0 {
		return 0
	}
	f.Objects = append(f.Objects, found.Objects...)
	return 1
}

// ofController reports whether a line is only in descriptions of what creates pods: their events are not a pod's.
func ofController(line string) bool { return strings.HasPrefix(line, "Pod Template:") }
