package score

// Outcome of one comparison.
type Outcome int

// The outcomes, best first.
const (
	// Right: the cause is the truth, said with any confidence but unknown.
	Right Outcome = iota
	// Honest: possible or unknown, and the truth is among what still stands.
	Honest
	// Vague: possible or unknown, and the truth is not even named.
	Vague
	// Silent: the report has no item for what ended.
	Silent
	// Wrong: likely, and not so.
	Wrong
	// WrongProven is the worst there is.
	WrongProven
)

// Outcomes are all of them, best first.
var Outcomes = []Outcome{Right, Honest, Vague, Silent, Wrong, WrongProven}

var outcomeWords = [...]string{"right", "honest", "vague", "silent", "wrong", "wrong proven"}

// String is the word that tables use.
func (o Outcome) String() string { return outcomeWords[o] }

// Words are the four words of confidence, the strongest first, and what stands in
// their place where nothing was said.
var Words = []string{"proven", "likely", "possible", "unknown", silentWord}

const silentWord = "silent"
