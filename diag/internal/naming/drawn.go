package naming

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// drawn is a name with an end that looks as if Kubernetes generated it for a pod of a DaemonSet or Job
// (k8s.io/apimachinery pkg/util/rand), without any other sign that it is a pod: machines have such names too. Its
// namespace may precede it.
var drawn = regexp.MustCompile(`(?:^|[\s"'(*` + "`" +
	`])(?:([a-z][a-z0-9-]{0,62})/)?([a-z][a-z0-9-]*-[bcdfghjklmnpqrstvwxz2456789]*` +
	`(?:[2-9][bcdf-hj-np-tv-xz]|[bcdf-hj-np-tv-xz][2-9])[bcdfghjklmnpqrstvwxz2456789]*)(?:$|[\s"'’”),.:;?!*` + "`" + `])`)

// spaced is the name of a StatefulSet's pod after its namespace.
var spaced = regexp.MustCompile(`(?:^|[\s"'(*` + "`" + `])([a-z][a-z0-9-]{0,62})/([a-z][a-z0-9-]*-[0-9]{1,2})(?:$|[.]?(?:\s|$)|["'),:;*` + "`" + `])`)

// drawnIn finds such a name in a line.
func drawnIn(line string) (n Names) {
	at := drawn.FindStringSubmatchIndex(line)
	if at == nil {
		if at = spaced.FindStringSubmatchIndex(line); at == nil || slices.Contains(kinds, line[at[2]:at[3]]) ||
			machineBefore.MatchString(line[:at[2]]) || machineAfter.MatchString(line[at[5]:]) {
			return n
		}
		return Names{Namespace: line[at[2]:at[3]], Pod: line[at[4]:at[5]]}
	}
	name := line[at[4]:at[5]]
	if len(name)-strings.LastIndexByte(name, '-') != 6 || token.MatchString(name) ||
		ofMachine(line[:at[4]], name, line[at[5]:]) || kindBefore.MatchString(line[:at[4]]) {
		return n
	}
	n.Pod = name
	if at[2] >= 0 && !slices.Contains(kinds, line[at[2]:at[3]]) {
		n.Namespace = line[at[2]:at[3]]
	}
	return n
}

// kinds are words that precede the name of an object, as a namespace does.
var kinds = []string{"pod", "pods", "po", "node", "nodes", "no", "job", "jobs", "replicaset", "replicasets", "rs",
	"log", "logs", "statefulset", "statefulsets", "sts", "deployment", "deployments", "deploy", "daemonset", "ds",
	"service", "svc", "image", "images", "volume", "pv", "pvc", "secret", "configmap", "app", "apps", "container",
	"issues", "pull"}

var (
	// machine matches names that clouds and Cluster API give to nodes; machineBefore and machineAfter match the words
	// for a machine, or for a volume.
	machine = regexp.MustCompile(`^(?:gke|aks|eks|ip|pool|shoot|node|worker|master|host|vm)-|` +
		`^[a-z]{2}-(?:gov-|iso-)?(?:north|south|central)?(?:east|west|north|south|central)-\d$|` + // a cloud's region
		`-(?:md|mp|pool|nodepool|nodegroup|machine\w*|workers?|masters?)-`)
	machineBefore = regexp.MustCompile(`(?i)\b(?:nodes?|node(?:claim|pool|group)s?|hosts?|machines?|instances?|servers?|VMs?|workers?|` +
		`volumes?)\b\W{1,4}(?:called |named |is |name\W{2,4})?(?:\W{0,2}[a-z0-9][a-z0-9.-]*-[a-z0-9.-]*\W{0,2}(?:,|,? and|,? or) ){0,3}\W{0,2}$`)
	machineAfter = regexp.MustCompile(`^\W{1,4}(?i:nodes?|hosts?|machines?|instances?|servers?|VMs?)\b`)
)

// kindBefore matches the kind of another object before its name, in a sentence: "in ClusterQueue web-7k2pq". Alone it
// may be a reason: "BackOff web-7k2pq".
var kindBefore = regexp.MustCompile(`(?i:\b(?:in|of|by|for|to|from|with|an?|the)) [A-Z][a-z]+(?:[A-Z][a-z]+)+` +
	"[\"'*`]* [\"'*`]*$")

// token is the volume that the API server adds to each pod (plugin/pkg/admission/serviceaccount), or its Secret.
var token = regexp.MustCompile(`^(?:kube-api-access|default-token)-[a-z0-9]{5}$`)

// ofMachine reports whether a name belongs to a node, by its shape or by the words around it.
func ofMachine(before, name, after string) bool {
	return machine.MatchString(name) || machineBefore.MatchString(before) || machineAfter.MatchString(after)
}

// rand matches Kubernetes' random suffix.
const rand = `[bcdfghjklmnpqrstvwxz2456789]{5}`

