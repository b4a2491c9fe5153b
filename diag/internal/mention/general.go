package mention

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file reads log lines that match no form: whatever program writes them, a verb of ending next to a pod, a
// container or a node says that it ended.

// verbs are the families, the most specific first.
var verbs = []word{
	{ // whoever logs evictions evicts through the API
		says:  regexp.MustCompile(`(?i)\bevict(?:ing|ed|s)\b[^.;]{0,24}\bpods?\b|\bpods?\b[^.;]{0,60}\bevicted\b`),
		event: "Evicted", as: "Evicted pod",
	},
	{ // the same for all pods of a node, which is drained before it is deleted
		says: regexp.MustCompile(`(?i)\b(?:disrupt|drain)(?:ing|ed)\b[^.;]{0,40}\bnodes?\b|\bnodes?\b[^.;]{0,40}\b(?:drained|disrupted)\b|` +
			`\bdelet(?:ing|ed) node\b|\bCordonAndDrain\b|\bdisrupting via \w`), // the last is Karpenter's up to v0.37
		event: "Evicted", as: "Evicted pod",
	},
	{
		says: regexp.MustCompile(`(?i)\breboot(?:ing|ed)\b[^.;]{0,24}\bnodes?\b|` +
			`\bnodes?\b[^.;]{0,60}\b(?:is rebooting|rebooted)\b`),
		ended: endsBare,
	},
	{
		says:  regexp.MustCompile(`(?i)\b(?:delet|recreat|roll)(?:ing|ed)\b[^.;]{0,24}\bpods?\b|\bpods?\b[^.;]{0,60}\b(?:deleted|recreated)\b`),
		event: "Killing", as: "Need to kill Pod", deleted: true,
	},
	{
		says: regexp.MustCompile(`(?i)\b(?:kill|terminat|stopp|restart|preempt|reap)(?:ing|ed)\b[^.;]{0,24}\b(?:pods?|containers?|sandbox(?:es)?)\b|` +
			`\b(?:pods?|containers?)\b[^.;]{0,60}\b(?:killed|terminated|stopped|restarted|preempted|died|crashed|exited)\b`),
		ended: endsBare,
	},
}

// kept are words of lines that say that it did not happen, or that are not about a pod's end.
var kept = regexp.MustCompile(`(?i)\b(?:not|no|never|without|skip(?:ping|ped)?|dry[- ]?run|would|can(?:not)?|could|should|unless|if|when|until|` +
	`fail(?:ed|ure|s)? to|error (?:when )?(?:evict|delet|kill|stopp)ing|ignor(?:ing|ed)|watch|controller|template|volumes?|events?|` +
	`endpoints?|metrics|policy|mirror pods?|successfully assigned|cancel\w*)\b`)

// general returns the ends in such log lines, one for each pod that they name; if no line names any, one.
func (t *Text) general(around naming.Names) (ends []*end) {
	if t.teaches || !t.about {
		return nil
	}
	seen := map[naming.Names]bool{}
	for i := range t.lines {
		line, n := t.lines[i].text, t.lines[i].of()
		if len(ends) == mostEnds || !headed.MatchString(line) && !naming.Stamped.MatchString(line) {
			continue
		}
		for i := range verbs {
			v := &verbs[i]
			at := v.says.FindStringIndex(line)
			if at == nil || kept.MatchString(message(line[:at[0]])+line[at[0]:at[1]]) {
				continue
			}
			if !seen[n] {
				seen[n] = true
				e := v.end("", line)
				e.Names, e.line, e.written = n, line, t.writtenAt(line)
				ends = append(ends, e)
			}
			break
		}
	}
	rest := t.only.Beside(around)
	for _, e := range ends {
		e.Names = t.whole(e.Names.Beside(rest), false)
	}
	return ends
}

// message returns the end of a line's beginning, without what a logger puts before the message: its own name may have
// such words.
func message(before string) string {
	before = before[max(0, len(before)-40):]
	return before[strings.LastIndexAny(before, "\t\"")+1:]
}

// headed matches the beginning of a klog line, or what is left of it, and zap's with seconds for the time.
var headed = regexp.MustCompile(`^(?:\S+ ){0,6}[IWEF]\d{4} \d\d:\d\d:\d\d|^[\w./-]+\.go:\d+\] |` +
	`^1\.\d+e\+09\t|^\{.*"ts": ?1(?:\d{9}\.|\.\d+e\+09)`)
