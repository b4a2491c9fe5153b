package report

import "time"

// Replay is the kubelet's decision about a pod, as `replay` shows it. The JSON of `replay` has its own type.
type Replay struct {
	Namespace, Pod string
	// Decision holds the deciding version, what was supposed and assumed, and every branch.
	Decision Decision
	// Extrapolated: the version is newer than the newest known one.
	Extrapolated bool
	// The consequences of the decision.
	Refused, KillPod, CreateSandbox, NoNetwork bool
	Kill                                       []ReplayKill
	Start                                      []ReplayStart
	Readiness                                  []ReplayReadiness
}

// ReplayKill is one container that is stopped, with the text of its event.
type ReplayKill struct {
	Container string `json:"container"`
	Message   string `json:"message"`
}

// ReplayStart is one container that is started. NotBefore is when its back-off ends, absent without one; RestartCount
// is absent when it is known only from the node's log directory.
type ReplayStart struct {
	Container    string     `json:"container"`
	Kind         string     `json:"kind"`
	RestartCount *int       `json:"restartCount,omitempty"`
	NotBefore    *time.Time `json:"notBefore,omitempty"`
}

// ReplayReadiness is what the status says of a container after the kubelet's start. If is the condition for that, ""
// for none.
type ReplayReadiness struct {
	Container, If string
	Status        []ReplayStatus
}

// ReplayStatus is the status at one time.
type ReplayStatus struct {
	When, Why      string
	Ready, Started bool
}