var (
	ends5 = regexp.MustCompile(`-` + rand + `$`)
	ofPod = regexp.MustCompile(`-(?:` + rand + `|[0-9]{1,3})$`)
	// drawnBehind matches what controllers append to their own names: a hash or a time with random characters
	// (ReplicaSets, also of a revision of Crossplane's, and CronJobs), random characters alone (DaemonSets and Jobs), or
	// a number (StatefulSets and Argo).
	drawnBehind = regexp.MustCompile(`^-(?:(?:[0-9a-f]{12}-)?(?:[0-9bcdf-hj-np-tv-xz]{1,10}-)?` + rand + `|\d{1,10})$`)
)

// DrawnOf reports whether the pod's controller is named of.
func DrawnOf(of, pod string) bool {
	rest, ok := strings.CutPrefix(pod, of)
	return ok && of != "" && drawnBehind.MatchString(rest)
}

// Siblings reports whether two names are one pod's, or those of one controller's pods, by their shape.
func Siblings(a, b string) bool {
	if a == b {
		return true
	}
	for of := a; ; {
		at := strings.LastIndexByte(of, '-')
		if at < 0 {
			return false
		}
		if of = of[:at]; DrawnOf(of, a) && DrawnOf(of, b) {
			return true
		}
	}
}

// maker matches what has containers where there are no pods: the tasks and services of ECS, Nomad, Swarm and Compose.
var maker = regexp.MustCompile(`\b(?i:tasks?|services?|jobs?)(?:[ :=]|["'` + "`" +
	`*]){1,3}([a-z][a-z0-9]*-[a-z0-9.-]*[a-z0-9])|` +
	`\b(?i:service|job ?id|task ?definition|family|group)["']?\s*[:=]\s*["']?(?:service:)?([a-z][a-z0-9_.-]*[a-z0-9])|` +
	`\bContainer \[name=([a-z0-9][\w.-]+)\]`)

// makerIn returns that name in a line, "" for none.
func makerIn(line string) string {
	m := maker.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	name := cmp.Or(m[1:]...)
	if composed.MatchString(name) || !isName('p', name) {
		return ""
	}
	return name
}

// ofJobs are the forms of a Job's name, which stands for its pods where none of them is named.
var ofJobs = []form{
	// a row of their table, and of others
	newForm(" Failed ", `^(?:`+aLabel+`\s{2,})?(?:job\.batch/)?`+aLabel+`\s+Failed\s+\d+/\d+\s`, "np"),
	newForm("ob/|obs/|ob.batch/|obs.batch/", `\b[Jj]obs?(?:\.batch)?/`+aLabel, "p"),
	newForm("ob", `\b[Jj]obs?:? [\x60"'*]*`+aLabel+`/`+aLabel+`\b`, "np"),
	newForm("ob", `\b[Jj]obs? [\x60"'*]*`+dashed, "w"),
	newForm("ob", `\b[Jj]ob(?:[_ -]?[Nn]ame\W{1,5}| (?:is )?(?:called |named )?[\x60"'*]+)`+aLabel+`\b`, "p"),
	newForm("ompleted job: ", `\bcompleted job: `+aLabel, "p"),
}

// Job returns the name of a Job in a line about its end.
func Job(line string) Names { return jobIn(line, ofJobs) }

func jobIn(line string, forms []form) (n Names) {
	for i := range forms {
		if n.Pod == "" {
			n = Names{}.of(forms[i].kinds, forms[i].find(line))
		}
	}
	return n
}

// jobObjects match a Job in JSON or YAML, or what an event is about.
var jobObjects = []*regexp.Regexp{
	regexp.MustCompile(`"kind":\s*"Job",\s*(?:"metadata":\s*\{)?(?:[^{}]|\{[^{}]*\})*?"name":\s*"` + aLabel + `"`),
	regexp.MustCompile(`(?m)^[ -]*kind: Job\n\s*(?:metadata:\n(?:\s+\S.*\n){0,40}?\s+)?name: ` + aLabel + `$`),
}

// quoted matches names that a sentence sets in quotes, ordinal names that end like the pods of a StatefulSet.
var (
	quoted  = regexp.MustCompile("(?:^|[\\s(,])(?:[`*]{1,3}|[\"'])([a-z][a-z0-9]*-[a-z0-9-]*[a-z0-9])(?:[`*]{1,3}|[\"'])(?:$|[\\s).,:;?!])")
	ordinal = regexp.MustCompile("(?:^|[\\s(,\"'`*]|[^\\x00-\\x7f])([a-z][a-z0-9-]{1,60}-[0-9]{1,2})(?:$|[\\s),:;?!\"'`*]|[^\\x00-\\x7f]|[.](?:\\s|$))")
	// thingBefore and thingAfter match words next to a name that belongs to something else.
	thingBefore = regexp.MustCompile(`(?i)(?:\b(?:images?|files?|commands?|flags?|options?|functions?|branch|versions?|charts?|releases?|` +
		`name ?spaces?|ns|containers?|volumes?|secrets?|config ?maps?|labels?|annotations?|accounts?|users?|roles?|variables?|fields?|` +
		`metrics?|clusters?|contexts?|repos?(?:itory)?|packages?|modules?|operators?|class|hosts?|nodes?|in|on|from|to|with|set|` +
		`(?:re)?starting the|(?:re)?start-service|systemctl (?:re)?start|systemctl stop)|(?:^|\s)--?[a-z][\w-]*)` +
		`\W{0,3}(?:called |named |is )?\W{0,3}$`)
	thingAfter = regexp.MustCompile(`(?i)^[^\w,;:]{0,3}(?:images?|files?|commands?|flags?|options?|functions?|branch|versions?|charts?|` +
		`name ?spaces?|containers?|volumes?|secrets?|config ?maps?|labels?|annotations?|accounts?|users?|roles?|variables?|fields?|` +
		`metrics?|clusters?|contexts?|repos?(?:itory)?|packages?|modules?|class|nodes?|hosts?|(?:liveness |readiness |startup )?(?:probes?|checks?)|hooks?|errors?|events?|jobs?|steps?)\b`)
)

