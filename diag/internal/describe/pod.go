package describe

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
)

// object is an API object on its way to JSON.
type object = map[string]any

// pod is a description that is being read.
type pod struct {
	meta, spec, status object
	name, namespace    string
	node               string
	events             []event
	leaving            string          // how long ago the grace of its deletion ended
	cut                map[string]bool // containers that the text cuts off before their limits and probes
	times
}

func newPod() *pod {
	return &pod{meta: object{}, spec: object{}, status: object{}, cut: map[string]bool{}}
}

// section is a key with everything below it.
type section struct {
	indent     int
	key, value string
	below      []section
}

// sections parses indented lines of "Key: value" into a tree. A line without a key belongs to the section above it.
func sections(lines []string) []section {
	root := section{indent: -1}
	stack := []*section{&root}
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		more := messageGoesOn(lines[i:])
		i += more
		text := strings.TrimLeft(l, " \t")
		if text == "" {
			continue
		}
		s := section{indent: len(l) - len(text)}
		key, value, ok := strings.Cut(text, ":")
		if key == "Last Termination State" { // kubectl 1.2 describe.go DescribeContainers
			key = "Last State"
		}
		if ok && (value == "" || value[0] == ' ' || value[0] == '\t') && len(key) <= 253 {
			s.key, s.value = key, strings.TrimSpace(strings.Join(append([]string{value}, lines[i-more+1:i+1]...), "\n"))
		} else {
			s.value = strings.TrimRight(text, " ")
		}
		for len(stack) > 1 && stack[len(stack)-1].indent >= s.indent {
			stack = stack[:len(stack)-1]
		}
		top := stack[len(stack)-1]
		if len(stack) > maxIndents {
			continue
		}
		top.below = append(top.below, s)
		stack = append(stack, &top.below[len(top.below)-1])
	}
	return adopted(root.below)
}

// messageGoesOn returns how many lines of a message follow its first: a container wrote it, and its lines have any
// indentation. The exit code comes next (kubectl describe.go describeStatus).
func messageGoesOn(lines []string) int {
	indent, _, ok := strings.Cut(lines[0], "Message:")
	if !ok || indent == "" || strings.TrimLeft(indent, " \t") != "" {
		return 0
	}
	for i, l := range lines[1:min(len(lines), longestMessage)] {
		key, _, _ := strings.Cut(strings.TrimLeft(l, " \t"), ":")
		switch its := strings.HasPrefix(l, indent+key) && OfState(key); {
		case its && key == "Exit Code":
			return i
		case its, key == "Last State", key == "Ready", key == "Restart Count":
			return 0 // a waiting container's, or in another order
		}
	}
	return 0
}

// longestMessage is more lines than a message has: kubelets keep 80 lines of a log, and 4 KiB of what a container
// writes.
const longestMessage = 500

// adopted puts what belongs to containers' states below their sections, even if it has the same indentation: a form, a
// mail or another reader removed the blanks. Its keys show it.
func adopted(all []section) []section {
	out := all[:0]
	for _, s := range all {
		s.below = adopted(s.below)
		if n := len(out); n > 0 && isState(&out[n-1]) && OfState(s.key) {
			out[n-1].below = append(out[n-1].below, s)
			continue
		}
		out = append(out, s)
	}
	return out
}

func isState(s *section) bool {
	return (s.key == "State" || s.key == "Last State") && states[s.value]
}

var (
	states  = map[string]bool{"Running": true, "Waiting": true, "Terminated": true}
	ofState = map[string]bool{"Reason": true, "Exit Code": true, "Started": true, "Finished": true, "Message": true,
		"Signal": true}
)

// OfState reports whether a key belongs to a container's state.
func OfState(key string) bool { return ofState[key] }

const maxIndents = 16

// put copies the reason and the message, where there are any.
func (s *section) put(to object) {
	for key, field := range map[string]string{"Reason": "reason", "Message": "message"} {
		if v := s.of(key); v != "" {
			to[field] = v
		}
	}
}

