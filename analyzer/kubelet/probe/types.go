package probe

import (
	"errors"
	"fmt"
	"time"
)

// Kind is which of a container's probes a worker runs.
type Kind int

// The kubelet's probe types, prober_manager.go.
const (
	Liveness Kind = iota
	Readiness
	Startup
)

// String returns the kubelet's name in lower case.
func (k Kind) String() string {
	switch k {
	case Liveness:
		return "liveness"
	case Readiness:
		return "readiness"
	case Startup:
		return "startup"
	}
	return fmt.Sprintf("probe type %d", int(k))
}

// Held is what the results manager has for a container ID.
type Held int

// The results of prober/results, and None where there is none.
const (
	None Held = iota
	Unknown
	Success
	Failure
)

// Spec is a probe as in the API, with defaults.
type Spec struct {
	Kind Kind
	// Handler is exec, httpGet, tcpSocket or grpc; only exec has special rules.
	Handler string
	// Seconds; the period is at least 1.
	InitialDelay, Period, Timeout int32
	// Consecutive results that change the state; at least 1 each.
	FailureThreshold, SuccessThreshold int32
}

// errSpec is wrapped by every error about a Spec.
var errSpec = errors.New("not a valid probe")

// Validate names the field that the API server would have rejected.
func (s Spec) Validate() error {
	switch {
	case s.Kind < Liveness || s.Kind > Startup:
		return fmt.Errorf("read probe kind %d: %w", int(s.Kind), errSpec)
	case s.Period < 1:
		return fmt.Errorf("read periodSeconds %d: %w", s.Period, errSpec)
	case s.InitialDelay < 0:
		return fmt.Errorf("read initialDelaySeconds %d: %w", s.InitialDelay, errSpec)
	case s.Timeout < 1:
		return fmt.Errorf("read timeoutSeconds %d: %w", s.Timeout, errSpec)
	case s.FailureThreshold < 1:
		return fmt.Errorf("read failureThreshold %d: %w", s.FailureThreshold, errSpec)
	case s.SuccessThreshold < 1:
		return fmt.Errorf("read successThreshold %d: %w", s.SuccessThreshold, errSpec)
	}
	return nil
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }
