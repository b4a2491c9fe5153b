package decide

// Step is one question that the kubelet's code asks on its way, and how it was answered.
type Step struct {
	// Function is where upstream asks it, such as "computePodActions"; Minor whose code it is, such as "v1.31".
	Function string `json:"function"`
	Minor    string `json:"minor"`
	// Branch names the question for programs and never changes; Container is empty for questions about the pod.
	Branch    string `json:"branch"`
	Container string `json:"container,omitempty"`
	// Question in plain words; Taken is true when the branch was taken.
	Question string `json:"question"`
	Taken    bool   `json:"taken"`
	// Fact is what decided; Then what follows from the answer.
	Fact string `json:"fact"`
	Then string `json:"then,omitempty"`
}

// Trace is every step of one decision, in the order in which the kubelet takes them. It is nil unless it was asked for.
type Trace []Step
