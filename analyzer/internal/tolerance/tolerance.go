// Package tolerance is the one table of the durations that decide a verdict: how far apart two sources may date one
// moment, how long an effect may follow its cause. Each has its reason, and its source where it has one. What a kubelet
// does by its own constants stands in analyzer/kubelet.
package tolerance

import "time"

// Joining what sources say about one moment, one start, one pod.
const (
	// Flip is how long after its start a kubelet may take to get a healthy pod ready again: the first round of probes,
	// and a status that waits for its turn.
	Flip = 5 * time.Minute
	// AtOnce is how long after its start a kubelet says at the latest that a pod is not ready because it has no result
	// yet.
	AtOnce = time.Minute
	// MirrorChange is how far apart the lines about one change of a mirror pod are at most, and how long before and
	// after such a moment a container has to have run.
	MirrorChange = time.Minute
	// Registered is how long after its node's registration a static pod may get its first mirror: its containers run
	// before the API server answers.
	Registered = 10 * time.Minute
	// PowerCut is how far apart ends on several nodes may be that one thing brought about: a power cut, a network that
	// is gone.
	PowerCut = 30 * time.Second
	// HintBefore and HintAfter are how far around an end a line that names a container of the pod may stand: the
	// kubelet reads its log when it sees the end, and delays the next start with its next sync.
	HintBefore = 2 * time.Second
	HintAfter  = 12 * time.Second
	// CameBack is how long before or after the end that its runtime dates a node that boots may be ready.
	CameBack = 2 * time.Minute
	// SameStart is how far apart two sources may date the same start of a daemon, and SamePID how far where both name
	// its process: a PID comes back, after a boot as a rule the same one.
	SameStart = 15 * time.Second
	SamePID   = time.Minute
	// Slack is how much two sources may disagree about one moment: events have whole seconds, PLEG looks once a second.
	Slack = 2 * time.Second
	// AroundRestart is how long before the end of an instance, and after the start of the next one, something about its
	// pod still belongs to the restart.
	AroundRestart = 90 * time.Second
	// SameRelist is within what time the lines of one relist are written; the next one comes a second later.
	SameRelist = 500 * time.Millisecond
	// Together is how far apart two containers of a pod may end when one thing ends both: sidecars are stopped after
	// the others, each with its grace period.
	Together = 45 * time.Second
	// SkewWidth is how far apart pairs may be that agree: PLEG looks once a second, the API's records have whole
	// seconds.
	SkewWidth = 3 * time.Second
	// ZoneStep and ZoneFarthest: zones differ by whole quarters of an hour, fourteen hours at most.
	ZoneStep     = 15 * time.Minute
	ZoneFarthest = 14 * time.Hour
	// KillTakes is how far the kubelet's word of a kill, or of a pod's eviction, and the end of the container may be
	// apart.
	KillTakes = 2 * time.Minute
	// FirstRelist is how long after its start a kubelet's relist tells old news: the first one shows every container as
	// just started or just died (kubelet pleg/generic.go).
	FirstRelist = 10 * time.Second
	// SkewOfWriters and SkewOfWatchers are how far a clock must be off to be seen as such: runtime and kernel write at
	// once, others look once a second and events come late.
	SkewOfWriters  = 5 * time.Second
	SkewOfWatchers = 10 * time.Second
	// BornEarly is how long before the first sign of a pod its containers may be spoken of, where that sign is no
	// statement of its creation.
	BornEarly = 5 * time.Second
	// BeforeFirst is how long before the oldest known instance a line by name may be about the one before it.
	BeforeFirst = 10 * time.Minute
	// LastWrite is how long after the last write to its log a container may still have run: quiet ones write seldom, but
	// a runtime closes the file with the end.
	LastWrite = time.Minute
	// BootTold is how long after a boot a kubelet tells the API of it.
	BootTold = 10 * time.Minute
	// Overlap is how long a static pod's next incarnation may run beside the last one: kubelets before v1.22 do not
	// wait for the end of the old one.
	Overlap = 90 * time.Second
)

