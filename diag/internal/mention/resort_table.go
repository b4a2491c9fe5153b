package mention

import "regexp"

// pendingRow and runningRow match rows of kubectl get pods.
var (
	pendingRow = regexp.MustCompile(`^(?:([a-z0-9-]+)\s+)?([a-z0-9][a-z0-9.-]*)\s+0/\d+\s+(?:Pending|ContainerCreating)\s+0\s`)
	runningRow = regexp.MustCompile(`\s\d+/\d+\s+Running\s+\d`)
)

// machines are words for a node, drainers those that drain nodes by themselves.
const (
	machines = `(?:nodes?|machines?|workers?|hosts?|servers?|instances?|VMs?)`
	drainers = `(?:kured|karpenter|draino|(?:the |our )?(?:cluster[ -]?)?autoscaler|[\w-]+[ -](?:upgrade[ -]controller|termination[ -]handler|drainer|operator)|` +
		`(?:the |an? |our )?(?:upgrade|update|maintenance|automation|daemon|script|cron ?job|playbook))`
)

// pulled is what is done with an image.
const pulled = `(?:pull|download|fetch|unpack|extract)`

// resorts are the forms. Those of a whole node are about all of its pods.
var resorts = []word{
	{ // a kubelet that does not come up (kubelet up to 1.23 server.go), whose node loses its pods
		any:   []string{"is different from docker cgroup driver"},
		says:  regexp.MustCompile(`((?:[Kk]ubelet )?cgroup driver: .{0,24} is different from docker cgroup driver)`),
		ended: endsBare, ofNode: true,
	},
	{ // kubectl's answer to a deletion that somebody typed; since v1.33 with the namespace
		any:   []string{" deleted"},
		says:  regexp.MustCompile(`^(pod(?:/|s/| ["'])[a-z0-9][a-z0-9.-]*["']?) (?:force )?deleted(?: from [\w"'-]+ namespace| immediately)?\W*$`),
		event: "Killing", as: "Need to kill Pod", deleted: true,
	},
	{ // snap changes, of a snap with a runtime: a refresh stops and starts its services
		any:   []string{"efresh snap", "command for snap"},
		says:  regexp.MustCompile(`((?:Auto-refresh|Refresh|Running service command for) snaps? .*"(?:microk8s|docker|k8s)")`),
		ended: endsBare,
	},
	{ // what drains a node evicts its pods
		any: []string{"drain", "Drain", "cordon"},
		says: regexp.MustCompile(`(?i)(\b` + machines + `\b[^.;]{0,32}\b(?:is|are|was|were|gets?|got|get|being|been) (?:\w+,? ){0,3}?drained\b|` +
			`\b` + drainers + ` (?:\w+ ){0,3}?drain(?:s|ed|ing)\b|\bdrain(?:s|ed|ing) (?:[\w-]+ ){0,4}?` + machines + `\b[^.;]{0,40}\b(?:every|each|all|one by one|again|once|at night|nightly|hourly|daily|` +
			`for (?:a |the |its )?(?:upgrade|update|reboot|patch))|\bdrained by ` + drainers + `)`),
		event: "Evicted", as: "Evicted pod", about: true, ofNode: true,
		but: regexp.MustCompile(`(?i)n't\b|\b(?:cannot|not (?:be )?drained|avoid|prevent|expected|on purpose|as planned|fail\w* to|unable|could|` +
			`stuck (?:in|on) drain|never drained|so that|connections?|queues?|battery)\b`),
	},
	{ // an image that does not come
		any: []string{"mage"},
		says: regexp.MustCompile(`(?i)\b(images? (?:\w+ ){0,2}?(?:can ?not|can't|could ?n[o']t|couldn't|could not|won't|never|is not|isn't|was not|wasn't) (?:be )?` + pulled + `(?:ed|able)?\b|` +
			`(?:can ?not|can't|could not|couldn't|unable to|fail(?:s|ed|ing)? to|not able to|never) ` + pulled + ` (?:[\w'./:-]+ ){0,4}?images?\b|` +
			`image ?` + pulled + `s? (?:always |all |never )?(?:fail\w*|time[sd]? out|hangs?|errors?)|` +
			`(?:` + pulled + `ing|pull of|download of) (?:[\w'./:-]+ ){0,4}?images? (?:always )?(?:fails?|failed|hangs?|times? out|timed out|never))`),
		waits: "ImagePullBackOff", about: true,
		but: regexp.MustCompile(`(?i)\b(?:laptop|locally|docker (?:pull|build|push)|by hand|no longer fails?|fixed|avoid|prevent)\b`),
	},
	{ // a status that is not left
		any: []string{"reating"},
		says: regexp.MustCompile(`((?i:\b(?:stays?|stayed|staying|stuck|remains?|remained|hangs?|hung|stops? at|waits?|waiting|forever|keeps?|kept|sits?|sitting|` +
			`freezes?|frozen|never (?:\w+ ){0,2}?(?:out|past|beyond|further|leaves?|comes?|gets?)|not (?:\w+ ){0,2}?(?:past|beyond|further|out)|always)\b)[^.;]{0,40}\b(?i:container ?creating)\b|` +
			`\b(?i:container ?creating)\b[^.;]{0,32}(?i:\b(?:forever|for (?:hours|days|weeks|ever|\d+ (?:min\w*|h\w*|d\w*|w\w*))|and (?:stays?|never|hangs?|does not|doesn't)|without end|endless\w*|` +
			`indefinitely|all the time|since|until I)\b))`),
		waits: "ContainerCreating", about: true,
		but: regexp.MustCompile(`(?i)\b(?:then (?:it )?(?:runs|starts|comes)|for (?:a few|some|about \d+|\d+) seconds|at first|eventually|finally|may|might)\b`),
	},
	{ // a kubelet that waited in vain for a pod's volumes (volume_manager.go WaitForAttachAndMount), as an event says it
		any: []string{"waiting for volumes to attach", "ttach or mount volumes", "nable to mount volumes"},
		says: regexp.MustCompile(`\bFailed(?:Mount|Sync|AttachVolume)\b.*?(timeout expired waiting for volumes to attach.*|` +
			`Unable to (?:attach or )?mount volumes.*(?:timed out|timeout|exceeded).*)`),
		waits: "ContainerCreating",
	},
	{ // a volume that another node has (attachdetach reconciler.go reportMultiAttachError)
		any:   []string{"ulti-", "ULTI-"},
		says:  regexp.MustCompile(`(?i)(\bmulti-?attach error\b.*)`),
		waits: "ContainerCreating", but: regexp.MustCompile(`(?i)\b(?:gone|fixed|avoid\w*|how|no|not|without|never|solved)\b`),
	},
	{ // what is left of a kubelet's line that a pager cut before it says what failed (pod_workers.go)
		any:   []string{"Error syncing pod"},
		says:  regexp.MustCompile(`\bpod_workers\.go:\d+\].*?(Error syncing pod [0-9a-f-]{8,36}\b.*|"Error syncing pod, skipping".*)`),
		ended: endsBare, but: regexp.MustCompile(`[Vv]olume|Image|"\), | pod=`),
	},
	{ // cpumanager/policy_static.go, cpu_manager.go: up to v1.17 it was asked when a container was started
		any:   []string{"cpumanager]", "PreStartContainer hook failed", "not enough cpus available"},
		says:  regexp.MustCompile(`(\[cpumanager\] (?:unable to allocate \d+ CPUs|AddContainer error|Allocate error)\b.*|Internal PreStartContainer hook failed.*)`),
		waits: "PreStartHookError",
	},
}

// ofEvent matches an event's row, whose own readers know what came of it.
var ofEvent = regexp.MustCompile(`^\W*(?:[a-z0-9-]+\s+)?(?:\d+[smhd][\dsmhd]*\s+)?(?:Normal|Warning)\s+[A-Z]\w+\s`)
