package mention

import "regexp"

// restarting are the ways in which people say that something restarts.
const restarting = `(?:always|constantly|continuously|repeatedly|randomly|regularly|often) (?:restart|crash)(?:s|es|ed|ing)?|` +
	`(?:keeps?|kept)(?: on)? (?:restarting|crashing|dying|failing|exiting|completing|terminating|` +
	`(?:getting|being) (?:restarted|killed|terminated))|` +
	`(?:and|then|but)(?: (?:then|always|soon|immediately))? (?:gets?|got|is|was)(?: \w+ly)? restarted|` +
	`(?:constant|continuous|continual|repeated|infinite|frequent|random|endless|perpetual)(?:ly)? (?:being |getting )?` +
	`(?:restart|crash|kill)(?:s|ed|es|ing)?|` +
	`(?:restart|crash)(?:s|ed|es|ing)? (?:itself |itsel\w+ )?(?:constantly|continu?[io]+u?sly|repeatedly|frequently|randomly|` +
	`periodically|infinitely|forever|(?:several|many|multiple|\d+) times|again and again|over and over|every|in a loop)|` +
	`(?:multiple|several|many|frequent|[1-9]\d*) restarts|` +
	`force[sd]? the (?:pod|container) to (?:restart|be restarted)|` +
	`(?:pods?|containers?|it|they)[*_` + "`" + `]* (?:is|are|was|were|gets?|got|being)(?: being)?(?: automatically)? (?:restarted|killed)|` +
	`(?:is|are|was|were) (?:[a-z]+ly )?(?:dying|crashing|crash(?:ed)?[ -]looping)|` +
	`(?:pods?|containers?|they)[*_` + "`" + `]* (?:[a-z]+ly )?(?:restart(?:s|ed)?|crash(?:es|ed)?)`

// fullDisk is what of a machine's disk is full, by its other names.
const fullDisk = `(?:partition|file ?system|volume|root ?fs|var\S*)s?\b[^.;]{0,24}\bfull`

