package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// preflightGroupScreen is one node, reason or namespace: what is wrong with it, and
// its containers, worst first.
type preflightGroupScreen struct {
	single
	sift
	v     *present.PreflightView
	group *present.Group
	by    present.Aspect
	text  pager.Pager
}

func (s *preflightGroupScreen) title(*model) string {
	return s.group.By.String() + " " + cmp.Or(s.group.Name, "not known")
}

func (s *preflightGroupScreen) position() string { return s.text.Position() }

func (s *preflightGroupScreen) typed(msg tea.KeyPressMsg) tea.Cmd {
	s.typedInto(s.text.Move, msg)
	return nil
}

func (s *preflightGroupScreen) lay(m *model) {
	var under document.Anchor
	if at := s.text.At(); at != nil {
		under = *at
	}
	f := s.filter()
	items := s.v.Passing(f.passes, s.group.Items)
	findings := slices.DeleteFunc(s.v.Findings(s.group), func(x report.Finding) bool { return !f.passes(strings.ToLower(present.FindingLine(x))) })
	s.found, s.total = len(items), len(s.group.Items)
	blocks := s.v.GroupPage(s.group, findings, items, s.by)
	if len(items)+len(findings) == 0 && s.prompt.text != "" {
		blocks = append(blocks, note("nothing matches the filter; esc drops it"))
	}
	m.show(&s.text, blocks)
	if at := s.text.At(); under.Copy != "" && at != nil && at.Copy != under.Copy {
		s.text.Find(func(a *document.Anchor) bool { return a.Copy == under.Copy })
	}
}

func (s *preflightGroupScreen) body(*model) []string { return s.text.Lines() }

func (s *preflightGroupScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := &m.keys; {
	case key.Matches(msg, k.Open, k.Right):
		s.open(m)
	case m.pressSift(&s.sift, msg):
		s.lay(m)
	case key.Matches(msg, k.Group):
		// What all of them share is no group.
		if s.by = (s.by + 1) % present.Aspects; s.by == s.group.By {
			s.by = (s.by + 1) % present.Aspects
		}
		s.lay(m)
		m.status = "grouped by " + s.by.String()
	default:
		return m.pressPager(&s.text, msg, m.ds.find)
	}
	return nil, true
}

// item is the container under the cursor, false for none.
func (s *preflightGroupScreen) item() (int32, bool) {
	if at := s.text.At(); at != nil && at.Opens != "" {
		n, err := strconv.Atoi(at.Opens)
		return int32(n), err == nil
	}
	return 0, false
}

func (s *preflightGroupScreen) open(m *model) {
	if i, ok := s.item(); ok {
		m.push(&containerScreen{v: s.v, item: i})
	} else if s.text.At() != nil {
		m.status = "this is all that is known of it; y copies it"
	}
}

func (s *preflightGroupScreen) click(m *model, line int) tea.Cmd {
	was := s.text.Cursor()
	if s.text.Click(line) && s.text.Cursor() == was {
		s.open(m)
	}
	return nil
}

func (s *preflightGroupScreen) here(m *model) place {
	if i, ok := s.item(); ok {
		return m.container(i)
	}
	at := s.text.At()
	if at == nil {
		return place{}
	}
	return place{copied: at.Copy, called: "the finding", command: m.preflightCommand(" --node " + report.Quote(s.group.Name))}
}

// container is the place of one container.
func (m *model) container(i int32) place {
	it := &m.preflight.Report.Items[i]
	return place{
		copied: m.preflight.Line(i), called: "the prediction", cause: it.Rule,
		command: m.preflightCommand(" pod/" + report.Quote(it.Pod) + " -n " + report.Quote(it.Namespace)),
	}
}

func (s *preflightGroupScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.NextMark, k.Group, k.Explain, k.Copy, k.Command, k.Write}
}

// containerScreen is one container: what becomes of it, and how that is known.
type containerScreen struct {
	single
	v    *present.PreflightView
	item int32
	text pager.Pager
}

func (s *containerScreen) title(*model) string {
	it := &s.v.Report.Items[s.item]
	return it.Namespace + "/" + it.Pod + "/" + it.Container
}

func (s *containerScreen) position() string { return s.text.Position() }

func (s *containerScreen) page() *pager.Pager { return &s.text }

func (s *containerScreen) lay(m *model) { m.show(&s.text, s.v.ContainerPage(s.item)) }

func (s *containerScreen) body(*model) []string { return s.text.Lines() }

func (s *containerScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if key.Matches(msg, m.keys.Open, m.keys.Right) {
		m.status = "this is all that is known of it; y copies the line, e explains the rule"
		return nil, true
	}
	return m.pressPager(&s.text, msg, m.ds.find)
}

func (s *containerScreen) click(_ *model, line int) tea.Cmd {
	s.text.Click(line)
	return nil
}

func (s *containerScreen) here(m *model) place {
	p := m.container(s.item)
	if at := s.text.At(); at != nil {
		p.copied, p.called = at.Copy, "the line"
	}
	return p
}

func (s *containerScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.Explain, k.Copy, k.Command, k.Write}
}
