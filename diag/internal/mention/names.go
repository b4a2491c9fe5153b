package mention

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podname"
)

// named are the pod, its namespace and the container that a text names.
type named struct{ namespace, pod, container string }

const (
	// how long they may be is checked afterwards: a count makes such an expression slow
	aName  = `([a-z0-9][a-z0-9.-]*[a-z0-9])`
	aLabel = `([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)`
	// telling is a name with a digit or a dash: "pod was" has none.
	telling = `([a-z][a-z0-9.]*[0-9-][a-z0-9.-]*[a-z0-9])`
)

// form is one in which names stand in a line.
type form struct {
	has  []string // a line that matches has one of them
	says *regexp.Regexp
	// of its groups: n namespace, p pod, c container, w pod if it is no word, d pod if it looks drawn
	kinds string
}

func newForm(has, says, kinds string) form {
	return form{strings.Split(has, "|"), regexp.MustCompile(says), kinds}
}

// find returns the names in a line, in the order of their kinds; nil for none.
func (f *form) find(line string) []string {
	if !slices.ContainsFunc(f.has, func(s string) bool { return strings.Contains(line, s) }) {
		return nil
	}
	if m := f.says.FindStringSubmatch(line); m != nil {
		return m[1:]
	}
	return nil
}

// names are the forms in which a pod and what belongs to it is named. The groups are in the order of their kinds.
var names = []form{ // the first forms are those that nothing but kubelets and runtimes write
	newForm("k8s_", `\bk8s_`+aLabel+`_`+aName+`_`+aLabel+`_[0-9a-f-]{8,36}_\d+`, "cpn"),
	newForm("(", aName+`_`+aLabel+`\([0-9a-f-]{8,36}\)`, "pn"),
	newForm("container name", `container name \\*"`+aLabel+`_`+aName+`_`+aLabel+`_[0-9a-f-]{8,36}_\d+\\*"`, "cpn"),
	newForm("sandbox name", `sandbox name \\*"`+aName+`_`+aLabel+`_[0-9a-f-]{8,36}_\d+\\*"`, "pn"),
	newForm("ontainer ", `\bcontainer [0-9a-f]{12,64}: `+aLabel+`/`+aName+`/`+aLabel+`(?:["\s]|$)`, "npc"), // CRI-O
	newForm("PodSandboxMetadata{", `PodSandboxMetadata\{Name:`+aName+`,Uid:[^,]*,Namespace:`+aLabel+`,`, "pn"),
	newForm("/log/pods/", `/log/pods/`+aLabel+`_`+aName+`_[0-9a-f-]{8,36}/`+aLabel+`/`, "npc"),
	newForm("Killing unwanted pod \"", `^[^#]*\bKilling unwanted pod "`+aName+`"`, "p"),
	newForm("pod|Pod|POD", `(?i:\bpod(?:[_ ]?name)?|\bPOD)["']?(?:\s*[:=]\s*| )["'\[]?`+aLabel+`/`+aName, "np"),
	newForm("pod", `(?:^|[^/\w])pods?/`+aName, "p"),
	newForm("ObjectReference{", `ObjectReference\{Kind:"Pod", Namespace:"`+aLabel+`", Name:"`+aName+`"`, "np"),
	newForm("Not deleted yet ", `\bNot deleted yet `+aLabel+`/`+aName, "np"),
	newForm("to reschedule: ", `, pods to reschedule: (?:`+aLabel+`/)?`+aName, "np"),
	newForm("kube-system/", `\b(?:lock|lease) (kube-system)/`+aLabel, "nc"), // leader election of the control plane
	newForm("pod|Pod|POD", `(?i:(?:\b|_)pod(?:[_ ]?name)?)["']?\s*[:=]\s*["'\[]?`+aName, "p"),
	// a file of glog, with the host's name
	newForm(".log.", `[\w-]+\.`+aLabel+`\.\w+\.log\.(?:INFO|WARNING|ERROR|FATAL)\.\d{8}-\d{6}\b`, "d"),
	newForm("pod |Pod |POD ", `(?i:\bpod) ["']`+aName+`["']`, "p"),
	newForm("pod |pods |Pod |Pods |POD ", `(?i:\bpods?) `+telling, "w"),
	newForm("kubectl |oc |k ", `\b(?:kubectl|oc|k)\b.* (?:logs?|(?:describe|get) (?:pods?|po)) `+
		`(?:-(?:[pf]|-previous|-follow)(?:=true)? |--?[a-z-]+[ =]\S+ )*`+
		`(?:(?:deploy(?:ment)?|statefulset|sts|daemonset|ds|job|pod|po)s?(?:\.apps)?/)?`+aName, "p"),
	newForm("Name:", `^Name:\s+`+aName+`\s*$`, "p"),
	newForm("Namespace:", `^Namespace:\s+`+aLabel+`\s*$`, "n"),
	newForm("amespace|NAMESPACE", `(?i:\bnamespace)["']?\s*[:=]\s*["']?`+aLabel, "n"),
	newForm("kubectl |oc |k |kc ", `\b(?:kubectl|kc|oc|k)\b.* (?:-n|--namespace)[ =]?`+aLabel, "n"),
	newForm("roject ", `^(?:In|Using) project "?`+aLabel+`"? on server `, "n"), // oc status, oc project
	newForm("pods=[\"", `\bpods=\["`+aLabel+`/`+aName+`"`, "np"),
	newForm("object=", `\bobject="`+aLabel+`/`+aName+`" .*kind="Pod"`, "np"), // klog of client-go's events
	newForm("uccessfully assigned ", `uccessfully assigned `+aLabel+`/`+aName+` to `, "np"),
	newForm("Created pod: ", `\bCreated pod: `+aName, "p"),                               // of a controller
	newForm("/1 |/2 |/3 ", `(?:^|[\s|])`+aName+`[\s|]{2,}(?:[●Ⓕ]\s+)?\d+/\d+[\s|]`, "p"), // READY
	newForm("Z\t|Z ", `^\S+Z\s+`+aLabel+`/`+aName+`(?:\s|$)`, "np"),
	newForm("ns=", `\bns=["']?`+aLabel, "n"),
	newForm("amespace ", "(?i:\\bnamespace) [`\"']"+aLabel+"[`\"']", "n"),
	newForm("):", `\([0-9a-f-]{8,36}\):`+aLabel+`(?:["\s]|$)`, "c"), // pod_ns(uid):container
	newForm("Container", `"(?:Start|Kill|Create)Container" for "`+aLabel+`"`, "c"),
	newForm("ontainers{", `\bspec\.(?:initC|c)ontainers\{`+aLabel+`\}`, "c"),
	newForm("ontainer|CONTAINER", `(?i:\bcontainer(?:[_ ]?name)?)["']?\s*[:=]\s*["']?`+aLabel+`(?:["',\s)}]|$)`, "c"),
	newForm("ontainer ", `\b[Cc]ontainer ["']`+aLabel+`["']`, "c"),
	newForm("ontainer ", `\b(?:[Cc]ontainer|in container) `+aLabel+
		`(?: failed (?:liveness|startup)| definition changed|: )`, "c"),
	newForm("Stopping container ", `\bStopping container `+aLabel, "c"),
	newForm("restarting failed container", `\brestarting failed container[ =]`+aLabel+`(?:\s|$)`, "c"),
	newForm("container", "[`\"']"+aLabel+"[`\"'] (?i:init[ -]?|sidecar )?container\\b|\\bcontainer `"+aLabel+"`", "cc"),
	newForm("(v1:metadata.name", aName+` \(v1:metadata\.name\)`, "p"), // a description's environment
	newForm("(v1:metadata.name", aLabel+` \(v1:metadata\.namespace\)`, "n"),
	newForm("⚠|✖|✔|●|◷", `[⚠✖✔●◷]\s+\S+(?:\s{2,}\S+)?\s{2,}`+telling+`(?:\s{2,}|\s*$)`, "p"), // argo get
	newForm("workspace |runner |executor |driver |task ",
		`(?i:\b(?:workspace|runner|executor|driver|task)) ([a-z][a-z0-9-]*-[a-z]*[0-9][a-z0-9]*)\b`, "p"),
	newForm(" namespace",
		"\\b[Tt]he [`*\"']*"+telling+"[`*\"']* pods? in the [`*\"']*"+telling+"[`*\"']* namespace\\b", "pn"),
	newForm(" pod", "[`*\"']"+telling+"[`*\"']+ pods?\\b", "p"),
	newForm(" namespace ", `\b[Ii]n (?:the |a )?namespace (?:called |named )?`+aLabel+`(?:[.,;:)]|\s*$)`, "n"),
	newForm(" namespace ", "\\b[Ii]n (?:the |a )?namespace [`*\"']*"+telling, "n"),
	newForm(" -n ", `^`+telling+` -n `+aLabel+`\s*$`, "pn"), // what somebody left of a command
	newForm(" namespace", "\\b[Ii]n (?:the )?[`*\"']*"+telling+"[`*\"']* namespace\\b", "n"),
	newForm("io.kubernetes.", `"io\.kubernetes\.pod\.name": ?"`+aName+`"`, "p"), // labels, as runtimes print them
	newForm("io.kubernetes.", `"io\.kubernetes\.pod\.namespace": ?"`+aLabel+`"`, "n"),
	newForm("io.kubernetes.", `"io\.kubernetes\.container\.name": ?"`+aLabel+`"`, "c"),
	newForm(" Exited ", `^[0-9a-f]{12,64}\s.*\sExited\s+`+aLabel+`\s+\d+\s+[0-9a-f]{12,64}\b`, "c"), // crictl ps
	newForm("terminated", `\[`+telling+`\] terminated\b`, "p"),                                      // flyteplugins, go/tasks/plugins/k8s
	newForm("{Name:", `\bContainer(?:Metadata)? ?\{Name:`+aLabel, "c"),
	newForm("involvedObject.name=", `\binvolvedObject\.name=`+aName, "p"),
	newForm(".1", `(?:^|[\s"/])`+aName+`\.1[0-9a-f]{13,15}\b`, "p"), // the name of an event: its pod's, and a time
}