// spoken are the forms of people's own words about ends, in addition to the other table.
var spoken = []word{
	{ // of a probe that is said to fail or to be too strict
		says: regexp.MustCompile(`(?i)(?:\b|\x60)(live(?:li?)?ness(?:[ -]?\x60?[ -]?(?:probes?|checks?))?)\b`), event: "Unhealthy",
		as: "Liveness probe failed: as the text says", with: failing,
	},
	{
		says: regexp.MustCompile(`(?i)\b(SandboxChanged|pod sandbox (?:was |has |is )?changed|sandbox(?:es)? (?:\w+ )?not ?ready)\b`), event: "SandboxChanged",
		as: "Pod sandbox changed, it will be killed and re-created.",
	},
	{
		says: regexp.MustCompile("(?i)(?:\\b|`)(start-?up[ -]?`?[ -]?probes?)\\b"), event: "Unhealthy",
		as: "Startup probe failed: as the text says", with: failing,
	},
	{
		says: regexp.MustCompile(`(?i)\b(oom[ -]?kill(?:ed|ing|er|s)?|oom(?:s|ing|-?ed|'d| again| errors?| conditions?| issues?| events?)|` +
			`(?:goes|went|go|going|runs?|ran|running|hits?|gets?|got|is|are|due to|because of) (?:into |to )?(?:an? |the )?oom\b|` +
			`out[ -]?of[ -]?memory(?: conditions?| issues?| errors?| kill\w*)?|` +
			`(?:exceed|hit|reach|surpass)\w* (?:its |the |their )?memory limits?|memory limits? (?:is|was|are|were) (?:reached|exceeded|hit)|` +
			`killed (?:due to|because of|for) (?:too much |high |its )?memory|used up (?:its |the |all )?.{0,12}\bmemory)\b`),
		ended: "OOMKilled", but: regexp.MustCompile(ofHeap.String() + `|` + ofMachine.String()),
	},
	{ // a word of kubectl's, where a person names it
		says:  regexp.MustCompile(`\b(Init:Error|(?i:state|status|phase)(?: of| is|:| =)? ["'\x60*]*Error\b|(?i:\b(?:in|into|to|with|shows?|says?)) (?:an? |the )?["'\x60*]*Error["'\x60*]* (?i:state|status)\b)`),
		ended: "Error", but: ofEvent,
	},
	{ // daemons that kill before the kernel does
		says: regexp.MustCompile(`(?i)\b((?:kill|terminat|shot)\w* by (?:the )?(?:earlyoom|(?:systemd-)?oomd|nohang)|` +
			`(?:earlyoom|(?:systemd-)?oomd|nohang)\b[^.;]{0,24}\bkill(?:s|ed|ing)?)\b`), ended: "OOMKilled",
	},
	{ // who evicts through the API
		says: regexp.MustCompile(`(?i)\b((?:VPA|updater|descheduler|autoscaler|karpenter|rebalancer)\b[^.;]{0,24}` +
			`\bevict(?:s|ed|ing)\b[^.;]{0,24}\bpods?)\b`), event: "Evicted", as: "Evicted pod",
	},
	{ // of a limit that is too small, by what comes of it or by what mended it
		says: regexp.MustCompile(`(?i)((?:\blimits?\b[^.;]{0,40}\b(?:[1-9]\d* ?[MG]i?B?|memory|RAM)\b|\b(?:memory|RAM|[1-9]\d* ?[MG]i?B?)\b[^.;]{0,40}\blimits?\b)` +
			`[^.;]{0,40}\b(?:too (?:small|low|little|tight)|not enough|isn't enough|insufficient)\b|` +
			`\b(?:eats?|ate|us(?:es?|ed)|needs?|takes?|took|wants?)(?: up)? (?:more|too much|all(?: of)?(?: the| its)?) (?:memory|RAM)\b|` +
			`\b(?:gets?|got|goes|went|going|is|was|grows|grew) (?:over|above|beyond|past) (?:its |the |that |their |our )?(?:(?:memory )?limit|(?:memory |limit )?(?:of )?[1-9]\d* ?[MG]i?B?)\b|` +
			`\b(?:memory|RAM) (?:is|was) (?:at |up to )?(?:(?:about |nearly |almost )?100 ?%|(?:its|the) limit\b)|` +
			`\b(?:rais|increas|bump|doubl|lift)\w*\b[^;]{0,40}\b(?:limits?\.memory|memory limits?|limits?)\b[^.;]{0,20}\b[1-9]\d* ?[MG]i?\b)`),
		ended: "OOMKilled", but: ofHeap, with: gone,
	},
	{
		says: regexp.MustCompile(`(?i)\b(killed by the (?:kernel|OOM)|` +
			`(?:memory|RAM)\b[^.;]{0,40}\b(?:goes|went|grows|grew|rises|rose|climbs|gets|reach\w*|hits?) (?:up )?(?:to |at )?(?:(?:about |nearly |almost )?100 ?%|(?:its|the) limit\b))`),
		ended: "OOMKilled", but: ofHeap,
	},
	{
		says:  regexp.MustCompile(`(?i)\b(crash[ -]?loop(?:s|ed|ing)?(?:[ -]?back(?:[ -]?off)?)?|crash[ -]?back[ -]?off(?:-?loop)?)\b`),
		waits: "CrashLoopBackOff",
	},
	{says: regexp.MustCompile(`(?i)\b(exit(?:s|ed|ing)? (?:with )?(?:an? )?non[ -]?zero|fails to start)\b`), ended: "Error", but: ofCommand},
	{ // with a number in digits it is in the other table
		says: regexp.MustCompile(`(?i)\b((?:exit(?:s|ed|ing)?|terminat(?:es|ed|ing)|end(?:s|ed)) (?:[a-z]+ ){0,4}?zero|clean(?:ly)? exits?|` +
			`exit(?:s|ed|ing)? (?:cleanly|successfully|normally|\*successfully\*))\b`),
		ended: endsWith, but: ofOthers,
	},
	{ // a code of 0 in any words, of something that goes round
		says:  regexp.MustCompile(`(?i)\b(exit(?:s|ed|ing)?(?:[ -](?:code|status|with|of|is|was)){0,3}[ :='"\x60*]{1,3}(?:0|zero)\b|return(?:s|ed)? 0\b)`),
		ended: endsWith, with: goingRound,
		but: regexp.MustCompile(ofCommand.String() + `|(?i)\b(?:liveness|probes?|SIGTERM|kill(?:s|ed)?)\b`),
	},
	{ // the same of something that goes round
		says: regexp.MustCompile(`(?i)\b((?:keeps?|kept) (?:on )?exiting (?:with )?(?:exit )?(?:code|status) 0|` +
			`exit(?:s|ed) (?:with )?(?:exit )?(?:code|status) 0 (?:every|each|again|repeatedly|over and over|` +
			`(?:and|but) (?:then )?(?:gets|is|was|it) (?:always )?(?:re)?start))`), ended: endsWith,
	},
	{says: regexp.MustCompile(`(?i)\b((?:quits?|bails? out|dies|died|gives up|gave up|stops?|leaves) with (?:an? )?(?:(?:exit |error )?code |status )?[1-9]\d?)\b`),
		ended: "Error"},
	{
		says: regexp.MustCompile(`(?i)\b(post-?start(?:[ -]?(?:hooks?|handlers?|scripts?|commands?))?)\b`), event: "FailedPostStartHook",
		as: "PostStartHook failed", with: failing,
	},
	{ // the event's reason, and what old kubelets said: "PostStart handler: …" (kuberuntime_container.go, dockertools)
		says: regexp.MustCompile(`\b(FailedPostStartHook|PostStartHookError|PostStart handler: )`), event: "FailedPostStartHook",
		as: "PostStartHook failed", but: ofEvent,
	},
	{ // the reason of a Job or a pod; calls of gRPC have the same word
		says: regexp.MustCompile(`(?:\b|["'\x60*])(DeadlineExceeded)\b`), failed: "DeadlineExceeded",
		as: "Pod was active on the node longer than the specified deadline", with: regexp.MustCompile(`(?i)\b(?:jobs?|cron ?jobs?|pods?|workflows?)\b`),
		but: regexp.MustCompile(`(?i)\bcode\b|\brpc\b|\bgrpc\b|\bcontext\b|\brequests?\b|\bcalls?\b`),
	},
	{ // a status, which its word names, of something that goes round
		says:  regexp.MustCompile("(?:\\bstatus(?: of| is|:)? |\\b(?:in|to|as|says?|shows?|is|are) )?[`\"'*]*(Completed)[`\"'*]*(?: status| state|,? and|,? then| but| before| with exit code 0| ?(?:[-=]>|→|/)|$|[.,])"),
		ended: endsWith, with: goingRound,
	},
	{says: regexp.MustCompile(`(?i)\b(logs?\b[^.;]{0,40}\b(?:ends?|ended|stops?|stopped) (?:with|in|at) [^;]{0,60}` +
		`(?:error|exception|fatal|panic|denied|refused|not found|no such|cannot|failed))`), ended: endsCrash,
		but: regexp.MustCompile(`(?i)\b(?:no|any|without(?: an?)?) (?:\w+ )?(?:errors?|exceptions?|panic|sign|trace)\b`)},
	{says: regexp.MustCompile(`(?i)\b(panic(?:s|ked|king)?(?: error)?|seg(?:mentation )?[ -]?fault(?:s|ed|ing)?)\b`), ended: endsCrash, but: ofMachine},
	{ // an eviction, and what of the node ran out; memory comes last: people say that they had enough of it
		says:   regexp.MustCompile(`(?i)\b(empty-?dirs?|ephemeral[ -]storage|local storage|inodes?|(?:image|node|container|root)fs|Disk ?Pressure|disks?|` + fullDisk + `|no space left|storage (?:limit|usage)|sizeLimit)\b`),
		failed: "Evicted", as: "The node was low on resource: ephemeral-storage.", with: evicting, but: unpressed,
	},
	{
		says: regexp.MustCompile(`(?i)\b(PID ?Pressure|(?:out of|too many|all) (?:PIDs|processes))\b`), failed: "Evicted",
		as: "The node was low on resource: pids.", with: evicting, but: unpressed,
	},
	{
		says: regexp.MustCompile(`(?i)\b(memory)\b`), failed: "Evicted", as: "The node was low on resource: memory.", with: evicting,
		but: regexp.MustCompile(unpressed.String() + `|(?i)\b(?:below|plenty|enough|free|sufficient|available)\b`),
	},
	{
		says: regexp.MustCompile(`(?i)\b(?:is|are|was|were|been|being|gets?|got|getting|keeps? being) (evicted)\b|` +
			`\b((?-i:Evicted))\b`),
		failed: "Evicted", but: machineTaken,
	},
	{ // a node that is short of something, and what its kubelet does about it
		says: regexp.MustCompile(`(?i)\b(Memory ?Pressure)\b`), failed: "Evicted", as: "The node was low on resource: memory.",
		with: pushed, but: unpressed,
	},
	{
		says:   regexp.MustCompile(`(?i)\b(Disk ?Pressure|(?:fill\w*|runs?|ran|full)\b[^.;]{0,24}\bdisks?|disks?\b[^.;]{0,24}\b(?:full|fills? up|filled up)|` + fullDisk + `|ephemeral[ -]storage|evict(?:s|ed|ing|ions?)?\b.{0,80}\bdisk)\b`),
		failed: "Evicted", as: "The node was low on resource: ephemeral-storage.", with: pushed, but: unpressed,
	},
	{
		says: regexp.MustCompile(`(?i)\b(activeDeadlineSeconds)\b`), failed: "DeadlineExceeded",
		as: "Pod was active on the node longer than the specified deadline", with: gone,
	},
	{
		says: regexp.MustCompile(`(?i)\b((?:higher|bigger|greater) priorit(?:y|ies)|priority ?class\w*)\b`), event: "Preempted",
		as: "Preempted by another pod", with: regexp.MustCompile(`(?i)\b(?:push|kick|threw|throw|displac|preempt|evict)\w*\b|\b(?:was|were|got|gets?) removed\b|\b(?:make|made|needed) (?:the )?room\b`),
	},
	{ // a machine that its cloud takes back: it is shut down
		says:   machineTaken,
		failed: "Terminated", as: "Pod was terminated in response to imminent node shutdown.",
		but: regexp.MustCompile(`(?i)\b(?:handler|survive\w*)\b`),
	},
	{ // the controllers that change the image of a running pod (OpenKruise and its like), or a person does
		says:  regexp.MustCompile(`(?i)\b(in-?place(?:IfPossible|Only)?|(?:updat|upgrad|releas|chang)\w+ [^.]{0,40}\bin place)\b`),
		event: "Killing", as: "Container spec hash changed (its image)",
		with: regexp.MustCompile(`(?i)\bimage\b`), but: regexp.MustCompile(`(?i)\bresiz\w+|\bkubelet\b|\bVPA\b`),
	},
	{ // a check that has no other name, and what belongs to every probe
		says: regexp.MustCompile(`(?i)\b(health[ -]?checks?|the probes?|initialDelaySeconds)\b`), event: "Unhealthy",
		as: "Liveness probe failed: as the text says", with: again, but: readiness,
	},
	{
		says:  regexp.MustCompile(`(?i)\b(memory limits?\b[^.]{0,80}\bkill(?:ed|s)|kill(?:ed|s)\b[^.]{0,80}\bmemory limits?)\b`),
		ended: "OOMKilled", but: ofHeap,
	},
	{
		says: regexp.MustCompile(`(?i)\b(drain(?:ed|s|ing)?)\b`), event: "Evicted", as: "Evicted pod",
		with: regexp.MustCompile(`(?i)\b(?:(?:was|were|got|been|gets?|is|are) (?:evicted|terminated|killed|restarted|moved)|restarted|died)\b`),
		but:  regexp.MustCompile(`(?i)n't\b|\b(?:not|avoid|prevent|expected|on purpose|as planned)`),
	},
	{ // a pool of machines that is replaced
		says:  regexp.MustCompile(`(?i)\b((?:upgrad|updat|replac|recreat|roll|recycl)(?:ed|es|ing)\b[^.;]{0,24}\bnode ?(?:pool|group)s?|node ?(?:pool|group)s?\b[^.;]{0,24}\b(?:upgraded|updated|replaced|recreated|rolled|recycled))\b`),
		event: "Evicted", as: "Evicted pod", with: gone,
	},
	{ // a node that is taken away, with what ran on it
		says: regexp.MustCompile(`(?i)\b((?:gone|disappear\w*|vanish\w*|lost|deleted|removed|went away)` +
			`(?: together| along)? with (?:its|their|the|that|this) (?:whole )?` + machines + `\b|` +
			machines + `(?: [\w.-]+)? (?:is|are|was|were|gets?|got|being|been) (?:\w+ly )?(?:auto-?)?` +
			`(?:deleted|re-?created|replaced|terminated|removed|recycled)\b|` +
			`(?:auto-?)?(?:deletion|re-?creation|replacement|termination) of (?:the |its |their |our )?` + machines + `)`),
		event: "Killing", as: "Need to kill Pod", deleted: true, place: true,
		with: regexp.MustCompile(`(?i)\b(?:` + goes + `|disappear\w*|vanish\w*|lost)\b`),
	},
	{says: regexp.MustCompile(`(?i)\b(preempted by)\b`), event: "Preempted", as: "Preempted by another pod",
		but: machineTaken},
	{says: regexp.MustCompile(`(?i)\b((?:after|following|since|on) (?:an? |the |every |each )?(?:\w+ )?reboot(?:s|ed|ing)?|` +
		`(?:node|host|server|machine|worker|VM)s? (?:\w+ )?(?:was |were |is |has been |had been |got )?reboot(?:s|ed|ing)?|` +
		`reboot(?:ed|ing) (?:\w+ ){0,3}(?:nodes?|hosts?|servers?|machines?|workers?|VMs?))\b`), ended: endsBare},
	{ // a machine that restarts of itself
		says: regexp.MustCompile(`(?i)\b((?:nodes?|hosts?|servers?|machines?|VMs?) (?:(?:is|are|was|were|gets?|got|keeps?|kept) )?(?:` +
			ofItself + ` (?:re-?start|re-?boot|crash)(?:s|es|ed|ing)?|(?:re-?start|crash)(?:s|es|ed|ing)? ` + ofItself + `))\b`),
		ended: endsBare,
	},
	{says: regexp.MustCompile(`(?i)\b(` + restarting + `)\b`), ended: endsBare},
}

