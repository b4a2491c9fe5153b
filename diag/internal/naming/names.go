package naming

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
)

// Names are a pod, its namespace and one of its containers, each "" if nothing names it.
type Names struct{ Namespace, Pod, Container string }

// In returns the names in a line.
func In(line string) (n Names) {
	if n = inForms(line).Beside(inFields(line)); n.Pod != "" &&
		(strings.Contains(line, n.Pod+"-$") || strings.HasPrefix(n.Pod, "node-debugger-")) {
		n.Pod = "" // the beginning of a name with a variable, or the pod in which someone looks at a node
	}
	if strings.Contains(line, "is waiting to start: PodInitializing") {
		n.Container = "" // an init container is before it
	}
	if n.Pod != "" {
		return n
	}
	if pods := podname.Replicas(line); len(pods) == 1 {
		n.Pod = pods[0].Name
		n.Namespace = cmp.Or(n.Namespace, pods[0].Namespace)
	}
	return n
}

// preemptor is the pod that took another pod's place.
var preemptor = regexp.MustCompile(`(\b[Pp]reempted by )(?:a |pod )?[a-z0-9./-]+`)

// ofError matches the part of an error in front of its cause, which is no name: "failed to stop container: context …".
var ofError = regexp.MustCompile(`\b(?:to [a-z]+|the|containerd) container: `)

// inForms returns the names in a line that appear in one of the forms.
func inForms(line string) (n Names) {
	if strings.Contains(line, " container: ") {
		line = ofError.ReplaceAllString(line, "")
	}
	for i := range forms {
		n = n.of(forms[i].kinds, forms[i].find(line))
	}
	if strings.Contains(line, "previous terminated container ") { // "… not found": this container never ended
		n.Container = ""
	}
	return n
}

// longest is the maximum length of names (RFC 1123): a pod's is a subdomain, the others are labels.
var longest = map[byte]int{'p': 253, 'n': 63, 'c': 63}

// of adds the names that an expression found, without replacing any.
func (n Names) of(kinds string, found []string) Names {
	for i, name := range found {
		kind := kinds[i]
		quoted := kind == 'N' || kind == 'P'
		if (kind == 't' || kind == 's') && slices.Contains(plainWords, name) {
			continue
		}
		if kind == 'w' && composed.MatchString(name) || kind == 'd' && !ends5.MatchString(name) {
			continue
		}
		if kind == 'e' && machine.MatchString(name) {
			continue
		}
		switch kind {
		case 'w', 'd', 'e':
			kind = 'p'
		case 't':
			kind = 'c'
		case 's', 'N':
			kind = 'n'
		case 'P':
			kind = 'p'
		}
		if kind == 'p' && !quoted {
			name = ofEvent.ReplaceAllString(name, "")
		}
		if !quoted && !isName(kind, name) {
			continue
		}
		switch {
		case kind == 'p' && n.Pod == "":
			n.Pod = name
		case kind == 'n' && n.Namespace == "":
			n.Namespace = name
		case kind == 'c' && n.Container == "":
			n.Container = name
		}
	}
	return n
}

// ofEvent is the suffix of an event's name after its pod's name, or the beginning of its field path.
var ofEvent = regexp.MustCompile(`\.1[0-9a-f]{13,15}$|\.spec\.(?:initC|ephemeralC|c)ontainers$`)

// isName reports whether a pod (p), a namespace (n) or a container (c) may have this name.
func isName(kind byte, name string) bool {
	return name != "" && len(name) <= longest[kind] && !(kind != 'n' && numeral.MatchString(name)) &&
		!slices.Contains(noNames, strings.ToLower(name)) &&
		!anID.MatchString(name) && !aUnit.MatchString(name) &&
		!(kind == 'p' && (token.MatchString(name) || fieldPath.MatchString(name) ||
			slices.Contains(afterPod, name)))
}

// aUnit matches the name of a systemd unit.
var aUnit = regexp.MustCompile(`\.(?:service|socket|timer|scope|slice|mount|target)$`)

// fieldPath matches the path of a field, as in custom-columns=POD:metadata.name.
var fieldPath = regexp.MustCompile(`^(?:metadata|spec|status)\.[a-z]`)

// Beside fills in from there what is not named in n.
func (n Names) Beside(there Names) Names {
	return Names{cmp.Or(n.Namespace, there.Namespace), cmp.Or(n.Pod, there.Pod), cmp.Or(n.Container, there.Container)}
}

// Fits reports whether both may name the same container: no name contradicts the other.
func (n Names) Fits(there Names) bool {
	fit := func(a, b string) bool { return a == "" || b == "" || a == b }
	return fit(n.Pod, there.Pod) && fit(n.Container, there.Container) && fit(n.Namespace, there.Namespace)
}

// Whole fills in missing names, with evidence.Unnamed for pod and container.
func (n Names) Whole() Names {
	n = n.Beside(Names{Pod: evidence.Unnamed, Container: evidence.Unnamed})
	n.Namespace = cmp.Or(n.Namespace, evidence.UsualNamespace(n.Pod))
	return n
}

var (
	// put matches marks that people and tools put before quoted lines.
	put = regexp.MustCompile(`^\s*(?:[>|│*+•-] |#+ {2,}|# )+`)
	// unescape removes what a program added to a text that it repeats as a value.
	unescape = strings.NewReplacer(`\"`, `"`, `\\n`, " ", `\n`, " ")
)

// monospaced matches a name as Jira marks it. A template's variables have no dashes.
var monospaced = regexp.MustCompile(`\{\{([a-z0-9]+(?:-[a-z0-9]+)+)\}\}`)

// Clean returns a line without what a person or a tool put around it.
func Clean(line string) string {
	line = strings.TrimSpace(put.ReplaceAllString(line, ""))
	if strings.Contains(line, "{{") {
		line = monospaced.ReplaceAllString(line, "$1")
	}
	if !strings.Contains(line, `\`) {
		return line // the replacer is slow, and few lines need it
	}
	return unescape.Replace(line)
}
