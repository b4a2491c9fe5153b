package likelihood

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file weighs what people say of an end of which nothing else is known: whoever asks names what happened just
// before, and that is more often than not what led to it.

// says reports whether an end is known only from a line of text with such words that are not denied, and not how it
// ended.
func says(words string) func(*finding.Findings) bool {
	said := saysSo(words, meant)
	return func(f *finding.Findings) bool { return !f.Exit.Known && f.R.From.Reason == "" && said(f) }
}

// saysOfIt is says for words that a program of the node may say of itself, too.
func saysOfIt(words string) func(*finding.Findings) bool {
	holds := says(words)
	return func(f *finding.Findings) bool {
		return !signs.OfRuntime(said(f)) && !ofMachine.MatchString(said(f)) && holds(f)
	}
}

// stopped is says for words of a machine or a runtime that stopped. A code may be known then, if it is one that
// programs leave which are asked to stop, or nobody waited for: of these, Error is the kubelet's word.
func stopped(words string, not func(before, found string) bool) func(*finding.Findings) bool {
	said := saysSo(words, not)
	return func(f *finding.Findings) bool {
		unknown := !f.Exit.Known && (f.R.From.Reason == "" || f.R.From.Reason == "Error")
		return (unknown || f.Exit.Known && slices.Contains([]int32{0, 143, 255}, f.Exit.Code)) && said(f)
	}
}

// acting leaves out words that are the place where something was done, and not what did it.
func acting(before, _ string) bool { return place.MatchString(before) }

func meant(string, string) bool { return false }

// ofDocker matches what is Docker's, and not Docker.
var ofDocker = regexp.MustCompile(`(?i)\bdocker (?:pods?|containers?|images?|compose|hub|build)\b`)

// commanded matches what is in front of a command, which restarts a container of Docker, and not Docker.
var commanded = regexp.MustCompile("[`$#'\"] ?(?:sudo )?$")

// saysSo reports whether an end is known only from a line of text with such words that are not denied. It leaves out
// those that are not meant, by the beginning of the line or by themselves.
func saysSo(words string, not func(before, found string) bool) func(*finding.Findings) bool {
	form := regexp.MustCompile(`(?i)` + words)
	return func(f *finding.Findings) bool {
		line := compound.ReplaceAllString(said(f), "it")
		return slices.ContainsFunc(form.FindAllStringIndex(line, -1), func(at []int) bool {
			return !denied(line, at[0], at[1]) && !not(line[:at[0]], line[at[0]:at[1]])
		})
	}
}

// compound matches a program's name that begins with a word for a machine: node-exporter.
var compound = regexp.MustCompile(`(?i)\b(?:node|host|machine|server|instance)-(?:exporter|agent|problem|` +
	`local|driver|feature|termination|deployment|app|service|controller|manager)[\w-]*`)

// said returns the line of text from which alone an end is known, or what a person says beside other evidence of it.
func said(f *finding.Findings) string {
	if f.R.Mentioned() {
		return f.R.From.Message.String()
	}
	in := func(namespace, pod string) string { return f.T.Said[timeline.PodName{Namespace: namespace, Pod: pod}] }
	return cmp.Or(in(f.R.Namespace, f.R.PodName), in(evidence.UsualNamespace(f.R.PodName), f.R.PodName),
		in(evidence.UsualNamespace(evidence.Unnamed), evidence.Unnamed))
}

// tells reports whether an end is known only from a line of text with such words and without others, and its code not
// at all: whether it is a person's or a program's.
func tells(words, but string) func(*finding.Findings) bool {
	form, not := regexp.MustCompile(`(?i)`+words), regexp.MustCompile(`(?i)`+but)
	return func(f *finding.Findings) bool {
		line := f.R.From.Message.String()
		return f.R.Mentioned() && !f.Exit.Known && !not.MatchString(line) &&
			(!ofMachine.MatchString(line) || trapped.MatchString(line)) &&
			slices.ContainsFunc(form.FindAllStringIndex(line, -1), func(at []int) bool {
				return !denied(line, at[0], at[1])
			})
	}
}