// ofOthers matches what is said of the processes beside the one that ended.
var ofOthers = regexp.MustCompile(`(?i)\b(?:the )?others? (?:\w+ )?(?:process\w*|containers?|pods?|workers?|threads?|jobs?)\b`)

// ofItself is how something happens that nobody wanted.
const ofItself = `(?:sudden(?:ly)?|random(?:ly)?|spontaneous(?:ly)?|unexpectedly|sporadically|(?:by|of) (?:itself|themselves)|at random|without (?:any )?(?:reason|warning))`

// machineTaken matches a machine of which a cloud says that it takes it back.
var machineTaken = regexp.MustCompile(`(?i)\b((?:spot|preemptible|low-priority) (?:instances?|nodes?|VMs?|machines?)\b[^.]{0,40}\b(?:evicted|preempted|reclaimed|` +
	`interrupted|taken (?:away|back)|terminated)|(?:evict|preempt|reclaim|interrupt)(?:s|ed|ing|ions?)? (?:of )?(?:the |our |a )?(?:spot|preemptible) (?:instances?|nodes?|VMs?)|` +
	`(?:node|instance|VM|machine)s? (?:\w+ ){0,2}?(?:pre-?empted|reclaimed))\b`)

// ofMachine matches a panic of what containers live by.
var ofMachine = regexp.MustCompile(`(?i)\bkernel\b[^.;]{0,16}panic|\b(?:dockerd|docker daemon|containerd|cri-?o|kubelet|node)` +
	`(?:\.service)?(?: itself)?(?: \w+){0,2} (?:panic|seg(?:mentation )?[ -]?fault|OOM|crash|(?:is|was|got|gets) (?:OOM[ -]?)?kill)`)

