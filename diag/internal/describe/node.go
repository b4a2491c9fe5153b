package describe

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// node is a description of a node that is being read.
type node struct {
	meta, spec, status object
	name               string
	events             []event
	times
}

var roles = regexp.MustCompile(`(?m)^Roles?:`) // "Role:" up to v1.7

// rolesOf matches a node's roles, which are on one line. A RoleBinding's role has its fields below it.
var rolesOf = regexp.MustCompile(`(?m)^Roles:[ \t]+\S`)

// isNode reports whether a description is of a node, from its first lines: only nodes have roles and system info.
func isNode(text string) bool {
	return roles.MatchString(text) && (strings.Contains(text, "\nConditions:") ||
		strings.Contains(text, "\nCreationTimestamp:")) ||
		rolesOf.MatchString(text) && strings.Contains(text, "\nEvents:") // the middle was left out
}

// readNode reads one description (kubectl pkg/describe describe.go describeNode). It returns false for a description of
// something else.
func readNode(lines []string) (*node, bool) {
	body, events := beforeEvents(lines)
	root := section{below: sections(body)}
	info := root.section("System Info")
	// People may paste only the conditions of a long description.
	if root.of("Name") == "" || info == nil && !slices.ContainsFunc(lines, pressure) &&
		!isNode(strings.Join(lines, "\n")) {
		return nil, false
	}
	if info == nil {
		info = &section{}
	}
	n := &node{name: root.of("Name"), meta: object{}, spec: object{}, status: object{}, events: readEvents(events)}
	n.meta["name"] = n.name
	if t, ok := n.time(root.of("CreationTimestamp")); ok {
		n.meta["creationTimestamp"] = t
	}
	if lease := root.section("Lease"); lease != nil {
		n.time(lease.of("RenewTime"))
	}
	if root.of("Unschedulable") == "true" {
		n.spec["unschedulable"] = true
	}
	kept := object{}
	for key, field := range map[string]string{
		"Machine ID": "machineID", "System UUID": "systemUUID", "Boot ID": "bootID", "Kernel Version": "kernelVersion",
		"OS Image": "osImage", "Operating System": "operatingSystem", "Architecture": "architecture",
		"Container Runtime Version": "containerRuntimeVersion", "Kubelet Version": "kubeletVersion",
	} {
		if v := info.of(key); v != "" {
			kept[field] = v
		}
	}
	n.status["nodeInfo"], n.status["conditions"] = kept, n.conditions(body)
	return n, true
}

// pressure reports whether a line is the row of a condition that only nodes have.
func pressure(line string) bool {
	kind, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.HasPrefix(line, " ") && slices.Contains([]string{"MemoryPressure", "DiskPressure", "PIDPressure"},
		kind)
}

// beforeEvents splits a description where its events begin.
func beforeEvents(lines []string) (body, events []string) {
	for i, l := range lines {
		if strings.HasPrefix(l, "Events:") {
			return lines[:i], lines[i+1:]
		}
	}
	return lines, nil
}

// section returns the first one with that key, nil for none.
func (s *section) section(key string) *section {
	for i := range s.below {
		if s.below[i].key == key {
			return &s.below[i]
		}
	}
	return nil
}

// conditions reads the table of conditions, whose messages may look like keys.
func (n *node) conditions(lines []string) (all []object) {
	var head columns
	in := false
	for _, l := range lines {
		switch indented := strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t"); {
		case !indented:
			in = strings.HasPrefix(l, "Conditions:")
		case !in || strings.HasPrefix(strings.TrimSpace(l), "----"):
		case head.names == nil:
			head = headOf(l)
		default:
			cells := head.row(l)
			c := object{"type": cells["TYPE"], "status": cells["STATUS"], "reason": cells["REASON"],
				"message": cells["MESSAGE"]}
			for column, field := range map[string]string{"LASTHEARTBEATTIME": "lastHeartbeatTime",
				"LASTTRANSITIONTIME": "lastTransitionTime"} {
				if t, ok := n.time(cells[column]); ok {
					c[field] = t
				}
			}
			if c["type"] != "" && c["status"] != "" {
				all = append(all, c)
			}
		}
	}
	return all
}

// node adds a node and its events. Their ages are subtracted from the latest time in the description, which the node's
// lease renews every ten seconds, or from the file's time if that is plausible.
func (f *Found) node(n *node, printed time.Time) {
	f.add(object{"kind": "Node", "apiVersion": "v1", "metadata": n.meta, "spec": n.spec, "status": n.status})
	at := n.latest
	if since := printed.Sub(n.latest); n.latest.IsZero() || !printed.IsZero() && since >= 0 && since < heartbeat {
		at = printed // the only time of a description whose own times were cut off
	}
	for i := range n.events {
		f.add(n.events[i].ofNode(n.name, at))
	}
}

// heartbeat is the maximum age of the newest time in a living node's description: kubelets write a status every five
// minutes (kubelet v1.17 nodeStatusReportFrequency).
const heartbeat = 5 * time.Minute
