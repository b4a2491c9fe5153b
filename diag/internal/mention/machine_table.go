package mention

import "regexp"

// What shows that a machine went down (machine.go).
var (
	// sinceBoot matches the kernel's stamp, the seconds since it booted.
	sinceBoot = regexp.MustCompile(`^\W{0,3}(?:.{0,80}\bkernel: )?\[ *(\d+\.\d{6})\]`)
	// oops matches the kernel's reports of a fault of its own, behind which many kernels are set to stop
	// (arch/*/mm/fault.c, arch/x86/kernel/{traps,dumpstack}.c, lib/bug.c, kernel/watchdog.c, mce/core.c).
	oops = regexp.MustCompile(`(?:^|[\]:] ?)(?:BUG: (?:unable to handle|kernel NULL pointer)|Unable to handle kernel |` +
		`kernel BUG at |general protection fault(?:, |: 0)|Internal error: Oops|Oops: [0-9a-fK]|Kernel panic - not syncing|` +
		`(?:.{0,24}Watchdog detected hard LOCKUP)|.{0,32}Machine Check Exception: )`)
	// comesUp matches the first lines of a kernel: behind those of one that ran, a console shows both.
	comesUp = regexp.MustCompile(`\[ *0\.0{6}\](?:\[ *[TC]\d+\])? (?:Linux version \d|Booting Linux on physical CPU|Command line: )`)
	// ailing matches what else the kernel says of itself and of its disks, or a person of it, before a machine goes down.
	ailing = regexp.MustCompile(`\b(?:[Ss]oft[ -]?lock-?ups?|[Hh]ard[ -]?(?:lock-?up|LOCKUP)|(?i:kernel (?:panic\w*|oops\w*|bugs?|crash\w*))|` +
		`detected stalls?|self-detected stall|rcu_\w+ (?:kthread|stall)\w*|RCU stalls?|blocked for more than \d+ sec\w*|hung_task\w*|` +
		`(?i:machine checks?|NMI watchdog|kdump|vmcore)|Hardware Error|Call Trace|EXT[234]-fs error|` +
		`Buffer I/O error|I/O error, dev|nvme\w* \w+: (?:I/O \d+ .*timeout|controller is down)|Remounting filesystem read-only)\b|` +
		`\bXFS \([^)]*\): .*(?:[Cc]orruption|[Ss]hut(?:ting)? ?down)`)
	// goesDown are a person's words for it.
	goesDown = regexp.MustCompile(`(?i)\b(?:` + theMachine + `\b[^.;,]{0,32}\b(?:(?:re-?boot|re-?start|crash|panick?|reset|hang|freez|die|stall)` +
		`(?:e?s|e?d|ing)?|(?:locks?|locked|locking) up|hung|froze|frozen|dead|dying|lock-?ups?|unresponsive|power(?:s|ed|ing)? (?:off|down)|` +
		`(?:go|goes|went|going|is|are|was|were)(?: \w+)? (?:down|away|offline|gone))|` +
		`(?:re-?boot|re-?start|reset)(?:s|ed|ing)?(?: of)?(?: \w+){0,3} ` + theMachine + `|kernel panic\w*)\b`)
	// ofSome matches what makes some machines the subject: they are no place.
	ofSome = regexp.MustCompile(`(?i)\b(?:some|one|all|both|a few|many|several|most|two|three) of (?:\w+ ){1,3}$`)
	// byHand are words of a sentence about what a person did with a machine that had not gone down.
	byHand = regexp.MustCompile(`(?i)\b(?:I|we|you)(?: \w+){0,3} (?:re-?boot|re-?start|reset)(?:ed|s|ing)?\b.*\b(?:gone|helps?|helped|` +
		`fix(?:es|ed)?|solve[sd]?|works?|worked|disappear\w*|again)\b|\bun(?:til|less) `)
	// byItself matches a machine as what went down, where nothing beside it is told: not what somebody does, did or may do
	// with it.
	byItself = regexp.MustCompile(`(?i)\b` + theMachine + `\b[^.;,?]{0,32}\b(?:re-?boot(?:s|ed|ing)|re-?start(?:s|ed|ing)|crash(?:es|ed|ing)|` +
		`panick?(?:s|ed|ing)|reset(?:s|ting)|hung|hangs|froze|freezes|locks up|locked up|(?:goes|went|going) (?:down|offline|away))\b`)
	// asPlanned are words of a sentence about what may come, or was wanted.
	asPlanned = regexp.MustCompile(`(?i)\b(?:if|when(?:ever)?|should|will|would|can|could|may|might|must|needs?|to be|expected|planned|intended|` +
		`fine|please|feature|every (?:day|night|week|month))\b`)
)

// theMachine are words for a machine, as its owner calls it.
const theMachine = `(?:` + machines + `|minions?|OS|boxe?s?|hypervisors?)`