// drawn is a name whose end looks as Kubernetes draws it for the pods of DaemonSets and Jobs (k8s.io/apimachinery
// pkg/util/rand), where nothing but a sentence has it: machines have such names too.
var drawn = regexp.MustCompile(`(?:^|[\s"'(*` + "`" + `])([a-z][a-z0-9-]*-[bcdfghjklmnpqrstvwxz2456789]*` +
	`(?:[2-9][bcdf-hj-np-tv-xz]|[bcdf-hj-np-tv-xz][2-9])[bcdfghjklmnpqrstvwxz2456789]*)(?:$|[\s"'),.:;*` + "`" + `])`)

// drawnIn is such a name in a sentence, "" for none.
func drawnIn(sentence string) string {
	at := drawn.FindStringSubmatchIndex(sentence)
	if at == nil {
		return ""
	}
	name := sentence[at[2]:at[3]]
	if len(name)-strings.LastIndexByte(name, '-') != 6 || ofMachine(sentence[:at[2]], name, sentence[at[3]:]) {
		return ""
	}
	return name
}

var (
	// machine finds names that clouds and Cluster API give to nodes, machineBefore and -After the words for one.
	machine = regexp.MustCompile(`^(?:gke|aks|eks|ip|pool|shoot)-|` +
		`-(?:md|mp|pool|nodepool|nodegroup|machine\w*|workers?|masters?)-`)
	machineBefore = regexp.MustCompile(`(?i)\b(?:nodes?|hosts?|machines?|instances?|servers?|VMs?|workers?)\b\W{1,4}` +
		`(?:called |named |is )?\W{0,2}$`)
	machineAfter = regexp.MustCompile(`^\W{1,4}(?i:nodes?|hosts?|machines?|instances?|servers?|VMs?)\b`)
)