// ofHeap matches messages of a runtime whose own heap is full, whatever the container's limit.
var ofHeap = regexp.MustCompile(`(?i)\bheap (?:limit|out of memory|space)|java\.lang\.OutOfMemoryError`)

// goingRound are words in a sentence about something that completes and is started again.
var goingRound = regexp.MustCompile(`(?i)\b(?:crash ?loop\w*|back-?off\w*|restart\w*|re-?starts?|again|immediately|directly|instantly|(?:right|straight) away|at once|loops?|repeatedly|starts? over)\b`)

// again are words in a sentence about a kubelet that ends a container because of its probe; readiness never ends one.
var (
	again     = regexp.MustCompile(`(?i)\b(?:(?:restart|kill)(?:s|ed|ing)?|start(?:s|ed) (?:it |them )?(?:again|over))\b`)
	readiness = regexp.MustCompile(`(?i)readiness`)
)

// failing are words in a sentence about a probe that failed.
var failing = regexp.MustCompile(`(?i)\b(?:fail(?:s|ed|ing|ures?)?|gives? up|gave up|tim(?:es?|ed|ing)[ -]?outs?|timeouts?|restart\w*|kill\w*|` +
	`(?:increas|rais|bump|extend|relax)\w*|fix(?:es|ed)?|solve[sd]|schlägt|fehl\w*|nur \d+|échou\w*|falla\w*|` +
	`too (?:short|tight|strict|aggressive|early|low|small|soon)|not long enough|nothing else|the only (?:change|difference|thing)|` + goes + `)\b|失败|超时|失敗`)

