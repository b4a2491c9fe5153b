// Package tolerance is the one table of the durations that decide a verdict: how far apart two sources may date one
// moment, how long an effect may follow its cause. Each has its reason, and its source where it has one. The kubelet's
// own constants are in analyzer/kubelet.
package tolerance

import "time"

// Joining what sources report about one moment, one start, one pod.
const (
	// Similar is how far before the first time of an event that stands for similar ones these may have begun (client-go
	// tools/record events_cache.go defaultAggregateIntervalInSeconds).
	Similar = 10 * time.Minute
	// Sampled is how long a container has to live for kubectl top to have seen it: metrics-server scrapes once a minute
	// up to v0.5, and four times since.
	Sampled = time.Minute
	// Flip is how long after its start a kubelet may take to get a healthy pod ready again: the first round of probes,
	// and a delayed status update.
	Flip = 5 * time.Minute
	// AtOnce is the latest time after its start at which a kubelet reports a pod as not ready because it has no result
	// yet.
	AtOnce = time.Minute
	// MirrorChange is the most time between the lines about one change of a mirror pod, and how long before and after
	// such a moment a container must have run.
	MirrorChange = time.Minute
	// Registered is how long after its node's registration a static pod may get its first mirror: its containers run
	// before the API server answers.
	Registered = 10 * time.Minute
	// PowerCut is the most time between ends on several nodes with one cause: a power failure, a lost network.
	PowerCut = 30 * time.Second
	// SeesAnother is how long after its end a kubelet that knew all of its containers finds another one dead: it looks
	// once a second, and a look takes its time.
	SeesAnother = 5 * time.Second
	// HintBefore and HintAfter are how far from an end a line that names a container of the pod may be: the kubelet
	// logs the end when it sees it, and delays the next start until its next sync.
	HintBefore = 2 * time.Second
	HintAfter  = 12 * time.Second
	// CameBack is how long before or after the end, as dated by the runtime, a booting node may become ready.
	CameBack = 2 * time.Minute
	// SameStart is how far apart two sources may date the same start of a daemon, and SamePID how far where both have
	// its PID: a PID may be reused, and after a boot usually is.
	SameStart = 15 * time.Second
	SamePID   = time.Minute
	// Slack is how much two sources may disagree about one moment: events have whole seconds, PLEG polls once a second.
	Slack = 2 * time.Second
	// AroundRestart is how long before the end of an instance, and after the start of the next one, something about its
	// pod still belongs to the restart.
	AroundRestart = 90 * time.Second
	// SameRelist is the period in which the lines of one relist are written; the next one comes a second later.
	SameRelist = 500 * time.Millisecond
	// Together is how far apart two containers of a pod may end when one thing ends both: sidecars are stopped after
	// the others, each with its grace period.
	Together = 45 * time.Second
	// SkewWidth is how far apart consistent pairs may be: PLEG polls once a second, the API's records have whole
	// seconds.
	SkewWidth = 3 * time.Second
	// LateLook is how late all lines may be from which the difference of two clocks is taken, for the same reasons.
	LateLook = 2 * time.Second
	// ZoneStep and ZoneFarthest: time zones differ by multiples of a quarter of an hour, at most fourteen hours.
	ZoneStep     = 15 * time.Minute
	ZoneFarthest = 14 * time.Hour
	// KillTakes is the most time between the kubelet's message about a kill, or a pod's eviction, and the end of the
	// container.
	KillTakes = 2 * time.Minute
	// FirstRelist is how long after its start a kubelet's relist reports old events: the first one shows every
	// container as just started or just died (kubelet pleg/generic.go).
	FirstRelist = 10 * time.Second
	// SkewOfWriters and SkewOfWatchers are the least detectable clock differences: runtime and kernel write at once,
	// others poll once a second and events come late.
	SkewOfWriters  = 5 * time.Second
	SkewOfWatchers = 10 * time.Second
	// BornEarly is how long before the first sign of a pod its containers may be mentioned, where that sign does not
	// state its creation.
	BornEarly = 5 * time.Second
	// BeforeFirst is how long before the oldest known instance a line by name may be about the previous one.
	BeforeFirst = 10 * time.Minute
	// LastWrite is how long after the last write to its log a container may still have run: quiet ones rarely write,
	// but a runtime closes the file at the end.
	LastWrite = time.Minute
	// BootTold is how long after a boot a kubelet reports it to the API.
	BootTold = 10 * time.Minute
	// Overlap is how long a static pod's next incarnation may run next to the last one: kubelets before v1.22 do not
	// wait for the end of the old one.
	Overlap = 90 * time.Second
)

