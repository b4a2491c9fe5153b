package mention

import "regexp"

const (
	// leaves are verbs of pods that have to go; ends those with which they end in any way.
	leaves = `evict(?:s|ed|ing|ions?)?|re-?schedul(?:e[sd]?|ing)|delet(?:e[sd]?|ing|ions?)|remov(?:e[sd]?|ing|al)|terminat(?:e[sd]?|ing|ion)|` +
		`mov(?:e[sd]?|ing)|(?:kick|push|throw)(?:s|ed|n|ing)?|disrupt(?:s|ed|ing|ions?)?|interrupt(?:s|ed|ing|ions?)?|drain(?:s|ed|ing)?|displac\w+|` +
		`gone|lost|outages?|downtime|unavailab\w+|vanish\w*|disappear\w*|(?:goes|went|go|going|is|was|are|were|come|took \w+|taken) (?:\w+ )?down|` +
		`replac(?:e[sd]?|ing)|re-?creat(?:e[sd]?|ing|ion)|shuts? ?down|cull(?:s|ed|ing)?|shuffl\w+|bounc\w+`
	// taken are verbs of pods that something ends from outside: one that crashes does so by itself.
	taken    = leaves + `|kill(?:s|ed|ing)?|restart(?:s|ed|ing)?|stop(?:s|ped|ping)?`
	finishes = taken + `|flap(?:s|ped|ping)?|die[sd]?|dying|crash(?:es|ed|ing)?|exit(?:s|ed|ing)?|ended`
	// theNode are words for a machine, as its cloud and its owner call it.
	theNode = `(?:(?:worker|master|control[- ]plane|compute|edge|bare[- ]metal|k8s|host)[ -]?)?` + machines
)

