package printers

import "github.com/restartwhy/kubectl-restartwhy/analyzer/report"

// The few SGR codes that the text uses. They follow the terminal's own palette.
const (
	reset  = "\x1b[0m"
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
)

func (o Options) paint(code, text string) string {
	if !o.Color || text == "" {
		return text
	}
	return code + text + reset
}

func (o Options) bold(text string) string  { return o.paint(bold, text) }
func (o Options) faint(text string) string { return o.paint(faint, text) }

// confidence colours the word; the word says it without colour too.
func (o Options) confidence(c report.Confidence) string {
	codes := map[report.Confidence]string{report.Proven: green, report.Likely: cyan, report.Possible: yellow, report.Unknown: faint}
	return o.paint(codes[c], string(c))
}
