package evidence

// ReadinessChanged says that a pod's condition Ready changed in the API while all of its containers kept running: the
// observation's time is the condition's lastTransitionTime. The subject is the pod.
type ReadinessChanged struct{ Ready bool }

// ReadinessEarly is the status manager's line that a readiness result came before the kubelet had synced the pod once
// (status/status_manager.go SetContainerReadiness, every version, at any verbosity): a kubelet had just started, and a
// probe worker raced with the pod's first status.
type ReadinessEarly struct{}

// Statement implements Fact.
func (ReadinessChanged) Statement() string { return "pod.readiness-changed" }
func (ReadinessEarly) Statement() string   { return "kubelet.readiness-early" }