// blames are the families, the surest words first.
var blames = []word{
	{ // reasons that only a kubelet gives that takes no pod
		says: regexp.MustCompile(`\b(OutOf(?:[Cc][Pp][Uu]|[Mm]emory|[Pp]ods|ephemeral-storage)|MatchNodeSelector|UnexpectedAdmissionError|TopologyAffinityError|` +
			`PodFitsHostPorts|PodToleratesNodeTaints|TaintToleration)\b`),
		sure: true,
		but: regexp.MustCompile(`(?i)predicates?:|\bplugins?\b|\bweights?\b|\bscheduler'?s? (?:config|profile|policy)\w*|nodes? (?:are|is) available|OutOfMemory ?(?:Error|Exception)|` +
			`\bdocs?\b|\bdocumentation|\bas a reason\b|\b(?:is|are) (?:an?|the|one) (?:\w+ )?(?:name|word|reason)s?\b|^\W*(?:is|are|does|do|can) .*\?`),
		failed: "$",
	},
	{ // the same as the kubelet words it (topologymanager/scope.go)
		says: regexp.MustCompile(`(?i)\b(topology affinity error)\b`), sure: true,
		failed: "TopologyAffinityError",
	},
	{ // the kubelet's word for a container that the runtime has no more
		says: regexp.MustCompile(`(?i)\b(container ?status ?unknown)\b`), sure: true,
		but:   evicting, // what became of it is told then
		ended: "ContainerStatusUnknown",
	},
	{ // the same reason, which is a plugin of the scheduler too
		says: regexp.MustCompile(`(?i:\b(?:in|status|state|with|as|shows?|of|reason|to)[\W_]{1,4})(Node ?Affinity)\b|` +
			`\b(NodeAffinity)[\W_]{1,3}(?i:status|state|error)\b`),
		with:   regexp.MustCompile(`(?i)\b(?:status|state|stuck|fail(?:s|ed|ing)?|reject\w*|terminated|shows?)\b`),
		but:    regexp.MustCompile(`\b(?i:plugin|scheduler|UI|spec|rules?|terms?|required\w*|preferred\w*)\b`),
		failed: "NodeAffinity",
	},
	{ // a kubelet that hashes containers otherwise than the one before it
		says: regexp.MustCompile(`(?i)\b(definition changed|(?:containers?|pods?|kubelet)(?:'s)?\b[^.;,:]{0,40}\bhash(?:es)?\b[^.;,:]{0,40}\bchanged?|` +
			`(?:hash(?:es)?\b[^.;,:]{0,16}\bchanged?|changed hash(?:es)?)\b[^.;]{0,60}\b(?:containers?|pods?|kubelet)|hash(?:es)? of (?:\w+ ){0,2}(?:containers?|pods?)\b[^.;,:]{0,40}\bchanged?)\b`),
		with:  regexp.MustCompile(`(?i)\b(?:upgrad|updat)(?:e[sd]?|ing)\b`),
		but:   regexp.MustCompile(`(?i)\b(?:configmap|secret|annotation|checksum|git|commit|password|image)\b`),
		ended: endsBare,
	},
	{ // the process that holds a pod's sandbox
		says:  regexp.MustCompile(`(?i)\b((?:pause|infra|sandbox) (?:container|process)(?:es|s)?\b[^.;]{0,32}\b(?:kill(?:s|ed)?|exit(?:s|ed)?|die[sd]?|dead|crash(?:es|ed)?|gone|stopped|removed))\b`),
		event: "SandboxChanged", as: "Pod sandbox changed, it will be killed and re-created.",
	},
	{ // what a container lacks to be made
		says: regexp.MustCompile("(?i)\\b((?:secrets?|configmaps?) [`\"']?[\\w.-]+[`\"']? (?:is |was |were |does |do |could )?(?:not found|missing|not exist|n[o']t exist|doesn't exist|not be found)|" +
			"hostPath type check failed)"),
		with:  regexp.MustCompile(`(?i)\b(?:never|not|can ?not|can't|won't|fail\w*|unable)(?: to)? (?:be |get )?(?:created?|start(?:s|ed)?)|\bCreateContainerConfigError|\bstuck\b`),
		but:   regexp.MustCompile(`(?i)\b(?:operator|controller|ingress|issuer|certificate|reconcil\w+)\b`),
		waits: "CreateContainerConfigError",
	},
	{ // a machine that its cloud takes back
		says: regexp.MustCompile(`(?i)\b((?:spot|preemptible|low[- ]priority)(?: (?:\w+ )?(?:instances?|nodes?|VMs?|machines?))? ?(?:pre-?empti\w+|interrupt\w+|terminat\w+|reclaim\w*|evict\w+)|` +
			`(?:pre-?empt\w*|interrupt\w+|reclaim\w*|terminat\w+|evict\w+|tak\w+ (?:away|back)|stopp\w+|loses?|lost|shuts? ?down)\b[^.;]{0,24}\b(?:spot|preemptible)(?: (?:instances?|nodes?|VMs?|machines?|pools?))?|` +
			`(?:spot|preemptible)\b[^.;]{0,40}\b(?:pre-?empt(?:s|ed|ing|ions?)|interrupt(?:s|ed|ions?)|reclaim(?:s|ed)?|terminat(?:es|ed|ions?)|evicted|taken (?:away|back)|stopped|lost)|` +
			`(?:node|instance|VM|machine)s? (?:\w+ ){0,2}?(?:pre-?empted|reclaimed)\b)`),
		with:   regexp.MustCompile(`(?i)\b(?:` + taken + `|stuck|Unknown|Terminating|fail(?:s|ed|ures?))\b`),
		but:    regexp.MustCompile(`(?i)\b(?:handler|prices?|cache)\b`),
		apart:  true,
		failed: "Terminated", as: "Pod was terminated in response to imminent node shutdown.",
	},
	{ // a node that shuts down in good order
		says:   regexp.MustCompile(`(?i)\b(graceful(?:ly)? (?:node )?shut ?down|(?:node )?shut ?down (?:\w+ ){0,3}gracefully|shutting down (?:\w+ ){0,3}gracefully|NodeShutdown|shutdownGracePeriod\w*)\b`),
		with:   regexp.MustCompile(`(?i)\b(?:` + taken + `|status|Completed|Error|Failed|Terminated)\b`),
		apart:  true,
		but:    regexp.MustCompile(`(?i)\b(?:app(?:lication)?|process|server|SIGTERM|preStop|container)\b`),
		failed: "Terminated", as: "Pod was terminated in response to imminent node shutdown.",
	},
	{ // a kubelet that makes room
		says:   regexp.MustCompile(`(?i)\b(kubelet\b[^.;]{0,24}\bpre-?empt(?:s|ed|ing))\b`),
		failed: "Preempting", as: "Preempted in order to admit critical pod",
	},
	{ // the scheduler's
		says: regexp.MustCompile(`(?i)((?:\bpods?\b|\bjobs?\b|\bworkloads?\b|\bthey\b|\bit\b)[^.;]{0,24}\b(?:is|are|was|were|been|being|gets?|got|getting) (?:\w+ )?pre-?empted\b|` +
			`\bpre-?empt(?:s|ed|ing)\b[^.;]{0,24}\bpods?\b|\bscheduler\b[^.;]{0,40}\b(?:pre-?empt|evict)(?:s|ed|ing)\b[^.;]{0,24}\b(?:pods?|jobs?|workloads?|it|them)\b|\bpriorit(?:y|ies|yClass\w*)\b[^.;]{0,40}\bpre-?empt\w*|` +
			`\bpre-?empti(?:on|ng)\b[^.;]{0,40}\b(?:priorit\w+|scheduler)\b|` +
			`\b(?:unnecessar\w+|unexpected|unwanted) pre-?empti\w+|\b(?:terminated|killed|deleted|evicted|removed) by (?:the )?(?:kube-)?scheduler\b)`),
		event: "Preempted", as: "Preempted by another pod",
	},
	{ // a taint that no running pod may ignore, and the controllers that look for it
		says:  regexp.MustCompile(`(?i)\b(NoExecute\b|taint[- ]?(?:manager|eviction\w*|based)|TaintManager\w*|TaintBasedEviction\w*|tolerationSeconds|node[- ]?lifecycle[- ]?controller|taint(?:s|ed|ing)\b[^.;]{0,60}\bnodes?|nodes? (?:\w+ )?(?:is|are|was|were|gets?|got) tainted)`),
		with:  regexp.MustCompile(`(?i)\b(?:` + leaves + `|kill(?:s|ed|ing)?)\b`),
		apart: true,
		but:   regexp.MustCompile(`\bNoSchedule\b|\bCancelling\b`),
		event: "TaintManagerEviction", as: "Marking for deletion Pod",
	},
	{ // the same of a node that is not heard of, whose pods go after five minutes
		says: regexp.MustCompile(`(?i)\b(` + theNode + `\b[^.;]{0,32}\b(?:not ?ready|unreachable|(?:lost|loses?|lose|losing) (?:its |the |their )?(?:contact|connect\w+|network)|disconnect\w*|partition\w*)\b|` +
			`(?:not ?ready|unreachable|disconnected|partitioned) (?:\w+ )?` + machines + `\b)`),
		with:  regexp.MustCompile(`(?i)\b(?:evict(?:s|ed|ing|ions?)?|delet(?:e[sd]?|ing|ion)|re-?schedul(?:e[sd]|ing)|removed|moved|terminated)\b`),
		but:   regexp.MustCompile(`(?i)\b(?:not|never|n't) (?:being |get |been )?(?:evict|delet|resched|mov)\w*`),
		event: "TaintManagerEviction", as: "Marking for deletion Pod",
	},
	{ // what moves pods through the API
		says: regexp.MustCompile(`(?i)\b(karpenter|consolidat(?:e[sd]?|ing|ion)|expireAfter|(?:cluster[- ]?)auto-?scaler|descheduler|VPA|vertical[- ]?pod[- ]?autoscal\w+|` +
			`(?:the |vpa[- ])updater|re-?balanc(?:e[sd]?|er|ing)|scal(?:e[sd]?|ing)[ -]?(?:in|down) (?:of )?(?:the |its |a |our )?nodes?|scal(?:e[sd]?|ing) (?:\w+ ){0,2}nodes? (?:in|down)|(?-i:CA)\b[^.;]{0,40}\b(?:scal|evict|remov|drain)\w*|cast\.?ai|(?:node )?drift(?:ed)?|` +
			`scal(?:e[sd]?|ing)[ -]?(?:in|down)\b[^.;]{0,40}\b(?:ASG|node ?(?:pool|group)s?)|(?:ASG|node ?(?:pool|group)s?)\b[^.;]{0,40}\bscal\w+[ -]?(?:in|down)|` +
			`drain(?:s|ed|ing)?\b[^.;]{0,60}\b(?:` + machines + `)|` + machines + `\b[^.;]{0,40}\bdrain(?:s|ed|ing)?|kubectl drain|cordon(?:s|ed|ing)?|` +
			`(?:node )?auto-?repair\w*|PDBs?|pod ?disruption ?budgets?|disruption budgets?|eviction API|draino|kured|safe-to-evict)\b`),
		with: regexp.MustCompile(`(?i)\b(?:` + taken + `)\b`), apart: true,
		but: regexp.MustCompile(`(?i)\b(?:horizontal\w*|HPA|recommender|autoscaler(?:'s)? (?:pods?|containers?|itself|crash\w*|is|was|keeps)|karpenter(?:'s)? (?:pods?|controller|itself|crash\w*|keeps (?:restart|crash|dying)\w*|restart\w*)|` +
			`(?:can ?not|can't|could ?n.t|unable to|fail(?:s|ed|ing)? to|block(?:s|ed|ing)?|refus\w+|never|not|doesn't|didn't|won't) (?:be )?(?:\w+ )?(?:drain|evict|consolidat|scal|remov)\w*|partitions?|consumers?|kafka|librar(?:y|ies)|queues?|connections?|deprecated in v\d)`),
		event: "Evicted", as: "Evicted pod",
	},
	{ // the autoscaler that takes a node away, whatever runs on it
		says: regexp.MustCompile(`(?i)\b((?:(?-i:CA)|auto-?scaler|karpenter)\b[^.;]{0,32}\b(?:kill|tak|delet|remov|terminat|scal)(?:e?s|es|ed|ing)` +
			`(?: \w+){0,3} (?:nodes?|instances?)(?: away)?)\b`),
		with:  regexp.MustCompile(`(?i)\b(?:pods?|jobs?|containers?|drivers?|workloads?)\b`),
		but:   regexp.MustCompile(`(?i)\b(?:not|no|never|cannot|fail(?:s|ed)? to|keep running)\b|n't\b`),
		event: "Evicted", as: "Evicted pod",
	},
	{ // an upgrade of machines, which replaces them
		says: regexp.MustCompile(`(?i)((?:\bupgrad|\bupdat|\brotat|\broll|\breplac|\brecycl|\bmaintenance|\bpatch)\w*\b[^.;]{0,32}\b(?:clusters?|node ?(?:pool|group)s?|nodes|AKS|EKS|GKE|k3s|rke2?|machine ?(?:set|deployment|config)s?|AMIs?|node images?)\b|` +
			`\b(?:clusters?|node ?(?:pool|group)s?|nodes?|AKS|EKS|GKE|k3s|rke2|k8s|kubernetes)[ -](?:version |image |OS |auto-?|automatic )*(?:upgrad|updat|rotat|rollout|replac|maintenance)\w*)`),
		with:  regexp.MustCompile(`(?i)\b(?:` + leaves + `)\b`),
		apart: true,
		but:   regexp.MustCompile(`(?i)\b(?:kubelet|in[- ]place|helm (?:chart )?upgrade|chart)\b`),
		event: "Evicted", as: "Evicted pod",
	},
	{ // a node that went down, in whatever way
		says: regexp.MustCompile(`(?i)\b(` + theNode + `\b[^.;]{0,60}\b(?:crash(?:es|ed|ing)?|(?:goes|went|go|is|was|are|were|going) (?:\w+ )?(?:down|off|offline|dead|dark)|down|power(?:s|ed|ing)?[ -]?(?:off|down)|power[ -]?cycl(?:e[sd]?|ing)|power ?(?:loss|off|down|cut)|hung|froze|frozen|fail(?:s|ed|ures?)|dies|died|` +
			`(?:lost|loses) power|unplugged|(?:hard[ -])?reset|off-?line|reboot(?:s|ed|ing)?|restart(?:s|ed|ing)?|shut(?:s|ting)? ?down|kernel panic)|` +
			`power (?:outage|cut|failure|loss|maintenance|(?:went|goes|has gone|was|is) (?:off|out|away))|black-?out|pull\w* the plug|(?:shut(?:s|ting)? ?down|power(?:ed|ing)?[ -]?(?:off|cycl\w*)|reboot(?:s|ed|ing)?|reset(?:ting)?|unplug\w*|restart(?:s|ed|ing)) (?:of )?(?:\w+ ){0,3}` + theNode + `)\b`),
		with:  regexp.MustCompile(`(?i)\b(?:` + finishes + `|unknown|stuck|restarts?|terminating|not (?:\w+ )?(?:re-?created|rescheduled|recover\w*)|never (?:\w+ )?(?:re-?created|rescheduled))\b`),
		but:   regexp.MustCompile(`(?i)(?:host|cluster) is down["”']|connect: host|\b(?:days|weeks|months) (?:since|after|ago)\b|\b(?:monitoring|SMTP)\b|\b(?:postgres|redis|mysql|mongo|elastic\w*|kafka|cassandra|etcd|api|web|app|db|database|proxy|mail|jenkins|build)[ -](?:server|host|node|instance|worker)s?\b|\bserver (?:process|is down|error)|\bworker (?:process|thread)`),
		place: true,
		ended: endsBare,
	},
	{ // runtimes and hands: what they did is in the sentence
		says: regexp.MustCompile(`(?i)\b((?:containerd|dockerd|docker (?:daemon|engine|service)|docker|cri-?o|container runtime)(?:\.service)?\b[^.;]{0,40}?\b(?:restart|upgrad|updat|crash|panic|stopp|kill|reinstall|shut|died|hang)\w*|` +
			`(?:restart|upgrad|updat|crash|stopp|reinstall)\w* (?:of )?(?:the )?(?:containerd|docker|cri-?o|container runtime)|systemctl (?:restart|stop) (?:docker|containerd|crio)|` +
			`snapd? (?:\w+ ){0,2}?refresh\w*|kill -(?:9|KILL|SIGKILL)|pkill|killall|crictl (?:stop|rm|stopp|rmp)|docker (?:kill|stop|rm)|ctr t(?:asks?)? kill|` +
			`kill(?:s|ed|ing)? the (?:[\w-]+ )?(?:shim|container(?:'s)? process|pause)|shim\b[^.;]{0,24}\bkilled|chaos[ -]?\w*|falco|EDR|antivirus|crowdstrike|security agent)\b`),
		with:  regexp.MustCompile(`(?i)\b(?:` + finishes + `|loops?|(?:come|comes|came|goes|went) back|starts? (?:it |them )?again)\b`),
		but:   regexp.MustCompile(`(?i)\bdocker (?:compose|hub|images?|desktop|build|pods?|containers?)\b`),
		ended: endsBare,
	},
	{ // whoever deletes pods and makes others
		vague: true,
		says: regexp.MustCompile(`(?i)((?:\bpods?\b|\bservers?\b|\bnotebooks?\b|\brunners?\b|\bagents?\b|\b(?:running|existing|active|all|our|my)(?: \w+)? jobs\b)[^.;,]{0,40}\b(?:(?:is|are|was|were|been|being|gets?|got|getting|keeps?|kept|to be)(?: being| getting| \w+ly| always| then| all)* |(?:constant|continuous|repeated|random|unexpected|frequent|sudden)ly (?:being )?)` +
			`(?:(?:deleted|culled|pruned|reaped|garbage[- ]collected|scaled (?:in|down|to)|re-?created|rolled|replaced)\b|(?:terminat|kill|remov)ed (?:and re-?created|by (?:the |our |a |my )?(?:[\w-]+ )?(?:operator|controller|autoscaler|HPA|KEDA|hub|plugin|script|job)))|` +
			`\b(?:delet|cull|prun|reap|re-?creat|replac|garbage[- ]collect)(?:e[sd]?|s|ed|ing|ion)\b[^.;,]{0,32}\b(?:pods?|(?:notebook|single-?user)s? servers?|notebooks|runners)\b|` +
			`\b(?:operator|controller|plugin|helm|argo ?cd|flux|keda|hpa|jenkins|hub|culler|someone|somebody|colleague|admin\w*|script)\b[^.;,]{0,40}\b(?:delet|cull|prun|re-?creat|terminat|remov|replac)(?:e[sd]?|s|ed|ing)\b(?:[^.;,]{0,32}\b(?:pods?|agents?|runners?)| (?:it|them))\b|` +
			`\b(?:scal(?:e[sd]?|ing)(?: (?:it|them))?(?: back)?[ -]?(?:in|down)|down-?scal(?:e[sd]?|ing))\b|\bcull(?:s|ed|ing|er|ers)?\b|\bchaoskube\b|\bkube-?monkey\b|` +
			`\b(?:delet|re-?creat|terminat)(?:es?|ing) (?:and|/|then) (?:delet|re-?creat|re-?start)(?:es?|s|ing)?\b|` +
			`\bpods? (?:\w+ly )?deleted (?:about|within|by|while|during|immediately)\b|` +
			`\b(?:HPA|horizontal pod autoscaler|KEDA)\b[^.;,]{0,40}\bscal(?:e[sd]?|ing)\b|\bscal(?:e[sd]?|ing)[ -]?(?:in|down|to (?:zero|0))\b[^.;,]{0,40}\b(?:deployments?|statefulsets?|replicas?|pods?|runners?)\b|` +
			`\b(?:pods?|runners?|agents?)(?: (?:created|made|started|of|from|by|in)(?: [\w-]+){1,4}?)?(?: (?:are|is|keep|\w+ly|just|then|all|always|often|sometimes|also|has|have|had|will|that|which|would))* (?:disappear|vanish)(?:e?s|ed|ing)?\b|` +
			`\b(?:deployments?|statefulsets?|replicas?)\b[^.;,]{0,24}\bscaled? (?:in|down|to (?:zero|0))\b|` +
			`\b(?:rolling[ -]?(?:updates?|upgrades?|restarts?)|roll-?outs?(?: restarts?)?|rolling (?:the |our |all )*(?:pods|deployments?))\b|\bconcurrencyPolicy\b[^.;]{0,16}\bReplace\b)`),
		with: regexp.MustCompile(`(?i)\b(?:` + finishes + `|pruned?|prunes)\b`),
		but: regexp.MustCompile(`(?i)\b(?:disappear|vanish)\w* (?:from|in|on|off) (?:the |my |our )?(?:\w+ )?(?:lists?|views?|UI|tables?|dashboards?|grafana|lens|k9s|pages?|screen|console|tree|menu|output|metrics|prometheus)\b|` +
			`\b(?:crash\w*|panics?|panicked|exits?|exited|dies|died) (?:\w+ )?(?:when|while|whenever|(?:each|every) time|if|as|after)\b|` +
			`\b(?:node|cluster|machine)s? (?:\w+ )?(?:crash|fail|down|reboot)\w*|\b(?:image|evict\w*|one by one)\b|\b(?:not|never|n't|un)[ -]?(?:being |be |get |been )?(?:re-?creat|delet|replac|remov)\w*|` +
			`\b(?:I|we) (?:then |have to |had to |manually |must )*(?:delete|deleted|remove|removed|recreate|recreated|scaled?|rolled)\b|\b(?:deleting|recreating) (?:the |these |those )?pods? (?:helps?|fixes|works|solves)`),
		event: "Killing", as: "Need to kill Pod", deleted: true,
	},
	{ // two names for each cgroup
		says: regexp.MustCompile(`(?i)(\bcgroup[- ]?drivers?\b|\bSystemdCgroup\b|\bnative\.cgroupdriver\b)`), anywhere: true,
		with:  regexp.MustCompile(`(?i)\b(?:` + finishes + `|crash ?loop\w*|loops?)\b`),
		ended: endsBare,
	},
}