// ofMachine matches lines of the kernel and of a machine's own daemons, whose words are not about a container's
// program.
var ofMachine = regexp.MustCompile(`\bkernel: |\[talos\]|\b(?:systemd|dockerd|containerd|crio|conmon|kubelet)\[\d|` +
	`invoked oom-killer`)

// trapped matches the kernel's words about a program's fault.
var trapped = regexp.MustCompile(`\]: (?:segfault |unhandled |undefined instruction)|\btraps: |` +
	`\bprocess fault: interruption| due to hardware memory corruption|\btype=(?:1326|1701) `)

// noOOM matches what a person says of a kill that was none for memory, and wonders a question whether it was none.
var noOOM = regexp.MustCompile(`(?i)\b(?:not|no|never|without|isn't|wasn't)[\s*_]+(?:(?:an?|any|the|by|of|due|to|` +
	`because|killed|caused|signs?|evidence|real|actual|was|is|\w+ed) ){0,4}OOM|` +
	`\bOOM[ -]?Killed["'\x60*]*(?: (?:is|was|shows?|says?|flag is)|\s*[:=])\s*["'\x60*]*(?:false|no)\b|\bfalse\W+for OOM`)
var wonders = regexp.MustCompile(`(?i)\b(?:(?:is|was) (?:it|this|that) not|(?:isn't|wasn't) (?:it|this|that))\b`)

// aNode are words for a machine.
const aNode = `(?:node|host|machine|server|VM)`

// childOf are the words for a process that another one started, and for such a parent's name of it.
const childOf = `\b(?:workers?|child(?:ren)?|sub-?process(?:es)?|ForkPool\w*|process \(?pid|commands?|programs?|` +
	`(?:ffmpeg|restic|kopia|rclone|git|chrom(?:e|ium)) (?:process|command|child|is|was|gets?|got|ends?|ended))`

// place matches the end of what is in front of a place.
var place = regexp.MustCompile(`(?i)\b(?:on|in|to|from|onto|at|of) (?:(?:the|an?|our|my|its|that|this|each|every|` +
	`all|any|some|one|same|` +
	`other|another|new) ){0,2}(?:\w+ )?$`)

const (
	// runtimes are the names of runtimes, renewed what is done to a program of the node.
	runtimes = `(?:containerd|cri-?o|docker(?:d| daemon| engine)?|container runtime)(?:\.service)?`
	machines = `(?:nodes?|machines?|hosts?|VMs?|(?:EC2|spot|cloud) instances?)`
	// ofItself are words by which diag/internal/mention knows such an end, too.
	ofItself = `(?:sudden(?:ly)?|random(?:ly)?|spontaneous(?:ly)?|unexpectedly|sporadically|` +
		`(?:by|of) (?:itself|themselves)|at random|without (?:any )?(?:reason|warning))`
	renewed = `(?:restart|upgrad|updat|crash|reinstall)(?:ed|ing|es?|s)?`
	// rehashed is what a kubelet that hashes containers otherwise says of them.
	rehashed = `\b(?:definition\b[^.;]{0,24}\bchanged?|(?:containers?|pods?|` +
		`kubelet)\b[^.;,:]{0,24}\bhash\b[^.;]{0,24}\bchanged?|` +
		`hash of (?:\w+ ){0,2}(?:containers?|pods?)\b[^.;]{0,24}\bchanged?|` +
		`hash changed\b[^.;]{0,40}\b(?:containers?|pods?|kubelet))`
	// fell is how such a program ends.
	fell = `(?:(?:was |is |got |gets )?(?:stopped|killed|shut down)|panick?(?:s|ed)|shuts down|stops|dies|died|` +
		`hangs|hung)`
)

