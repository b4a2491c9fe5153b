package score

// Outcome is the result of one comparison.
type Outcome int

// The outcomes, best first.
const (
	// Right: the cause is the truth, with any confidence except unknown.
	Right Outcome = iota
	// Honest: possible or unknown, and the truth is among the remaining causes.
	Honest
	// Vague: possible or unknown, and the truth is not named at all.
	Vague
	// Silent: the report has no item for what ended.
	Silent
	// Wrong: likely, and not true.
	Wrong
	// WrongProven: proven, and not true. It is the worst outcome.
	WrongProven
)

// Outcomes lists all of them, best first.
var Outcomes = []Outcome{Right, Honest, Vague, Silent, Wrong, WrongProven}

var outcomeWords = [...]string{"right", "honest", "vague", "silent", "wrong", "wrong proven"}

// String returns the word that tables use.
func (o Outcome) String() string { return outcomeWords[o] }

// Words are the four words of confidence, the strongest first, and the word for no item.
var Words = []string{"proven", "likely", "possible", "unknown", silentWord}

const silentWord = "silent"
