package mention

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// named are the pod, its namespace and the container that a text names.
type named struct{ namespace, pod, container string }

const (
	aName  = `([a-z0-9][a-z0-9.-]{0,250}[a-z0-9])`
	aLabel = `([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)`
	// telling is a name with a digit or a dash: "pod was" has none.
	telling = `([a-z][a-z0-9.]*[0-9-][a-z0-9.-]*[a-z0-9])`
)

// names are the forms in which a pod and what belongs to it is named. The groups are in the order of their kinds.
var names = []struct {
	says  *regexp.Regexp
	kinds string // n namespace, p pod, c container
}{ // the first forms are those that nothing but kubelets and runtimes write
	{regexp.MustCompile(`\bk8s_` + aLabel + `_` + aName + `_` + aLabel + `_[0-9a-f-]{8,36}_\d+`), "cpn"},
	{regexp.MustCompile(aName + `_` + aLabel + `\([0-9a-f-]{8,36}\)`), "pn"},
	{regexp.MustCompile(`/log/pods/` + aLabel + `_` + aName + `_[0-9a-f-]{8,36}/` + aLabel + `/`), "npc"},
	{regexp.MustCompile(`^[^#]*\bKilling unwanted pod "` + aName + `"`), "p"},
	{regexp.MustCompile(`(?i:\bpod(?:[_ ]?name)?|\bPOD)["']?(?:\s*[:=]\s*| )["'\[]?` + aLabel + `/` + aName), "np"},
	{regexp.MustCompile(`(?:^|[^/\w])pods?/` + aName), "p"},
	{regexp.MustCompile(`\b(?:lock|lease) (kube-system)/` + aLabel), "nc"}, // leader election of the control plane
	{regexp.MustCompile(`(?i:\bpod(?:[_ ]?name)?)["']?\s*[:=]\s*["'\[]?` + aName), "p"},
	{regexp.MustCompile(`(?i:\bpod) ["']` + aName + `["']`), "p"},
	{regexp.MustCompile(`(?i:\bpods?) ` + telling), "p"},
	{regexp.MustCompile(`\b(?:kubectl|oc|k)\b.* (?:logs|describe (?:pods?|po)|get (?:pods?|po)) (?:-\S+ \S+ )?` + aName), "p"},
	{regexp.MustCompile(`^Name:\s+` + aName + `\s*$`), "p"},
	{regexp.MustCompile(`^Namespace:\s+` + aLabel + `\s*$`), "n"},
	{regexp.MustCompile(`(?i:\bnamespace)["']?\s*[:=]\s*["']?` + aLabel), "n"},
	{regexp.MustCompile(`\b(?:kubectl|oc|k)\b.* (?:-n|--namespace)[ =]?` + aLabel), "n"},
	{regexp.MustCompile(`\bpods=\["` + aLabel + `/` + aName + `"`), "np"},
	{regexp.MustCompile(`\bspec\.(?:initC|c)ontainers\{` + aLabel + `\}`), "c"},
	{regexp.MustCompile(`(?i:\bcontainer(?:[_ ]?name)?)["']?\s*[:=]\s*["']?` + aLabel + `(?:["',\s)}]|$)`), "c"},
	{regexp.MustCompile(`\b[Cc]ontainer ["']` + aLabel + `["']`), "c"},
	{regexp.MustCompile(`\b(?:[Cc]ontainer|in container) ` + aLabel +
		`(?: failed (?:liveness|startup)| definition changed|: )`), "c"},
	{regexp.MustCompile(`\bStopping container ` + aLabel), "c"},
	{regexp.MustCompile(`\[` + telling + `\] terminated\b`), "p"}, // flyteplugins, go/tasks/plugins/k8s
	{regexp.MustCompile(`\bContainer(?:Metadata)? ?\{Name:` + aLabel), "c"},
}

// ofNode is how Argo Workflows names the pod of a step, in its nodes (pkg/apis/workflow/v1alpha1 NodeStatus).
var ofNode = regexp.MustCompile(`^id: ` + telling + `\s*$`)