// goes are the verbs with which people say that something ends, or begins again; gone matches any of them.
const goes = `kill\w*|terminat\w*|restart\w*|crash\w*|evict\w*|shoots?|shot|die[sd]?|dead|dying|recycle[sd]?|bounce[sd]?|flap(?:s|ped|ping)?|reboots?|thrown? (?:away|out)|throws?|` +
	`kick(?:s|ed) (?:\w+ ){0,3}?(?:out|off)|take[sn]? (?:\w+ )?(?:down|out)|took (?:\w+ )?down|shuts? (?:\w+ )?down|start(?:s|ed|ing)? (?:over|again|anew|from scratch)|` +
	`begins? (?:anew|again|from scratch)|cut (?:off|short)|gone|loops?|(?:is|was|were|it's|goes|went) down|` +
	`never (?:gets?|comes?|makes|is|been) (?:up|through|ready|there|it)|no more restarts`

var gone = regexp.MustCompile(`(?i)\b(?:` + goes + `)\b`)

// evicting are words for what a kubelet does then.
var evicting = regexp.MustCompile(`(?i)\bevict(?:s|ed|ing|ions?)?\b|\bthrown? out by (?:the )?kubelet\b`)

// unpressed is a node's condition that does not hold.
var unpressed = regexp.MustCompile(`(?i)pressure["']?\s*[:=]?\s*["']?(?:false|unknown|no)\b`)