// counted are words with a number that name no pod.
var counted = regexp.MustCompile(`^(?:utf|sha|rc|beta|alpha|step|phase|level|part|page|day|week|top|gpt|ipv|iso|rfc|cve|tls|ssl|http|zone|az|` +
	`rack|cluster|topic|disk|rpi|ubuntu|debian|stage|case|issue|pr|vol|tab|layer|cat|usb|gen|core|cpu|gpu|exit|error|code|type|class|tier|option|method|line)-[0-9]+$`)

// keeps matches what a person says keeps failing, in the form of its controller's name, and a name before a status:
// both may be an ordinary word.
var keeps = regexp.MustCompile("^(?:[Mm]y |[Tt]he |[Oo]ur )?[`*\"']*" + aLabel + "[`*\"']* (?:keeps|kept) " +
	`(?:on )?(?:crash|restart|fail|dying|getting|being)|` +
	`^([a-z][a-z0-9-]{2,60}-[0-9]{1,2})\s+(?:CrashLoopBackOff|ImagePullBackOff|OOMKilled|Evicted|Error|Running|Failed|Terminat\w+|ContainerStatusUnknown)\b`)

// before matches what some programs write before each of their lines: the pod that they run in.
var before = regexp.MustCompile(`^\[([a-z][a-z0-9-]{2,60}-[0-9]{1,2})\] `)

// alone matches places of a pod's name outside of sentences: a line with only the namespace and it, the environment of
// a container, a title, the beginning of an alert.
var alone = []*regexp.Regexp{
	regexp.MustCompile(`^[a-z][a-z0-9-]*/` + telling + `(?:/[a-z][a-z0-9-]*)?:?$`),
	regexp.MustCompile(`^(?:export )?HOSTNAME=` + telling + `$`),
	regexp.MustCompile(`^[Hh]ostname:? ([a-z][a-z0-9-]{2,60}-[0-9]{1,2})(?:[\s,]|$)`),
	regexp.MustCompile(`^Subject: (?:.* )?([a-z][a-z0-9-]{2,60}-[0-9]{1,2})(?:[ ,:;.]|$)`),
	regexp.MustCompile(`^([a-z][a-z0-9-]{1,60}-[0-9]{1,2})(?: \([^()]*\))?(?:: | \| | (?i:is|was|has|keeps|kept|down|died|restart\w*|` +
		`crash\w*|oom\w*|killed|evicted|exit\w*)\b)`),
	regexp.MustCompile("^:[a-z_]+: [*`]{1,2}" + telling + "[*`]{1,2} "),
}

// ofTalos matches the beginning of a line of talosctl dmesg: its first word is a machine.
var ofTalos = regexp.MustCompile(`^\S+: \w+: +\w+: \[\d{4}-`)

// setApart returns the names in a line that may be a pod's only because of how they are written.
func setApart(line string, prose bool) (pods []string) {
	if ofTalos.MatchString(line) {
		return nil
	}
	if m := keeps.FindStringSubmatch(line); m != nil {
		if name := cmp.Or(m[1:]...); !slices.Contains(things, name) && isName('p', name) {
			return []string{name}
		}
	}
	if m := before.FindStringSubmatch(line); m != nil && !machine.MatchString(m[1]) {
		return []string{m[1]}
	}
	look, inSentence := alone, prose && !strings.Contains(line, "  ")
	if inSentence {
		look = []*regexp.Regexp{quoted, ordinal}
	}
	if !strings.Contains(line, "-") && !strings.ContainsAny(line, "0123456789") {
		return nil // such names are never plain words
	}
	for _, form := range look {
		for _, at := range form.FindAllStringSubmatchIndex(line, 4) {
			front, name, after := line[:at[2]], line[at[2]:at[3]], line[at[3]:]
			ofThing := counted.MatchString(name) ||
				inSentence && (thingBefore.MatchString(front) || thingAfter.MatchString(after))
			if !ofThing && !ofMachine(front, name, after) && !composed.MatchString(name) &&
				!slices.Contains(notPods, name) && isName('p', name) {
				pods = append(pods, name)
			}
		}
	}
	return pods
}

// notPods are the namespaces that every cluster has, and containers that others put into every pod.
var notPods = []string{"kube-system", "kube-public", "kube-node-lease", "istio-proxy", "istio-init", "linkerd-proxy",
	"linkerd-init", "kube-rbac-proxy", "config-reloader", "cloud-sql-proxy", "vault-agent", "kube-proxy"}