// noNames are words that stand where a name would.
var noNames = []string{"none", "null", "nil", "true", "false", "error", "unknown", "the",
	"docker", "containerd", "cri-o", "podman", "failed", "exited", "killed", "died"}

// beforeNames are strings of which a line with a name has one.
var beforeNames = []string{"pod", "Pod", "POD", "ontainer", "amespace", "k8s_", "kubectl ", "_", "terminated",
	"lock ", "lease "}

var anID = regexp.MustCompile(`^[0-9a-f]{12,64}$`)

// namesIn are those of a line.
func namesIn(line string) (n named) {
	if !strings.HasPrefix(line, "Name:") &&
		!slices.ContainsFunc(beforeNames, func(s string) bool { return strings.Contains(line, s) }) {
		return n
	}
	for _, form := range names {
		m := form.says.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n = n.of(form.kinds, m[1:])
	}
	return n
}

// of adds the names that an expression found, where there are none yet.
func (n named) of(kinds string, found []string) named {
	for i, kind := range kinds {
		name := found[i]
		if slices.Contains(noNames, strings.ToLower(name)) || anID.MatchString(name) {
			continue
		}
		switch {
		case kind == 'p' && n.pod == "":
			n.pod = name
		case kind == 'n' && n.namespace == "":
			n.namespace = name
		case kind == 'c' && n.container == "":
			n.container = name
		}
	}
	return n
}

// beside fills what a line does not name from what the text names.
func (n named) beside(text named) named {
	if n.pod == "" {
		n.pod = text.pod
	}
	if n.container == "" {
		n.container = text.container
	}
	if n.namespace == "" {
		n.namespace = text.namespace
	}
	return n
}

// whole gives everything a name: Unnamed where nothing has one.
func (n named) whole() named {
	if n.pod == "" {
		n.pod = evidence.Unnamed
	}
	if n.container == "" {
		n.container = evidence.Unnamed
	}
	if n.namespace == "" {
		n.namespace = evidence.UsualNamespace(n.pod)
	}
	return n
}

// sure is how many forms of names nothing but kubelets and runtimes write.
const sure = 4

// Only is what files name that were handed over together: the pod that they are about, if there is just one.
type Only struct{ said, spaces only }

// Add reads a text.
func (o *Only) Add(text string) {
	lines := 0
	for line := range strings.Lines(text) {
		if lines++; lines > maxNamed {
			break
		}
		for _, form := range names[:sure] {
			if m := form.says.FindStringSubmatch(line); m != nil {
				o.said.add(named{}.of(form.kinds, m[1:]))
			}
		}
		o.spaces.add(named{namespace: namesIn(strings.TrimSpace(line)).namespace})
	}
}

// maxNamed is how many lines of a text are searched for names.
const maxNamed = 20_000

// Namespace is the only namespace that all texts name, "" for none or several.
func (o *Only) Namespace() string { return o.spaces.names().namespace }

// Object is the pod, nil for none or several.
func (o *Only) Object() json.RawMessage {
	if len(o.said.pods) != 1 {
		return nil
	}
	n := o.said.names().whole()
	spec := object{}
	if n.container != evidence.Unnamed {
		spec["containers"] = []any{object{"name": n.container}}
	}
	return add(nil, object{"kind": "Pod", "apiVersion": "v1", "spec": spec, "status": object{},
		"metadata": object{"name": n.pod, "namespace": n.namespace, "uid": n.uid()}})[0]
}

// only are the names of which a text has just one.
type only struct{ pods, containers, namespaces []string }

func (o *only) add(n named) {
	for _, one := range []struct {
		all  *[]string
		name string
	}{{&o.pods, n.pod}, {&o.containers, n.container}, {&o.namespaces, n.namespace}} {
		if one.name != "" && len(*one.all) < 2 && !slices.Contains(*one.all, one.name) {
			*one.all = append(*one.all, one.name)
		}
	}
}

func (o *only) names() (n named) {
	for _, one := range []struct {
		all  []string
		name *string
	}{{o.pods, &n.pod}, {o.containers, &n.container}, {o.namespaces, &n.namespace}} {
		if len(one.all) == 1 {
			*one.name = one.all[0]
		}
	}
	return n
}
