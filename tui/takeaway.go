package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// finished says how something ended that ran beside the drawing.
type finished struct{ text string }

// told is an answer of something that ran beside the drawing, for one screen.
type told interface{ into(m *model) }

// copy puts what the cursor is on into the terminal's clipboard (OSC 52).
func (m *model) copy() tea.Cmd {
	p := m.top().here(m)
	if p.copied == "" {
		m.status = "nothing to copy here"
		return nil
	}
	m.status = "copied " + p.called + ", if the terminal allows it"
	return tea.SetClipboard(p.copied)
}

// copyCommand copies the command that shows the same without the viewer.
func (m *model) copyCommand() tea.Cmd {
	p := m.top().here(m)
	if p.command == "" {
		m.status = "no command shows this"
		return nil
	}
	m.status = "copied " + p.command
	return tea.SetClipboard(p.command)
}

// askWrite asks in which format a file for the ticket shall be.
func (m *model) askWrite() {
	if m.options.Write == nil || len(m.options.Formats) == 0 {
		m.status = "no file can be written here"
		return
	}
	items := m.top().here(m).items
	what := counted(len(items), "restart")
	if items == nil {
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
		return m.write(format, items)
	}}
}

func (m *model) write(format string, items []int32) tea.Cmd {
	m.status = "writing " + format
	ds, write, ctx := m.ds, m.options.Write, m.ctx
	if r, ok := m.top().(*restartScreen); ok {
		ds = r.ds
	}
	return func() tea.Msg {
		r := ds.report
		if items != nil {
			r = narrowed(r, items)
		}
		file, err := write(ctx, format, r, ds.teller)
		if err != nil {
			return finished{err.Error()}
		}
		return finished{"wrote " + file}
	}
}

// save keeps the evidence as a bundle, where that is possible.
func (m *model) save() tea.Cmd {
	if m.options.Save == nil {
		m.status = "nothing to save here"
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
			return finished{err.Error()}
		}
		return finished{"saved " + file}
	}
}

// source are the flags that make a command read what this report was made from.
func (m *model) source() string {
	out := ""
	for _, from := range m.ds.report.Scope.From {
		out += " --from " + report.Quote(from)
	}
	return out
}

func (m *model) demo() bool {
	f := m.ds.report.Scope.From
	return len(f) == 1 && f[0] == "demo"
}

// itemCommand shows one container without the viewer.
func (m *model) itemCommand(it *report.Item) string {
	if m.demo() {
		return "kubectl restartwhy demo " + report.Quote(it.Pod) + " -c " + report.Quote(it.Container)
	}
	return "kubectl restartwhy pod/" + report.Quote(it.Pod) + " -n " + report.Quote(it.Namespace) + " -c " + report.Quote(it.Container) + m.source()
}

func (m *model) nodeCommand(name string) string {
	if m.demo() {
		return "kubectl restartwhy demo -o wide"
	}
	return "kubectl restartwhy node " + report.Quote(name) + m.source()
}

// causeCommand shows the restarts of an incident: those of its cause and node.
func (m *model) causeCommand(in *report.Incident) string {
	cause := " --cause " + report.Quote(in.Cause)
	switch {
	case m.demo():
		return "kubectl restartwhy demo" + cause
	case in.Node != "":
		return m.nodeCommand(in.Node) + cause
	case len(m.ds.report.Scope.From) > 0:
		return "kubectl restartwhy" + m.source() + cause
	}
	return "kubectl restartwhy -A" + cause
}
