package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// copy copies what is under the cursor to the terminal's clipboard (OSC 52).
func (m *model) copy() tea.Cmd {
	p := m.top().Here(&m.Frame)
	if p.Copied == "" {
		m.status = "nothing to copy"
		return nil
	}
	m.status = "copied " + p.Called + ", if the terminal allows it"
	return tea.SetClipboard(p.Copied)
}

// copyCommand copies the command that shows the same without the viewer.
func (m *model) copyCommand() tea.Cmd {
	p := m.top().Here(&m.Frame)
	if p.Command == "" {
		m.status = "no command shows this"
		return nil
	}
	m.status = "copied " + p.Command
	return tea.SetClipboard(p.Command)
}

// copyLogs copies the command that shows the container's last log lines.
func (m *model) copyLogs() tea.Cmd {
	p := m.top().Here(&m.Frame)
	ds := cmp.Or(p.Data, m.Data)
	if dataset.FromDemo(&ds.Report.Scope) {
		m.status = "the demo has no cluster to ask for logs"
		return nil
	}
	if len(p.Items) != 1 {
		m.status = "no single restart is chosen, so there is no log to show"
		return nil
	}
	command := ds.Report.Items[p.Items[0]].LogCommand
	if command == "" {
		m.status = "no command shows its log: only that of a container's last end is kept"
		return nil
	}
	m.status = "copied " + command
	return tea.SetClipboard(command)
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
	m.status = "writing " + format
	ds, write, ctx := cmp.Or(at.Data, m.Data), m.options.Write, m.ctx
	return func() tea.Msg {
		r := ds.Report
		if at.Items != nil {
			r = dataset.Narrowed(r, at.Items)
		}
		file, err := write(ctx, format, r, ds.Details)
		if err != nil {
			return screen.Notice(err.Error())
		}
		return screen.Notice("wrote " + file)
	}
}

func (m *model) save() tea.Cmd {
	if m.options.Save == nil {
		m.status = "nothing to save"
		if m.options.CannotSave != "" {
			m.status = m.options.CannotSave
		}
		return nil
	}
	m.status = "saving the evidence"
	save, ctx := m.options.Save, m.ctx
	return func() tea.Msg {
		file, err := save(ctx)
		if err != nil {
			return screen.Notice(err.Error())
		}
		return screen.Notice("saved " + file)
	}
}