// ofMachine tells a name that is one of a node, by its look or by the words around it.
func ofMachine(before, name, after string) bool {
	return machine.MatchString(name) || machineBefore.MatchString(before) || machineAfter.MatchString(after)
}

// rand is what Kubernetes draws.
const rand = `[bcdfghjklmnpqrstvwxz2456789]{5}`

var (
	ends5 = regexp.MustCompile(`-` + rand + `$`)
	// drawnBehind are a hash or a time with drawn characters, these alone, or a number: what controllers put behind
	// their own names (ReplicaSets and CronJobs, DaemonSets and Jobs, StatefulSets and Argo).
	drawnBehind = regexp.MustCompile(`^-(?:(?:[0-9bcdf-hj-np-tv-xz]{1,10}-)?` + rand + `|\d{1,10})$`)
)

// drawnOf tells a pod whose controller has the name of.
func drawnOf(of, pod string) bool {
	rest, ok := strings.CutPrefix(pod, of)
	return ok && of != "" && drawnBehind.MatchString(rest)
}

// ofNode is how Argo Workflows names the pod of a step, in its nodes (pkg/apis/workflow/v1alpha1 NodeStatus).
var ofNode = regexp.MustCompile(`^id: ` + telling + `\s*$`)

// noNames are words that stand where a name would.
var noNames = []string{"none", "null", "nil", "true", "false", "error", "unknown", "the",
	"docker", "containerd", "cri-o", "podman", "failed", "exited", "killed", "died", "process", "k8s", "moby"}

// beforeNames are strings of which a line with a name has one.
var beforeNames = []string{"):", "pod", "Pod", "POD", "ontainer", "amespace", "k8s_", "kubectl ", "_", "terminated",
	"lock ", "lease ", "roject ", "ns=", "object=", "assigned ", "sandbox name", "PodSandbox", "/1 ", "/2 ", "/3 ", "Z\t",
	"involvedObject", "ObjectReference", ".log.", ".1", "deleted yet ", "reschedule: ", "⚠", "✖", "✔",
	"workspace ", "runner ", "executor ", "driver ", "task ", " Exited ", " -n ", " logs "}

