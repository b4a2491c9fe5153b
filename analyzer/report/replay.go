package report

import "time"

// Replay is the kubelet's decision about a pod: the page of `replay`. Programs read its
// own JSON.
type Replay struct {
	Namespace, Pod string
	// Decision has who decided, what was supposed and assumed, and every question.
	Decision Decision
	// Extrapolated: the version is newer than the newest known one.
	Extrapolated bool
	// What comes of it.
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

// ReplayStart is one container that is started. NotBefore is when back-off lets it, absent without one; RestartCount is
// absent when only the node's log directory knows it.
type ReplayStart struct {
	Container    string     `json:"container"`
	Kind         string     `json:"kind"`
	RestartCount *int       `json:"restartCount,omitempty"`
	NotBefore    *time.Time `json:"notBefore,omitempty"`
}

// ReplayReadiness is what the status says of a container after the kubelet's start. If
// is what it depends on, "" for nothing.
type ReplayReadiness struct {
	Container, If string
	Status        []ReplayStatus
}

// ReplayStatus is the status at one time.
type ReplayStatus struct {
	When, Why      string
	Ready, Started bool
}
