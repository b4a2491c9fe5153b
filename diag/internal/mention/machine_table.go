package mention

import "regexp"

// What shows that a machine went down (machine.go).
var (
	// sinceBoot matches the kernel's stamp, the seconds since it booted.
	sinceBoot = regexp.MustCompile(`^\W{0,3}(?:.{0,80}\bkernel: )?\[ *(\d+\.\d{6})\]`)
	// oops matches the kernel's reports of a fault of its own, behind which many kernels are set to stop
	// (arch/*/mm/fault.c, arch/x86/kernel/{traps,dumpstack}.c, lib/bug.c, kernel/watchdog.c, mce/core.c).
	oops = regexp.MustCompile(`(?:^|[\]:] ?)(?:BUG: (?:unable to handle|kernel NULL pointer)|Unable to handle kernel |` +
		`kernel BUG at |general protection fault(?:, |: 0)|divide error: 0|Internal error: Oops|Oops: [0-9a-fK]|Kernel panic - not syncing|` +
		`(?:.{0,24}Watchdog detected hard LOCKUP)|.{0,32}Machine Check Exception: )`)
	// comesUp matches the first lines of a kernel: behind those of one that ran, a console shows both.
	comesUp = regexp.MustCompile(`\[ *0\.0{6}\](?:\[ *[TC]\d+\])? (?:Linux version \d|Booting Linux on physical CPU|Command line: )`)
	// ailing matches what else the kernel says of itself and of its disks, or a person of it, before a machine goes down.
	ailing = regexp.MustCompile(`\b(?:[Ss]oft[ -]?lock-?ups?|[Hh]ard[ -]?(?:lock-?up|LOCKUP)|(?i:kernel (?:panic\w*|oops\w*|bugs?|crash\w*))|` +
		`detected stalls?|self-detected stall|rcu_\w+ (?:kthread|stall)\w*|RCU stalls?|blocked for more than \d+ sec\w*|hung_task\w*|` +
		`(?i:machine checks?|NMI watchdog|kdump|vmcore)|Hardware Error|Call Trace|EXT[234]-fs error|` +
		`Buffer I/O error|I/O error, dev|nvme\w* \w+: (?:I/O \d+ .*timeout|controller is down)|Remounting filesystem read-only)\b|` +
		`\bXFS \([^)]*\): .*(?:[Cc]orruption|[Ss]hut(?:ting)? ?down)`)
	// goesDown are a person's words for it.
	goesDown = regexp.MustCompile(`(?i)\b(?:` + theMachine + `\b[^.;,]{0,32}\b(?:(?:re-?boot|re-?start|crash|panick?|reset|hang|freez|die|stall)` +
		`(?:e?s|e?d|ing)?|(?:locks?|locked|locking) up|hung|froze|frozen|dead|dying|lock-?ups?|unresponsive|power(?:s|ed|ing)? (?:off|down)|` +
		`(?:go|goes|went|going|is|are|was|were)(?: \w+)? (?:down|away|offline|dark|gone))|` +
		`(?:re-?boot|re-?start|reset)(?:s|ed|ing)?(?: of)?(?: \w+){0,3} ` + theMachine + `|kernel panic\w*)\b`)
	// ofSome matches what makes some machines the subject: they are no place.
	ofSome = regexp.MustCompile(`(?i)\b(?:some|one|all|both|a few|many|several|most|two|three) of (?:\w+ ){1,3}$`)
	// byHand are words of a sentence about what a person did with a machine that had not gone down.
	byHand = regexp.MustCompile(`(?i)\b(?:I|we|you)(?: \w+){0,3} (?:re-?boot|re-?start|reset)(?:ed|s|ing)?\b.*\b(?:gone|helps?|helped|` +
		`fix(?:es|ed)?|solve[sd]?|works?|worked|disappear\w*|again)\b|\bun(?:til|less) `)
	// byItself matches a machine as what went down, where nothing beside it is told: not what somebody does, did or may do
	// with it.
	byItself = regexp.MustCompile(`(?i)\b` + theMachine + `\b[^.;,?]{0,32}\b(?:re-?boot(?:s|ed|ing)|re-?start(?:s|ed|ing)|crash(?:es|ed|ing)|` +
		`panick?(?:s|ed|ing)|reset(?:s|ting)|hung|hangs|froze|freezes|locks up|locked up|(?:goes|went|going) (?:down|offline|away|dark))\b`)
	// asPlanned are words of a sentence about what may come, or was wanted.
	asPlanned = regexp.MustCompile(`(?i)\b(?:if|when(?:ever)?|should|will|would|can|could|may|might|must|needs?|to be|expected|planned|intended|` +
		`fine|please|feature|every (?:day|night|week|month))\b`)
)

