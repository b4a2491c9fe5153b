package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
)

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
		details, seq := msg.update.Details, m.seq
		cmds = append(cmds, func() tea.Msg {
			ds := newDataset(r, details)
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
		if s, ok := s.(interface{ rebase(*dataset) tea.Cmd }); ok {
			cmds = append(cmds, s.rebase(m.ds))
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

func (m *model) newest() {
	m.fresh = 0
	if t, ok := m.top().(interface{ table() *table }); ok && t.table() != nil {
		t.table().To(0)
		m.top().lay(&m.frame)
	}
}
