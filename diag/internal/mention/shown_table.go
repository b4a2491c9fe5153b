package mention

import "regexp"

// shown are texts that report ends caused by others: rows of tables, alerts, CI and workflow engines, shells, and lines
// cut out of a report.
var shown = []word{
	{ // oc status (openshift/library-go and origin, pkg/graph/kubegraph/analysis)
		any:   []string{"is crash-looping"},
		says:  regexp.MustCompile(`\b((?:container "[^"]+" in )?pod/\S+ is crash-looping)`),
		waits: "CrashLoopBackOff",
	},
	{
		any:    []string{"was low on ", "node had condition", "phemeral", "EmptyDir"},
		says:   regexp.MustCompile(`((?:The node (?:was low on (?:resource: |compute resources)|had condition: \[)|Pod ephemeral local storage usage exceeds|Usage of EmptyDir volume|Container \S+ exceeded its local ephemeral storage limit).*)`),
		failed: "Evicted",
	},
	{
		any: []string{"node shutdown", "Node is shutting"}, // the latter of kubelet 1.20
		says: regexp.MustCompile(`(Pod was terminated (?:in response|due) to imminent node shutdown|` +
			`Node is shutting(?: down)?, evicting pods)`),
		failed: "Terminated",
	},
	{
		any:    []string{"specified deadline"},
		says:   regexp.MustCompile(`((?i:pod) was active on the node longer than the specified deadline)`),
		failed: "DeadlineExceeded",
	},
	{
		any:    []string{"OutOf", "UnexpectedAdmissionError", "NodeAffinity", "NodePorts", "Preempting", "NodeShutdown"},
		says:   regexp.MustCompile(`(?i:reason|status|phase)\W{1,8}(OutOf[a-z][a-z0-9./-]*|UnexpectedAdmissionError|NodeAffinity|NodePorts|Preempting|NodeShutdown)\b`),
		failed: "$",
	},
	{ // kubelet pkg/kubelet/lifecycle/predicate.go, since 1.28 "Pod was rejected: " before it
		any:    []string{"redicate "},
		says:   regexp.MustCompile(`\bPredicate ([A-Z]\w+) failed\b`),
		failed: "$", alone: true,
	},
	{
		any:    []string{"Pod was rejected: ", "Allocate failed due to "},
		says:   regexp.MustCompile(`(Pod was rejected: .+|(?:Pod )?(?:Allocate|allocate) failed due to .+)`),
		failed: "UnexpectedAdmissionError", alone: true,
	},
	{ // a row of custom columns: the reason, then the exit code
		any: []string{"Error", "OOMKilled", "Completed", "StartError", "ContainerCannotRun"},
		says: regexp.MustCompile(`(?:^|[\s,|;])"?(?:Error|OOMKilled|StartError|ContainerCannotRun)"?` +
			`(?:\t+|\s{2,}|\s*[,;|]\s*)"?([1-9]\d{0,2})"?(?:[\s,;|]|$)`),
		ended: endsWith, row: true, but: readyColumn,
	},
	{ // a row of kubectl get pods with other text around it
		any:   []string{"Error"},
		says:  regexp.MustCompile(`(?:^|[\s|])\d+/\d+[\s|]+(Error)[\s|]+\d`),
		ended: "$", row: true,
	},
	{ // such a row of a pod that is being deleted, of which nothing runs any more, whatever ended it first
		any:   []string{"Terminating"},
		says:  regexp.MustCompile(`(?:^|[\s|])0/\d+[\s|]+(Terminating)[\s|]+\d`),
		event: "Killing", as: "Need to kill Pod", deleted: true, row: true,
	},
	{ // kube-state-metrics
		any:   []string{"_last_terminated_exitcode"},
		says:  regexp.MustCompile(`_last_terminated_exitcode\{[^{}]*\}\s+(?:=> )?(\d{1,3})\b`),
		ended: endsWith, row: true,
	},
	{ // such a row of two columns, the reason first
		any:   []string{"Error ", "StartError ", "ContainerCannotRun "},
		says:  regexp.MustCompile(`^(Error|StartError|ContainerCannotRun)\s+[a-z0-9][a-z0-9.-]*\s*$`),
		ended: "$", row: true,
	},
	{ // what a kubelet lacks to make a container, behind whatever a tool puts before it; the reason of old kubelets
		any: []string{" not found", "couldn't find key"},
		says: regexp.MustCompile(`(?:Error: |\s\d+/\d+\s+)((?:secrets?|configmaps?) "[^"]+" not found|` +
			`couldn't find key \S+ in (?:Secret|ConfigMap) \S+)`),
		waits: "CreateContainerConfigError",
	},
	{ // kubelet security_context_others.go verifyRunAsNonRoot
		any: []string{"runAsNonRoot and image ", "verify user is non-root", "breaks non-root policy"},
		says: regexp.MustCompile(`(container has runAsNonRoot and image (?:will run as root|has non-numeric user)|cannot verify user is non-root|` +
			`runAsUser breaks non-root policy)`),
		waits: "CreateContainerConfigError", about: true,
	},
	{ // internal/cri container_create.go, CRI-O: the name is another attempt's, whose creation hangs
		any:   []string{"reserve container name", "reserve ctr name"},
		says:  regexp.MustCompile(`((?i:(?:failed to|error) reserv(?:e|ing) (?:container|ctr) name))`),
		waits: "CreateContainerError", about: true,
	},
	{ // predicate.go InsufficientResourceError
		any:    []string{"have enough resource: "},
		says:   regexp.MustCompile(`Node didn't have enough resource: (cpu|memory|pods|ephemeral-storage)\b`),
		failed: "OutOf$", alone: true,
	},
	{
		any:   []string{"couldn't find key "},
		says:  regexp.MustCompile(`(couldn't find key \S+ in (?:Secret|ConfigMap) \S+)`),
		waits: "CreateContainerConfigError", about: true,
	},
	{ // dockerd up to 1.10, as kubelets up to 1.4 repeat it
		any:   []string{"annot start container "},
		says:  regexp.MustCompile(`(Cannot start container [0-9a-f]{12,64}: .+)`),
		ended: "StartError", alone: true,
	},
	{ // runc and its hooks, without what their callers put before it
		any:   []string{" to rootfs at ", "nvidia-container-cli: ", " not found in $PATH"},
		says:  regexp.MustCompile(`(error mounting \S+ to rootfs at|nvidia-container-cli: \w+ error|exec: \S+ executable file not found in \$PATH|executable file \S+ not found in \$PATH)`),
		ended: "StartError", about: true, but: regexp.MustCompile(`exec failed|robe (?:failed|errored)|sandbox|lifecycle hook|preStop|postStart`),
	},
	{ // a cgroup's memory.events, or memory.oom_control of cgroup v1; cAdvisor's count of it
		any:   []string{"oom_kill ", "container_oom_events_total"},
		says:  regexp.MustCompile(`^(oom_kill) [1-9]\d*$|\b(container_oom_events_total)\{.*\bpod="[^"].*\} [1-9]`),
		ended: "OOMKilled",
	},
	{ // k8sgpt pkg/analyzer/pod.go
		any:  []string{"last termination reason is "},
		says: regexp.MustCompile(`the last termination reason is (OOMKilled|Error|Completed|StartError|ContainerCannotRun)\b`), ended: "$",
	},
	{ // an alert of kubernetes-mixin: kube_pod_container_status_waiting_reason{reason="CrashLoopBackOff"}
		any: []string{"KubePodCrashLooping"}, waits: "CrashLoopBackOff",
		says: regexp.MustCompile(`\b(KubePodCrashLooping)\b`),
	},
	{ // alerts of kubernetes-mixin and their like
		any: []string{"FIRING:", " is restarting ", "restarted ", "_restarts"},
		says: regexp.MustCompile(`(\[FIRING:\d+\].*(?:CrashLoop|Restarting)|\bpod_number_of_container_restarts\b.*>|\bis restarting \d[\d.]* times|` +
			`\b(?i:pod|container)\b.*\brestarted [1-9]\d* times)`),
		ended: endsBare,
	},
	{
		any: []string{"longer than specified deadline", "failed: DeadlineExceeded", `="DeadlineExceeded"`},
		says: regexp.MustCompile(`([Jj]ob was active longer than (?:the )?specified deadline|` +
			`[Jj]ob failed: DeadlineExceeded|\bkube_job_status_failed\{.*="DeadlineExceeded")`),
		failed: "DeadlineExceeded",
	},
	{ // oc status, openshift's monitor, Airflow and Flyte
		any: []string{"(warning: ", " container restarted", "Pod failed", " has restarted within "},
		says: regexp.MustCompile(`(\(warning: [1-9]\d* restarts?\)|\bpod/\S+ has restarted within the last \d|` +
			`\bcontainer=\S+ (?:init )?container restarted|` +
			`\bPod failed(?: because of|\. No message))`),
		ended: endsBare,
	},
	{ // kubectl describe job
		any:  []string{"Pods Statuses: "},
		says: regexp.MustCompile(`^(Pods Statuses: .*/ [1-9]\d* Failed)`), ended: "Error", alone: true,
	},
	{ // job-controller: its pods failed as often as they may
		any: []string{"BackoffLimitExceeded", "specified backoff limit", "failed indexes", "KubeJobFailed",
			"kube_job_status_failed", " failed to complete", "in failed state", "completed job: "},
		says: regexp.MustCompile(`(BackoffLimitExceeded|has reached the specified backoff limit|` +
			`has exceeded the specified maximal number of failed indexes|\bKubeJobFailed\b|` +
			`\bkube_job_status_failed\{.*\} [1-9]|\b[Jj]ob:? \S+ (?:failed to complete|is in failed state)|\bcompleted job: \S+, (?:status|condition): Failed)`),
		but: regexp.MustCompile(`DeadlineExceeded|(?i:resolved)\b`), ended: "Error",
	},
	{ // daemonset-controller and statefulset-controller, of a pod whose phase is Failed
		any:    []string{"failed daemon pod ", "recreating failed ", "recreating terminated "},
		says:   regexp.MustCompile(`(Found failed daemon pod |is recreating (?:failed|terminated) Pod )`),
		failed: failsBare, alone: true,
	},
	{ // helm test (helm pkg/action/hooks.go, pkg/kube/wait.go)
		any:    []string{"pod "},
		says:   regexp.MustCompile(`^(?:Error: )?(?:\W* )?(pod )[a-z0-9.-]+ failed$`),
		failed: failsBare, row: true, alone: true,
	},
	{ // a cell of a row, such as a console's
		any:    []string{"Evicted"},
		says:   regexp.MustCompile(`(?:\s{2,}|\t|\|\s*)(Evicted)(?:[\s|]|$)`),
		failed: "Evicted", row: true,
	},
	{
		any:    []string{"Evicted", "evicted"},
		says:   regexp.MustCompile(`(?:(?i:reason|status|because of)\W{1,8}|\bpod\S* .{0,80}(?:was|been|is) )([Ee]victed)\b`),
		failed: "Evicted",
	},
	{
		any: []string{"Marking for deletion", "victing ", "leting all Pods from Node", "deletion of pod "},
		says: regexp.MustCompile(`(Marking for deletion Pod \S+|PodEvictor is evicting Pods on Node|[Dd]eleting all Pods from Node|` +
			`Starting deletion of pod [a-z0-9-]+/)`), // with what the controllers of nodes said before there were taints
		event: "TaintManagerEviction",
	},
	{ // the reason alone, as people quote it
		any:   []string{"TaintManagerEviction"},
		says:  regexp.MustCompile(`\b(TaintManagerEviction)\b`),
		event: "TaintManagerEviction", about: true, but: regexp.MustCompile(`ancelling|^\S+\s+(?:Normal|Warning)\s|` +
			`(?i:(?:\b(?:no|not|none|never|nothing|without|zero|\w+n't|if|whether|could|may|might|maybe|perhaps)|` +
			`(?:^|[.,!?] )\W*(?:is|was|are|were|do|does|did|has|have|can|what))\b[^.;:!?]*TaintManagerEviction)`),
	},
	{ // the number that a shell makes of a signal, in the place of the signal's own
		any: []string{"signal "},
		says: regexp.MustCompile(`(?i)\b(?:die|exit|kill|terminat|crash|end|stop)\w* (?:with|by|on|due to) ` +
			`(?:exit )?signal:? (1[2-5]\d)\b`),
		ended: endsWith, about: true,
	},
	{ // the number without the word exit
		any: []string{" with "},
		says: regexp.MustCompile(`(?i)\b` + itself + `\b[^.;]{0,40}\b(?:quit|die|dying|stop|end|fail|crash|terminat|kill)\w* with (?:an? )?` +
			`(?:(?:error )?(?:code )?` + ofSignal + `|(?:code )?(255))(?:[,;)]|\.?$|\.\s| (?:and|but|after|when|every|each|again|on|at|then)\b)`),
		ended: endsWith, but: ofOneInside, about: true,
	},
	{
		any: []string{"Stopping container ", "Killing "},
		says: regexp.MustCompile(`(Stopping container [a-z0-9-]+|Killing container with id \w+://[^"\x60]+` +
			`(?:"[^"]+" container "[^"]+" [^"\x60]*)?)`),
		event: "Killing",
	},
	{ // workflow engines, when someone else deleted a step's pod (argo workflow/controller/operator.go)
		any:   []string{"od deleted", "od was deleted", "od got deleted"},
		says:  regexp.MustCompile(`(?:^|[\s"':])([Pp]od (?:was |got )?deleted(?: during operation| unexpectedly)?)(?:["'.]?\s*$|["'])`),
		event: "Killing", as: "Need to kill Pod", deleted: true,
	},
	{ // the agent of GitHub Actions that was asked to stop, and the server that hears no more of one
		any:   []string{"received a shutdown signal", "lost communication with the server"},
		says:  regexp.MustCompile(`(?i)\b(runner has received a shutdown signal|self-hosted runner\b.{0,80}\blost communication with the server)\b`),
		ended: endsBare, about: true, alone: true,
	},
	{ // Tekton, of a step
		any:   []string{" has failed"},
		says:  regexp.MustCompile(`\b([Cc]ontainer step-\S+ has failed)\b`),
		ended: "Error", alone: true,
	},
	{ // of several containers, by their names
		any:   []string{"exit codes: {"},
		says:  regexp.MustCompile(`\bexit codes: \{[a-z0-9-]+=(\d{1,3})\b`),
		ended: endsWith,
	},
	{ // the agent of Docker's swarm, of a health check that failed (moby daemon/cluster/executor/container)
		any:   []string{"dockerexec: unhealthy"},
		says:  regexp.MustCompile(`(dockerexec: unhealthy container)`),
		event: "Unhealthy", as: "Liveness probe failed: $",
	},
	{
		any:   []string{"to OOM", "of OOM", "by OOM", "to the OOM", "of the OOM", "by the OOM"},
		says:  regexp.MustCompile(`\b((?:died|killed|terminated|ended) (?:due to|because of|by) (?:the )?OOM)\b`),
		ended: "OOMKilled", ofProcess: true,
	},
	{
		any:   []string{"OOM", "oom"},
		says:  regexp.MustCompile(`(?:\b|[a-z])(OOM[ -]?(?:[Kk]illed|KILL(?:ED)?)|oom-?killed)\b`),
		but:   regexp.MustCompile(`oom-?killed[-=]`),
		ended: "OOMKilled",
	},
	{ // the name of a user-defined event
		any:   []string{"OOM"},
		says:  regexp.MustCompile(`\b((?:CONTAINER|POD|TASK|PROCESS) OOM)\b`),
		ended: "OOMKilled",
	},
	{ // kubelet_pods.go: of a container that the kubelet lost
		any:   []string{"container could not be located"},
		says:  regexp.MustCompile(`(The container could not be located when the pod was (?:terminated|deleted))`),
		ended: "ContainerStatusUnknown",
	},
	{ // mm/oom_kill.c and mm/memcontrol.c, of which people cut one line out
		any: []string{"invoked oom-killer", "oom_reaper: ", "of limit of /kubepods", "cgroup stats for /kubepods",
			"Killed process ", "oom-kill:constraint=", "failcnt", "Kill process "},
		says: regexp.MustCompile(`(invoked oom-killer: |oom_reaper: reaped process |killed as a result of limit of /kubepods|` +
			`Memory cgroup stats for /kubepods|oom-kill:constraint=CONSTRAINT_|Killed process \d+,? \(|` +
			`\bof memory: Kill process \d+ \(.*\) score \d|` + // up to 5.0
			`memory: usage \d+kB, limit \d+kB, failcnt [1-9])`),
		ended: "OOMKilled", alone: true,
		but: regexp.MustCompile(`\bKill(?:ed)? process \d+ \((?:containerd|dockerd|crio|kubelet|k3s|rke2|systemd|snapd|sshd)[\w-]*\)`), // what lives by these goes with them
	},
	{
		any:   []string{"ontainerCannotRun", "StartError", "ContainerStatusUnknown"},
		says:  regexp.MustCompile(`\b(ContainerCannotRun|StartError|ContainerStatusUnknown)\b`),
		ended: "$",
	},
	{
		any: []string{"BackOff", "ContainerError", "ContainerConfigError", "HookError", "Image"},
		says: regexp.MustCompile(`\b(CrashLoopBackOff|CreateContainerConfigError|CreateContainerError|RunContainerError|` +
			`PostStartHookError|ImagePullBackOff|ErrImagePull|ErrImageNeverPull|InvalidImageName)\b`),
		waits: "$",
	},
	{ // kubelet pkg/kubelet/images/image_manager.go
		any:  []string{"pull image \"", "pulling image \""},
		says: regexp.MustCompile(`(Failed to pull image "|Back-off pulling image ")`),
		// in a row with its time it has a reader that knows what came of it
		waits: "ImagePullBackOff", but: regexp.MustCompile(`^\W*Warning\s+\w+\s+\d`),
	},
	{
		any: []string{"xit", "EXIT"},
		says: regexp.MustCompile(`(?i)\bexit(?:ed|s|ing)?(?:[ _-]?(?:status[ _-])?code|[ _]?status["':= ]{1,4}|` +
			`["']?[:=]|(?: \w+ly)? with(?: non-?zero)?(?: (?:error|return|exit|status))?(?: code)?|` +
			` with an?(?: non-?zero)?(?: (?:exit )?status|(?: (?:error|return|exit|status))? code)| \()` +
			`(?: of| was| is|:? ?equals?)?["']?\s*[:=(]?\s*["']?(-?\d{1,10}|0x[0-9A-Fa-f]{8})\b`),
		ended: endsWith, but: ofCommand,
	},
	{ // a row of docker ps, and that of Compose
		any:   []string{"estarting ("},
		says:  regexp.MustCompile(`(\b[Rr]estarting \(\d{1,3}\))`),
		ended: endsBare,
	},
	{
		any:   []string{"estarting ("},
		says:  regexp.MustCompile(`\b[Rr]estarting \((\d{1,3})\)`),
		ended: endsWith,
	},
	{ // what a user says a command for this field prints
		any:   []string{"exitCode"},
		says:  regexp.MustCompile(`\bexitCode\}?["'\x60]* (?:prints|shows|says|gives|returns) ["'\x60]?(\d{1,3})\b`),
		ended: endsWith, about: true,
	},
	{ // the console of OpenShift 3, which shows no code 0
		any:   []string{"Terminated at "},
		says:  regexp.MustCompile(`\b(Terminated at [A-Z][^()]{8,40}\(Completed\))`),
		ended: endsWith + "0",
	},
	{ // npm, about the signal sent to the program it ran
		any:   []string{"signal SIGTERM", "signal SIGKILL"},
		says:  regexp.MustCompile(`\bnpm (?:ERR!|error) (signal SIGTERM)\s*$`),
		ended: endsWith + "143", about: true,
	},
	{
		any:   []string{"signal SIGKILL"},
		says:  regexp.MustCompile(`\bnpm (?:ERR!|error) (signal SIGKILL)\s*$`),
		ended: endsWith + "137", about: true,
	},
	{ // a count next to a pod's name
		any:   []string{"estarts"},
		says:  regexp.MustCompile(`(?i)\b(restarts[ :=]+[1-9]\d{0,4})\b`),
		ended: endsBare, row: true,
	},
	{ // operators, of a pod's phase
		any:    []string{"phase", "Phase"},
		says:   regexp.MustCompile(`\b([Pp]hase(?: is| was)?["']?[ :=]{1,2}["']?Failed)\b`),
		failed: failsBare, row: true,
	},
	{ // the same in the languages most often used around Kubernetes terms
		any: []string{"code de ", "código ", "codice ", "Exit-Code", "çıkış kodu", "afsluitcode", "kod", "终", "退出",
			"終了", "종료", "код"},
		says: regexp.MustCompile(`(?i)(?:code de (?:sortie|retour)|código (?:de )?(?:saída|salida|error|erro)|codice (?:di uscita|d'errore)|` +
			`exit-code|çıkış kodu|afsluitcode|kod(?:em)? (?:wyjścia|błędu)|終了(?:コード|ステータス)|(?:退出|终止)(?:码|代码|状态码)|` +
			`종료 코드|(?:^|\s)код(?:ом|а)?(?: (?:выхода|возврата|завершения|ошибки))?)\W{0,4}(?:は|是|为|：)?\s?(\d{1,3})\b`),
		ended: endsWith, about: true,
	},
	{ // make and npm, of the program that they ran
		any:   []string{"make: ***", "make[1]: ***", "npm ERR! errno ", "npm error errno "},
		says:  regexp.MustCompile(`^(?:.*\bmake(?:\[\d+\])?: \*\*\* \[.*\] Error|.*\bnpm (?:ERR!|error) errno) (\d{1,3})$`),
		ended: endsWith, about: true,
	},
	{ // the code next to its reason, as people write them; a smaller number may be a count
		any: []string{"OOMKilled", "Error", "ContainerCannotRun"},
		says: regexp.MustCompile(`(?:^|[\s(:=/,])([12]\d\d)(?: |/|, ?| ?\()(?:OOMKilled|Error|ContainerCannotRun)\b|` +
			`\b(?:OOMKilled|Error|ContainerCannotRun) ?[(/] ?([12]\d\d)\b`),
		ended: endsWith, but: readyColumn, row: true,
	},
	{ // a code that only a signal or a runtime leaves needs no word before it
		any: []string{"ed with ", "es with "},
		says: regexp.MustCompile(`(?i)\b(?:terminat|crash|end|fail)(?:ed|s|es) with (?:an? )?` +
			`(?:(?:exit |error )?code:? (\d{1,3})|status code:? (1?\d{1,2}|255)|(1[2-5]\d|255))\b`),
		ended: endsWith, but: ofCommand,
	},
	{
		any: []string{"ed with ", "es with ", "ing with ", "quits with "},
		says: regexp.MustCompile(`(?i)\b(?:quit|finish|di|dy)(?:ed|e?s|ing) with (?:an? )?(?:exit )?(?:code |rc ?= ?)(\d{1,3})\b|` +
			`\b(?:terminat|crash)(?:ed|es) with (?:an? )?(?:exit |non-?zero )*` +
			`status(?: code)?:? \(?([1-9]\d?|1[2-5]\d|255)\b`),
		ended: endsWith, but: ofCommand, about: true,
	},
	{ // such a code as people name it
		any:   []string{"code"},
		says:  regexp.MustCompile(`(?i)\b` + itself + `\b[^.;]{0,80}\b(?:error|return|termination)[ -]code(?: of| is| was)?[ :=]{1,2}["'(\x60]?` + ofSignal + `\b`),
		ended: endsWith, but: ofOneInside, about: true,
	},
	{ // the same without a word for the code
		any:   []string{"exit", "Exit"},
		says:  regexp.MustCompile(`\b(?i:exit(?:s|ed|ing)?)(?: with)?[: ] ?(1[2-4]\d|255)\b`),
		ended: endsWith, about: true,
		but: regexp.MustCompile(ofCommand.String() + `|(?:^|[;&|{]|\b(?i:then|else|do|to|should|must|will|would|can|may))\s*exit `),
	},
	{
		any:   []string{"exited ", "exits "},
		says:  regexp.MustCompile(`\bexit(?:s|ed) ([1-9]\d?)(?:\.?$|[;)]|, (?:[^t]|t[^h]|th[^e]|the[^n])| (?:and|but|on|after|when|then)\b)`),
		ended: endsWith, about: true, but: ofCommand,
	},
	{ // what a shell says of the program that it ran
		any: []string{"Killed"},
		says: regexp.MustCompile(`^(?:(?:\W?\d{4}-\d\d-\d\d\S* ?\S*\s+)?(Killed)|` +
			`\S+: line \d+:\s+\d+ Killed(?:\s{2,}\D.*)?)$`), ended: endsWith + "137", about: true,
	},
	{
		any:  []string{"is dead, but RestartPolicy"},
		says: regexp.MustCompile(`(is dead, but RestartPolicy says that we should restart it)`), ended: endsBare,
	},
	{
		any: []string{"CONTAINER_EXITED", "\"exited\""}, ended: endsBare,
		says: regexp.MustCompile(`(CONTAINER_EXITED|"Status": ?"exited")`),
	},
	{
		any:  []string{"Error"},
		says: regexp.MustCompile(`(?i:\breason)["']?\s*[:=]\s*["']?(Error)\b`), ended: "$", beside: true,
	},
}

// ofCommand matches the exit code of a command that a program ran, rather than a container's: the message of Go's
// os/exec, as kubelets and drivers repeat it about mounts and filters; that of kubectl exec (client-go
// tools/remotecommand/v4.go), unless its container ended, too; a unit of Talos; the step of a CI, Helmfile's helm and
// Python's subprocess, where the code is no signal's.
var ofCommand = regexp.MustCompile(`(?:: |\b(?:failed|error|\w+ed with)[: ]+|\bcaused:? ["']?)exit status \d|^\s*exit status \d+\W*$|` +
	`(?:Process completed|Command failed|[Ss]cript returned|\bBash exited|Job failed:?|[Rr]ecipe \S+ failed\b.*)(?: with)? (?:exit )?code '?\d{1,2}\b|` +
	`\bcommand "[^"]+" exited with non-zero status|\bCalledProcessError: .*\bexit status \d{1,2}\b|` +
	`command terminated with exit code (?:\d{1,2}|1[0-2]\d)\b|\[talos\] service\[|` +
	`\btype=SYSCALL .* exit=`) // the kernel's record of a system call
