package naming

import (
	"regexp"
	"strings"
)

const (
	// their length is checked afterwards, because a repetition count makes such an expression slow
	aName  = `([a-z0-9][a-z0-9.-]*[a-z0-9])`
	aLabel = `([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)`
	// telling is a name with a digit or a dash, which the "was" of "pod was" does not have.
	telling = `([a-z][a-z0-9.]*[0-9-][a-z0-9.-]*[a-z0-9])`
	// is separates a word from its value, also in Chinese and Japanese.
	is = `(?:[:=：]|は|が|是|为|為)`
	// shaped is a name with a suffix like those of StatefulSets and others
	shaped = `([a-z][a-z0-9-]*-(?:[0-9]{1,3}|` + rand + `))`
	// cellEnds separates two cells of a row
	cellEnds = `(?:\s{2,}|\s*\|\s*|\t+)`
	// ofService is the name of a StatefulSet's pod in its service
	ofService = shaped + `\.[a-z0-9-]+\.` + aLabel + `\.svc\b`
	// ended are words that follow the name of what ended
	ended = `(?:OOM|[Ee]vict|[Cc]rash|[Kk]illed|[Ee]xit|[Rr]estart|[Tt]erminated)`
)

// form is one form of names in a line.
type form struct {
	has  []string // a matching line contains one of these
	says *regexp.Regexp
	// its groups: n namespace; p pod; c container; w pod, unless an English word; d pod, if it has a generated suffix;
	// e pod, unless a node's name; t container, unless a word of the sentence; s namespace, unless such a word; N and P
	// namespace and pod as programs quote them, whatever the name
	kinds string
}

func newForm(has, says, kinds string) form {
	return form{strings.Split(has, "|"), regexp.MustCompile(says), kinds}
}

// find returns the names in a line, in the order of their kinds; nil for none.
func (f *form) find(line string) []string {
	if !AnyOf(line, f.has...) {
		return nil
	}
	if m := f.says.FindStringSubmatch(line); m != nil {
		return m[1:]
	}
	return nil
}

