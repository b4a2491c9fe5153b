package tui

import (
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
)

// sources is what is known of the collection of evidence.
type sources struct {
	progress []Progress
	now      time.Time // of the last tick
	// waiting is true until the first report is there.
	waiting bool
	// ended is true when no more updates come.
	ended bool
	// watch is how newer reports come in, where that is worth a word.
	watch string
}

// slowAfter is when a source counts as slow.
const slowAfter = 5 * time.Second

// collecting says in a few words how far the collection is, "" when it is over.
func (c *sources) collecting() string {
	open, slow := 0, 0
	for _, p := range c.progress {
		if !p.Done {
			open++
			if c.now.Sub(p.At) >= slowAfter {
				slow++
			}
		}
	}
	switch {
	case open == 0 || c.ended:
		return ""
	case slow > 0:
		return "reading " + present.Count(open, "source") + ", " + strconv.Itoa(slow) + " slow (m)"
	}
	return "reading " + present.Count(open, "source")
}

// waitingText is the first screen: what is being read, until there is a report.
func (f *frame) waitingText() []string {
	lines := f.draw(f.blocks()...)
	if len(lines) == 0 {
		lines = f.draw(document.Note("nothing has been read yet"))
	}
	return lines[:min(len(lines), f.body)]
}

// blocks list the sources that are being read or could not be, and count the others.
func (c *sources) blocks() []document.Block {
	if len(c.progress) == 0 && c.watch == "" {
		return nil
	}
	var entries []document.ListItem
	if c.watch != "" {
		entries = append(entries, document.ListItem{Text: document.In(document.Strong, c.watch)})
	}
	done := 0
	for _, s := range c.progress {
		switch {
		case s.Done:
			done++
			continue
		case c.ended:
			continue
		}
		what := "reading"
		if took := c.now.Sub(s.At).Truncate(time.Second); took >= time.Second {
			what += " for " + took.String()
			if took >= slowAfter {
				what += ", slow"
			}
		}
		entries = append(entries, document.Entry(s.Source+": "+what))
	}
	if len(c.progress) > 0 {
		entries = append(entries, document.ListItem{Text: document.In(document.Faint, present.Count(done, "source")+" done")})
	}
	title := document.Title(2, "Collection")
	return []document.Block{title, document.List{Entries: entries}}
}