func (s *section) of(key string) string {
	for _, b := range s.below {
		if b.key == key && b.value != "<none>" && b.value != "<unset>" {
			return b.value
		}
	}
	return ""
}

// readPod reads one description (kubectl pkg/describe describe.go describePod). It returns false for a description of
// something else.
func readPod(lines []string) (*pod, bool) {
	p := newPod()
	body, events := beforeEvents(lines)
	all := sections(body)
	root := section{below: all}
	p.name, p.namespace = root.of("Name"), root.of("Namespace")
	containers, last := false, ""
	for _, s := range all {
		containers = containers || s.key == "Containers" || s.key == "Init Containers"
		last = s.key
	}
	going := terminating.MatchString(root.of("Status")) && root.of("Node") != "" // a pod, if cut before its containers
	if p.name == "" || !containers && !going {
		return nil, false
	}
	if p.namespace == "" {
		p.namespace = "default"
	}
	p.meta["name"], p.meta["namespace"] = p.name, p.namespace
	if t, ok := p.time(root.of("Start Time")); ok {
		p.status["startTime"] = t
		p.meta["creationTimestamp"] = t // or a little earlier
	}
	p.overall(&root)
	if v := root.of("QoS Class"); v != "" {
		p.status["qosClass"] = v
	}
	if kind, name, ok := strings.Cut(root.of("Controlled By"), "/"); ok {
		p.meta["ownerReferences"] = []object{{"kind": kind, "name": name, "controller": true, "apiVersion": "", "uid": ""}}
	}
	for _, s := range all {
		switch s.key {
		case "Containers":
			p.containers(s.below, "containers", "containerStatuses")
		case "Init Containers":
			p.containers(s.below, "initContainers", "initContainerStatuses")
		case "Annotations":
			p.annotations(s)
		case "Conditions":
			p.conditions(s)
		}
	}
	p.sidecars()
	p.events = readEvents(events)
	if strings.HasSuffix(last, "Containers") && len(events) == 0 { // the text ends within one
		p.whole("containers")
	}
	return p, true
}

// overall reads what a description says about the pod as a whole.
func (p *pod) overall(root *section) {
	if p.node, _, _ = strings.Cut(root.of("Node"), "/"); p.node != "" {
		p.spec["nodeName"] = p.node
	}
	p.status["phase"], _, _ = strings.Cut(root.of("Status"), " ")
	p.deletion(root.of("Status"), root.of("Termination Grace Period"))
	root.put(p.status)
}

// annotations keeps those that say what kind of pod it is; the others may contain anything.
func (p *pod) annotations(s section) {
	kept := object{}
	for _, line := range append([]section{{key: "", value: s.value}}, s.below...) {
		text := line.value
		if line.key != "" {
			text = line.key + ": " + line.value
		}
		if key, value, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(key, "kubernetes.io/config.") {
			kept[key] = strings.TrimSpace(value)
		}
	}
	if len(kept) > 0 {
		p.meta["annotations"] = kept
	}
}

func (p *pod) conditions(s section) {
	var all []object
	for _, line := range s.below {
		words := strings.Fields(line.value)
		if len(words) == 2 && words[0] != "Type" && (words[1] == "True" || words[1] == "False" || words[1] == "Unknown") {
			all = append(all, object{"type": words[0], "status": words[1]})
		}
	}
	p.status["conditions"] = all
}

func (p *pod) containers(list []section, specs, statuses string) {
	var spec, status []object
	for _, c := range list {
		if c.key == "" || strings.ContainsAny(c.key, " \t") {
			continue
		}
		s, st := object{"name": c.key, "image": c.of("Image")},
			object{"name": c.key, "image": c.of("Image"), "imageID": c.of("Image ID")}
		if id := c.of("Container ID"); id != "" {
			st["containerID"] = id
		}
		st["ready"] = c.of("Ready") == "True"
		if n, err := strconv.Atoi(c.of("Restart Count")); err == nil {
			st["restartCount"] = n
		}
		resources := object{}
		for _, b := range c.below {
			switch b.key {
			case "State":
				st["state"] = p.state(b)
			case "Last State":
				st["lastState"] = p.state(b)
			case "Limits", "Requests":
				amounts := object{}
				for _, r := range b.below {
					if quantity.MatchString(r.value) {
						amounts[r.key] = r.value
					}
				}
				resources[strings.ToLower(b.key)] = amounts
			case "Liveness", "Readiness", "Startup":
				if probe := readProbe(b.value); probe != nil {
					s[strings.ToLower(b.key)+"Probe"] = probe
				}
			}
		}
		nameLast(st)
		if s["resources"] = resources; !showsLimits(c.below) {
			p.cut[c.key] = true
		}
		spec, status = append(spec, s), append(status, st)
	}
	p.spec[specs], p.status[statuses] = spec, status
}