// pushed are words in a sentence about pods that have to leave a node.
var pushed = regexp.MustCompile(`(?i)\b(?:evict\w*|kick(?:s|ed|ing)?|throw[sn]?|threw|remov(?:es?|ed|ing)|kill(?:s|ed|ing)?|push(?:es|ed)?|gone|pods? (?:die|died|dies)|out)\b`)

// reported are beginnings of program messages with such words.
var reported = regexp.MustCompile(`Pod was active on the node longer|Pod sandbox changed|Job failed|Perhaps out of memory|node had condition|was low on resource|RestartPolicy says|probe (?:failed|errored)`)

// subject are words without which a text is not about containers.
var subject = regexp.MustCompile(`(?i)\b(?:pods?|containers?|kube\w*|coredns|k8s|openshift|deployments?|statefulsets?|daemonsets?|` +
	`crash ?loop\w*|container ?creating|oom ?killed|progress ?deadline\w*|MinimumReplicas\w*|ContainerStatusUnknown|` +
	`ready\s+status\s+restarts|name ?space|liveness\w*|startup[ -]?probes?|initialDelaySeconds|failureThreshold|` +
	`activeDeadlineSeconds|DeadlineExceeded|BackoffLimit\w*|oom[ -]?kill\w*|init[ -]?containers?|post-?start\w*|FailedPostStartHook|minikube|k3s|k3d|rke2|microk8s|talos|(?:disk|memory|PID) ?pressure|cron ?jobs?|memory limits?|limits?\.memory|[1-9]\d*[MG]i|VPA|[EA]KS|GKE|node pools?|pod_\w+|docker\w*|podman|cri-?o|containerd|compose|nomad|` +
	`fargate|ecs|helm|kured|descheduler|argo\w*|airflow|tekton|karpenter|nodeclaims?|sidecars?|celery|gunicorn|uwsgi|jupyter\w*|` +
	`WorkerLostError|heapster)\b|` +
	`容器|コンテナ|컨테이너|(?:^|\s)(?:под|контейнер)\p{L}{0,3}\s|contenedor|conteneur|(?i:kontene?r|konteyner|contêiner)`)