var ofPeople = []fact{
	{"a person says that the runtime was restarted or renewed",
		stopped(`\b`+runtimes+`\b[^.;,]{0,24}\b(?:`+renewed+`|`+fell+`)\b|\bsnapd? (?:\w+ )?refresh\w*|`+
			`systemctl (?:restart|stop) (?:docker|containerd|crio|cri-o|k3s\S*|rke2\S*)\b|`+
			`\b`+renewed+` (?:of )?(?:the )?`+runtimes+`\b`,
			func(before, found string) bool {
				return ofDocker.MatchString(found) || found == "docker restart" && commanded.MatchString(before)
			}),
		factors{causes.RuntimeRestarted: 60}},
	{"a person says that the kubelet was renewed",
		says(`\bkubelets?\b[^.;,]{0,24}\b(?:upgrad|updat)\w+|\b(?:upgrad|updat)\w+ (?:of )?(?:the |all )?kubelets?\b|` +
			`\b(?:upgrad|updat)\w+\b[^;]{0,120}` + rehashed + `|` + rehashed + `\b[^;]{0,120}\b(?:upgrad|updat)\w+|` +
			`\bkubelets? v?1\.\d+(?:\.\d+)? (?:->|to|=>) v?1\.\d+`),
		factors{causes.HashKubeletUpgrade: 60, causes.NodeReboot: 2}},
	{"a person says that a manifest of static pods was changed",
		says(`/etc/kubernetes/manifests|\bstatic pods?\b[^.;]{0,40}\b(?:manifest|edit|chang)\w*`),
		factors{causes.StaticPodChanged: 60, causes.StaticPodRemoved: 5}},
	{"a person says that the image was changed",
		says(`\bchang\w+ (?:of )?the image\b|\bkubectl set image\b|\bimage (?:was |is )?(?:changed|updated)\b`),
		factors{causes.SpecImageChanged: 15, causes.PodReplaced: 15}},
	{"a person says that someone or something killed it", says(`\bkill -(?:9|KILL|SIGKILL)\b|\bkillall\b|\bpkill\b|` +
		`\b(?:docker|podman|nerdctl|crictl|ctr)\b[^.;]{0,16}\b(?:kill|stop|rm)\b|` +
		`\bkill\w* the (?:[\w-]+ )?(?:shim|container(?:'s)? process)|\bshim\b[^.;]{0,24}\bkilled|` +
		`\bchaos(?:[ -]?(?:mesh|blade|engineering|experiments?|tests?))?\b|` +
		`\b(?:falco|EDR|antivirus|crowdstrike|security agent)\b`), factors{causes.KilledExternally: 120}},
	{"a person says that the machine slept or lost its power",
		stopped(`\bhibernat\w+|\bsuspend(?:ed|ing)\b|\bsleep mode\b|\b(?:puts?|goes|went|go) (?:\w+ )?to sleep\b|`+
			`\bwsl --shutdown\b|\b(?:clos|open|shut)\w* (?:\w+ ){0,2}lid\b|\blid (?:\w+ ){0,2}(?:clos|open|shut)|\bpower (?:cut|outage|loss|failure|maintenance)\b|`+
			`\bblack-?out\b|\bkernel panic\b|\bpull\w* the plug|`+
			`\b(?:shut\w* ?down|power\w*[ -]?off|reboot\w*|reset\w*|`+
			`unplug\w*) (?:of )?(?:\w+ ){0,3}`+machines+`\b`, meant),
		factors{causes.NodeReboot: 20}},
	{"a person says that the machine went down", stopped(`\b`+machines+`\b[^.;]{0,60}?\b(?:crash|down|dark|off|off-?line|`+
		`power|hung|`+
		`froze|fail|died|dead|unplug|reset|reboot|shut|panic)\w*|\b`+machines+` (?:\w+ )?(?:`+ofItself+` re-?start|`+
		`re-?start\w* `+ofItself+`)`, acting), factors{causes.NodeReboot: 20}},
	{"a person says that kubelet and runtime name cgroups differently", says(`\bcgroup[- ]?drivers?\b|` +
		`\bSystemdCgroup\b|\bcgroupfs\b`),
		factors{causes.CgroupDriverMismatch: 600}},
	{"a person says that the node was lost for a while", says(`\bnode\b[^.;]{0,40}\b(?:unreachable|not ?ready)\b`),
		factors{causes.TaintEvicted: 40, causes.NodeReboot: 4}},
	{"a text beside it has the runtime's word for a kill for memory, and the kernel has no record of it",
		func(f *finding.Findings) bool {
			return !f.Exit.Known && f.R.From.Reason == "" && f.OOM.Answer != finding.Yes &&
				strings.HasPrefix(said(f), "OOMKilled: ")
		}, factors{causes.OOMContainerLimit: 60, causes.OOMNode: 10}},
	{"a person says that it runs out of memory", says(`\b(?:is|are|was|were|gets?|got|getting|` +
		`keeps?|it|they|pods?|containers?|process) OOM(?:s|ing|ed|kills?)?\b`),
		factors{causes.OOMContainerLimit: 30, causes.OOMNode: 8}},
	{"the words are of a signal that a fault raises, and of no runtime that makes an exit of it",
		tells(`\b(?:segfault\w*|segmentation faults?|SIG(?:SEGV|ABRT|ILL|BUS|FPE)|bus error|illegal instruction|`+
			`core dump\w*|dumped core|general protection|traps: \S+ trap|unhandled (?:level|exception|signal)|`+
			`undefined instruction: pc|process fault: interruption|due to hardware memory corruption|`+
			`type=(?:1326|1701|SECCOMP|ANOM_ABEND) |signal (?:4|5|6|7|8|11)|(?:code|status) (?:13[2-6]|139)|`+
			`terminate called|double free|stack smashing)\b|\b(?:free|malloc)\(\): `,
			`segmentation violation|nil pointer|\bpanic: |\bgoroutine\b|fault, probably for non-canonical|fault: 0`),
		factors{causes.AppSignal: 400}},
	{"a parent says that a child of it was killed, as the kernel does for memory", tells(childOf+`\b[^;]{0,80}`+
		`(?:\bsignal:? ?'?\(?(?:9\b|SIGKILL|Killed)|\bSIGKILL|\b(?:by the )?OOM)|\bWorkerLostError\b|`+
		`\b(?:jupyter\w*|notebooks?|ipython)\b.{0,80}\bkernels?\b[^.;]{0,40}`+
		`\b(?:fails?|die[sd]?|crash\w*|restart\w*)\b[^.;]{0,60}\b(?:memory|OOM|RAM|limit)\b|`+
		`\b(?:pod|container|main (?:process|app|program))\b[^.;]{0,40}\b(?:keeps running|runs on|survives|`+
		`(?:stays|remains|is still) (?:running|up|alive|ready))\b|`+
		`\bcontainer oom [0-9a-f]{64} … .*\s(?:Up|Running) `,
		`\b(?:worker|task|child|command|program)s?(?:-\w| (?:pod|deployment|container|node)s?\b)|`+
			`\b(?:pod|container) (?:worker|git|chrome)\b`), factors{causes.OOMChildProcess: 600}},
	{"the words are of a machine that has no memory left",
		tells(`\b(?:node|host|machine|server|VM|instance)s?\b[^.;]{0,48}\b(?:(?:out of|no) (?:memory|RAM)|`+
			`memory (?:is |was )?(?:exhausted|full)|OOM)\b|\bSystem ?OOM\b|`+
			`\b(?:memory|RAM) (?:of|on) the (?:whole |entire )?`+aNode+`|`+
			aNode+`'s (?:whole |entire )?(?:memory|RAM)\b|\b(?:memory|RAM)\b[^.;]{0,60}\buntil the `+aNode+`\b`,
			`\bMemoryPressure\b|\blimits?\b[^.;]{0,16}\d ?[MG]i?`),
		factors{causes.OOMNode: 20}},
	{"a text says of its SIGKILL that it was none for memory",
		func(f *finding.Findings) bool {
			return f.Exit.Known && f.Exit.Code == 137 && noOOM.MatchString(said(f)) && !wonders.MatchString(said(f))
		},
		factors{causes.OOMContainerLimit: .3, causes.OOMPodLimit: .3, causes.OOMChildProcess: .3, causes.OOMNode: .7,
			causes.KilledExternally: 2}},
	{"the kubelet's words are of compute resources, which no disk is",
		func(f *finding.Findings) bool { return strings.Contains(f.End.Message, "low on compute resources") },
		factors{causes.EvictedMemory: 6}},
	{"a text says that it lost an election, or may not do or find something",
		saysOfIt(`\bleader|\blease\b|\bpermission denied|\bnot found\b|\bno such file|` +
			`\bcannot (?:connect|resolve|find|open|read)\b`),
		factors{causes.AppExitError: 12}},
}