// behindLimits are what kubectl describe prints first behind a container's limits, next to what it always prints in
// front of them (kubectl pkg/describe describeContainers).
var behindLimits = map[string]bool{"Requests": true, "Liveness": true, "Readiness": true, "Startup": true,
	"Environment": true, "Environment Variables": true, "Environment Variables from": true, "Mounts": true}

// showsLimits reports whether a container's lines show its limits or that it has none: then what follows the limits is
// directly below the restart count. A filter, or whoever shortened the text, leaves out other lines as well.
func showsLimits(of []section) bool {
	for i, b := range of {
		switch {
		case b.key == "Limits":
			return true
		case behindLimits[b.key]:
			return i > 1 && of[i-1].key == "Restart Count" && len(of[i-1].below) == 0 && of[i-2].key == "Ready" &&
				!slices.ContainsFunc(of[:i], filtered)
		}
	}
	return false
}

// filtered reports whether a state lacks what is always printed for it.
func filtered(s section) bool {
	return isState(&s) && s.value != "Waiting" &&
		(s.of("Started") == "" || s.value == "Terminated" && s.of("Finished") == "")
}

// nameLast gives the last exit of a container in back-off its id: no container was created since, so the status' own id
// is the exited one's, which describe leaves out below Last State (kubelet_pods.go convertToAPIContainerStatuses).
func nameLast(status object) {
	state, _ := status["state"].(object)
	waiting, _ := state["waiting"].(object)
	last, _ := status["lastState"].(object)
	ended, ok := last["terminated"].(object)
	if id := status["containerID"]; ok && id != nil && waiting["reason"] == "CrashLoopBackOff" {
		ended["containerID"] = id
	}
}

var quantity = regexp.MustCompile(`^[0-9][0-9.]{0,15}(?:m|k|[KMGTPE]i?)?$`)

func (p *pod) state(s section) object {
	inner := object{}
	s.put(inner)
	for key, field := range map[string]string{"Started": "startedAt", "Finished": "finishedAt"} {
		if t, ok := p.time(s.of(key)); ok {
			inner[field] = t
		}
	}
	for key, field := range map[string]string{"Exit Code": "exitCode", "Signal": "signal"} {
		if n, ok := exitcode.Parse(s.of(key)); ok {
			inner[field] = n
		}
	}
	if states[s.value] {
		return object{strings.ToLower(s.value): inner}
	}
	return object{}
}

// probes is how a probe is printed: "http-get http://:80/healthz delay=0s timeout=1s period=10s #success=1 #failure=3".
var probes = regexp.MustCompile(`^(\S+).* delay=(\d+)s timeout=(\d+)s period=(\d+)s #success=(\d+) #failure=(\d+)`)

func readProbe(s string) object {
	m := probes.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	probe := object{}
	for i, field := range []string{"initialDelaySeconds", "timeoutSeconds",
		"periodSeconds", "successThreshold", "failureThreshold"} {
		n, err := strconv.ParseInt(m[i+2], 10, 32)
		if err != nil {
			return nil
		}
		probe[field] = n
	}
	switch m[1] { // only the kind of probe is relevant
	case "exec":
		probe["exec"] = object{}
	case "tcp-socket":
		probe["tcpSocket"] = object{"port": 0}
	case "grpc":
		probe["grpc"] = object{"port": 0}
	default:
		probe["httpGet"] = object{"port": 0}
	}
	return probe
}