// composed are words with a dash that stand behind "pod", where a name would: "the pod crash-looped".
var composed = regexp.MustCompile(`^(?:crash|oom|re|non|un|pre|post|auto|self|back|shut|short|long|multi|in|on|off|not|never|ever|` +
	`stuck|running|init|per|side|single|high|low|k8s|kill|evict)-[a-z-]+$`)

var anID = regexp.MustCompile(`^[0-9a-f]{12,64}$`)

// namesIn are those of a line.
func namesIn(line string) (n named) {
	if n = inForms(line); n.pod != "" {
		return n
	}
	if pods := podname.Replicas(line); len(pods) == 1 {
		n.pod = pods[0].Name
		n.namespace = cmp.Or(n.namespace, pods[0].Namespace)
	}
	return n
}

// inForms are the names of a line that stand in one of the forms.
func inForms(line string) (n named) {
	if !strings.HasPrefix(line, "Name:") &&
		!slices.ContainsFunc(beforeNames, func(s string) bool { return strings.Contains(line, s) }) {
		return n
	}
	for i := range names {
		n = n.of(names[i].kinds, names[i].find(line))
	}
	return n
}

// longest is how long names may be (RFC 1123): of pods a subdomain, of the others a label.
var longest = map[byte]int{'p': 253, 'n': 63, 'c': 63}

// spaceIn is the namespace that a line names first.
func spaceIn(line string) string {
	for i := range names {
		if f := &names[i]; strings.Contains(f.kinds, "n") {
			if n := (named{}).of(f.kinds, f.find(line)); n.namespace != "" {
				return n.namespace
			}
		}
	}
	return ""
}

// of adds the names that an expression found, where there are none yet.
func (n named) of(kinds string, found []string) named {
	for i, name := range found {
		kind := kinds[i]
		if kind == 'w' && composed.MatchString(name) || kind == 'd' && !ends5.MatchString(name) {
			continue
		}
		if kind == 'w' || kind == 'd' {
			kind = 'p'
		}
		if len(name) > longest[kind] || slices.Contains(noNames, strings.ToLower(name)) || anID.MatchString(name) {
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
const sure = 8

// Only is what files name that were handed over together: the pod that they are about, if there is just one.
type Only struct{ said, spaces, any only }

// Add reads a text.
func (o *Only) Add(text string) {
	lines, ofPod := 0, strings.Contains(text, "kind: Pod\n") || !strings.Contains(text, "kind: ")
	for line := range strings.Lines(text) {
		if lines++; lines > maxNamed {
			break
		}
		if m := ofObject.FindStringSubmatch(line); m != nil && ofPod {
			o.any.add(named{}.of("pn", m[1:]))
		} else if len(o.any.pods) < 2 {
			o.any.add(namesIn(unescaped(strings.TrimSpace(put.ReplaceAllString(line, "")))))
		}
		for i := range names[:sure] {
			if len(o.said.pods) > 1 {
				break
			}
			o.said.add(named{}.of(names[i].kinds, names[i].find(line)))
		}
		if len(o.spaces.namespaces) < 2 { // then there is more than one
			o.spaces.add(named{namespace: spaceIn(unescaped(strings.TrimSpace(line)))})
		}
	}
}

// maxNamed is how many lines of a text are searched for names.
const maxNamed = 20_000

// Namespace is the only namespace that all texts name, "" for none or several.
func (o *Only) Namespace() string { return o.spaces.names().namespace }

// ofObject is a name or a namespace where the metadata of an object in YAML has it.
var ofObject = regexp.MustCompile(`^  (?:name: ` + aName + `|namespace: ` + aLabel + `)\s*$`)

// Around is what all texts name just one of, in any form.
func (o *Only) Around() Around { return Around{o.any.names()} }

// Around are names for an end that has none: those that stand in the texts beside it.
type Around struct{ named }

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
	for i, have := range o.pods { // what is called as the beginning of a pod is its controller
		switch {
		case drawnOf(have, n.pod):
			o.pods[i] = n.pod
		case drawnOf(n.pod, have):
			n.pod = have
		}
	}
	for _, one := range []struct {
		all  *[]string
		name string
	}{{&o.pods, n.pod}, {&o.containers, n.container}, {&o.namespaces, n.namespace}} {
		if one.name != "" && len(*one.all) < 2 && !slices.Contains(*one.all, one.name) {
			*one.all = append(*one.all, one.name)
		}
	}
}

// shaped adds the pods that nothing but the shape of their names tells.
func (o *only) shaped(line string) {
	for _, p := range podname.Replicas(line) {
		o.add(named{pod: p.Name, namespace: p.Namespace})
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
