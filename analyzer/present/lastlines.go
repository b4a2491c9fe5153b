package present

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// lastLines adds the application's last output, where it was requested.
func (p *itemPage) lastLines() {
	log := p.it.PreviousLog
	if log == nil {
		return
	}
	said := "Written by the application, with secrets removed. It is not evidence: the verdict does not rest on it."
	switch {
	case len(log.Lines) == 0:
		said = "None: its log is empty."
	case log.Earlier:
		said += " It wrote more before."
	}
	p.Add(document.Title(p.o.Level, "What the application wrote last"), document.Note(said))
	var entries []document.ListItem
	for _, l := range log.Lines {
		text := document.Shorten(l.Text, p.o.Text)
		if text == "" {
			text = " "
		}
		entries = append(entries, document.ListItem{
			Label:  document.In(document.Faint, clock(l.At, p.it.Time)),
			Text:   document.In(document.Code, text),
			Anchor: document.Anchor{Copy: l.Text, Cause: p.it.Verdict.Cause},
		})
	}
	p.Add(listed(document.Fields, entries)...)
}
