package tui

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
)

// preflightGroupScreen is one node, reason or namespace: what is wrong with it, and
// its containers, worst first.
type preflightGroupScreen struct {
	reading
	filterInput
	v     *preflightpage.View
	group *preflightpage.Group
	by    preflightpage.Aspect
	found int // containers that pass the filter
}

func (s *preflightGroupScreen) title(*frame) string {
	return s.group.By.String() + " " + cmp.Or(s.group.Name, "not known")
}

func (s *preflightGroupScreen) typist() typist { return s }

func (s *preflightGroupScreen) result() (count, keys string) {
	return s.passed(s.found, len(s.group.Items))
}

func (s *preflightGroupScreen) lay(f *frame) {
	var under document.Anchor
	if at := s.text.At(); at != nil {
		under = *at
	}
	words := parseFilter(s.typed.Text())
	items := s.v.Passing(words.passes, s.group.Items)
	findings := slices.DeleteFunc(s.v.Findings(s.group), func(x report.Finding) bool {
		return !words.passes(strings.ToLower(preflightpage.FindingLine(x)))
	})
	s.found = len(items)
	blocks := s.v.GroupPage(s.group, findings, items, s.by)
	if len(items)+len(findings) == 0 && s.typed.Text() != "" {
		blocks = append(blocks, document.Note("nothing matches the filter; esc drops it"))
	}
	s.text.show(f, blocks)
	if at := s.text.At(); under.Copy != "" && at != nil && at.Copy != under.Copy {
		s.text.Find(func(a *document.Anchor) bool { return a.Copy == under.Copy })
	}
}

func (s *preflightGroupScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	switch k := &f.keys; {
	case key.Matches(msg, k.Open, k.Right):
		return s.open()
	case s.filterInput.press(k, msg):
		return asks{changed{}}
	case key.Matches(msg, k.Group):
		// What all of them share is no group.
		if s.by = (s.by + 1) % preflightpage.Aspects; s.by == s.group.By {
			s.by = (s.by + 1) % preflightpage.Aspects
		}
		return asks{notice("grouped by " + s.by.String()), changed{}}
	}
	return s.text.press(f, msg, nil)
}

// item is the container under the cursor, false for none.
func (s *preflightGroupScreen) item() (int32, bool) {
	if at := s.text.At(); at != nil && at.Opens != "" {
		n, err := strconv.Atoi(at.Opens)
		return int32(n), err == nil
	}
	return 0, false
}

func (s *preflightGroupScreen) open() asks {
	if i, ok := s.item(); ok {
		return asks{pushed{&containerScreen{v: s.v, item: i}}}
	}
	if s.text.At() != nil {
		return asks{notice("there are no more details; y copies it")}
	}
	return asks{}
}

func (s *preflightGroupScreen) click(_ *frame, line int) asks {
	was := s.text.Cursor()
	if s.text.Click(line) && s.text.Cursor() == was {
		return s.open()
	}
	return nil
}

func (s *preflightGroupScreen) here(*frame) place {
	if i, ok := s.item(); ok {
		return container(s.v, i)
	}
	at := s.text.At()
	if at == nil {
		return place{}
	}
	command := preflightCommand(s.v, " --node "+report.Quote(s.group.Name))
	return place{copied: at.Copy, called: "the finding", command: command}
}

func container(v *preflightpage.View, i int32) place {
	it := &v.Report.Items[i]
	return place{
		copied: v.Line(i), called: "the prediction", cause: it.Rule,
		command: preflightCommand(v, " pod/"+report.Quote(it.Pod)+" -n "+report.Quote(it.Namespace)),
	}
}

func (s *preflightGroupScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.NextMark, k.Group, k.Explain, k.Copy, k.Command, k.Write}
}

// containerScreen is one container: what becomes of it, and how that is known.
type containerScreen struct {
	reading
	v    *preflightpage.View
	item int32
}

func (s *containerScreen) title(*frame) string {
	it := &s.v.Report.Items[s.item]
	return it.Namespace + "/" + it.Pod + "/" + it.Container
}

func (s *containerScreen) lay(f *frame) { s.text.show(f, s.v.ContainerPage(s.item)) }

func (s *containerScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	if key.Matches(msg, f.keys.Open, f.keys.Right) {
		return asks{notice("there are no more details; y copies the line, e explains the rule")}
	}
	return s.text.press(f, msg, nil)
}

func (s *containerScreen) here(*frame) place {
	p := container(s.v, s.item)
	if at := s.text.At(); at != nil {
		p.copied, p.called = at.Copy, "the line"
	}
	return p
}

func (s *containerScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.Explain, k.Copy, k.Command, k.Write}
}