// theMachine are words for a machine, as its owner calls it.
const theMachine = `(?:` + machines + `|minions?|OS|boxe?s?|hypervisors?)`

// aRuntime are the services of runtimes, and those that have one in them (rke2 and k3s install.sh, k0s
// pkg/install, snaps' snapcraft.yaml); ofOne are their descriptions.
const (
	aRuntime = `(?:containerd|docker|crio|cri-docker|k3s|k3s-agent|rke2-server|rke2-agent|k0sworker|k0scontroller|` +
		`snap\.(?:microk8s\.daemon-(?:containerd|kubelite)|k8s\.containerd|docker\.dockerd))`
	ofOne = `(?:containerd container runtime|CRI-O|Docker Application|Container Runtime|Lightweight Kubernetes|Rancher Kubernetes|` +
		`Zero Friction Kubernetes|snap application (?:microk8s\.daemon-(?:containerd|kubelite)|k8s\.containerd|docker\.dockerd))`
)

// ofNone matches what is asked of no machine, or of one without pods.
var ofNone = regexp.MustCompile(`: (?:false|none|Empty)\b|\bemptiness\b|\(0 pods\)`)

// ofServices are what a node's own services and its kernel say of machines and runtimes that go down, and of processes
// that they kill.
var ofServices = []word{
	{ // systemd of a runtime's service (src/core/service.c), also without its own name
		any: []string{".service: ", "top"},
		says: regexp.MustCompile(`(?:systemd\[1\]: |^)(` + aRuntime + `\.service: (?:[Mm]ain process exited|` +
			`Failed with result|` +
			`Scheduled restart job|Watchdog timeout)|Stopp(?:ed|ing) (?:\S+\.service - )?(?:[\w(][^:]*)?` + ofOne + `)`),
		ended: endsBare, ofNode: true, alone: true, but: regexp.MustCompile(`\.scope\b`),
	},
	{ // the same of what these services log: k3s pkg/daemons, microk8s kubelite, dockerd, containerd
		any: []string{"level=fatal", "Shutdown request received", "daemon.go:", "Processing signal",
			"Daemon shutdown", "panic: ",
			"fatal error: ", "CRI service"},
		says: regexp.MustCompile(`(\b(?:k3s|rke2)\[\d+\]: .*(?:level=fatal msg=|Shutdown request received: )|` +
			`\bmicrok8s\.daemon-kubelite\[\d+\]: F\d{4} |\bdockerd\[\d+\]: .*(?:Processing signal '|Daemon shutdown complete)|` +
			`\b(?:containerd|dockerd?|crio)(?:\[\d+\])?: (?:panic|fatal error): |level=fatal msg="Failed to run CRI service")`),
		ended: endsBare, ofNode: true, alone: true, but: ofNone,
	},
	{ // a machine that goes down: systemd-logind (logind-dbus.c, logind-action.c), systemd's targets, systemd-shutdown
		// (src/shutdown), and the agents that boot it: locksmith, zincati, unattended-upgrades, rebootmgr, kured
		any: []string{"ystem", "eboot", "ower"},
		says: regexp.MustCompile(`((?:\bsystemd-logind\S*: |^)(?:System is (?:rebooting|powering down|halting)\b|` +
			`The system will (?:reboot|power off|halt) now|Power key pressed(?: short)?\.|(?:Rebooting|Powering Off)\.\.\.$)|` +
			`(?:\bsystemd\[1\]: |^)(?:Shutting down\.$|(?:Reached target|Starting) (?:\S+\.(?:target|service) - )?(?:System )?` +
			`(?:Reboot|Power[- ]Off|Shutdown|Final Step)\b\.*$)|\bsystemd-shutdown\[1\]: |` +
			`\blocksmithd\[\d+\]: .*(?:[Rr]eboot sent|delaying reboot for)|\bproceeding to finalize it and reboot\b|` +
			`\bFound /var/run/reboot-required, rebooting|\brebootmgr: reboot triggered now|` +
			`\b(?:[Cc]ommanding|Triggering) reboot for node\b|\bRunning command: \[[\w/. -]*/systemctl reboot\] for node: |` +
			`\bNode will reboot into config\b)`),
		ended: endsBare, ofNode: true, alone: true, but: ofNone,
	},
	{ // a machine that its cloud takes away: Karpenter's events, AKS' and its node-problem-detector's
		any: []string{"Spot interruption", "Instance is ", "termination started"},
		says: regexp.MustCompile(`(\bSpot interruption warning was triggered|\bInstance is (?:terminating|being preempted)\b|` +
			`\bInstance termination started\b)`),
		failed: "Terminated", as: "Pod was terminated in response to imminent node shutdown.", ofNode: true, alone: true,
	},
	{ // the first lines of a kernel, in a log that names it
		any:   []string{"Linux version", "Booting Linux", "Command line: "},
		says:  regexp.MustCompile(`\b(kernel: (?:\[ *\d+\.\d+\] )?(?:Linux version |Booting Linux on |Command line: ))`),
		ended: endsBare, ofNode: true,
	},
	{ // daemons that kill when memory runs short: systemd oomd-manager.c, which names a pod
		any:   []string{" due to memory "},
		says:  regexp.MustCompile(`(\bKilled /kubepods\S* due to memory (?:pressure|used).*)`),
		ended: "OOMKilled", ofNode: true, alone: true, but: regexp.MustCompile(`(?i)\bdry.?run\b`),
	},
	{ // earlyoom kill.c, which kills any process
		any:   []string{"sending SIG"},
		says:  regexp.MustCompile(`(\bsending SIG(?:TERM|KILL) to process \d+ uid \d+ ".*": (?:badness|oom_score) \d.*)`),
		ended: "OOMKilled", ofNode: true, alone: true, about: true,
	},
	{ // faults that end a process (arch/*/mm/fault.c, arch/*/kernel/traps.c, mm/memory-failure.c), also as the kernel's
		// audit has them, seccomp's among them (kernel/auditsc.c), and systemd-coredump
		any: []string{"]: segfault ", "traps: ", "]: unhandled ", "]: undefined instruction", "process fault: interruption",
			" due to hardware memory", "type=1326 ", "type=1701 ", "type=SECCOMP ", "type=ANOM_ABEND ", ") of user "},
		says: regexp.MustCompile(`\b([\w.:/-]{1,32}\[\d+\]: (?:segfault (?:\(\d+\) )?at |unhandled (?:level|exception|signal|\w+ fault)|` +
			`undefined instruction: pc=)|traps: [\w.:/-]{1,32}\[\d+\] |User process fault: interruption code|` +
			`(?:Killing|Sending SIGBUS to) \S+:\d+ due to hardware memory corruption|` +
			`type=(?:1326|SECCOMP) .* sig=[1-9]\d* |type=(?:1701|ANOM_ABEND) .* sig=[1-9]\d* |` +
			`Process \d+ \(\S+\) of user \d+ (?:dumped core|terminated abnormally)\b)`),
		ended: endsBare, ofNode: true,
	},
	{ // what empties a node: kubectl drain and its like, Karpenter, aws-node-termination-handler, OpenShift's operator
		any: []string{"drained", "/", "isrupting Node", "Interruption triggered", "as toBeDeleted", "Spot ITN",
			"Draining node",
			"pods will be deleted by ", "deleted node", ", terminating ", "instance drain"},
		says: regexp.MustCompile(`(^node/[a-z0-9.-]+ (?:drained|evicted)$|^node "[a-z0-9.-]+" (?:drained|evicted)$|` +
			`\bDisrupting Node(?:Claim)?: |\bInterruption triggered termination for the Node|\bmarked the node as toBeDeleted|` +
			`\bSpot ITN received\. Instance will be interrupted|\bNode successfully cordoned and drained|` +
			`\bDraining node(?:: \S+| to update config)|\bAll pods will be deleted by \d{4}-|` +
			`"message":"deleted node"|\bdeprovisioning via \w.*, terminating \d+ |\bRequesting instance drain\b)`),
		event: "Evicted", as: "Evicted pod", ofNode: true, alone: true, but: ofNone,
	},
}