// What a fact about one restart may rest on.
const (
	// StopLag is how much longer than its grace period a stop takes on a busy node.
	StopLag = 10 * time.Second
	// AroundEnd is how long before an end what leads to it may begin: the grace period, a few runs of a probe.
	AroundEnd = 5 * time.Minute
	// StopBefore is how much earlier than the kubelet's word of it the runtime may date its stop.
	StopBefore = 10 * time.Millisecond
	// Asks is how long after its word of it the kubelet asks the runtime, on a busy node.
	Asks = 500 * time.Millisecond
	// DownLag is how long a daemon may take to end its containers and itself: dockerd gives them ten seconds by
	// default, a stop timeout of their own, and systemd ends it after 90.
	DownLag = 2 * time.Minute
	// QuickestBoot is less than a machine needs from the stop of its kubelet over its firmware and kernel to the next
	// one.
	QuickestBoot = 5 * time.Second
	// RebootLag is how long after its first containers a kubelet may say that its node was rebooted: it does with a
	// status of the node.
	RebootLag = 2 * time.Minute
	// PodEndLag is how much longer than its grace period the end of a pod takes: the kubelet ends its containers at
	// once, and sidecars after them.
	PodEndLag = 45 * time.Second
	// Deletes is how long after they announced it the API server, the scheduler and controllers delete a pod: both
	// happen in one call, or one right behind the other (kubernetes v1.26 registry/core/pod/rest eviction.go).
	Deletes = 15 * time.Second
	// Age is what an age that a tool printed leaves open: it is cut to its unit. Of hours and days it says too little.
	Age = time.Minute
	// OOMLag is the time between the kernel's kill and the end of the container as others see it; clocks of kernel log
	// and runtime differ by up to a second.
	OOMLag = 5 * time.Second
	// Settle is how long a new kubelet may take to act on what it finds.
	Settle = 10 * time.Minute
	// EditLag is how long after an edit the kubelet may act on it: it gets the new spec through a watch, at the latest
	// with its next sync.
	EditLag = 3 * time.Minute
	// OneMerge is within what time a kubelet takes a static pod from its files and adds the one that its changed manifest
	// makes: one call does both (kubelet config/config.go Merge), and logs may have whole seconds.
	OneMerge = time.Second
	// OneSync is how soon after a kill the kubelet starts what it decided to start in the same call of SyncPod.
	OneSync = 5 * time.Second
	// Outlived is how much longer than its grace period a stop may take before it explains nothing any more: the
	// runtime answers within two minutes or gives up (kubelet RuntimeRequestTimeout), and the kubelet then says once
	// more that it kills.
	Outlived = 5 * time.Minute
	// LineLag is how much later than it was written the journal may date a line.
	LineLag = 200 * time.Millisecond
	// Jitter is how far the lines of two writers on one clock may be out of order.
	Jitter = 300 * time.Millisecond
	// OOMMinutes is how far apart the ages of a shortage and of an end may be that are of one moment: both are cut to
	// minutes.
	OOMMinutes = 2 * time.Minute
	// Drained is how long it takes to empty a node that was closed to new pods: its pods are stopped one after the
	// other, each within its grace period.
	Drained = 30 * time.Minute
	// BackoffFirst and BackoffMost are the kubelet's back-off between two starts of a container (kubelet v1.31
	// kubelet.go backOffPeriod, MaxContainerBackOff), and StartTakes what a start may take besides: pulling an image,
	// running init containers.
	BackoffFirst = 10 * time.Second
	BackoffMost  = 5 * time.Minute
	// MadeAnew is how far apart the new sandboxes of a pod are on the average that never settles: it is stopped within
	// minutes, and started again after the longest back-off at the latest.
	MadeAnew = 2 * BackoffMost
	// Retried is how far apart they are at the most where a sandbox cannot be made: the kubelet tries again with the
	// next sync.
	Retried    = 30 * time.Second
	StartTakes = 3 * time.Minute
	// QuickBoot is less than a machine needs from the end of its last container over its firmware and kernel to the
	// first new one.
	QuickBoot = 15 * time.Second
	// Pressed is how long after an end a node may say that it had been short of something: the kubelet keeps a pressure
	// for five minutes after it is over (--eviction-pressure-transition-period).
	Pressed = 30 * time.Minute
	// FirstSync is how long after its start a kubelet is done with what it found running.
	FirstSync = 2 * time.Minute
	// SettlesIn is less than a kubelet takes from the start of its runtime, with which the node's boot lets it begin,
	// to the first container.
	SettlesIn = 5 * time.Second
	// Session is how long a command that was run in a container may go on unseen: the kubelet ends a session that is idle
	// for four hours (kubelet v1.5–v1.36 streamingConnectionIdleTimeout).
	Session = 4 * time.Hour
	// SameAge is how far apart the lives of a process are that ends of itself when its work is done. Whoever ends it from
	// outside, each time, hits that seldom.
	SameAge = time.Second
	// AskedToEnd is how long a process that earlyoom asked to end has until it is killed (earlyoom kill.c kill_wait,
	// ten seconds).
	AskedToEnd = 12 * time.Second
	// LongestGrace is taken for a pod that is not known: grace periods are minutes, those of databases up to an hour.
	LongestGrace = time.Hour
	// DefaultGrace is that of the API (core/v1 defaults.go SetDefaults_PodSpec).
	DefaultGrace = 30 * time.Second
	// KillLag is how long the kubelet may take from a decision to the kill, while it waits for other containers of the
	// pod.
	KillLag = 2 * time.Minute
	// UnreadLag is how long before the kill the kubelet complains of a manifest: files are listed every 20 s by default
	// (fileCheckFrequency), and a pod is given up with the list that lacks it.
	UnreadLag = time.Minute
	// MeteredStart is the longest that the kubelet delays a start, and what it takes on top: a counter of restarts rises
	// with the start and not with the end.
	MeteredStart = 6 * time.Minute
	// Scrapes is how long before the end the last reading of a gauge may lie.
	Scrapes = 2 * time.Minute
	// ProbePeriod is the default period of probes (core/v1 defaults.go SetDefaults_Probe).
	ProbePeriod = 10 * time.Second
	// DecidedBefore is how long before a kill, beyond the grace period, it may have been decided.
	DecidedBefore = 30 * time.Second
	// ReadyBefore is how long before an end the node may be ready again that was away: the condition is written late.
	ReadyBefore = time.Minute
	// CoarseSandbox is how exactly the creation of a sandbox is known of which only the age was printed, and SandboxLag
	// how long after its sandbox the first container of a pod is made: init containers come first.
	CoarseSandbox = time.Minute
	SandboxLag    = time.Minute
	// SandboxDied is how long before the end of a container its sandbox may have died: the grace period of the others.
	SandboxDied = 2 * time.Minute
	// SandboxWith is within what a container and its sandbox end at one moment: a container's own end is not followed
	// by its sandbox's sooner than the kubelet takes to see it and to ask for that, which the runtime's log tells.
	SandboxWith = 1500 * time.Millisecond
	// Records is how long before an end, where no kill is known, the records of the runtime must have been read.
	Records = time.Minute
	// RuntimeStart is how far around an end a start of the runtime, or its silence, has to do with it.
	RuntimeStart = time.Minute
	// CronPeriod is the shortest period of a cron job: what ends by the clock ends whole multiples of it apart.
	CronPeriod = time.Minute
	// Dies is how long a killed main process takes to be gone, as the runtime tells it.
	Dies = 2 * time.Second
)