// turn matches the beginning of one person's part in a conversation: a time, or who asks and who answers, maybe after a
// name.
var turn = regexp.MustCompile(`^\W{0,3}(?:(?:\d\S{3,9},? )?\d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?\]? +<?[\w.@ -]{1,24}>?: |[QA]: |` +
	`[\w.@* -]{1,24}(?:  | (?:—|-) \w+ at )\d\d?:\d\d(?: ?[AP]M)?\s*$)`)

// conditional matches what makes all of a sentence one about what may happen, or about what is meant to.
var conditional = regexp.MustCompile(`(?i)\b(?:if|whenever|in case|for example|e\.g\.|how to|what is|difference between|` +
	`(?:an?|any|every|each) (?:pod|container|process|node) (?:that|which|whose)|when (?:does|do|will)|(?:fires|triggers) (?:when|after)|troubleshoot\w*)\b|(?i:^\W*look for\b)`)

// asking matches words by which a person asks for help, or doubts, behind what happened; sighted those before it.
var (
	asking = regexp.MustCompile(`(?i)\b(?:(?:let (?:me|us) know|tell me|(?:not|un|n't) ?sure|unclear|no idea|` +
		`wonder(?:ing)?|(?:check|see|know|find out)(?:ing|ed)?) (?:if|whether|how|what)\b.*|` +
		`if (?:you|any(?:one|body)|some(?:one|body)) (?:need|want|like|know|prefer|ha(?:s|ve)|can|could)\b.*|` +
		`(?:if|as|when) (?:(?:it|that|this|more)(?: is|'s)? )?` +
		`(?:needed|necessary|required|possible|helpful|useful|wanted|relevant|helps)\b|` +
		`(?:any|with|for|appreciate) (?:of )?your (?:help|time|advice|input|support|ideas?|thoughts?)\b|` +
		`as you (?:can )?see\b|help you\b)`)
	// ofOwn is a condition of the writer's own, who tried it, or none; and what dockerd adds to an error.
	ofOwn = regexp.MustCompile(`(?i)\b(?:if (?:I|we|my|our)|whenever|(?:even|as|only) (?:if|though))\b|` +
		`\bYou have to remove (?:\(or rename\) )?that (?:sandbox|container)\b`)
	sighted = regexp.MustCompile(`(?i)\bas you (?:can )?see\b`)
)
