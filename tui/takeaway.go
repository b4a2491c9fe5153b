package tui

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// clip copies a text to the terminal's clipboard (OSC 52), if there is one; else the status says that there is none.
func (m *model) clip(text, called, none string) tea.Cmd {
	if text == "" {
		m.status = none
		return nil
	}
	m.status = "copied " + called
	return tea.SetClipboard(text)
}

// copy copies what is under the cursor.
func (m *model) copy() tea.Cmd {
	p := m.top().Here(&m.Frame)
	return m.clip(p.Copied, p.Called+", if the terminal allows it", "nothing to copy")
}

// copyCommand copies the command that shows the same without the viewer.
func (m *model) copyCommand() tea.Cmd {
	command := m.top().Here(&m.Frame).Command
	return m.clip(command, command, "no command shows this")
}

// copyLogs copies the command that shows the container's last log lines.
func (m *model) copyLogs() tea.Cmd {
	p := m.top().Here(&m.Frame)
	ds := cmp.Or(p.Data, m.Data)
	switch {
	case dataset.FromDemo(&ds.Report.Scope):
		m.status = "the demo has no cluster to ask for logs"
		return nil
	case len(p.Items) != 1:
		m.status = "no single restart is chosen, so there is no log to show"
		return nil
	}
	command := ds.Report.Items[p.Items[0]].LogCommand
	return m.clip(command, command, "no command shows its log: only that of a container's last end is kept")
}

// askWrite asks for the format of a file for a ticket.
func (m *model) askWrite() {
	if m.options.Write == nil || len(m.options.Formats) == 0 {
		m.status = "no file can be written here"
		return
	}
	at := m.top().Here(&m.Frame)
	what := report.Count(len(at.Items), "restart")
	if at.Items == nil {
		what = "the whole report"
	}
	text := "write " + what + ":"
	keys := map[string]string{}
	for _, f := range m.options.Formats {
		keys[f[:1]] = f
		text += "  " + f[:1] + " " + f
	}
	m.asking = &question{text: text + "  any other key: cancel", answer: func(m *model, key string) tea.Cmd {
		format, ok := keys[key]
		if !ok {
			m.status = "nothing was written"
			return nil
		}
		return m.write(format, at)
	}}
}

func (m *model) write(format string, at screen.Selection) tea.Cmd {
	ds, write := cmp.Or(at.Data, m.Data), m.options.Write
	return m.filing("writing "+format, "wrote ", func(ctx context.Context) (string, error) {
		r := ds.Report
		if at.Items != nil {
			r = r.Narrowed(at.Items...)
		}
		return write(ctx, format, r, ds.Details)
	})
}

func (m *model) save() tea.Cmd {
	if m.options.Save == nil {
		m.status = cmp.Or(m.options.CannotSave, "nothing to save")
		return nil
	}
	return m.filing("saving the evidence", "saved ", m.options.Save)
}

// filing makes a file in the background, and says which.
func (m *model) filing(now, then string, file func(ctx context.Context) (string, error)) tea.Cmd {
	m.status = now
	ctx := m.ctx
	return func() tea.Msg {
		name, err := file(ctx)
		if err != nil {
			return screen.Notice(err.Error())
		}
		return screen.Notice(then + name)
	}
}
