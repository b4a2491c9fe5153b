package mention

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// A person says that something ended, and in the same sentence, beside it or in the title, what of.
func TestWhatAPersonNamesAsTheReasonLeads(t *testing.T) {
	const (
		memory, crash, zero = `"reason":"OOMKilled"`, `"reason":"Error"`, `"exitCode":0`
		probe, hook         = `"Liveness probe failed`, `"FailedPostStartHook"`
		fails, late, bare   = `initContainerStatuses`, `"DeadlineExceeded"`, `"lastState"`
	)
	for text, want := range map[string]string{
		"Kubernetes restarts my pod because /healthz does not answer in time.":                                 probe,
		"My pod crashes at once because its image has no long-running process.":                                zero,
		"The memory of the indexer pod climbs until it meets its 256Mi limit, and then it is killed.":          memory,
		"# The syncer gets killed\n\nWith 3000 tenants the syncer wants more than its 128Mi and k8s kills it.": memory,
		"It takes 6 G of memory and then the pod restarts by itself, I cannot say why.":                        memory,
		"# OOM\n\nWe have seen OOMs of the agent in our k8s cluster since spring.":                             memory,
		"The log shipper is a daemonset and goes OOM on our busiest nodes.":                                    memory,
		"# Defaults are too small\n\nThe pods die, they do not have enough memory. With 2Gi they live.":        memory,
		"The gateway in GKE is being OOM-ed while it reloads its 5000 routes.":                                 memory,
		"# Reporter dies\n\nThe resource limit of the container is hit once too many objects exist.":           memory,
		"The pod crashes at its start with the error `cannot parse the port`, since Monday.":                   crash,
		"The container exits right after the start with \"permission denied\" on its volume.":                  crash,
		"# The resolver of kube-system\n\nIts pods don't start: plugin/loop: a loop was found":                 crash,
		"The api pods exit when the database is not reachable, and are started again.":                         crash,
		"My pod dies and all that it logs is\n\n`Error opening the main listener: bind: permission denied`":    crash,
		"The container logs this and then the pod is restarted.\n\n```\nconnecting\nError: connect ECONNREFUSED 10.0.0.5:5432\n" +
			"    at Object.connect (net.js:1144:16)\n```\n": crash,
		"The job of the pod sleeps for a minute and then exits 0, and k8s starts it again.":                     zero,
		"# The runner exits after its job\n\nThe runner pod finishes and exits with code 0, but it stays.":      zero,
		"The container stops right away, State: Terminated, Reason: Completed, Exit Code: 0":                    zero,
		"Pods of this deployment reboot every three hours because their RAM is full.":                           memory,
		"# The scanner is always killed\n\n**What happened**\nIts pod eats more and more memory over the day.":  memory,
		"If I turn HTTP off the livenessProbe still asks port 80, and the pod gets restarted.":                  probe,
		"# The broker's pod restarts a lot\n\nIt crashes then each time the API cannot be reached.":             crash,
		"The pod goes into an error state once the password has a special character.":                           crash,
		"After it has taken up 6 G memory the pod auto restarts, and later the node of the pod went down, too.": memory,
		"RunContainerError: \"PostStart handler: error in the container: -1\" is what the pod shows.":           hook,
		"# Bug: the console's pod has a leak, OOM\n\nUnknown how to make it happen.":                            memory,
		"Our pod is not starting up successfully because the server cannot write to its log directory.":         crash,
		"The agent pod stops with exit code 0 after a while and kubernetes restarts it.":                        zero,
		"On our small board the probes kill the pod before it is up, initialDelaySeconds is low.":               probe,
		"k8s restarts the pod every two minutes since its probe of /healthz fails while it migrates.":           probe,
		"# Hooks\n\nThe pod has FailedPostStartHook in its events, what can that be?":                           hook,
		"kubelet: PostStart handler: the command could not be run in the container":                             hook,
		"The initContainer that owns the permissions fails on OpenShift, so no pod starts.":                     fails,
		"After the upgrade of the chart the pod stays in Init:Error, the plugins do not come.":                  fails,
		"Our nightly job always ends with DeadlineExceeded, after an hour.":                                     late,
		"# k8s: its workers get killed\n\n[WARNING] Worker with pid 99 was terminated due to signal 9":          bare,
	} {
		if got := read(text, "notes.txt") + asks(text); !strings.Contains(got, want) {
			t.Errorf("%q: no %s in %s", text, want, got)
		}
	}
}