// What a fact about one restart may rest on.
const (
	// StopLag is how much longer than its grace period a stop takes on a busy node.
	StopLag = 10 * time.Second
	// AroundEnd is how long before an end what leads to it may begin: the grace period, a few runs of a probe.
	AroundEnd = 5 * time.Minute
	// StopBefore is how much earlier than the kubelet's message the runtime may date its stop.
	StopBefore = 10 * time.Millisecond
	// Asks is how long after its message the kubelet asks the runtime, on a busy node.
	Asks = 500 * time.Millisecond
	// DownLag is how long a daemon may take to end its containers and itself: dockerd gives them ten seconds by
	// default, or their own stop timeout, and systemd ends it after 90.
	DownLag = 2 * time.Minute
	// QuickestBoot is less than a machine needs from the stop of its kubelet through firmware and kernel to the next
	// one.
	QuickestBoot = 5 * time.Second
	// RebootLag is how long after its first containers a kubelet may report that its node was rebooted: it does with a
	// node status.
	RebootLag = 2 * time.Minute
	// PodEndLag is how much longer than its grace period the end of a pod takes: the kubelet ends its containers in
	// parallel, and sidecars after them.
	PodEndLag = 45 * time.Second
	// Deletes is how long after the announcement the API server, the scheduler and controllers delete a pod: in one
	// call, or immediately after each other (kubernetes v1.26 registry/core/pod/rest eviction.go).
	Deletes = 15 * time.Second
	// Age is the uncertainty of an age that a tool printed: it is rounded down to its unit. Ages in hours and days are
	// too imprecise.
	Age = time.Minute
	// OOMLag is the most time between the kernel's kill and the end of the container in other sources; clocks of kernel
	// log and runtime differ by up to a second.
	OOMLag = 5 * time.Second
	// Settle is how long a new kubelet may take to act on what it finds.
	Settle = 10 * time.Minute
	// EditLag is how long after an edit the kubelet may act on it: it gets the new spec through a watch, at the latest
	// with its next sync.
	EditLag = 3 * time.Minute
	// UpdateLag is how long after it was given a changed pod a kubelet compares the hashes of its containers: at once,
	// unless it is busy or waits for a volume.
	UpdateLag = 3 * time.Second
	// OneMerge is the period in which a kubelet removes a static pod from its files and adds the one of its changed
	// manifest: one call does both (kubelet config/config.go Merge), and logs may have whole seconds.
	OneMerge = time.Second
	// OneSync is how soon after a kill the kubelet starts what it decided to start in the same call of SyncPod.
	OneSync = 5 * time.Second
	// Outlived is how much longer than its grace period a stop may take and still explain an end: the runtime answers
	// within two minutes or gives up (kubelet RuntimeRequestTimeout), and the kubelet then logs another kill.
	Outlived = 5 * time.Minute
	// LineLag is how much later than it was written the journal may date a line.
	LineLag = 200 * time.Millisecond
	// Jitter is how far the lines of two writers on one clock may be out of order.
	Jitter = 300 * time.Millisecond
	// OOMMinutes is how far apart the ages of a shortage and of an end at the same moment may be: both are rounded down
	// to minutes.
	OOMMinutes = 2 * time.Minute
	// Drained is how long it takes to empty a cordoned node: its pods are stopped one after the other, each within its
	// grace period.
	Drained = 30 * time.Minute
	// BackoffFirst and BackoffMost are the kubelet's back-off between two starts of a container (kubelet v1.31
	// kubelet.go backOffPeriod, MaxContainerBackOff), and StartTakes the additional time of a start: pulling an image,
	// running init containers.
	BackoffFirst = 10 * time.Second
	BackoffMost  = 5 * time.Minute
	// MadeAnew is the average time between the new sandboxes of a pod that never becomes stable: it is stopped within
	// minutes, and started again after the longest back-off at the latest.
	MadeAnew = 2 * BackoffMost
	// Retried is the most time between them where a sandbox cannot be created: the kubelet retries with the next sync.
	Retried    = 30 * time.Second
	StartTakes = 3 * time.Minute
	// QuickBoot is less than a machine needs from the end of its last container through firmware and kernel to the
	// first new one.
	QuickBoot = 15 * time.Second
	// Pressed is how long after an end a node may report that it had been short of something: the kubelet keeps a
	// pressure condition for five minutes after it is over (--eviction-pressure-transition-period).
	Pressed = 30 * time.Minute
	// FirstSync is how long after its start a kubelet has processed what it found running.
	FirstSync = 2 * time.Minute
	// SettlesIn is less than a kubelet takes from the start of its runtime, with which the kubelet starts at boot, to
	// the first container.
	SettlesIn = 5 * time.Second
	// Session is how long a command in a container may run unnoticed: the kubelet ends a session that is idle for four
	// hours (kubelet v1.5–v1.36 streamingConnectionIdleTimeout).
	Session = 4 * time.Hour
	// SameAge is how much the lives of a process that ends by itself when its work is done may differ. Anyone who ends
	// it from outside rarely hits that each time.
	SameAge = time.Second
	// AskedToEnd is how long a process that earlyoom asked to end has before it is killed (earlyoom kill.c kill_wait,
	// ten seconds).
	AskedToEnd = 12 * time.Second
	// LongestGrace is assumed for an unknown pod: grace periods are minutes, those of databases up to an hour.
	LongestGrace = time.Hour
	// DefaultGrace is that of the API (core/v1 defaults.go SetDefaults_PodSpec).
	DefaultGrace = 30 * time.Second
	// KillLag is how long the kubelet may take from a decision to the kill, while it waits for other containers of the
	// pod.
	KillLag = 2 * time.Minute
	// UnreadLag is how long before the kill the kubelet logs an error about a manifest: files are listed every 20 s by
	// default (fileCheckFrequency), and a pod is dropped with the first list that lacks it.
	UnreadLag = time.Minute
	// MeteredStart is the longest that the kubelet delays a start, plus the time of the start: a counter of restarts
	// increases with the start and not with the end.
	MeteredStart = 6 * time.Minute
	// Scrapes is how long before the end the last reading of a gauge may be.
	Scrapes = 2 * time.Minute
	// ProbePeriod is the default period of probes (core/v1 defaults.go SetDefaults_Probe).
	ProbePeriod = 10 * time.Second
	// DecidedBefore is how long before a kill, beyond the grace period, it may have been decided.
	DecidedBefore = 30 * time.Second
	// ReadyBefore is how long before an end a node that was down may be ready again: the condition is written late.
	ReadyBefore = time.Minute
	// CoarseSandbox is the precision of a sandbox's creation if only its age was printed, and SandboxLag how long after
	// its sandbox the first container of a pod is created: init containers come first.
	CoarseSandbox = time.Minute
	SandboxLag    = time.Minute
	// SandboxDied is how long before the end of a container its sandbox may have died: the grace period of the others.
	SandboxDied = 2 * time.Minute
	// SandboxWith is the period in which a container and its sandbox end at one moment: if the container ends by
	// itself, its sandbox follows only after the kubelet has seen it and requested the stop, which the runtime's log
	// has.
	SandboxWith = 1500 * time.Millisecond
	// Records is how long before an end, where no kill is known, the records of the runtime must have been read.
	Records = time.Minute
	// RuntimeStart is how far from an end a start of the runtime, or its silence, may be related to it.
	RuntimeStart = time.Minute
	// CronPeriod is the shortest period of a cron job: ends on such a schedule are multiples of it apart.
	CronPeriod = time.Minute
	// Dies is how long a killed main process takes to exit, according to the runtime.
	Dies = 2 * time.Second
)

