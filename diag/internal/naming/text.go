package naming

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
)

// Text collects the names in texts, line by line, and determines which pod they are about. The zero value has read
// nothing.
type Text struct {
	// printed by programs; said by a person; only shaped like a pod's name; what creates pods
	stated, said, shaped, makers group
	jobs, called                 group            // whose pods nothing names; what a person calls what ended
	leases                       group            // what may be namespaces, where nothing else tells one
	dockers                      group            // containers of Docker
	owned                        []owned          // what controls pods, next to its namespace
	together                     map[string]group // names next to a pod, by its name
	worded                       []string         // what a person's sentences have in the form of a name with a dash
	columns                      []byte           // of the current table
	key                          byte             // of a field alone on the previous line
	kubernetes, others           bool             // whose containers the text is about
}

// ofKubernetes and ofOthers match words of texts about containers in Kubernetes, and of others.
var (
	ofKubernetes = regexp.MustCompile(`(?i)\b(?:pods?|kube\w*|k8s\w*|oc|crictl|openshift|k3s|rke2?|crio|` +
		`ContainerMetadata)\b|CrashLoopBackOff|Back-off restarting failed |\bError: failed to (?:start|create) container "`)
	ofOthers = regexp.MustCompile(`(?i)\b(?:docker(?:d|-compose)?|podman|compose|fargate|ecs|nomad|swarm|alloc)\b|task definition|CannotStartContainerError|exited with code \d|` +
		`EssentialContainerExited|"FinishedAt":|"RestartCount":`)
)

// group holds the names from one kind of place.
type group struct{ pods, containers, namespaces []string }

// Line reads a clean line, and returns its names.
func (t *Text) Line(line string) (n Names) {
	if strings.Contains(line, "reempted by ") {
		line = preemptor.ReplaceAllString(line, "$1") // the preemptor did not end
	}
	if AnyOf(line, "DaemonSet-managed ", " blocked for more than ", "for the condition on jobs/") {
		return n // kubectl drain lists those that it spares; the kernel's task jbd2/sda1-8:264 is no pod; a Job may run
	}
	n = In(line)
	if columns := headOf(line); columns != nil {
		t.columns = columns
		return Names{}
	}
	if m := aValue.FindStringSubmatch(Plain(line)); m != nil && t.key != 0 { // a page with values below their fields
		n = n.Beside(Names{}.withValue(t.key, m[1]))
	}
	if line != "" {
		t.key = keyOf(strings.TrimRight(strings.TrimLeft(Plain(line), "# "), "s: "))
	}
	t.owners(line)
	if t.columns != nil {
		row, ok := inRow(t.columns, line)
		if !ok {
			t.columns = nil
		}
		n = row.Beside(n)
	}
	if docker := Docker(dockerIn(inDocker, line)); docker.Pod != "" && (n.Pod == "" || n.Pod == docker.Pod) {
		t.shaped.add(docker)
		return n.Beside(docker)
	}
	t.dockers.add(Docker(dockerIn(ofDockers, line)))
	t.kubernetes = t.kubernetes || ofKubernetes.MatchString(line)
	t.others = t.others || ofOthers.MatchString(line)
	var drawn Names
	prose, dashed := Prose(line), strings.Contains(line, "-")
	if dashed { // each of these names has one
		drawn = drawnIn(line)
	}
	switch {
	case prose:
		if dashed && len(t.worded) < maxWorded {
			t.worded = append(t.worded, dashes.FindAllString(line, maxWorded)...)
		}
		strong, weak := subject(line)
		n = n.Beside(drawn).Beside(strong)
		t.said.add(n)
		t.shaped.add(weak)
	case n.Pod == "" && drawn.Pod != "":
		t.stated.add(n)
		t.shaped.add(drawn)
	default:
		t.stated.add(n)
	}
	for _, pod := range setApart(line, prose) {
		t.shaped.add(Names{Pod: pod})
	}
	if maker := makerIn(line); maker != "" {
		t.makers.add(Names{Pod: maker})
	}
	t.jobs.add(jobIn(line, ofJobs[1:]))
	t.shaped.add(Names{}.of("pn", address.find(line)))
	if m := lease.FindStringSubmatch(line); m != nil {
		t.leases.add(Names{}.of("n", m[1:]))
	}
	for i := range weakSpaces {
		n := Names{}.of("s", weakSpaces[i].find(line))
		if !place.MatchString(n.Namespace) && !machine.MatchString(n.Namespace) && !ofPod.MatchString(n.Namespace) {
			t.leases.add(n)
		}
	}
	if n.Pod != "" {
		if t.together == nil {
			t.together = map[string]group{}
		}
		beside := t.together[n.Pod]
		beside.add(n)
		t.together[n.Pod] = beside
	}
	return n
}

// File reads the names in a file's own name, where only their shape shows them.
func (t *Text) File(name string) {
	base := path.Base(name)
	t.stated.add(In(base))
	if m := ordinal.FindStringSubmatch(strings.TrimSuffix(base, path.Ext(base))); m != nil && !machine.MatchString(m[1]) {
		t.shaped.add(Names{Pod: m[1]})
	}
}

// Take adds names that programs printed in a form that only the caller knows.
func (t *Text) Take(n Names) { t.stated.add(n) }

// dashes matches a name with a dash; maxWorded is how many of them are kept.
var dashes = regexp.MustCompile(`\b[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b`)

const maxWorded = 50

// maxNamed is how many lines of a text are searched for names.
const maxNamed = 20_000

// ofObject matches a name or a namespace in the metadata of an object in YAML.
var ofObject = regexp.MustCompile(`^  (?:name: ` + aName + `|namespace: ` + aLabel + `)\s*$`)

