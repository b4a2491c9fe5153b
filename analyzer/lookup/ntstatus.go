package lookup

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// Windows errors as exit codes: those whose highest four bits are 1100 (MS-ERREF 2.3).
const firstStatus, lastStatus = 0xC0000000, 0xCFFFFFFF

// terminated and aborted are the codes of processes that something else ended, stillActive that of a running one.
const terminated, aborted, stillActive = 0x40010004, 1067, 259

// controlC is the code of a process that obeyed its runtime's stop request.
const controlC = 0xC000013A

// statuses are the Windows errors that containers end with.
var statuses = map[uint32]struct{ name, means string }{
	0xC0000005: {"STATUS_ACCESS_VIOLATION", "the program used memory that it does not have, as SIGSEGV (139) on Linux"},
	0xC0000017: {"STATUS_NO_MEMORY",
		"Windows had no memory or page file left for it; there is no OOM killer on Windows"},
	0xC000001D: {"STATUS_ILLEGAL_INSTRUCTION", "the processor does not know an instruction of the program"},
	0xC0000094: {"STATUS_INTEGER_DIVIDE_BY_ZERO", "an integer division by zero"},
	0xC00000FD: {"STATUS_STACK_OVERFLOW", "the stack was full, most often after an endless recursion"},
	0xC000012D: {"STATUS_COMMITMENT_LIMIT",
		"the memory limit of the container, or of the machine with its page file, was reached"},
	0xC0000135: {"STATUS_DLL_NOT_FOUND",
		"a library is missing from the image; Nano Server lacks many that Server Core has"},
	0xC0000139: {"STATUS_ENTRYPOINT_NOT_FOUND", "a library in the image is of another version than the program needs"},
	controlC: {"STATUS_CONTROL_C_EXIT",
		"it was asked to stop (Ctrl-C, or the end of the container), and did, as 143 on Linux"},
	0xC0000142: {"STATUS_DLL_INIT_FAILED",
		"a library could not be initialised; it also happens while a container is being stopped"},
	0xC0000374: {"STATUS_HEAP_CORRUPTION", "the program wrote past the end of its memory, and Windows noticed it"},
	0xC0000022: {"STATUS_ACCESS_DENIED", "the user that the container runs as may not do what the program asked for"},
	0xC000007B: {"STATUS_INVALID_IMAGE_FORMAT", "the program or one of its libraries is damaged or of another architecture"},
	0xC0000602: {"STATUS_FAIL_FAST_EXCEPTION", "the program stopped itself at once (fail fast)"},
	0xE0434352: {"an exception of .NET", "nothing in the program caught it; its log or the event log names it"},
	0xE06D7363: {"an exception of C++", "nothing in the program caught it"},
	0x80000003: {"STATUS_BREAKPOINT", "it came to a breakpoint, as a failed assertion has one"},
	terminated: {"DBG_TERMINATE_PROCESS", "it was still running when the machine, or its container, went down"},
	aborted: {"ERROR_PROCESS_ABORTED",
		"Windows' compute service ended it, as after a failed liveness probe or a stop; a program may choose it, too"},
	stillActive: {"STILL_ACTIVE", "Windows has it for a process that has not ended: who asked was too early"},
	0xC0000409: {"STATUS_STACK_BUFFER_OVERRUN",
		"the program stopped itself at once (fail fast), as after a failed assertion"},
}

// ofStatus returns the entry of a Windows error, in any form that tools print: 3221225477, -1073741819 (kubectl),
// 0xC0000005, alone or after words such as exit code.
func ofStatus(term string) (Meaning, bool) {
	words := strings.FieldsFunc(term, func(r rune) bool { return strings.ContainsRune(" :=()", r) })
	if len(words) == 0 {
		return Meaning{}, false
	}
	number := words[len(words)-1]
	before := folded(strings.Join(words[:len(words)-1], ""))
	n, err := strconv.ParseInt(number, 0, 64)
	if err != nil || before != "" && !slices.Contains(codeWords, before) {
		return Meaning{}, false
	}
	if n < 0 {
		n += 1 << 32 // the API has it as int32
	}
	if n < 0 || n > math.MaxUint32 {
		return Meaning{}, false
	}
	s, known := statuses[uint32(n)]
	if !known && (n < firstStatus || n > lastStatus) {
		return Meaning{}, false
	}
	e := Meaning{
		Term: fmt.Sprintf("exit %d", n), Is: ExitCode, Causes: Weights{causes.AppExitError: 100},
		Do: []Command{doPrevious, doWhy, doDescribe}, Source: "MS-ERREF 2.3, NTSTATUS values",
	}
	e.Means = fmt.Sprintf("An error of Windows (0x%X): its documentation of NTSTATUS values says which.", n)
	if known {
		e.Means = fmt.Sprintf("Windows ended the program with %s (0x%X): %s.", s.name, n, s.means)
	}
	if n == controlC || n == terminated || n == aborted {
		e.Causes, e.Look = nil, likelihood.Asked
	}
	if n > math.MaxInt32 {
		e.Means += fmt.Sprintf(" kubectl prints it as %d.", int32(uint32(n)))
	}
	e.Means += " There are no signals on Windows."
	return e, true
}