// What a rule takes for cause and effect.
const (
	// EndingLag is how much the clocks of an API server and a node may differ unnoticed.
	EndingLag = 5 * time.Second
	// PackageLag is how long a run of a package manager takes, up to its restarts.
	PackageLag = 30 * time.Minute
	// LastWords is how long before systemd has a daemon back it may have ended.
	LastWords = 5 * time.Minute
	// Rollout is how far apart two nodes of one rollout may come: a node is drained, changed and watched before the
	// next one.
	Rollout = 2 * time.Hour
	// TooSoon is an age at which hardly anybody kills a container: what ends with 137 right after its start passes on
	// the code of a process that it started.
	TooSoon = 5 * time.Second
	// SoonAfterStart is how long after its start a kubelet is done with what it found running: the first sync of every
	// pod, and the grace periods of those it ends.
	SoonAfterStart = 2 * time.Minute
	// InTime is how long before the boot a runtime may have dated an end that it did not see.
	InTime = 10 * time.Minute
	// HookToKill is how soon after a failed postStart hook the kubelet kills, and HookTells how much later than the kill
	// it may tell of the hook, beyond the grace period (up to 1.20 it writes that line when the kill is over).
	HookToKill = 10 * time.Second
	HookTells  = 5 * time.Second
	// ProbesBefore is how long before an end a failed probe may lie that led to it.
	ProbesBefore = 2 * time.Minute
	// HashWave is how long a new kubelet may take to replace what it hashes differently: its first syncs, and their
	// grace.
	HashWave = 5 * time.Minute
	// BackoffRead bounds what is taken for a delay of the kubelet's back-off: five minutes are the most that can be
	// configured.
	BackoffRead = time.Hour
	// LongAgo is when a kill before an end was another one: few pods have more grace than that.
	LongAgo = 2 * time.Minute
)

// Which restarts share a root.
const (
	// OneRoot is how far apart the ends may be that one thing on a node brought about, and OneSandbox those of one pod.
	OneRoot    = 5 * time.Minute
	OneSandbox = time.Minute
	// ManifestsApart is how far apart installers write the manifests of a control plane: each after the last one is
	// healthy.
	ManifestsApart = 15 * time.Minute
	// OperatorsApart is how far apart what depends on one thing ends with it: operators that lose their lease.
	OperatorsApart = 10 * time.Second
	// OutageApart is how far apart the ends of all that an outage takes down may be: runtimes record them as they come
	// back, each machine at its own pace.
	OutageApart = 30 * time.Second
	// RolloutPause is how long after one node the next one may follow in the same incident.
	RolloutPause = 15 * time.Minute
)

// The kubelet's decision, played again.
const (
	// Forgets is longer than the life after which a kubelet forgets earlier crashes (client-go flowcontrol.Backoff:
	// twice the longest delay of 5 min up to 1.31, 10 min since).
	Forgets = 10*time.Minute + 2*Slack
)

// Containers without a name.
const (
	// FirstBoot is how long after the API has a node its first boot may be dated.
	FirstBoot = 10 * time.Minute
	// StopsApart is how far apart two lines about a stop are of two stops.
	StopsApart = time.Minute
)
