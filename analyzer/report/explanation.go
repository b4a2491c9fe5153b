package report

// ExplanationKind is the kind of an Explanation.
const ExplanationKind = "Explanation"

// Explanation is what the user's own words mean: an exit code, a reason, an event, a log line. It does not rest on
// evidence.
type Explanation struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Answers are in the order of the words; words with the same meaning share one.
	Answers []Answer `json:"answers"`
	// Unknown are the first few words whose meaning is not known; UnknownLines counts them all.
	Unknown      []string `json:"unknown,omitempty"`
	UnknownLines int      `json:"unknownLines,omitempty"`
}

// Answer is the meaning of one word or message.
type Answer struct {
	// Term is the word as Kubernetes writes it: "exit 137", "OOMKilled".
	Term string `json:"term"`
	// Is says what the term is: exit code, signal, reason, event, message.
	Is string `json:"is"`
	// Said is the first of the given lines with this meaning; Lines counts such lines.
	Said  string `json:"said,omitempty"`
	Lines int    `json:"lines,omitempty"`
	// Means is one plain sentence or two.
	Means string `json:"means"`
	// Here is what the given message says in plain words, Advice what to do about it; "" where neither is known.
	Here   string `json:"here,omitempty"`
	Advice string `json:"advice,omitempty"`
	// Causes are the most frequent first; empty where the word is not about the end of a container.
	Causes []AnswerCause `json:"causes"`
	// Estimated: the frequencies of the causes are estimates and do not rest on counted incidents.
	Estimated bool `json:"estimated,omitempty"`
	// Do are the commands that help to decide, the best first.
	Do []AnswerCommand `json:"do"`
	// Source is where the word comes from.
	Source string `json:"source"`
}

// AnswerCause is one cause behind a word.
type AnswerCause struct {
	Cause string `json:"cause"`
	// Percent is how many of a hundred such ends have this cause, roughly, before anything else is known.
	Percent int `json:"percent"`
	// Only is the condition for the cause, "" where any container may have it.
	Only string `json:"only,omitempty"`
	// Text says what happened, Decides how to distinguish it from the others.
	Text    string `json:"text"`
	Decides string `json:"decides"`
}

// AnswerCommand is a command and what it is good for.
type AnswerCommand struct {
	Command string `json:"command"`
	For     string `json:"for"`
}