// The same words without an end, or with one that is denied, wanted or of something else.
func TestAReasonWithoutAnEndLeadsNowhere(t *testing.T) {
	for _, text := range []string{
		"Which memory limit should the pods of the operator have?\n",
		"Please write down how much memory the exporter's pod needs.\n",
		"The pod uses 2Gi of memory, and its limit is 4Gi, all is well.\n",
		"The pod did not crash, and the memory that it used was below its limit.\n",
		"It would be nice if the livenessProbe of the chart could have another path.\n",
		"The rate limit of the pod's API was reached, so that it answered 429.\n",
		"The memory of the pod grows during the day and shrinks at night.\n",
		"The state of the Error page of our pod is fine.\n",
	} {
		if got := read(text, "notes.txt") + asks(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
	for text, not := range map[string]string{ // an end, and no reason for it
		"The pod crashes at its start. Its liveness probe asks /live.\n\n```\nstarting\nTraceback (most " +
			"recent call last):\n  File \"m.py\", line 3, in <module>\nKeyError: 'port'\n```\n": "Unhealthy",
		"The pod restarts a lot. It takes 3Gi of RAM.\n\n```\nstarting\nTraceback (most recent call " +
			"last):\n  File \"m.py\", line 3, in <module>\nKeyError: 'port'\n```\n": "OOMKilled",
		"The pod crashes as it copies a file of more than " +
			"3GB.": "OOMKilled",
		"The container crashes. Its image has a size of 1.5 GB, and no limits are " +
			"set.": "OOMKilled",
		"The pods crash. Version 3 takes 200 MB less " +
			"memory.": "OOMKilled",
		"The container restarts but memory is fine, it got 3Gi and uses " +
			"100Mi.": "OOMKilled",
		"The pod restarts when a download exceeds its " +
			"limits.": "OOMKilled",
		"The pod crashes because the rate of the calls exceeds the limit of the " +
			"shop.": "OOMKilled",
		"The pod crashes in probes.go line " +
			"12.": "Unhealthy",
		"The pod crashes on start. A liveness probe is not " +
			"configured.": "Unhealthy",
		"The pod crashes after it reads /status of its " +
			"neighbour.": "Unhealthy",
		"A container crashed. The health checks of the gateway are " +
			"fine.": "Unhealthy",
		"We have clusters with too little memory. They are old. They are small. We run a shop. Today the " +
			"pod web-0 crashed.": "OOMKilled",
		"The pods crash and the jobs are Completed in another " +
			"namespace.": `"exitCode"`,
		"The pod has crashed once. It runs an init container and that is " +
			"fine.": "initContainerStatuses",
		"The pod restarted tonight. It has no memory limit, and nobody was " +
			"there.": "OOMKilled",
		"The pod is killed, while the nil pointer was a bug of memory access long " +
			"ago.": "OOMKilled",
		"The pod restarts when the open file limit is " +
			"reached.": "OOMKilled",
		"The pod restarts with exit code 139, which is not caused by running out of " +
			"memory.": "OOMKilled",
		"Redis of the cluster crashes with `bad file format`. Its agents wait for it in an init " +
			"container, as they are meant to.": "initContainerStatuses",
		"The pods crash on a board with 4 cores and 10gb of ram, each after its " +
			"build.": "OOMKilled",
		"When a pod of the store ends uncleanly (eviction, OOM, preemption) its file is broken. Then the " +
			"pod crashes for it.": "OOMKilled",
		"The kubelet kills `web-0` in a loop: the liveness probe failed, then a graceful `exit " +
			"0`.": `"exitCode"`,
	} {
		if got := read(text, "notes.txt") + asks(text); !strings.Contains(got, "lastState") || strings.Contains(got, not) {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// asks is what the text tells if nothing else can be read of it.
func asks(text string) (all string) {
	for _, raw := range Of(text, "notes.txt", printed).Read(naming.Names{}, true) {
		all += string(raw)
	}
	return all
}
