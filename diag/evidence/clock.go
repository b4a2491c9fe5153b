package evidence

import "time"

// ClockCompared is how far a node's clock was from the API server's: the kubelet dates its events by its own clock, the
// API server dates their arrival by its own. The subject is the node. The network and a busy kubelet make events arrive
// late, never early, so Offset comes from the fastest one.
type ClockCompared struct {
	// Offset is how far the node's clock was ahead; negative when it was behind.
	Offset time.Duration
	// Least and Most bound the differences of the Pairs that agree.
	Least, Most time.Duration
	Pairs       int
}

// Statement implements Fact.
func (ClockCompared) Statement() string { return "node.clock-compared" }

// Later returns the later of two times; the zero time is the earliest.
func Later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