// forms are the forms that name a pod and what belongs to it. The groups are in the order of their kinds.
var forms = []form{ // the first forms are those that nothing but kubelets and runtimes write
	// klog
	newForm(`pod="`, `\bpod="`+aLabel+`/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)"`, "NP"),
	newForm(".log", `(?:^|[\s/"'`+"`"+`=(])`+aName+`_`+aLabel+`_`+aLabel+`-[0-9a-f]{12,64}(?:\.\.\.)?\.log\b`, "pnc"), // of /var/log/containers
	newForm("k8s_", `\bk8s_`+aLabel+`_`+aName+`_`+aLabel+`_[0-9a-f-]{8,36}_\d+`, "cpn"),
	newForm("(", aName+`_`+aLabel+`\((?:[0-9a-f-]{8,36}(?:\)|>?$)|[0-9a-f-]{0,36}(?:…|\.\.\.|>$)|[0-9a-f-]{4,36}$)`, "pn"), // or cut
	newForm("container name", `container name \\*"`+aLabel+`_`+aName+`_`+aLabel+`_[0-9a-f-]{8,36}_\d+\\*"`, "cpn"),
	newForm("sandbox name", `sandbox name \\*"`+aName+`_`+aLabel+`_[0-9a-f-]{8,36}(?:_\d+\\*"|>?$)`, "pn"), // or cut
	newForm("ontainer ", `\bcontainer [0-9a-f]{12,64}: `+aLabel+`/`+aName+`/`+aLabel+`(?:["\s]|$)`, "npc"), // CRI-O
	// containerd 2.4
	newForm("RunPodSandbox for name", `RunPodSandbox for name:\\?"`+aName+`\\?" .*\bnamespace:\\?"`+aLabel, "pn"),
	newForm("PodSandboxMetadata{", // or cut
		`PodSandboxMetadata\{Name:`+aName+`,Uid:(?:[^,]*,Namespace:`+aLabel+`,|[^,]*(?:,N?[a-z]*)?>?$)`, "pn"),
	newForm("Error adding |Error deleting ",
		`\bError (?:adding|deleting) (?:pod )?`+aLabel+`_`+aName+`(?:/[0-9a-f]{64})? (?:to|from) `, "np"),
	newForm("pod network &{", `\bpod network &\{Name:`+aName+` Namespace:`+aLabel+` ID:`, "pn"), // CRI-O, ocicni
	newForm("pod sandbox: ", `\bRunning pod sandbox: `+aLabel+`/`+aName+`/POD\b`, "np"),
	newForm("ing container: ", `\b(?:Creating|Starting) container: `+aLabel+`/`+aName+`/`+aLabel+`"`, "npc"),
	newForm("|OOM|rror|vict|rash|omplet", `^(?:\|\s*)?`+aLabel+cellEnds+shaped+cellEnds+`(?:`+aLabel+cellEnds+`)?`+
		`(?:OOMKilled|Error|Evicted|CrashLoopBackOff|Completed)\b`, "npc"), // a row without its head
	newForm("/|:", `(?:^|[\[(\s])`+aLabel+`[/:]`+shaped+`[/:]`+aLabel+`(?:[\])\s,]|$)`, "npc"),
	newForm(".svc", `(?:^\W*|(?i:\b(?:host(?:name)?|pod)\b\W{1,4})|@)`+ofService, "pn"), // its own
	// Google's console
	newForm("/kubernetes/pod/", `/kubernetes/pod/[^/\s]+/[^/\s]+/`+aLabel+`/`+aName, "np"),
	newForm(" was terminated (", `(?:^|\s)`+aLabel+`/`+aName+` Container `+aLabel+` was terminated \(`, "npc"), // Jenkins
	newForm(" @ ", shaped+` @ `+aLabel, "pn"),
	newForm("/log/pods/", `/log/pods/`+aLabel+`_`+aName+`_[0-9a-f-]{8,36}/`+aLabel+`/`, "npc"),
	newForm("pod \"|pod \\\"", `\bpod \\?"`+aName+`_`+aLabel+`\\?"`, "pn"),                        // dockershim, of its network
	newForm(" name=", `\bcontainer (?:died?|oom) [0-9a-f]{12,64} \(.*, name=`+aLabel+`[,)]`, "p"), // docker events
	newForm("Killing unwanted pod \"", `^[^#]*\bKilling unwanted pod "`+aName+`"`, "p"),
	newForm("pod|Pod|POD", `(?i:\bpod(?:[_ ]?name)?|\bPOD)["']?(?:\s*[:=]\s*| )["'\[*\x60]*`+aLabel+`/`+aName, "np"),
	newForm("pod|Pod/|po/", `(?:^|[^/\w-])(?:[Pp]ods?|po)/`+aName, "p"),
	newForm("kubectl run |oc run |k run ", `\b(?:kubectl|oc|k) run (?:-(?:it|ti|i|t) |--?[a-z-]+=\S+ )*`+aName, "p"),
	newForm(" / ", `(?:^|[\s(:])`+aLabel+` / ([a-z][a-z0-9.-]*-(?:[0-9]{1,3}|`+rand+`))(?:$|[\s),.:;])`, "np"),
	newForm("(", `\b(?:Describe|YAML|Containers|(?:Previous )?Logs)\(`+aLabel+`/`+aName+ // k9s
		`(?::`+aLabel+`)?\)`, "npc"),
	newForm("/pods/", `(?:^|[/\s])namespaces/`+aLabel+`/pods/`+aName, "np"),           // of the API
	newForm("/pod/", `/pod/`+aLabel+`/`+aName+`(?:[/?#"\s]|$)`, "np"),                 // of dashboards
	newForm("logs-from-", `\blogs-from-`+aLabel+`-in-`+aName+`\.(?:txt|log)\b`, "cp"), // Kubernetes' Dashboard
	newForm("@", `^\w+@([a-z][a-z0-9-]*-[0-9]+):/(?:[^\sh]\S*)?[#$]`, "p"),            // in a StatefulSet's pod, where nobody is at home
	newForm("ObjectReference{", `ObjectReference\{Kind:"Pod", Namespace:"`+aLabel+`", Name:"`+aName+`"`, "np"),
	newForm(`"Pod"`, `\{[^{}]*"kind": ?"Pod"[^{}]*"name": ?"`+aName+`"`, "p"), // what an event is about
	newForm(`"Pod"`, `\{[^{}]*"name": ?"`+aName+`"[^{}]*"kind": ?"Pod"`, "p"),
	newForm("....", `(?:^|\s)`+aLabel+`/`+aName+`\.{4,}`, "np"), // popeye
	newForm("PodGC ", `\bPodGC is force deleting Pod:? `+aLabel+`[:/]`+aName, "np"),
	newForm("Not deleted yet ", `\bNot deleted yet `+aLabel+`/`+aName, "np"),
	newForm("to reschedule: ", `, pods to reschedule: (?:`+aLabel+`/)?`+aName, "np"),
	newForm("kube-system/", `\b(?:lock|lease) +(kube-system)/(kube-(?:scheduler|controller-manager)|cloud-controller-manager)\b`, "nc"),
	newForm("pod|Pod|POD", `(?i:(?:\b|_)pod(?:[._ -]?name)?|^\W*pods)["']?\s*`+is+`\*{0,2}\s*["'\[\x60]?`+aName, "p"),
	// a glog file, with the host's name
	newForm(".log.", `[\w-]+\.`+aLabel+`\.\w+\.log\.(?:INFO|WARNING|ERROR|FATAL)\.\d{8}-\d{6}\b`, "d"),
	newForm("pod |Pod |POD ", `(?i:\bpod) ["']`+aName+`["']`, "p"),
	newForm("pod |pods |Pod |Pods |POD ", `(?i:\bpods?) [\x60*]*`+telling, "w"),
	newForm("kubectl |oc |k ", `\b(?:kubectl|oc|k)\b.* (?:logs?|exec|attach|debug|(?:describe|get) (?:pods?|po)) `+
		`(?:-(?:[pfitAw]|it|ti|-previous|-follow|-stdin|-tty|-all-namespaces|-watch|-show-labels)(?:=true)? |--?[a-z-]+[ =][^\s|-]\S* )*(?:into |to )?`+
		`(?:(?:deploy(?:ment)?|statefulset|sts|daemonset|ds|job|pod|po)s?(?:\.apps)?/)?`+aName+"(?:[\\s\"'`|;,:)]|$)", "p"), // not node/…
	newForm("OOM|vict|rash|illed|xit|estart|erminated", "(?:^|[\\s(\"'`*\\[])"+shaped+"[`\"'*]*(?::| -| –)? "+
		`(?:(?:is|was|got|gets|has|been|keeps|kept|being|again|now) )*`+ended, "e"), // its subject
	newForm("Name:", `^Name:\s+`+aName+`\s*$`, "p"),
	newForm("Namespace:|Project:", `^(?:Namespace|Project):\s+`+aLabel+`\s*$`, "n"), // OpenShift calls them projects
	newForm("amespace|NAMESPACE", `(?i:(?:\b|_)namespace(?:[._ -]?name)?)["']?\s*`+is+`\s*["'\x60]?`+aLabel, "n"),
	newForm(" in |In | into | inside | within ", "\\b(?:[Ii]n|into|inside|within) [`*\"'{]*(kube-(?:system|public)|openshift-[a-z][a-z-]*[a-z]|(?:istio|kuma|cattle|longhorn|metallb|"+
		"gatekeeper|calico|flux|cilium|gmp|fleet|kyverno|keda|dapr|rook|tekton|traefik|linkerd)-system)[`*\"'}]*(?:[\\s,.;:)]|$)", "n"),
	newForm(" -n|--namespace", `\b(?:kubectl|kc|oc|k|helm3?|flux|stern|kubetail|k9s|istioctl|`+
		`argo|tkn|odo|linkerd|dapr|virtctl|kn|kail|helmfile|skaffold|kubectl-[a-z]+)\b.* (?:-n|--namespace)[ =]?([0-9-]*[a-z][a-z0-9-]*)`, "n"), // journalctl -k -n 3
	newForm(" --namespace", ` --namespace[ =]["']?`+aLabel+`(?:["'\s;)]|$)`, "n"), // whatever the program
	newForm("namespace/", `\bnamespace/`+aLabel+` (?:created|configured|unchanged)`, "n"),
	newForm("roject ", `^(?:In|Using) project "?`+aLabel+`"? on server `, "n"), // oc status, oc project
	newForm("pods=[\"", `\bpods=\["`+aLabel+`/`+aName+`"`, "np"),
	newForm("object=", `\bobject="`+aLabel+`/`+aName+`" .*kind="Pod"`, "np"), // klog of client-go's events
	newForm("object=", `\bobject="`+aLabel+`/[a-z0-9.-]+" .*kind="[A-Z]`, "n"),
	newForm("event for ", `\bevent for `+aName+`: \{`, "p"),                                                  // Kubernetes' own tests (test/e2e/framework)
	newForm("key=", `\bkey="?`+aLabel+`/`+aName+`/(?:labelPod|deletePod|terminate|killContainers)\w+`, "np"), // Argo Workflows
	newForm("uccessfully assigned ", `uccessfully assigned `+aLabel+`/`+aName+` to `, "np"),
	newForm(" in | of ", `\b[Cc]ontainer [\x60"'*]*`+aLabel+`[\x60"'*]*,? (?:in|of) (?:(?:the )?pod )?[\x60"'*]*[a-z0-9.]+-`, "c"),
	newForm("od (|ods (|od [|OD [", `(?i:\bpods?) [(\[][\x60"'*]*`+telling+`(?:[\x60"'*]*[\])]| [a-z])`, "w"),
	newForm("amespace [|amespace:*|amespace*", `(?i:\bnamespace)\*{0,2}:?\*{0,2} [\[(*\x60"']*`+aLabel+
		`[\])*\x60"']*(?:[\s:,.;]|$)`, "s"),
	newForm("] pod/|] Pod/", `\[`+aLabel+`\] [Pp]od/`, "n"),
	newForm("ame:", `\bKind:\*{0,2} Pod\b.*\bName:\*{0,2} `+aName, "p"),
	newForm("неймспейс|пространств", `(?:неймспейс\p{L}*|пространств\p{L}+ им[её]н)\s+[\x60"«]?`+aLabel, "n"),
	newForm("-system)", `([a-z][a-z0-9-]*-(?:[0-9]{1,3}|`+rand+`)) \(([a-z0-9-]*[a-z]-system)\)`, "pn"),
	newForm("project ", `\bin project `+telling, "n"),
	newForm("命名空间|名前空間|ネームスペース|네임스페이스", `(?:^|[^a-z0-9-])`+aLabel+`[\x60"'」 ]{0,2}(?:命名空间|名前空間|ネームスペース|네임스페이스)`, "n"),
	newForm("-n ", `(?:^|\(|`+shaped+` )-n ([a-z][a-z0-9-]*)\s*(?:$|[:,)])`, "pn"), // the rest of a shortened command
	newForm("Deployment/|StatefulSet/|DaemonSet/|Job/|HelmRelease/|ReplicaSet/",
		`\b(?:Deployment|StatefulSet|DaemonSet|(?:Cron)?Job|HelmRelease|ReplicaSet)/`+aLabel+`/[a-z0-9]`, "n"),
	newForm("-", `([a-z][a-z0-9-]*-[bcdf0-9a-z]{8,10}-`+rand+`)\.([a-z][a-z0-9-]*)(?:[\s:,]|$)`, "pn"), // istioctl
	newForm("read_namespaced_pod", `read_namespaced_pod\w*\(["']`+aName+`["'], ?["']`+aLabel+`["']`, "pn"),
	newForm("ods(", `^\W*[Pp]ods\(`+aLabel+`\)\[\d+\]`, "n"),                   // k9s
	newForm(" › ", `^[+-] `+telling+` › `+aLabel, "pc"),                        // stern
	newForm("ated pod: |eted pod: ", `\b(?:Created|Deleted) pod: `+aName, "p"), // of a controller
	newForm("delete Pod ", `\bdelete Pod `+aName+` in StatefulSet \S+ successful`, "p"),
	newForm("ObjectReference{", `ObjectReference\{Kind:"[A-Z]\w*", Namespace:"`+aLabel+`", Name:`, "n"),
	// READY, and with -A
	newForm("/1 |/2 |/3 |/4 |/5 |/6 |/7 |/8 ", `(?:^|[\s|])`+aName+`[\s|]{2,}(?:[●Ⓕ]\s+)?\d+/\d+[\s|]`, "p"),
	newForm("/1 |/2 |/3 |/4 |/5 |/6 |/7 |/8 ",
		`(?:^|[\s|])`+aLabel+`[\s|]{2,}`+aName+`[\s|]{2,}(?:[●Ⓕ]\s+)?\d+/\d+[\s|]+[A-Z]`, "np"),
	newForm("Z\t|Z ", `^\S+Z\s+`+aLabel+`/`+aName+`(?:\s|$)`, "np"),
	newForm("ns=", `\bns=["']?`+aLabel, "n"),
	newForm("amespace ", "(?i:\\bnamespace) [`\"']"+aLabel+"[`\"']", "n"),
	newForm("):", `\([0-9a-f-]{8,36}\):`+aLabel+`(?:["\s]|$)`, "c"), // pod_ns(uid):container
	newForm("Container", `"(?:Start|Kill|Create)Container" for "`+aLabel+`"`, "c"),
	newForm("ontainers{", `\bspec\.(?:initC|c)ontainers\{`+aLabel+`\}`, "c"),
	newForm("ontainer|CONTAINER", `(?i:(?:\b|_)container(?:[._ -]?name)?)["']?\s*`+is+`\s*["'\x60]?`+aLabel+
		`(?:["',\s)}]|$)`, "c"),
	newForm("ontainer ", `\b[Cc]ontainer ["']`+aLabel+`["']`, "c"),
	newForm("ontainer ", `\b(?:[Cc]ontainer|in container) `+aLabel+
		`(?: failed (?:liveness|startup)| definition changed|: )`, "c"),
	newForm("Stopping container ", `\bStopping container `+aLabel, "c"),
	newForm("restarting failed container", `\brestarting failed container[ =]`+aLabel+`(?:\s|$)`, "c"),
	newForm("container", "[`\"']"+aLabel+"[`\"'] (?i:init[ -]?|sidecar )?container\\b|\\bcontainer `"+aLabel+"`", "cc"),
	newForm("kubectl |oc |k ", `\b(?:kubectl|oc|k)\b.* logs? .*(?:-c|--container)[ =]`+aLabel+`(?:\s|$)`, "c"),
	newForm("kubectl |oc |k ", `\b(?:kubectl|oc|k)\b.* logs? (?:-n \S+ |--namespace[ =]\S+ |-[pfi] |--previous |--follow )*(?:pods?/)?[a-z0-9][a-z0-9.-]*-[a-z0-9]+ `+aLabel+`(?:\s+[-|>]|\s*$)`, "c"),
	newForm("ns |ns: |amespace |amespace: ", `[(\[,] ?(?:ns|namespace):? [\x60"'*]*`+aLabel+`[\x60"'*]*[)\],]`, "n"),
	newForm("amespace is ", `(?i:\bnamespace) is (?:called |named )?[\x60"'*]*`+aLabel, "s"),
	newForm(" in ", `\b([a-z][a-z0-9-]*-(?:`+rand+`|[0-9]{1,2}))[\x60"'*]* in `+aLabel+
		`(?:\s*[:.,;)]|\s*$| (?:fail\w*|crash\w*|restart\w*|keeps?|never|cannot|can't|exit\w*|ends|died|dies|is|was)\b)`, "ps"),
	newForm("od: |od ", `\b[Pp]od:? [\x60"'*]*`+telling+`[\x60"'*]* \(`+aLabel+`\)`, "ps"),
	newForm(" (", `(?:^|\s)([a-z][a-z0-9-]*-(?:`+rand+`|[0-9]{1,2}))[\x60"'*]* \(`+aLabel+`\)`, "ps"),
	newForm("k8s://", `\bk8s://`+aLabel+`/`+aName+`/`+aLabel+`(?:\s|$)`, "npc"), // nerdctl
	newForm("exit codes: {", `\bexit codes: \{`+aLabel+`=\d`, "c"),              // Jenkins' plugin for Kubernetes, which calls a pod as its agent
	newForm("KubernetesSlave |KubernetesComputer ", `\bKubernetes(?:Slave|Computer) name: `+aName, "p"),
	newForm("(name: ", `\bcontainer [0-9a-f]{12,64} \(name: "`+aLabel+`"\)`, "c"), // the agent of ECS
	newForm("ontainer ", `\b[Cc]ontainer `+telling+` (?:exit|died|crash|restart|terminat|fail|kill|OOM|(?:is|was|has|gets|got|keeps) )`, "t"),
	newForm("(v1:metadata.name", aName+` \(v1:metadata\.name\)`, "p"), // a description's environment
	newForm("(v1:metadata.name", aLabel+` \(v1:metadata\.namespace\)`, "n"),
	newForm("⚠|✖|✔|●|◷", `[⚠✖✔●◷]\s+\S+(?:\s{2,}\S+)?\s{2,}`+telling+`(?:\s{2,}|\s*$)`, "p"), // argo get
	newForm("workspace |runner |executor |driver |task |gent ",
		`(?i:\b(?:workspace|runner|executor|driver|task|agent)) ([a-z][a-z0-9-]*-[a-z]*[0-9][a-z0-9]*)\b`, "p"),
	newForm(" namespace",
		"\\b[Tt]he [`*\"']*"+telling+"[`*\"']* pods? in the [`*\"']*"+telling+"[`*\"']* namespace\\b", "pn"),
	newForm(" pod", "[`*\"']"+telling+"[`*\"']+ pods?\\b", "p"),
	newForm(" namespace | ns |sing namespace ", `\b(?i:in|under|from|of|into|inside|within|using) (?:the |a )?`+
		`(?:namespace|ns) (?:called |named )?`+aLabel+`(?:[.,;:)]|\s*$|\s+(?:the|my|our|an?|all|some|pods?|and|is|are|I|we|it|that|which|`+
		`(?i:oom|crash|restart|terminat|keep|fail|kill|evict|exit|get|got|was|were|has|have|had|show|stop)\w*)\b)`, "s"),
	newForm(" namespace| project| ns", `\b(?:[Ii]n|of|from) (?:the |our |my )?`+aLabel+` (?:namespace|project|ns)\b`, "s"),
	newForm(" namespace| project| ns", "[`*\"']+"+aLabel+"[`*\"']+ (?:namespace|project|ns)\\b", "s"),
	newForm(" namespace", `\b(?:[Tt]he|[Oo]ur|[Mm]y) `+telling+` namespace\b`, "s"),
	newForm(" in | into | to ", "\\b(?i:deploy|install)\\w* [^.`\"']{0,30}\\b(?:in|into|to) [`*\"']+"+telling+"[`*\"']+", "n"),
	newForm(":pod/|:deployment/", `(?:^|\s)`+aLabel+`:pod/`+aName+`(?:[:\s]|$)`, "np"), // skaffold
	newForm(":deployment/", `(?:^|\s)`+aLabel+`:deployment/[a-z0-9]`, "n"),
	newForm("Running on ", `^Running on `+telling+` via `, "p"), // GitLab's runner
	// Jenkins
	newForm(" Pod just failed", `(?:^|\s)`+aLabel+`/`+aName+` Pod just failed\b`, "np"),
	newForm("-", `^(?:`+aLabel+`/)?`+telling+`\s+[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\s|$)`, "np"), // and its UID
	newForm("Normal|Warning", `^`+aLabel+`\s{2,}(?:\d+[smhd]){1,2}\s+(?:Normal|Warning)\s+[A-Z]\w+\s+[Pp]od/`+aName, "np"),    // events of all namespaces
	newForm("od/", `^\S*\d\d:\d\d:\d\d\S*\s+`+aLabel+`\s+[Pp]od/`+aName, "np"),
	newForm("Namespace:|Project:", `\s{2,}(?:Namespace|Project): +`+aLabel+`(?:\s{2,}|\s*$)`, "n"),
	newForm("ods in ", `\b[Pp]ods in `+telling+`:?\s*$`, "n"),
	newForm("ods in ", "\\b[Pp]ods in [`*\"']+"+aLabel+"[`*\"']+", "n"),
	newForm(" is not ready: ", `\b(?:Deployment|StatefulSet|DaemonSet|Job) is not ready: `+aLabel+`/`, "n"), // helm
	newForm("ind: Pod", `\{[^{}]*\bkind: Pod\b[^{}]*\bname: `+aName, "p"),
	newForm("ind: Pod", `\{[^{}]*\bname: `+aName+`[^{}]*\bkind: Pod\b`, "p"),
	newForm("ns/|namespace/|namespaces/", `(?:^|[\s("'\x60])(?:ns|namespaces?)/`+aLabel+`(?:[\s,.;:)"'\x60]|$)`, "n"),
	newForm("NS=|NAMESPACE=", `^(?:export )?(?:[A-Z]+_)?(?:NS|NAMESPACE)=["']?`+aLabel+`(?:["'\s;]|$)`, "n"),
	// Rancher
	newForm("eployment:|tatefulset:|aemonset:", `\b(?i:deployment|statefulset|daemonset):`+aLabel+`:[a-z0-9]`, "n"),
	newForm("/1 |/2 |/3 |/4 |/5 |/6 |/7 |/8 ", `^\[`+aLabel+`\]\s+`+aName+`\s{2,}\d+/\d+\s`, "np"),
	newForm(" namespace ", "\\b[Ii]n (?:the |a )?namespace [`*\"']*"+telling, "n"),
	newForm("amespace ", `(?i:\bnamespace) (?:ist|heißt|se llama|s'appelle|est) [\x60"'*]*`+aLabel, "n"),
	newForm(" namespace | Namespace ", `\b(?:[Ii]m|[Dd]ans|[Ee]n|[Nn]o|[Nn]el|[Dd]el?|[Dd]o|[Dd]u|w|в) (?:dem |le |el |lo )?[Nn]amespace `+aLabel, "s"),
	newForm("项目|命名空间|名前空間|네임스페이스", "(?:项目|命名空间|名前空間|네임스페이스)\\s*(?:是|为|は|:|：)?\\s*[`*\"'「]*"+aLabel, "n"),
	newForm(" project ", "\\bproject [`*\"']+"+aLabel+"[`*\"']+", "n"),
	newForm(" project", "\\b[Ii]n (?:the |project )?[`*\"']+"+aLabel+"[`*\"']+ project\\b", "n"),
	newForm("io.kubernetes.", `"io\.kubernetes\.pod\.name": ?"`+aName+`"`, "p"), // labels, as runtimes print them
	newForm("io.kubernetes.", `"io\.kubernetes\.pod\.namespace": ?"`+aLabel+`"`, "n"),
	newForm("io.kubernetes.", `"io\.kubernetes\.container\.name": ?"`+aLabel+`"`, "c"),
	newForm(" Exited ", `^[0-9a-f]{12,64}\s.*\sExited\s+`+aLabel+`\s+\d+(?:\s+[0-9a-f]{12,64}\b|\s*$)`, "c"), // crictl ps
	newForm("terminated", `\[`+telling+`\] terminated\b`, "p"),                                               // flyteplugins, go/tasks/plugins/k8s
	newForm("{Name:", `\bContainer(?:Metadata)? ?\{Name:`+aLabel, "c"),
	newForm("within sandbox ", `\bwithin sandbox \S+ for (?:container )?name:\\?"`+aLabel, "c"), // containerd 2.4
	newForm("involvedObject.name=", `\binvolvedObject\.name=`+aName, "p"),
	newForm(" in |(in ", "[`*\"' ]"+telling+"[`*\"']*,? \\(?in (?:the |namespace |ns )*[`*\"']+"+aLabel+"[`*\"']", "wn"),
	newForm(" in ", `^([a-z][a-z0-9-]*-(?:[0-9]{1,3}|`+rand+`)) in `+aLabel+
		`(?:$|[.,;:]| (?:is|was|has|keeps?|kept|got|gets|went|goes|restart\w*|crash\w*|died|dies|does|doesn't|fails|never|can't)\b)`, "ps"),
	newForm("：", `(?:容器组|Pod ?名称)\s*：\s*`+aName, "p"), // KubeSphere and others
	newForm("ns |namespace |Namespace ", "\\b(?:ns|[Nn]amespace) [`*\"']*"+aLabel+"[`*\"']*(?:[.,;:)]|\\s*$)", "s"),
	// a pod's are in its own namespace
	newForm("onfigMap |ecret |onfigmap ", `\b(?i:in (?:configmap|secret)) `+aLabel+`/[a-z0-9][a-z0-9.-]*`, "n"),
	newForm(" container", "\\b(?:[Tt]he|[Mm]y|[Oo]ur|[Ii]ts) (?:[`*\"']+"+aLabel+"[`*\"']+|"+aLabel+") (?:init |sidecar )?container\\b", "tt"),
	newForm(".1", `(?:^|[\s"/])`+aName+`\.1[0-9a-f]{13,15}\b`, "p"), // the name of an event: its pod's, and a time
}

// lease is the lock of a leader election (client-go tools/leaderelection): mostly in the namespace of its holder.
var lease = regexp.MustCompile(`\b(?:lock|lease) +` + aLabel + `/[a-z0-9.-]+`)

// weakSpaces are forms of what may be a namespace, where a person says that pods are.
var weakSpaces = []form{
	newForm("in |into |of |inside ", `(?i:\b(?:pods?|everything|runs?|running|deployed|installed|lives?) (?:is |are |it )?(?:in|into|inside)) (?:the |our )?`+marks+telling+marks+
		`(?:$|[.,;:)?!]| `+does+`\b)`, "s"),
}

// address is that of a StatefulSet's pod, mostly of another one.
var address = newForm(".svc", `\b`+ofService, "pn")

// noNames are words that may be in the place of a name.
var noNames = []string{"none", "null", "nil", "true", "false", "error", "unknown", "the",
	"container", "containers", "pod", "pods", "docker", "containerd", "cri-o", "podman", "rpc", "forbidden", "failed",
	"exited",
	"exit", "killed", "died", "process", "k8s", "moby", "dockerd", "runc", "create", "creation", "task", "spec", "info",
	"shows", "show", "say", "says", "does", "doesn", "lists", "list", "set", "give", "gives", "displays", "did", "nothing",
	"there", "but",
	"no", "we", "you", "and", "to", "for", "it", "is", "only", "prints", "returns", "output", "in", "that",
	"which", "with", "id", "ids", "name", "names",
	"of", "looks", "reports", "on", "again", "after", "tells", "from", "are", "was", "has", "keeps", "never", "or",
	"as", "at", "by",
	"ro", "rw", "unexpected", "unable", "cannot", "invalid", "missing",
	"reason", "state", "phase", "message",
	"healthy", "unhealthy", "ready", "running", "started", "restarted", "stopped", "terminated", "crashed", "created",
	"create", "start", "starts", "stop", "stops", "restart", "restarts", "crashes", "crashing", "dies", "exits",
	"fails", "failing", "ends", "ended", "hangs", "terminates", "gets", "got", "goes", "went", "will", "can",
	"segfaults", "panics", "x86-64", "x86", "i386", "amd64", "arm64", "aarch64"}

