package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// indexed is a dataset whose index was built in the background. seq numbers the reports: one that is overtaken by a
// newer one is dropped.
type indexed struct {
	ds  *dataset.Dataset
	seq int
}

// updated is an update from the collection; more is false when it has ended.
type updated struct {
	update Update
	more   bool
}

// tick redraws the elapsed times of what is being read. It ticks only while something is being read.
type tick time.Time

func indexing(ds *dataset.Dataset) tea.Cmd {
	return func() tea.Msg { return indexed{ds.Indexed(), 0} }
}

func listen(updates <-chan Update) tea.Cmd {
	return func() tea.Msg {
		u, more := <-updates
		return updated{u, more}
	}
}

func (m *model) update(msg updated) tea.Cmd {
	if !msg.more {
		m.Ended = true
		m.relay()
		return nil
	}
	var cmds []tea.Cmd
	if m.options.Updates != nil {
		cmds = append(cmds, listen(m.options.Updates))
	}
	if p := msg.update.Progress; p != nil {
		i := slices.IndexFunc(m.Progress, func(o Progress) bool { return o.Source == p.Source })
		if i < 0 {
			m.Progress = append(m.Progress, *p)
		} else {
			m.Progress[i] = *p
		}
		if p.At.After(m.Now) {
			m.Now = p.At
		}
		if !p.Done && !m.ticking {
			m.ticking = true
			cmds = append(cmds, ticking())
		}
	}
	if r := msg.update.Report; r != nil {
		m.seq++
		details, seq := msg.update.Details, m.seq
		cmds = append(cmds, func() tea.Msg { return indexed{dataset.New(r, details).Indexed(), seq} })
	}
	if w := msg.update.Watch; w != nil {
		m.Watch, m.status = *w, *w
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
	m.Now, m.ticking = time.Time(t), false
	m.relay()
	if slices.ContainsFunc(m.Progress, func(p Progress) bool { return !p.Done }) && !m.Ended {
		m.ticking = true
		return ticking()
	}
	return nil
}

// take shows a dataset: the current one with its index, or a newer report. The user's view stays in place.
func (m *model) take(msg indexed) tea.Cmd {
	if msg.seq < m.shown {
		return nil
	}
	first := m.Waiting && msg.seq > m.shown
	if msg.seq > m.shown {
		if !m.Waiting {
			m.fresh += dataset.Arrivals(m.Data, msg.ds)
		}
		m.Waiting, m.shown = false, msg.seq
	}
	m.Data = msg.ds
	var cmds []tea.Cmd
	for _, s := range m.stack {
		if s, ok := s.(interface {
			Rebase(*dataset.Dataset) tea.Cmd
		}); ok {
			cmds = append(cmds, s.Rebase(m.Data))
		}
	}
	if first {
		cmds = append(cmds, m.openOnly())
	}
	m.relay()
	return tea.Batch(cmds...)
}

func (m *model) newest() {
	m.fresh = 0
	if s, ok := m.top().(interface{ List() *pane.Rows }); ok && s.List() != nil {
		s.List().To(0)
		m.top().Lay(&m.Frame)
	}
}
