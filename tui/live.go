package tui

import (
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// sources is what is known of the collection of evidence.
type sources struct {
	progress []Progress
	now      time.Time // of the last tick
	ticking  bool
	// waiting is true until the first report is there.
	waiting bool
	// ended is true when no more updates come.
	ended bool
	// watch is how newer reports come in, where that is worth a word.
	watch string
	seq   int // of the newest report that came in
	shown int // of the one that is shown
}

// indexed brings a dataset whose index is built, beside the drawing. seq numbers
// the reports: one that is overtaken by a newer is not shown any more.
type indexed struct {
	ds  *dataset
	seq int
}

// updated brings what the collection sent; more is false when it has ended.
type updated struct {
	update Update
	more   bool
}

// tick asks for the times of what is being read to be drawn again. It ticks only
// while something is being read.
type tick time.Time

// slowAfter is when a source counts as slow.
const slowAfter = 5 * time.Second

func indexing(ds *dataset) tea.Cmd {
	return func() tea.Msg {
		done := *ds
		done.index = newIndex(ds.report)
		return indexed{&done, 0}
	}
}

func listen(updates <-chan Update) tea.Cmd {
	return func() tea.Msg {
		u, more := <-updates
		return updated{u, more}
	}
}

// update takes in what the collection sent, and listens on.
func (m *model) update(msg updated) tea.Cmd {
	if !msg.more {
		m.ended = true
		m.relay()
		return nil
	}
	var cmds []tea.Cmd
	if m.options.Updates != nil {
		cmds = append(cmds, listen(m.options.Updates))
	}
	if p := msg.update.Progress; p != nil {
		i := slices.IndexFunc(m.progress, func(o Progress) bool { return o.Source == p.Source })
		if i < 0 {
			m.progress = append(m.progress, *p)
		} else {
			m.progress[i] = *p
		}
		if p.At.After(m.now) {
			m.now = p.At
		}
		if !p.Done && !m.ticking {
			m.ticking = true
			cmds = append(cmds, ticking())
		}
	}
	if r := msg.update.Report; r != nil {
		m.seq++
		teller, seq := msg.update.Teller, m.seq
		cmds = append(cmds, func() tea.Msg {
			ds := newDataset(r, teller)
			ds.index = newIndex(r)
			return indexed{ds, seq}
		})
	}
	if w := msg.update.Watch; w != nil {
		m.watch, m.status = *w, *w
	}
	if msg.update.Notice != "" {
		m.status = msg.update.Notice
	}
	m.relay()
	return tea.Batch(cmds...)
}

func ticking() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return tick(t) })
}

func (m *model) ticked(t tick) tea.Cmd {
	m.now, m.ticking = time.Time(t), false
	m.relay()
	if slices.ContainsFunc(m.progress, func(p Progress) bool { return !p.Done }) && !m.ended {
		m.ticking = true
		return ticking()
	}
	return nil
}

// take shows a dataset: the present one with its index, or a newer report. What
// the reader looks at stays what it was.
func (m *model) take(msg indexed) tea.Cmd {
	if msg.seq < m.shown {
		return nil
	}
	first := m.waiting && msg.seq > m.shown
	if msg.seq > m.shown {
		if !m.waiting {
			m.fresh += arrivals(m.ds, msg.ds)
		}
		m.waiting, m.shown = false, msg.seq
	}
	m.ds = msg.ds
	var cmds []tea.Cmd
	for _, s := range m.stack {
		if s, ok := s.(interface{ rebase(*model) tea.Cmd }); ok {
			cmds = append(cmds, s.rebase(m))
		}
	}
	if h, ok := m.top().(*home); ok && first && h.pane == homeRoots && m.prompting() == nil {
		cmds = append(cmds, m.openOnly(h))
	}
	m.relay()
	return tea.Batch(cmds...)
}

// arrivals counts the items of a newer dataset that the older one does not have.
func arrivals(old, now *dataset) (n int) {
	type end struct{ uid, pod, container, instance, time string }
	name := func(ds *dataset, i int) end {
		it := &ds.report.Items[i]
		e := end{uid: it.PodUID, pod: it.Namespace + "/" + it.Pod, container: it.Container}
		if it.From != nil {
			e.instance = it.From.ContainerID
		}
		if e.instance == "" && it.Time != nil {
			e.time = it.Time.UTC().String()
		}
		return e
	}
	had := make(map[end]bool, len(old.report.Items))
	for i := range old.report.Items {
		had[name(old, i)] = true
	}
	for i := range now.report.Items {
		if !had[name(now, i)] {
			n++
		}
	}
	return n
}

// newest goes to the top of the list that is shown.
func (m *model) newest() {
	m.fresh = 0
	if t, ok := m.top().(interface{ table() *table }); ok && t.table() != nil {
		t.table().to(0)
		m.top().lay(m)
	}
}

// collecting says in a few words how far the collection is, "" when it is over.
func (m *model) collecting() string {
	open, slow := 0, 0
	for _, p := range m.progress {
		if !p.Done {
			open++
			if m.now.Sub(p.At) >= slowAfter {
				slow++
			}
		}
	}
	switch {
	case open == 0 || m.ended:
		return ""
	case slow > 0:
		return "reading " + counted(open, "source") + ", " + strconv.Itoa(slow) + " slow (m)"
	}
	return "reading " + counted(open, "source")
}

// waitingText is the first screen: what is being read, until there is a report.
func (m *model) waitingText() []string {
	lines := m.draw(m.progressBlocks()...)
	if len(lines) == 0 {
		lines = m.draw(note("nothing has been read yet"))
	}
	return lines[:min(len(lines), m.layout.body)]
}

// progressBlocks list the sources that are being read or could not be, and count the
// others.
func (m *model) progressBlocks() []document.Block {
	if len(m.progress) == 0 && m.watch == "" {
		return nil
	}
	var entries []document.Entry
	if m.watch != "" {
		entries = append(entries, document.Entry{Text: document.In(document.Strong, m.watch)})
	}
	done := 0
	for _, s := range m.progress {
		switch {
		case s.Done:
			done++
			continue
		case m.ended:
			continue
		}
		what := "reading"
		if took := m.now.Sub(s.At).Truncate(time.Second); took >= time.Second {
			what += " for " + took.String()
			if took >= slowAfter {
				what += ", slow"
			}
		}
		entries = append(entries, document.Entry{Text: document.Say(s.Source + ": " + what)})
	}
	if len(m.progress) > 0 {
		entries = append(entries, document.Entry{Text: document.In(document.Faint, counted(done, "source")+" done")})
	}
	return []document.Block{document.Heading{Level: 2, Text: document.Say("Collection")}, document.List{Entries: entries}}
}
