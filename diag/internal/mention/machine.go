package mention

import (
	"regexp"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file reads that a machine went down, and with it all its containers, where a text names none of them: a person
// says so beside the kernel's words of what machines die of, the kernel's report of its own fault is the last that it
// wrote, or a console shows the next boot.

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
	// remedy are words of a sentence about what a person did with a machine that had not gone down.
	remedy = regexp.MustCompile(`(?i)\b(?:I|we|you)(?: \w+){0,3} (?:re-?boot|re-?start|reset)(?:ed|s|ing)?\b.*\b(?:gone|helps?|helped|` +
		`fix(?:es|ed)?|solve[sd]?|works?|worked|disappear\w*|again)\b|\bun(?:til|less) `)
)

// theMachine are words for a machine, as its owner calls it.
const theMachine = `(?:` + machines + `|minions?|OS|boxe?s?|hypervisors?)`

// machine returns that end, with the kernel's line as its last words; nil for none.
func (t *Text) machine() *end {
	if t.teaches {
		return nil
	}
	ails, dies, boots, said, fence, ran := -1, -1, -1, -1, false, false
	for i := range t.lines {
		l := &t.lines[i]
		switch {
		case l.fence:
			fence = !fence
		case l.outside || l.wished:
		case oops.MatchString(l.text):
			dies = i
		case ran && comesUp.MatchString(l.text):
			boots = i
		case ailing.MatchString(l.text):
			ails = i
		}
		if up, ok := uptime(l.text); ok && up > 0 {
			ran = true
		}
		if said < 0 && !fence && !l.fence && !l.outside && !l.wished && !l.command && t.wentDown(l) {
			said = i
		}
	}
	switch {
	case dies >= 0 && !t.livesOn(dies):
	case boots >= 0:
		dies = boots
	case said >= 0 && ails >= 0:
		dies = ails
	default:
		return nil
	}
	l := &t.lines[dies]
	return &end{Names: naming.Names{}.Whole(), ended: endsBare, line: l.text, own: l.text, ofNode: true,
		written: t.writtenAt(l.text)}
}

// nobodys reports whether an end is only a person's word that something ended, of a pod without a name.
func (e *end) nobodys() bool { return e.Pod == evidence.Unnamed && e.unexplained() }

// wentDown reports whether a person says in a line that a machine went down or came up again.
func (t *Text) wentDown(l *line) bool {
	if textkind.Stamped(l.text) || sinceBoot.MatchString(l.text) || !l.prose && len(l.text) >= shortLine {
		return false
	}
	for _, s := range sentences(plainly(l.text)) {
		for _, at := range goesDown.FindAllStringIndex(s, 8) {
			if !denied(s, at[0], at[1]) && !remedy.MatchString(s) && !where.MatchString(ofSome.ReplaceAllString(s[:at[0]], "")) && !inGeneral.MatchString(s) && !asksHow(s) {
				return true
			}
		}
	}
	return false
}

// livesOn reports whether the kernel writes of something else long after a line.
func (t *Text) livesOn(at int) bool {
	since, known := uptime(t.lines[at].text)
	written := t.writtenAt(t.lines[at].text)
	for i := range t.lines[at+1:] {
		line := t.lines[at+1+i].text
		if up, ok := uptime(line); ok && known && up > since+reporting {
			return true
		}
		if w := t.writtenAt(line); !w.IsZero() && !written.IsZero() && w.Sub(written).Seconds() > reporting {
			return true
		}
	}
	return false
}

// reporting is how many seconds a slow console takes for such a report.
const reporting = 60

func uptime(line string) (seconds float64, ok bool) {
	m := sinceBoot.FindStringSubmatch(line)
	if m == nil {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(m[1], 64)
	return seconds, err == nil
}
