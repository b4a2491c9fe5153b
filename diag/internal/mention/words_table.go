package mention

import (
	"regexp"
	"slices"
)

// words are the forms, the most specific first. They are messages of kubelet (pkg/kubelet/events, kuberuntime,
// eviction, nodeshutdown, lifecycle/predicate.go), containerd and CRI-O (server/container_status), dockerd and the
// controllers that delete pods; other programs repeat them when they print a container's state.
var words = slices.Concat(ofServices, stated, shown, signalled(), lastWords)

// preStop are words of a hook that failed while its container was stopped.
var preStop = regexp.MustCompile(`(?i)\bFailedPreStopHook\b|\bpreStop\b`)

// stated are messages about an end.
var stated = []word{
	{
		any:   []string{"ifecycle hook"},
		says:  regexp.MustCompile(`((?:Exec|Http|HTTP) lifecycle hook \(.* for Container "[^"]+" in Pod "[^"]+" failed - error: .*)`),
		event: "FailedPostStartHook", alone: true, but: preStop,
	},
	{ // kubelets up to 1.5 (docker_manager.go), as the reason of RunContainerError
		any:   []string{"PostStart handler: "},
		says:  regexp.MustCompile(`(PostStart handler: .*)`),
		event: "FailedPostStartHook", alone: true,
	},
	{ // the controllers of Jobs, ReplicaSets, DaemonSets and StatefulSets (controller_utils.go, stateful_pod_control.go)
		any:   []string{"SuccessfulDelete"},
		says:  regexp.MustCompile(`\bSuccessfulDelete\b.*?\b(Deleted pod: |delete Pod )[a-z0-9]`),
		event: "Killing", as: "Need to kill Pod", deleted: true, alone: true,
	},
	{
		any: []string{"SyncLoop DELETE", "SyncLoop (DELETE", "SyncLoop REMOVE", "SyncLoop (REMOVE", "Killing unwanted pod"},
		says: regexp.MustCompile(`(SyncLoop (?:DELETE|REMOVE)" source="api"|SyncLoop \((?:DELETE|REMOVE), "api"\)|` +
			`Killing unwanted pod)`),
		event: "Killing", as: "Need to kill Pod", deleted: true, alone: true,
	},
	{ // kube-controller-manager: of StatefulSets, of pods whose node or owner is gone; Spark's driver, of executors
		any: []string{"terminating for update", " Pod for update", "orphaned Pod ", "pod that is terminating",
			`"Deleting item"`,
			"by a user or the framework", " is decommissioned."},
		says: regexp.MustCompile(`("Pod of StatefulSet is terminating for update"|"StatefulSet terminating (?:unavailable )?Pod for update"|` +
			`"Forced deletion of orphaned Pod succeeded"|"Found orphaned Pod assigned to the Node, deleting"|` +
			`"Garbage collecting pod that is terminating"|"Deleting item" .*\[v1/Pod, |` +
			`\b[Ee]xecutor with id \d+ was deleted by a user or the framework|\bExecutor \d+ is decommissioned\.)`),
		event: "Killing", as: "Need to kill Pod", deleted: true, alone: true,
	},
	{ // kubelet v1.22+: what the API deleted, and what it dropped
		any: []string{"has been deleted and must be killed", "by the kubelet, begin teardown", "graceful deletion, begin",
			"Pod is orphaned and must", "orphaned pod", "Orphaned running pod"},
		says: regexp.MustCompile(`(Pod has been deleted and must be killed|Pod is being removed by the kubelet|` +
			`Pod is marked for graceful deletion|Pod is orphaned and must be torn down|` +
			`Clean up (?:orphaned pod containers|containers for orphaned pod)|Orphaned running pod terminating)`),
		event: "Killing", as: "Need to kill Pod", deleted: true, alone: true,
	},
	{
		any:    []string{"by the kubelet, begin teardown", "failed to evict"},
		says:   regexp.MustCompile(`(Pod is being evicted by the kubelet|viction manager: pod failed to evict)`),
		failed: "Evicted", alone: true,
	},
	{ // a kill with another grace than the pod's, and a preStop hook: of the whole pod, mostly
		any: []string{"with a grace period override", "PreStop hook ", "preStop hook "},
		says: regexp.MustCompile(`("Killing container with a grace period override"|` +
			`[Pp]re[Ss]top hook (?:failed|not completed in grace period|for container "[^"]+" (?:failed|did not complete)))`),
		event: "Killing", as: "Need to kill Pod", alone: true,
	},
	{
		any:   []string{"Failed to execute PostStartHook"},
		says:  regexp.MustCompile(`("Failed to execute PostStartHook".*)`),
		event: "FailedPostStartHook", alone: true,
	},
	{ // kuberuntime_manager.go, v1.35+
		any: []string{"RestartAllContainers", "before removal", "before pod restarts"},
		says: regexp.MustCompile(`"(Pod marked for RestartAllContainers|Killing container before removal|` +
			`Removing container before pod restarts)"`),
		event: "Killing", as: "killing", alone: true,
	},
	{ // internal/cri, CRI-O, dockerd, podman and network plugins: a stop that was asked for, and has ended or cannot
		any: []string{"StopContainer", "StopPodSandbox", "topp", "StopSignal ", "Error deleting ",
			"exit event", "stop sandbox"},
		says: regexp.MustCompile(`(Stop(?:Container|PodSandbox) (?:"[0-9a-f]+" )?from runtime service failed|StopContainer for \\?"[0-9a-f]+\\?" (?:failed|returns successfully)|` +
			`StopPodSandbox for \\?"[0-9a-f]+|Stopp(?:ing|ed) pod sandbox(?: \(already stopped\))?: [0-9a-f]+|Forcibly stopping sandbox \\?"[0-9a-f]+|` +
			`connection closed when stopping (?:sandbox )?container|` +
			`StopSignal \S+ failed to stop container|tried to kill container, but did not receive an exit event|` +
			`Failed to stop sandbox (?:before removing|"[0-9a-f]+" before)|Error deleting (?:pod )?\S+ from (?:CNI )?network )`),
		event: "Killing", as: "Need to kill Pod", alone: true,
	},
	{ // what is said of a container only when its process is gone: containerd, dockerd, CRI-O, the kubelet, systemd
		any: []string{"shim", "Remove", " cleanup: ", "the terminated container",
			"in a stopped ", "exited normally", "DeleteContainer returned", ".scope: ", "libcontainer container ",
			"Stopped crio-",
			"termination stopped all",
			"request to terminate", "SyncTerminat", "Pod terminating with"},
		says: regexp.MustCompile(`(msg="(?:shim reaped|cleaning up (?:after shim disconnected|(?:after )?dead shim|after shim dead))|` +
			`Removed container [0-9a-f]{12,64}: |RemoveContainer for \\?"[0-9a-f]{64}\\?" returns|` +
			`namespace for the terminated container |` +
			`msg="[0-9a-f]{64} cleanup: |cannot exec in a stopped |Container (?:"[^"]+" )?exited normally|` +
			`"DeleteContainer returned error"|` +
			`\b(?:cri-containerd|crio|docker)-[0-9a-f]{64}\.scope: (?:Deactivated successfully|Succeeded|Consumed )|` +
			`Stopped (?:libcontainer container [0-9a-f]{64}|crio-(?:conmon-)?[0-9a-f]{64}\.scope)|"Pod termination stopped all running containers"|` +
			`"Pod worker has observed request to terminate"|SyncTerminat(?:ing|ed)Pod (?:enter|exit)|Pod terminating with grace period)`),
		ended: endsBare, trace: true, alone: true,
	},
	{ // the slice of a pod
		any:   []string{"Removed slice "},
		says:  regexp.MustCompile(`(Removed slice (?:libcontainer container )?kubepods\S*-pod[0-9a-f_]{32,36}\.slice)`),
		event: "Killing", as: "Need to kill Pod", deleted: true, alone: true,
	},
	{ // docker events, ctr events, systemd of a pod's slice, the kernel of a whole cgroup (memory.oom.group)
		any: []string{" container oom ", "/tasks/oom", "kubepods", "memory.oom.group"},
		says: regexp.MustCompile(`(\bcontainer oom [0-9a-f]{64}| /tasks/oom \{|-pod[0-9a-f_]{32,36}\.slice: (?:A process of this unit has been killed by the OOM|` +
			`Failed with result 'oom-kill')|Tasks in /\S+ are going to be killed due to memory\.oom\.group)`),
		ended: "OOMKilled", alone: true,
	},
	{ // kubelet nodeshutdown_manager_linux.go
		any:    []string{"hutdown manager "},
		says:   regexp.MustCompile(`(Shutdown manager (?:finished )?killing pod)`),
		failed: "Terminated", as: "Pod was terminated in response to imminent node shutdown.", alone: true,
	},
	{
		any:    []string{"hutdown manager processing", "hutdown manager detected"},
		says:   regexp.MustCompile(`(Shutdown manager (?:processing|detected) shutdown event)`),
		failed: "Terminated", as: "Pod was terminated in response to imminent node shutdown.", ofNode: true, alone: true,
	},
	{ // the error of a pod's sync, of which the end was cut off
		any:   []string{"StartContainer\" for "},
		says:  regexp.MustCompile(`("StartContainer" for .*)`),
		ended: endsBare, but: regexp.MustCompile(`Image`),
	},
	{ // internal/cri, remote_runtime.go: what a kubelet could not make of a container
		any: []string{"CreateContainer in sandbox", "CreateContainer within sandbox", "error reserving ctr name",
			"Creation of container", "reateCtr", "Container creation ", "<error>: Failed"},
		says: regexp.MustCompile(`(CreateContainer in sandbox (?:"[0-9a-f]+" )?from runtime service failed|CreateContainer within sandbox .* failed|` +
			`error reserving ctr name |Creation of container \S+ not yet finished|[Cc]reateCtr(?:Linux)?: (?:context was either canceled|deleting container |releasing container name |removing container )|` +
			`Container creation (?:error: |timeout \()|<error>: Failed to create container: )`),
		waits: "CreateContainerError", alone: true,
	},
	{ // whoever waits for a pod that does not start: the runner of GitLab, Airflow, KubeSpawner
		any: []string{"for pod", "took longer than ", "did not start in "},
		says: regexp.MustCompile(`((?:[Tt]imed out|[Tt]imeout) waiting for pod (?:to (?:start|be running)|running)|` +
			`[Pp]od took longer than \d+ (?:seconds|minutes) to start|\bpod \S+ did not start in \d+ seconds)`),
		waits: "ContainerCreating", alone: true, but: began,
	},
	{ // the same of a pod's sandbox, and what the kubelet says of it then
		any: []string{"andbox", "Error adding "},
		says: regexp.MustCompile(`(RunPodSandbox from runtime service failed.*|RunPodSandbox for .* failed, error.*|` +
			`[rR]unSandbox: (?:context was either canceled|cleaning up namespaces after failing|(?:deleting|removing|releasing|stopping) ).*|` +
			`Creation of sandbox \S+ not yet finished.*|[nN]etworkStart: stopping network for sandbox |` +
			`cleaning up failed sandbox \\?"[0-9a-f]+.*|Failed to destroy network for sandbox \\?"[0-9a-f]+.*|` +
			`Error adding (?:pod )?\S+ to (?:CNI )?network .*|` +
			`[Cc]reatePodSandbox for pod (?:"[^"]+" )?failed.*|Failed to create sandbox for pod\b.*|[Ff]ail(?:ed|s|ing|ure)? (?:to )?create (?:(?:a |the )?pod sandbox\b|sandbox\b|(?:a|the) sandbox(?:[.,:;]| for\b| of\b|$)).*)`),
		event: "FailedCreatePodSandBox", alone: true,
	},
	{
		any:   []string{"unable to ensure pod container"},
		says:  regexp.MustCompile(`(unable to ensure pod container exists: .*)`),
		event: "FailedCreatePodContainer", alone: true,
	},
	{ // CRI-O, which makes the process with the container
		any:   []string{"ontainer create failed: "},
		says:  regexp.MustCompile(`([Cc]ontainer create failed: .+)`),
		waits: "CreateContainerError", but: regexp.MustCompile(`sandbox`), alone: true,
	},
	{ // the sandbox of such an attempt is not the pod's first: containerd internal/cri (2.4 too), kubelet's managers
		any: []string{"reserve sandbox name", "PodSandboxMetadata{", "RunPodSandbox for name", "will start new one"},
		says: regexp.MustCompile(`(failed to reserve sandbox name \S+_[1-9]\d*"|RunPodSandbox for &PodSandboxMetadata\{[^}]*Attempt:[1-9]\d*|` +
			`RunPodSandbox for name:.* attempt:[1-9]|` +
			`Stopping PodSandbox for pod, will start new one|Killing Infra Container for \S+, will start new one)`),
		event: "SandboxChanged", as: "Pod sandbox changed, it will be killed and re-created.", alone: true,
	},
	{ // the container of such an attempt is not the first of its name
		any: []string{"ContainerMetadata", "within sandbox ", "to log file "},
		says: regexp.MustCompile(`(ContainerMetadata ?\{Name:[^}]*Attempt:[1-9]\d*|within sandbox .* name:\S+ +attempt:[1-9]|` +
			`Start (?:writing|piping) (?:stream )?\W*\w+\W* to log file \W*/\S+/[1-9]\d*\.log)`),
		ended: endsBare, trace: true, alone: true,
	},
	{ // runc and crun could not make a process: said of a start
		any: []string{"containerd task", "shim task: ", "runtime create failed: ", "to start container process: ",
			"starting container process caused"},
		says: regexp.MustCompile(`((?:failed to (?:create|start) (?:containerd|shim) task(?: "[^"]+")?: |OCI runtime create failed: |` +
			`unable to start container process: |starting container process caused).+)`),
		ended: "StartError", but: regexp.MustCompile(`exec failed|sandbox|from runtime service failed`), alone: true,
	},
	{ // the latter is dockerd's, of one that its policy starts with the daemon (daemon/daemon.go restore)
		any: []string{"StartContainer ", "failed to start container", "container start failed: rpc error"},
		says: regexp.MustCompile(`(StartContainer (?:"[0-9a-f]+" )?from runtime service failed|container start failed: rpc error|` +
			`^[A-Z]\S+ +\d+ [\d:]+ \S+ dockerd\[\d+\]: .*msg="failed to start container" container=)`),
		waits: "RunContainerError", alone: true,
	},
	{
		any:   []string{"probeType=", "robe for \""},
		says:  regexp.MustCompile(`(?:"Probe (?:failed|errored)" probeType="|\b)(Liveness|Startup)(?:"| probe for "[^"]+" (?:failed|errored))`),
		event: "Unhealthy", as: "$ probe failed: as the kubelet's log says", alone: true,
	},
	{
		any:    []string{"viction manager: "},
		says:   regexp.MustCompile(`viction manager: (?:attempting to reclaim|must evict pod\(s\) to reclaim)"? (?:resourceName="?)?(\w[\w-]*)`),
		failed: "Evicted", as: "The node was low on resource: $.", alone: true,
	},
	{
		any:    []string{"viction manager: "},
		says:   regexp.MustCompile(`viction manager: (pods ranked for eviction|pods? (?:\S+ )?evicted, waiting|pod \S+ is evicted successfully)`),
		failed: "Evicted", alone: true,
	},
	{
		any: []string{"taint-eviction-controller", "is deleting Pod", "is deleting pod", `"Starting deletion of pod"`},
		says: regexp.MustCompile(`("Deleting pod" (?:logger="\S+" )?controller="taint-eviction-controller"|` +
			`NoExecuteTaintManager is deleting [Pp]od|"Starting deletion of pod")`),
		event: "TaintManagerEviction", as: "Marking for deletion Pod",
	},
	{
		any:   []string{"\"RemoveContainer\""},
		says:  regexp.MustCompile(`("RemoveContainer" containerID=)`),
		ended: endsBare, trace: true,
	},
	{ // Talos' controller for memory, of the cgroup of a pod that only its UID names
		any:   []string{"[talos] Sending SIGKILL to cgroup"},
		says:  regexp.MustCompile(`(\[talos\] Sending SIGKILL to cgroup(?: .*/kubepods.*|[^/]*$))`),
		ended: "OOMKilled", alone: true,
	},
	{ // Talos' machined, of the runtime's service and of the machine
		any: []string{"[talos] service[cri]", " sequence: ", "via API received"},
		says: regexp.MustCompile(`(\[talos\] (?:service\[cri\]\((?:Waiting\): Error running|Stopping|Finished|Failed)|` +
			`(?:reboot|shutdown|upgrade) (?:sequence: \d|via API received)).*)`),
		ended: endsBare, ofNode: true, alone: true,
	},
	{ // a row of crictl ps -a, up to 1.11 without the sandbox, of ctr tasks ls, of runc list
		any: []string{" Exited ", " STOPPED", " stopped "},
		says: regexp.MustCompile(`^[0-9a-f]{12,64}\s(?:.*\s(Exited)\s+[a-z0-9-]+\s+\d+(?:\s+[0-9a-f]{12,64}\b|\s*$)|` +
			`\s*\d+\s+(?:STOPPED\s*$|stopped\s+/))`),
		ended: endsBare, trace: true, alone: true,
	},
	{ // cluster-autoscaler, descheduler, Karpenter, the updater of vertical-pod-autoscaler
		any: []string{"Not deleted yet ", "to reschedule: ", "victed pod", "EvictedByVPA", "evicted ", "scale down",
			"podsToReschedule=", "updater.go:", "by sigs.k8s.io/descheduler", "to accommodate the terminationTime"},
		says: regexp.MustCompile(`(\bNot deleted yet [a-z0-9-]+/|Scale-down: removing node .*, pods to reschedule: \w|` +
			`"Scale-down: removing node".* podsToReschedule="\w|\bpod evict(?:ed|ion) (?:from \S+ node )?by sigs\.k8s\.io/descheduler\w*(?:["'.,;)]|\s*$)|` +
			`\bupdater\.go:\d+\] "?[Ee]victing pod\b|\bPod evicted due to node drain\b|\bDeleting the pod to accommodate the terminationTime|` +
			`(?:["\t]|[-–:|] )[Ee]victed pod(?:["\t:]| [-–|]|\s*$)|\bdeleting pod for node scale down\b|` +
			`\bEvictedByVPA\b.*\bevicted\b|(?i:\breason)["']?\s*[:=]\s*["']?EvictedByVPA\b|` +
			`(?i:\bevicted (?:from \S+ )?by (?:the )?(?:VPA|vertical|cluster[ -]auto|\S*karpenter|\S*descheduler|kubectl drain)))`),
		event: "Evicted", alone: true,
	},
	{ // the scheduler (pkg/scheduler/framework/preemption), Volcano, Kueue
		any: []string{"Preempted by ", "because of ", "preempted victim", "Preempted to accommodate"},
		says: regexp.MustCompile(`(\bPreempted by (?:(?:a |pod )?\S+ on node \S+|higher priority workload \S+)|` +
			`\bPod is evicted, because of (?:preempt|reclaim)|"Preemptor Pod preempted victim Pod"|` +
			`\bPreempted to accommodate a (?:higher priority )?[wW]orkload\b)`),
		event: "Preempted", alone: true,
	},
	{ // kubectl drain, and what drains with its code
		any:   []string{"evicting pod ", " evicted"},
		says:  regexp.MustCompile(`(?:^|[\s"])(evicting pod [a-z0-9-]+/[a-z0-9.-]+|pod/[a-z0-9.-]+ evicted)(?:"|\s*$)`),
		event: "Evicted", alone: true,
	},
	{ // the last one is of kernel/kexec_core.c
		any: []string{"Kernel panic - not syncing", "Rebooting in ", "reboot: ", "ysrq: ", "SysRq : ", "kexec_core: "},
		says: regexp.MustCompile(`(Kernel panic - not syncing|Rebooting in \d+ seconds\.\.|\breboot: (?:Restarting system|Power(?:ing)? down|` +
			`System halted|Starting new kernel)|\b[sS]ys[rR]q ?: (?:SysRq : )?(?:Trigger a crash|Resetting|Power Off)|` +
			`\bkexec_core: Starting new kernel)`),
		ended: endsBare, alone: true,
	},
	{ // what people have docker inspect print of a kubelet's container: its code, and whether it was a kill for memory
		any:   []string{" true", " false"},
		says:  regexp.MustCompile(`^\W*k8s_\S+_\d+\s+(\d{1,3})\s+(?:true|false)\b`),
		ended: endsWith, alone: true,
	},
	{ // what keeps record of machines that went down or came up: sar, auditd, journald, the kernel, Windows, clouds,
		// hypervisors and boards
		any: []string{"LINUX RESTART", "SYSTEM_", "uncleanly shut down", "dirty shutdown", "HARDWARE PROTECTION",
			"temperature reached",
			"bugcheck", " of computer ", "cleanly shutting down", "system shutdown at ", "compute.instances.", " HA restarted ",
			"System Boot Initiated", "system-reboot", "instance-reboot"},
		says: regexp.MustCompile(`(\bLINUX RESTART\b|\btype=SYSTEM_(?:BOOT|SHUTDOWN)\b|corrupted or uncleanly shut down, renaming|because of suspected dirty shutdown|` +
			`HARDWARE PROTECTION shutdown \(|critical temperature reached ?(?:\(\d+ C\))?, ?shutting down|` +
			`rebooted (?:without cleanly shutting down|from a bugcheck)|` +
			`previous system shutdown at .* was unexpected|\bcompute\.instances\.(?:hostError|preempted)\b|` +
			`(?:\b(?:v1|beta)\.|(?i:methodName)\W{1,5}\S*)compute\.instances\.(?:reset|stop)\b|` +
			`\bvSphere HA restarted virtual machine|System Boot Initiated|"(?:system|instance)-reboot".*(?:\[Completed\]|"completed"))`),
		ended: endsBare, ofNode: true, alone: true,
	},
	{ // typed at a prompt of the node, or as sudo logs it: what it refuses has a reason before the first field
		any: []string{"reboot", "shutdown -r", " restart "},
		says: regexp.MustCompile(`(?:[$#%>] ?|\S : [A-Z]+=.*\bCOMMAND=\S*/)((?:sudo )?(?:(?:systemctl )?reboot|shutdown -r .*|(?:systemctl restart|service|snap restart) ` +
			`\S*(?:containerd|docker|crio|cri-o|k3s|rke2|microk8s)\S*(?: restart)?))\s*$`),
		ended: endsBare, alone: true, but: regexp.MustCompile(`\bCOMMAND=\S+ -r [+\d]`), // may be cancelled
	},
	{
		any: []string{"probe, will be restarted", "definition changed, will be restarted", "resize requires restart"},
		says: regexp.MustCompile(`\b(Container \S+ (?:(?:failed (?:liveness|startup) probe|definition changed), will be restarted|` +
			`resize requires restart))`),
		event: "Killing",
	},
	{
		any:   []string{"iveness probe", "tartup probe"},
		says:  regexp.MustCompile(`\b((?:Liveness|Startup) probe (?:failed(?::.*|$)|errored.*))`),
		event: "Unhealthy",
	},
	{ // podman (libpod/healthcheck.go)
		any:   []string{"startup healthcheck failed"},
		says:  regexp.MustCompile(`\b(Restarting container \S+ as startup healthcheck failed)`),
		event: "Unhealthy", as: "Startup probe failed: $", alone: true,
	},
	{ // the beginning of a sentence, such as an alert's
		any:   []string{"iveness probe fail", "tartup probe fail"},
		says:  regexp.MustCompile(`\b(Liveness|Startup) probe (?:failing|failed[ ,;.)])`),
		event: "Unhealthy", as: "$ probe failed: as the text says",
	},
	{
		any:   []string{"Pod sandbox changed"},
		says:  regexp.MustCompile(`(Pod sandbox changed, it will be killed and re-created\.?)`),
		event: "SandboxChanged",
	},
	{
		any:   []string{"restarting failed container"},
		says:  regexp.MustCompile(`([Bb]ack[ -]?[Oo]ff (?:\S+ )?restarting failed container.*)`),
		waits: "CrashLoopBackOff",
	},
}

// Symbols in the table for an exit without a reason.
const (
	endsWith  = "#" // the group is the exit code, or what follows this symbol is
	endsBare  = "?" // it exited, and nothing shows how
	endsCrash = "!" // its last message is that of a process that ends itself
	failsBare = "?" // the whole pod failed, and nothing shows why
)

// began matches what is said only of a container that ran.
var began = regexp.MustCompile(`(?i)\bexit(?:s|ed|ing)?[ -](?:with|code)\b|\bcrash(?:es|ed|ing)\b`)

// readyColumn matches a row with the column READY, where the number after the status counts restarts.
var readyColumn = regexp.MustCompile(`(?:^|[\s|])\d+/\d+[\s|]`)
