package mention

import "regexp"

// troubled are words of a person who asks why, and the reasons of containers, pods and events that mean trouble
// (k8s.io/kubernetes pkg/kubelet/events/event.go, pkg/kubelet/container/sync_result.go, k8s.io/api core/v1): they say
// that something ended or does not run, and not how.
var troubled = regexp.MustCompile(`\b(?i:` + falls + `|(?:can ?not|can't|could not|couldn't|unable to|not able to) be (?:re)?(?:started|created)|die|kills?|OOM[ -]?\w*|re-?start(?:s|ed|ing)?|crash(?:es|ed|ing)?|kill(?:s|ed|ing)|` +
	`terminat(?:ed|ing)|exit(?:s|ed|ing)|evict(?:ed|ing|ion)|oom|back-?off|unhealthy|panic(?:ked)?|died|dead|stuck|` +
	`not running|not ready|unable to start|(?:failed|fails|failing|failure) (?:to )?(?:start|create|run|pull|mount|attach)|` +
	`(?:can(?:not|'t)|could not|won't|does not|doesn't) start)\b|` +
	`\b(?:OOMKilled|ContainerCannotRun|StartError|DeadlineExceeded|CrashLoopBackOff|RunContainerError|` +
	`Create(?:Pod)?(?:Sandbox|Container)(?:Config)?Error|ContainerStatusUnknown|NodeShutdown|NodeLost|NodeNotReady|` +
	`Preempt(?:ed|ing)|ProgressDeadlineExceeded|progress deadline|MinimumReplicasUnavailable|minimum availability|` +
	`UnexpectedAdmissionError|OutOf(?:cpu|memory|pods)|BackoffLimitExceeded|SystemOOM|Rebooted|` +
	`Failed(?:Create|Start|Mount|Sync|Kill|Post|Pre)\w*|SandboxChanged|ProbeWarning|ErrImage\w*|InvalidDiskCapacity|` +
	`SIG(?:KILL|TERM|SEGV|ABRT|BUS)|NotReady|OOM\w*)\b|` +
	`\b(?i:reboot(?:s|ed|ing)|(?:goes|went|go|going) (?:away|down)|flapp(?:s|ed|ing)|hung|hangs|disappear(?:s|ed)?|vanish(?:es|ed)?|` +
	`(?:was|were|got|been) (?:also |all |just |\w+ly )?(?:shut down|stopped|taken down)|took (?:\w+ ){0,3}?down|` +
	`(?:seem|appear|tend|happen)(?:s|ed)? to (?:kill|stop|evict|exit|terminate|die)|` +
	`(?:^|, |and |so )(?:all |of |the |our |my |its )*(?:pods?|containers?) (?:on \w+ )?(?:are|were|got) (?:all )?(?:lost|gone)|` +
	`unreachable|time(?:d )?out waiting for|preempted|re-?created|(?:re)?start(?:s|ed) (?:it |them )?(?:again|over)|` +
	`exit (?:code|status) [1-9]\d*|signal (?:9|11|15|6))\b|` +
	otherLanguages)

// otherLanguages are the same words in the languages that people use most with Kubernetes' names.
const otherLanguages = `重启|崩溃|驱逐|被杀|挂掉|退出码|再起動|クラッシュ|강제 종료|재시작|` +
	`(?i)перезапус\p{L}*|перезагруж\p{L}*|пада(?:ет|ют)|убива(?:ет|ют)\p{L}*|рестарт\p{L}*|` +
	`neu ?gestartet|beendet\b|s'est arrêté|s'arrête|Neustarts?|abgestürzt|stürzt\b.{0,40}\bab\b|startet\b.{0,60}\bneu\b|redémarr\p{L}*|plant(?:e|ent)\b|` +
	`reinici\p{L}*|se cae\b|riavvi\p{L}*|herstart\p{L}*|yeniden başl\p{L}*|khởi động lại`

// stuck are conditions of a Deployment whose pods do not become ready: in any context they are a question.
var stuck = regexp.MustCompile(`\b(?:ProgressDeadlineExceeded|MinimumReplicasUnavailable)\b`)

