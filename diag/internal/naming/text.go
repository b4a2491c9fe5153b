package naming

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
)

// Text gathers the names of texts, line by line, and tells which pod they are about. The zero value has read nothing.
type Text struct {
	// what programs printed; what a person said; what only looks like the name of a pod; what makes pods
	stated, said, shaped, makers group
	leases                       group            // their namespaces
	together                     map[string]group // what stood beside a pod, by its name
	columns                      []byte           // of a table that is open
	key                          byte             // of a field that stood alone in the line before
	kubernetes, others           bool             // whose containers it speaks of
}

// ofKubernetes and ofOthers are words of texts about containers in Kubernetes, and of others.
var (
	ofKubernetes = regexp.MustCompile(`(?i)\b(?:pods?|kube\w*|k8s\w*|oc|crictl|openshift|k3s|rke2?)\b`)
	ofOthers     = regexp.MustCompile(`(?i)\b(?:docker(?:d|-compose)?|podman|compose|fargate|ecs|nomad|swarm|alloc)\b|task definition|CannotStartContainerError|exited with code \d|` +
		`EssentialContainerExited|"FinishedAt":|"RestartCount":`)
)

// group are the names of one kind of place.
type group struct{ pods, containers, namespaces []string }

// Line reads a clean line, and returns its names.
func (t *Text) Line(line string) (n Names) {
	if strings.Contains(line, "reempted by ") {
		line = preemptor.ReplaceAllString(line, "$1") // it is not what ended
	}
	n = In(line)
	if columns := headOf(line); columns != nil {
		t.columns = columns
		return Names{}
	}
	if m := aValue.FindStringSubmatch(line); m != nil && t.key != 0 { // a page whose values stand below their fields
		n = n.Beside(Names{}.withValue(t.key, m[1]))
	}
	if line != "" {
		t.key = keyOf(strings.TrimRight(line, "s: "))
	}
	if t.columns != nil {
		row, ok := inRow(t.columns, line)
		if !ok {
			t.columns = nil
		}
		n = row.Beside(n)
	}
	t.kubernetes = t.kubernetes || ofKubernetes.MatchString(line)
	t.others = t.others || ofOthers.MatchString(line)
	var drawn Names
	prose, dashed := Prose(line), strings.Contains(line, "-")
	if dashed { // each of these names has one
		drawn = drawnIn(line)
	}
	switch {
	case prose:
		n = n.Beside(drawn)
		t.said.add(n)
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
	if m := lease.FindStringSubmatch(line); m != nil {
		t.leases.add(Names{}.of("n", m[1:]))
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

// File takes the names in a file's own name, which only its shape tells.
func (t *Text) File(name string) {
	base := path.Base(name)
	t.stated.add(In(base))
	if m := ordinal.FindStringSubmatch(strings.TrimSuffix(base, path.Ext(base))); m != nil && !machine.MatchString(m[1]) {
		t.shaped.add(Names{Pod: m[1]})
	}
}

// Take adds names that programs printed in a form which only the caller knows.
func (t *Text) Take(n Names) { t.stated.add(n) }

// maxNamed is how many lines of a text are searched for names.
const maxNamed = 20_000

// ofObject is a name or a namespace where the metadata of an object in YAML has it.
var ofObject = regexp.MustCompile(`^  (?:name: ` + aName + `|namespace: ` + aLabel + `)\s*$`)

// Add reads a text.
func (t *Text) Add(text string) {
	lines, ofPod := 0, strings.Contains(text, "kind: Pod\n") || !strings.Contains(text, "kind: ")
	t.columns = nil
	for line := range strings.Lines(text) {
		if lines++; lines > maxNamed {
			break
		}
		if m := ofObject.FindStringSubmatch(line); m != nil {
			if !ofPod { // its name is none of a pod
				m[1] = ""
			}
			t.stated.add(Names{}.of("pn", m[1:]))
			continue
		}
		t.Line(Clean(line[:min(len(line), maxLine)]))
	}
}

// longNote is longer than a note that somebody puts beside an output.
const longNote = 1 << 10

// Note tells a note that names one pod, or its namespace: what another file tells of an end is of that.
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

// Only is what all that was read names just one of. Where programs list many pods, that which a person speaks of is
// meant; where there are no pods, a task or a container stands for one.
func (t *Text) Only() (n Names) {
	n = t.stated.only().Beside(t.said.only())
	if len(t.stated.namespaces) == 0 && len(t.said.namespaces) == 0 {
		n.Namespace = t.leases.only().Namespace
	}
	if len(t.stated.pods) == 0 && len(t.said.pods) == 0 {
		n = n.Beside(t.shaped.only())
		if n.Pod == "" && t.others && !t.kubernetes { // these have no pods
			n.Pod = cmp.Or(t.makers.only().Pod, n.Container)
		}
	}
	if n.Pod == "" {
		return n
	}
	for _, g := range []*group{&t.stated, &t.said, &t.shaped} { // a sentence calls a pod as its controller
		for _, pod := range g.pods {
			if DrawnOf(n.Pod, pod) {
				n.Pod = pod
			}
		}
	}
	if beside, ok := t.together[n.Pod]; ok {
		n = beside.only().Beside(n)
	}
	return n
}

func (g *group) add(n Names) {
	for i, have := range g.pods { // what is called as the beginning of a pod is its controller
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

// Shape adds the pods that nothing but the shape of their names tells.
func (t *Text) Shape(line string) {
	for _, p := range podname.Replicas(line) {
		t.stated.add(Names{Pod: p.Name, Namespace: p.Namespace})
	}
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