// What a rule considers as cause and effect.
const (
	// EndingLag is how much the clocks of an API server and a node may differ unnoticed.
	EndingLag = 5 * time.Second
	// PackageLag is how long a run of a package manager takes, up to its restarts.
	PackageLag = 30 * time.Minute
	// LastWords is how long before systemd restarts a daemon it may have ended.
	LastWords = 5 * time.Minute
	// Rollout is the most time between two nodes of one rollout: a node is drained, changed and watched before the next
	// one.
	Rollout = 2 * time.Hour
	// SoonAfterStart is how long after its start a kubelet has processed what it found running: the first sync of every
	// pod, and the grace periods of those it ends.
	SoonAfterStart = 2 * time.Minute
	// InTime is how long before the boot a runtime may have dated an end that it did not see.
	InTime = 10 * time.Minute
	// HookToKill is how soon after a failed postStart hook the kubelet kills, and HookTells how much later than the
	// kill it may log the hook, beyond the grace period (up to 1.20 it writes that line after the kill).
	HookToKill = 10 * time.Second
	HookTells  = 5 * time.Second
	// ProbesBefore is how long before an end a failed probe that led to it may be.
	ProbesBefore = 2 * time.Minute
	// HashWave is how long a new kubelet may take to replace what it hashes differently: its first syncs, and their
	// grace periods.
	HashWave = 5 * time.Minute
	// BackoffRead limits what is accepted as a delay of the kubelet's back-off: five minutes are the most that can be
	// configured.
	BackoffRead = time.Hour
	// LongAgo is the time before an end from which a kill is a different one: few pods have a longer grace period.
	LongAgo = 2 * time.Minute
)

// Which restarts share a root.
const (
	// OneRoot is how far apart ends with one cause on a node may be, and OneSandbox those of one pod.
	OneRoot    = 5 * time.Minute
	OneSandbox = time.Minute
	// ManifestsApart is the most time between the manifests of a control plane that installers write: each after the
	// last one is healthy.
	ManifestsApart = 15 * time.Minute
	// OperatorsApart is how far apart ends of what depends on one thing may be: operators that lose their lease.
	OperatorsApart = 10 * time.Second
	// OutageApart is how far apart ends in one outage may be: runtimes record them when they come back, each machine at
	// its own pace.
	OutageApart = 30 * time.Second
	// RolloutPause is how long after one node the next one may follow in the same incident.
	RolloutPause = 15 * time.Minute
)

// The kubelet's decision, replayed.
const (
	// Forgets is longer than the life after which a kubelet forgets earlier crashes (client-go flowcontrol.Backoff:
	// twice the longest delay of 5 min up to 1.31, 10 min since).
	Forgets = 10*time.Minute + 2*Slack
)

// Containers without a name.
const (
	// FirstBoot is how long after the API has a node its first boot may be dated.
	FirstBoot = 10 * time.Minute
	// StopsApart is the time from which two lines about a stop are about two stops.
	StopsApart = time.Minute
)
