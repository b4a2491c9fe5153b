package preflight

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// groupScreen is one node, reason or namespace: what is wrong with it, and
// its containers, worst first.
type groupScreen struct {
	screen.Reading
	screen.FilterInput
	v     *preflightpage.View
	group *preflightpage.Group
	by    preflightpage.Aspect
	found int // containers that pass the filter
}

func (s *groupScreen) Title(*screen.Frame) string {
	return s.group.By.String() + " " + cmp.Or(s.group.Name, "not known")
}

func (s *groupScreen) Typist() screen.Typist { return s }

func (s *groupScreen) Result() (count, keys string) {
	return s.Passed(s.found, len(s.group.Items))
}

func (s *groupScreen) Lay(f *screen.Frame) {
	var under document.Anchor
	if at := s.Text.At(); at != nil {
		under = *at
	}
	words := dataset.ParseTerms(s.Typed.Text())
	items := s.v.Passing(words.Passes, s.group.Items)
	findings := slices.DeleteFunc(s.v.Findings(s.group), func(x report.Finding) bool {
		return !words.Passes(strings.ToLower(preflightpage.FindingLine(x)))
	})
	s.found = len(items)
	blocks := s.v.GroupPage(s.group, findings, items, s.by)
	if len(items)+len(findings) == 0 && s.Typed.Text() != "" {
		blocks = append(blocks, document.Note("nothing matches the filter; esc drops it"))
	}
	s.Text.Lay(f, blocks)
	if at := s.Text.At(); under.Copy != "" && at != nil && at.Copy != under.Copy {
		s.Text.Find(func(a *document.Anchor) bool { return a.Copy == under.Copy })
	}
}

func (s *groupScreen) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	switch k := &f.Keys; {
	case key.Matches(msg, k.Open, k.Right):
		return s.open()
	case s.Take(k, msg):
		return screen.Asks{screen.Changed{}}
	case key.Matches(msg, k.Group):
		// What all of them share is no group.
		if s.by = (s.by + 1) % preflightpage.Aspects; s.by == s.group.By {
			s.by = (s.by + 1) % preflightpage.Aspects
		}
		return screen.Asks{screen.Notice("grouped by " + s.by.String()), screen.Changed{}}
	}
	return s.Text.Press(f, msg, nil)
}

// item is the container under the cursor, false for none.
func (s *groupScreen) item() (int32, bool) {
	if at := s.Text.At(); at != nil && at.Opens != "" {
		n, err := strconv.Atoi(at.Opens)
		return int32(n), err == nil
	}
	return 0, false
}

func (s *groupScreen) open() screen.Asks {
	if i, ok := s.item(); ok {
		return screen.Push(&containerScreen{v: s.v, item: i})
	}
	if s.Text.At() != nil {
		return screen.Say("there are no more details; y copies it")
	}
	return screen.Asks{}
}

func (s *groupScreen) Click(_ *screen.Frame, line int) screen.Asks {
	was := s.Text.Cursor()
	if s.Text.Click(line) && s.Text.Cursor() == was {
		return s.open()
	}
	return nil
}

func (s *groupScreen) Here(*screen.Frame) screen.Selection {
	if i, ok := s.item(); ok {
		return container(s.v, i)
	}
	at := s.Text.At()
	if at == nil {
		return screen.Selection{}
	}
	command := preflightCommand(s.v, " --node "+report.Quote(s.group.Name))
	return screen.Selection{Copied: at.Copy, Called: "the finding", Command: command}
}

func container(v *preflightpage.View, i int32) screen.Selection {
	it := &v.Report.Items[i]
	return screen.Selection{
		Copied: v.Line(i), Called: "the prediction", Cause: it.Rule,
		Command: preflightCommand(v, " pod/"+report.Quote(it.Pod)+" -n "+report.Quote(it.Namespace)),
	}
}

func (s *groupScreen) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.NextMark, k.Group, k.Explain, k.Copy, k.Command, k.Write}
}

// containerScreen is one container: what becomes of it, and how that is known.
type containerScreen struct {
	screen.Reading
	v    *preflightpage.View
	item int32
}

func (s *containerScreen) Title(*screen.Frame) string {
	it := &s.v.Report.Items[s.item]
	return it.Namespace + "/" + it.Pod + "/" + it.Container
}

func (s *containerScreen) Lay(f *screen.Frame) { s.Text.Lay(f, s.v.ContainerPage(s.item)) }

func (s *containerScreen) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	if key.Matches(msg, f.Keys.Open, f.Keys.Right) {
		return screen.Say("there are no more details; y copies the line, e explains the rule")
	}
	return s.Text.Press(f, msg, nil)
}

func (s *containerScreen) Here(*screen.Frame) screen.Selection {
	p := container(s.v, s.item)
	if at := s.Text.At(); at != nil {
		p.Copied, p.Called = at.Copy, "the line"
	}
	return p
}

func (s *containerScreen) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.Explain, k.Copy, k.Command, k.Write}
}
