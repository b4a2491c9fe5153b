package screen

import (
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Incoming is the state of the collection of evidence.
type Incoming struct {
	Progress []Progress
	Now      time.Time // of the last tick
	// Waiting is true until the first report arrives.
	Waiting bool
	// Ended is true when no more updates come.
	Ended bool
	// Watch says how newer reports arrive, where that is worth mentioning.
	Watch string
}

// slowAfter is after how long a source counts as slow.
const slowAfter = 5 * time.Second

// Collecting briefly describes the progress of the collection, "" when it is over.
func (c *Incoming) Collecting() string {
	open, slow := 0, 0
	for _, p := range c.Progress {
		if !p.Done {
			open++
			if c.Now.Sub(p.At) >= slowAfter {
				slow++
			}
		}
	}
	switch {
	case open == 0 || c.Ended:
		return ""
	case slow > 0:
		return "reading " + report.Count(open, "source") + ", " + strconv.Itoa(slow) + " slow (m)"
	}
	return "reading " + report.Count(open, "source")
}

// WaitingText is the first screen: what is being read, until there is a report.
func (f *Frame) WaitingText() []string {
	lines := f.Draw(f.Collection()...)
	if len(lines) == 0 {
		lines = f.Draw(document.Note("nothing has been read yet"))
	}
	return lines[:min(len(lines), f.Body)]
}

// Collection lists the sources that are being read or could not be, and counts the others.
func (c *Incoming) Collection() []document.Block {
	if len(c.Progress) == 0 && c.Watch == "" {
		return nil
	}
	var entries []document.ListItem
	if c.Watch != "" {
		entries = append(entries, document.ListItem{Text: document.In(document.Strong, c.Watch)})
	}
	done := 0
	for _, s := range c.Progress {
		switch {
		case s.Done:
			done++
			continue
		case c.Ended:
			continue
		}
		what := "reading"
		if took := c.Now.Sub(s.At).Truncate(time.Second); took >= time.Second {
			what += " for " + took.String()
			if took >= slowAfter {
				what += ", slow"
			}
		}
		entries = append(entries, document.Entry(s.Source+": "+what))
	}
	if len(c.Progress) > 0 {
		entries = append(entries, document.ListItem{Text: document.In(document.Faint, report.Count(done, "source")+" done")})
	}
	title := document.Title(2, "Collection")
	return []document.Block{title, document.List{Entries: entries}}
}

// Progress is the state of reading one source. A later one about the same source replaces it. What could not be read is
// a gap in the next report.
type Progress struct {
	// Source is the name of the source, such as "kubelet log of n1".
	Source string
	Done   bool
	// At is when it began or ended.
	At time.Time
}