// afterPod are words that follow "pod" where no name does: what happens to a pod, and what there is of it.
var afterPod = []string{"create", "creation", "delete", "deleted", "deletion", "update", "restart", "restarts", "start",
	"startup", "stop", "termination", "eviction", "evicted", "describe", "description", "events", "log", "logs",
	"manifest", "spec", "status", "yaml"}

// composed are words with a dash that may follow "pod" in the place of a name: "the pod crash-looped".
var composed = regexp.MustCompile(`^(?:crash|oom|re|non|un|pre|post|auto|self|back|shut|short|long|multi|in|on|off|not|never|ever|` +
	`stuck|running|init|per|no|real|full|well|so|side|single|high|low|k8s|kill|evict)-[a-z-]+$`)

// things are words for what a person says keeps crashing, which are no names.
var things = []string{"pod", "pods", "container", "containers", "app", "application", "service", "server", "program",
	"process", "deployment", "statefulset", "daemonset", "job", "node", "nodes", "cluster", "kubelet", "machine",
	"docker", "kubernetes", "minikube", "k3s", "system", "everything", "something", "thing", "one", "they", "this",
	"who", "instance", "replica", "workload", "computer", "laptop", "vm", "host", "game", "browser", "he", "she"}

// anID matches the id of a container or of a pod.
var anID = regexp.MustCompile(`^(?:[0-9a-f]{12,64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`)

// plainWords are words between an article and "container" or "namespace" that are no names.
var plainWords = []string{"same", "other", "main", "only", "first", "second", "last", "new", "old", "whole", "failed",
	"failing", "crashed", "crashing", "running", "init", "sidecar", "app", "application", "docker", "previous",
	"affected", "following", "above", "below",
	"broken", "killed", "restarted", "entire", "base", "target", "current", "own", "actual", "single", "linux",
	"windows", "another", "different", "each", "every", "any", "one", "its", "their", "this", "that", "where",
	"network", "mount", "pid", "user", "ipc", "host", "kubernetes", "given", "target", "specific", "certain",
	"separate", "dedicated", "isolation", "progress", "total", "general", "place", "turn", "error", "production",
	"question", "twice", "once", "again", "a", "an", "the", "some", "no", "path",
	"k8s", "minikube", "logs", "dmesg", "standby", "primary", "leader", "master", "replica", "running", "killed",
	"creating", "starting", "restarting", "stopping", "terminating", "waiting", "exiting", "dying", "hanging",
	"existing", "resulting", "remaining", "corresponding", "respective", "related", "associated", "underlying",
	"surviving", "whole", "complete", "faulty", "problematic", "offending"}
