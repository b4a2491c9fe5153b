package markup

import (
	"regexp"
	"strings"
)

// logHeads match how the lines of a log begin: syslog's time, host and program, klog's level, time and place, logrus'
// time, the kernel's stamp. What follows an earlier one contains later ones.
var logHeads = []*regexp.Regexp{
	regexp.MustCompile(`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d \d\d:\d\d:\d\d(?:\.\d+)? [\w.-]+ [\w.@-]+(?:\[\d+\])?: `),
	regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ [\w./-]+\.go:\d+\] `),
	regexp.MustCompile(`time="\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* ?\S*" level=`),
	regexp.MustCompile(`\[ *\d+\.\d{6}\] `),
}

// Apart gives each line of a log its own line where a page or a string ran them together, and reports whether it did:
// only of a text of which most lines are so. What is within quotation marks stays, since a program may quote lines.
func Apart(text string) (string, bool) {
	var b strings.Builder
	alone, together := 0, 0
	for line := range strings.Lines(text) {
		from := 0
		for _, head := range logHeads {
			at := head.FindAllStringIndex(line, -1)
			if len(at) == 0 {
				continue
			}
			for _, m := range at[1:] {
				if part := line[from:m[0]]; (strings.Count(part, `"`)-strings.Count(part, `\"`))%2 == 0 {
					b.WriteString(strings.TrimSuffix(strings.TrimRight(part, " "), `\n`) + "\n")
					from = m[0]
					together++
				}
			}
			if from == 0 {
				alone++
			}
			break
		}
		b.WriteString(line[from:])
	}
	return b.String(), together > alone
}
