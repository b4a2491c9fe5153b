package probe

// Survivor is a container that keeps running while its kubelet is restarted, and that started long before (more than
// the 10 s that 1.35+ requires).
type Survivor struct {
	// Readiness and Startup say which probes it has.
	Readiness, Startup bool
	// WasStarted is started in its status; WasReady is the pod's condition Ready, which 1.35+ uses instead of the
	// container's own. Both as the API had them before the restart.
	WasStarted, WasReady bool
	// Healthy: its probes pass when they are run.
	Healthy bool
}

// Shown is what the status says about a Survivor from one moment on.
type Shown struct {
	When    string `json:"when"`
	Started bool   `json:"started"`
	Ready   bool   `json:"ready"`
	Why     string `json:"why"`
}

// Course is one possible sequence of statuses after a kubelet restart.
type Course struct {
	// Race says what came first where two goroutines of the kubelet race; empty where there is only one order.
	Race   string  `json:"race,omitempty"`
	Status []Shown `json:"status"`
}

// survivor is what prober_manager.go UpdatePodStatus uses.
type survivor struct {
	Survivor
	r               Rules
	workers         bool
	startup, result Held // of the startup and the readiness probe
}

// AfterRestart returns the statuses of a container after a restart of its kubelet. The kubelet has forgotten every
// result; HandlePodAdditions registers its workers concurrently with the first sync (a race), or the first sync does
// after its status (kubelet.go HandlePodAdditions and SyncPod; prober/prober_manager.go UpdatePodStatus;
// prober/worker.go doProbe).
//
// None of it restarts the container. But traffic stops while Ready is false, and up to 1.34 a startup probe runs again.
func AfterRestart(r Rules, c Survivor) []Course {
	c.Startup = c.Startup && r.StartupProbes
	if !r.AddedAfterSync || !c.Readiness && !c.Startup {
		return []Course{{Status: play(r, c, false)}}
	}
	return []Course{
		{Race: "the first status comes before the probe workers are registered", Status: play(r, c, false)},
		{Race: "the probe workers are registered before the first status", Status: play(r, c, true)},
	}
}

func play(r Rules, c Survivor, workersFirst bool) (shown []Shown) {
	s := survivor{Survivor: c, r: r, workers: workersFirst}
	add := func(when string) {
		now := s.shown(when)
		if n := len(shown); n > 0 && shown[n-1].Started == now.Started && shown[n-1].Ready == now.Ready {
			return
		}
		shown = append(shown, now)
	}
	add("in the first status")
	s.workers = true
	add("once the probe workers are registered")
	if !r.KeepsOverRestart {
		// A worker sets its initial result when it first sees the container.
		s.result, s.startup = Failure, r.StartupInitial
	}
	add("once the workers have seen the container")
	if c.Healthy {
		s.startup = Success
		add("once the startup probe has passed")
		s.result = Success
		add("once the readiness probe has passed")
	} else {
		s.result = Failure
		add("once the readiness probe has failed")
	}
	return shown
}

func (s *survivor) shown(when string) Shown {
	out := Shown{When: when, Started: s.started()}
	switch {
	case s.r.ReadyNeedsStarted && !out.Started:
		out.Why = "it does not count as started, so it is not ready"
	case !s.Readiness:
		out.Ready, out.Why = true, "it has no readiness probe"
	case s.r.KeepsOverRestart && s.result == None:
		out.Ready = s.WasReady
		out.Why = "its readiness probe has not run yet: the pod's condition Ready is kept"
	case s.result == Success:
		out.Ready, out.Why = true, "its readiness probe has passed"
	case s.result == Failure && s.r.KeepsOverRestart:
		out.Why = "its readiness probe has failed"
	case s.result == Failure:
		out.Why = "its readiness probe has not passed since the kubelet's start"
	case s.workers:
		out.Why = "its readiness probe has a worker but no result yet"
	default:
		out.Ready, out.Why = true, "its readiness probe has no worker yet, and without one a container counts as ready"
	}
	return out
}

// started is the result of UpdatePodStatus and, since 1.35, of isContainerStarted. Before startup probes there was no
// such field; a running container counted as started.
func (s *survivor) started() bool {
	switch {
	case !s.Startup:
		return true
	case s.startup != None:
		return s.startup == Success
	case s.r.KeepsOverRestart && s.WasStarted:
		return true
	}
	return !s.workers
}
