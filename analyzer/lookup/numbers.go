package lookup

import (
	"fmt"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// The limits of exit codes and signals on Linux.
const (
	highestCode   = 255
	signalBase    = 128
	highestSignal = 64
)

// ofCode returns the entry of an exit code, or one made up for a code without its own.
func ofCode(digits string) (Meaning, bool) {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > highestCode {
		return Meaning{}, false
	}
	term := "exit " + strconv.Itoa(n)
	if e, ok := byTerm[folded(term)]; ok {
		return *e, true
	}
	e := Meaning{
		Term: term, Is: ExitCode, Look: likelihood.Code, Source: byHand, Do: []Command{doPrevious, doWhy},
		Means: "A code of the program's own: only its documentation says what it means. Kubernetes did not make it.",
	}
	if s := n - signalBase; s > 0 && s <= highestSignal {
		e.Look, e.Source = likelihood.Signalled, bySignal
		e.Means = fmt.Sprintf("Ended by signal %d (128 + %d), or the program chose this code itself.", s, s)
	}
	return e, true
}

// ofSignal returns the entry of a signal's number: that of the exit code.
func ofSignal(digits string) (Meaning, bool) {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > highestSignal {
		return Meaning{}, false
	}
	return ofCode(strconv.Itoa(signalBase + n))
}
