package main

import (
	"math/bits"
	"slices"
	"time"
)

// A status is what one pod looks like, as choices from short tables: choice 0 of each is the plainest one, so that a
// status is made smaller by choosing 0.
type status [dimensions]uint8

// The choices. The first five go through every combination; the rest is random.
const (
	ofPod    = iota // phase, reason and message of the pod
	ofNow           // the container's state
	ofLast          // its lastState
	ofKind          // app, init, sidecar
	ofPolicy        // restartPolicy
	ofBeside        // another container of the pod
	ofLimit         // memory limit and request of the container
	ofPodLimit
	ofProbe
	ofHook
	ofOwner
	ofDisruption
	ofDeletion
	ofVersion
	ofRuntime
	ofNode
	ofLife
	ofCount
	ofKill
	ofUnhealthy
	ofPodEvent
	ofNodeEvent
	ofMerged
	dimensions
)

// enumerated is how many of the choices go through every combination.
const enumerated = ofPolicy + 1

// sizes are the numbers of choices.
var sizes = [dimensions]int{
	ofPod: len(podEnds), ofNow: 2 + len(waits) + len(ends), ofLast: 1 + len(ends), ofKind: 3, ofPolicy: len(policies),
	ofBeside: 4, ofLimit: 3, ofPodLimit: 2, ofProbe: len(probes), ofHook: 3,
	ofOwner: len(owners), ofDisruption: 1 + len(disruptions), ofDeletion: 2,
	ofVersion: len(versions), ofRuntime: len(runtimes), ofNode: 3, ofLife: len(lives), ofCount: 3,
	ofKill: 1 + len(kills), ofUnhealthy: 4, ofPodEvent: 1 + len(podEvents), ofNodeEvent: 1 + len(nodeEvents), ofMerged: 2,
}

// combinations returns the number of enumerated combinations.
func combinations() uint64 {
	n := uint64(1)
	for _, size := range sizes[:enumerated] {
		n *= uint64(size)
	}
	return n
}

// statusOf returns status i of a seed: i goes through every combination in a mixed order, and seed and i draw the rest,
// of which every second choice is the plain one.
func statusOf(seed, i uint64) status {
	var s status
	all := combinations()
	const stride = 1_000_003 // a prime that divides no size: every combination comes once
	at := (i%all*stride + seed%all) % all
	for d, size := range sizes[:enumerated] {
		s[d] = uint8(at % uint64(size))
		at /= uint64(size)
	}
	draw := mix(seed ^ mix(i+1))
	for d := enumerated; d < dimensions; d++ {
		draw = mix(draw)
		if draw>>63 == 0 {
			hi, _ := bits.Mul64(draw<<1, uint64(sizes[d]))
			s[d] = uint8(hi)
		}
	}
	return lawful(s)
}

// mix is splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// lawful removes what no kubelet or API server writes: events about exits that do not exist, probes where the API
// allows none, states of a pod without statuses.
func lawful(s status) status {
	if s[ofNow] == nowAbsent {
		s[ofLast], s[ofBeside], s[ofCount] = 0, 0, 0
	}
	if s[ofKind] == kindSidecar {
		s[ofVersion] = max(s[ofVersion], firstSidecars)
	}
	if w := s.waits(); w != nil && w.reason == "PostStartHookError" {
		if s[ofHook] = hookPostStart; s[ofKind] == kindInit {
			s[ofNow], s[ofHook] = nowRuns, 0
		}
	}
	e, ended := s.newest()
	life := lives[s[ofLife]]
	k := kill{}
	if s[ofKill] > 0 {
		k = kills[s[ofKill]-1]
	}
	if !ended || e.never() || e.reason == "ContainerStatusUnknown" || s[ofKind] == kindInit &&
		k.of != "pod" || versions[s[ofVersion]].minor < k.since {
		s[ofKill], k = 0, kill{}
	}
	switch {
	case s[ofKind] == kindInit:
		s[ofProbe], s[ofHook] = 0, 0 // the API allows neither
	case k.of == "liveness":
		s[ofProbe] = probeLiveness
	case k.of == "startup":
		s[ofProbe] = probeStartup
	case k.of == "postStart":
		s[ofHook] = hookPostStart
	}
	if p := probes[s[ofProbe]]; p.startup && versions[s[ofVersion]].minor < 18 {
		s[ofVersion] = firstStartup
	}
	if k.probed() && life < shortestProbed || k.of != "" && e.code == 137 && life < time.Minute {
		s[ofLife] = lifeLong // the probe had to fail, and the grace period to expire
	}
	if p := probes[s[ofProbe]]; s[ofUnhealthy] > 0 &&
		(!ended || !p.has(unhealthy[s[ofUnhealthy]-1]) || lives[s[ofLife]] < shortestProbed || e.never()) {
		s[ofUnhealthy] = 0
	}
	if s[ofNodeEvent] > 0 && nodeEvents[s[ofNodeEvent]-1].reason == "Rebooted" &&
		(s[ofNode] == nodeNeighbour || s[ofBeside] == besideRuns) {
		s[ofNode], s[ofBeside] = 0, 0 // a container that kept running contradicts the boot
	}
	if podEnds[s[ofPod]].reason != "" && s[ofDisruption] > 0 {
		s[ofDisruption] = 1 // the kubelet writes its own condition with its reason
	}
	if e := s[ofPodEvent]; e > 0 && podEvents[e-1].reason == "SandboxChanged" && s[ofBeside] == besideRuns {
		s[ofBeside] = 0 // no container outlives its sandbox
	}
	if e := s[ofPodEvent]; e > 0 && slices.Contains([]string{"Evicted", "Preempting", "TaintManagerEviction"},
		podEvents[e-1].reason) && podEnds[s[ofPod]].reason != "" &&
		(podEnds[s[ofPod]].reason != podEvents[e-1].reason || podEnds[s[ofPod]].names[0] == "admission-rejected") {
		s[ofPodEvent] = 0 // event and status are written by the same component
	}
	if s[ofPodEvent] > 0 && podEvents[s[ofPodEvent]-1].reason == "FailedPostStartHook" {
		if s[ofKind] == kindInit || !ended || e.never() {
			s[ofPodEvent] = 0
		} else {
			s[ofHook] = hookPostStart
		}
	}
	return s
}