var (
	// notSo are words before others in a sentence that negate them.
	notSo = regexp.MustCompile(`(?i)\b(?:no|not|none|never|nothing|nobody|without|zero|\w+n't)\b[^.;:]*$|(?:^|\s)0 [^.;:]*$|\bnon-$`)
	// toDo are words before a verb that make it something to do.
	toDo = regexp.MustCompile(`(?i)\b(?:to|please|must) $`)
	// calledEnded matches things that are called after what happened to them.
	calledEnded = regexp.MustCompile(`(?i)^(?:terminated|exited|completed|stopped|restarted) (?:pods?|containers?|jobs?)\b|` +
		`^(?:restart|eviction|termination|back-?off) (?:polic\w+|limits?|events?|messages?|manager|api)\b`)
	// noTrouble matches an end that a person misses, and addresses, whose words are nobody's.
	noTrouble = regexp.MustCompile(`\bhttps?://\S+|(?i)\b(?:kubelet|kubernetes|k8s|docker|podman|controller|autoscaler|swarm|nomad|ECS) ` +
		`(?:do|does|did)(?: not|n't) (?:restart|kill|evict|terminate|delete|re-?create|stop)\b|` +
		`(?i)\b(?:pods?|containers?|it|they|deployments?)(?: (?:on|of|in) (?:\w+ ){0,2}\w+)? ` +
		`(?:(?:is|are|was|were|does|do|did) (?:not|never)|(?:is|are|was|were|does|do|did)n't|never|not (?:getting|being)) ` +
		`(?:\w+ly )?(?:getting |being |get |be |been )?(?:restart(?:ed|ing)|exits?|evicted|killed|terminated|re-?created)\b` +
		`|\bnot (?:restarting|killing|evicting|recreating) (?:the |my |any |its )?(?:pods?|containers?)\b`)
)

// asMeant are words of a sentence about an intended end, or about none, as of an eviction that was refused.
var asMeant = regexp.MustCompile(`(?i)\berror when evicting pods?\b|\bdisruption budget\.|\b(?:successfully|gracefully|cleanly|none found|exec failed|readiness probe|with code 0)\b|[:=] ?0(?:[^/\w]|$)`)

// notMeant are words of what did not go as it should: "does not start up successfully".
var notMeant = regexp.MustCompile(`(?i)(?:\b(?:not|never|without)|n't)\b[^.;,]{0,32}\b(?:successfully|gracefully|cleanly)`)

// noPrevious is a kubelet's message about a container that never exited (kubelet_pods.go validateContainerLogStatus).
var noPrevious = regexp.MustCompile(`previous terminated container \S+ in pod \S+ not found`)

var (
	// ofContainers is what the sentence or one next to it must be about.
	ofContainers = regexp.MustCompile(`(?i)\b(?:pods?|containers?|deployments?|statefulsets?|daemonsets?|replicas?|sidecars?|k8s|kubernetes|` +
		`docker|podman|cri-?o|containerd|tasks?|progress ?deadline\w*|MinimumReplicas\w*)\b|容器|コンテナ|컨테이너|(?:под|контейнер)\p{L}{0,3}\b|contenedor|conteneur`)
	// restarted is what causes intended ends.
	restarted = regexp.MustCompile(`\brollout restart\b|^(?:deployment|statefulset|daemonset)\.apps/\S+ restarted$`)
)

// looked matches what a command looks for, which is not what it found.
var looked = regexp.MustCompile(`\|.*$|--field-selector[= ]\S+|(?:-o|--output|--format)[= ]?\S*[={]\S*`)

// command matches a typed command that inspects pods and nodes.
var command = regexp.MustCompile(`^\s*(?:\S{0,40}[$#%>] )?(?:sudo )?` +
	`(?:kubectl|k|oc|docker|crictl|ctr|journalctl|systemctl|dmesg|helm|flux|stern|grep|watch|ssh|az|aws|gcloud|sleep) [\w.'"/<${-]`)

// saysOf matches a sentence about what a command says.
var saysOf = regexp.MustCompile(`^\s*(?:kubectl|k|oc|docker|crictl|journalctl|systemctl|dmesg|helm)` +
	`(?: [\w/.-]+){0,5} (?:only |just |still |then |always )?(?:shows|says|prints|gives|reports|returns|lists|tells|has|is full)\b`)