// Add reads a text, without what its containers are given.
func (t *Text) Add(text string) {
	text = WithoutValues(text)
	lines, fenced, ofPod := 0, false, strings.Contains(text, "kind: Pod\n") || !strings.Contains(text, "kind: ")
	t.columns = nil
	for _, form := range jobObjects {
		for _, m := range form.FindAllStringSubmatch(text, 2) {
			t.jobs.add(Names{}.of("p", m[1:]))
		}
	}
	for line := range strings.Lines(text) {
		if lines++; lines > maxNamed {
			break
		}
		if m := ofObject.FindStringSubmatch(line); m != nil {
			if !ofPod { // its name is not a pod's
				m[1] = ""
			}
			t.stated.add(Names{}.of("pn", m[1:]))
			continue
		}
		clean := Clean(line[:min(len(line), maxLine)])
		t.Line(clean)
		if strings.HasPrefix(clean, "```") {
			fenced = !fenced
		} else if !fenced {
			t.called.add(Names{Pod: introduced(clean)})
		}
	}
}

// shortLine is longer than a remark that is no whole sentence.
const shortLine = 80

// longNote is longer than a note that someone adds to an output.
const longNote = 1 << 10

// Note reports whether a text is a note that names one pod, or its namespace: then an end in another file belongs to
// it.
func Note(text string) bool {
	if len(text) > longNote {
		return false
	}
	var t Text
	t.Add(text)
	one := t.Only()
	return one.Pod != "" || one.Namespace != ""
}

// maxLine is how much of a line is searched.
const maxLine = 4 << 10

// Only returns the single pod, namespace and container that everything read so far names. If programs list many pods,
// the one that a person mentions is meant; if there are no pods, a task or a container takes the pod's place.
func (t *Text) Only() (n Names) {
	n = t.stated.only().Beside(t.said.only())
	if len(t.stated.namespaces) == 0 && len(t.said.namespaces) == 0 {
		n.Namespace = t.leases.only().Namespace
	}
	if len(t.stated.pods) > 1 && len(t.said.pods) == 0 { // of those that programs name, one that a person does, too
		var both group
		for _, name := range t.worded {
			if _, named := t.together[name]; named {
				both.add(Names{Pod: name})
			}
		}
		n = n.Beside(both.only())
	}
	if len(t.stated.pods) == 0 && len(t.said.pods) == 0 {
		n = n.Beside(t.shaped.without(slices.Concat(t.stated.namespaces, t.said.namespaces)).only())
		if n.Pod == "" && t.others && !t.kubernetes { // these have no pods
			n.Pod = cmp.Or(t.makers.only().Pod, n.Container)
			n = n.Beside(t.dockers.only())
		}
		n = n.Beside(t.jobs.only()).Beside(t.called.only())
	}
	if n.Pod == "" {
		if t.ofOnePod(n.Container) {
			n.Container = ""
		}
		return n
	}
	for _, g := range []*group{&t.stated, &t.said, &t.shaped} { // a sentence may call a pod by its controller's name
		for _, pod := range g.pods {
			if DrawnOf(n.Pod, pod) {
				n.Pod = pod
			}
		}
	}
	if t.ofAnother(n) {
		n.Container = ""
	}
	if beside, ok := t.together[n.Pod]; ok {
		n = beside.only().Beside(n)
	}
	n.Namespace = cmp.Or(n.Namespace, t.spaceOf(n.Pod))
	return n
}

// ofOnePod reports whether a container is named next to one pod, and other pods without it.
func (t *Text) ofOnePod(container string) bool {
	with := 0
	for _, beside := range t.together {
		if container != "" && slices.Contains(beside.containers, container) {
			with++
		}
	}
	return with == 1
}

// ofAnother reports whether a container is named only next to pods of other controllers.
func (t *Text) ofAnother(n Names) (other bool) {
	for pod, beside := range t.together {
		if slices.Contains(beside.containers, n.Container) {
			if Siblings(pod, n.Pod) {
				return false
			}
			other = true
		}
	}
	return other
}

func (g *group) add(n Names) {
	for i, have := range g.pods { // a name that is the beginning of a pod's is its controller
		switch {
		case DrawnOf(have, n.Pod):
			g.pods[i] = n.Pod
		case DrawnOf(n.Pod, have):
			n.Pod = have
		}
	}
	for _, one := range []struct {
		all  *[]string
		name string
	}{{&g.pods, n.Pod}, {&g.containers, n.Container}, {&g.namespaces, n.Namespace}} {
		if one.name != "" && len(*one.all) < 2 && !slices.Contains(*one.all, one.name) {
			*one.all = append(*one.all, one.name)
		}
	}
}

// Shape adds the pods that are recognized only by the shape of their names.
func (t *Text) Shape(line string) {
	for _, p := range podname.Replicas(line) {
		t.stated.add(Names{Pod: p.Name, Namespace: p.Namespace})
	}
}

// without is a group without the pods that something else is called as.
func (g *group) without(others []string) *group {
	return &group{containers: g.containers, namespaces: g.namespaces, pods: slices.DeleteFunc(slices.Clone(g.pods),
		func(pod string) bool { return slices.Contains(others, pod) })}
}

func (g *group) only() (n Names) {
	for _, one := range []struct {
		all  []string
		name *string
	}{{g.pods, &n.Pod}, {g.containers, &n.Container}, {g.namespaces, &n.Namespace}} {
		if len(one.all) == 1 {
			*one.name = one.all[0]
		}
	}
	return n
}
