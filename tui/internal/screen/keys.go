package screen

import "charm.land/bubbles/v2/key"

// KeyMap holds every key of the viewer. Two bindings never share a key.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, Bottom       key.Binding
	Open, Back, Left, Right, NextTab, PreviousTab key.Binding
	Tab, Previous, Next                           key.Binding
	Filter, Group, Newest                         key.Binding
	NextMark, PreviousMark, ZoomIn, ZoomOut, Fit  key.Binding
	Fold                                          key.Binding
	Copy, Command, Logs                           key.Binding
	Explain, Node, Write, Save                    key.Binding
	First, Gaps, Help, Mouse                      key.Binding
	Quit, Abort, Suspend                          key.Binding
}

// KeyGroup is a titled group of bindings, in the order in which help shows them.
type KeyGroup struct {
	Title    string
	Bindings []key.Binding
}

// Keys returns the keys of the viewer: those known from less, vi and other cluster viewers. The footer shows what
// stands before the bar.
func Keys() KeyMap {
	return KeyMap{
		Up:           bind("up/k", "up", "up", "k"),
		Down:         bind("down/j", "down", "down", "j"),
		PageUp:       bind("pgup/ctrl+b", "a page up", "pgup", "ctrl+b", "ctrl+u"),
		PageDown:     bind("pgdn/ctrl+f", "page|a page down", "pgdown", "ctrl+f", "ctrl+d"),
		Top:          bind("g/home", "to the top", "g", "home"),
		Bottom:       bind("G/end", "to the bottom", "G", "end"),
		Open:         bind("enter", "open|open what the cursor is on", "enter"),
		Back:         bind("esc", "back|back; drops a filter or a search first; never quits", "esc"),
		Left:         bind("left/h", "back; earlier in a timeline", "left", "h"),
		Right:        bind("right/l", "open; later in a timeline", "right", "l"),
		NextTab:      bind("tab", "next pane|the next pane", "tab"),
		PreviousTab:  bind("shift+tab", "the previous pane", "shift+tab"),
		Tab:          bind("1-4", "the pane with this number", "1", "2", "3", "4"),
		Previous:     bind("[", "previous|the previous restart or piece of evidence", "["),
		Next:         bind("]", "next|the next restart or piece of evidence", "]"),
		Filter:       bind("/", "filter|filter a list (!word must not occur); search a page", "/"),
		Group:        bind("b", "group|group by cause, node, workload", "b"),
		Newest:       bind("f", "to the newest, after new restarts came in", "f"),
		NextMark:     bind("n", "next mark|the next mark of a timeline, place that a search found, or section", "n"),
		PreviousMark: bind("p", "the previous mark of a timeline, place that a search found, or section", "p"),
		ZoomIn:       bind("+", "more|zoom in; more lines around evidence", "+", "="),
		ZoomOut:      bind("-", "less|zoom out; fewer lines around evidence", "-"),
		Fit:          bind("0", "fit the whole time", "0"),
		Fold:         bind("space", "fold|fold or unfold; else a page down", "space"),
		Copy:         bind("y", "copy|copy the evidence, the command or the line under the cursor", "y"),
		Command:      bind("c", "command|copy the kubectl command that shows this", "c"),
		Logs:         bind("L", "copy the kubectl logs command for what the container wrote last", "L"),
		Explain:      bind("e", "explain|explain the cause", "e"),
		Node:         bind("N", "node|the node of this restart", "N"),
		Write:        bind("o", "write|write a file for the ticket", "o"),
		Save:         bind("s", "save the evidence as a bundle", "s"),
		First:        bind("t", "what to fix first: restarts and time lost by workload, node and cause", "t"),
		Gaps:         bind("m", "missing|what is missing, and what is being collected", "m"),
		Help:         bind("?", "help|this help", "?"),
		Mouse:        bind("M", "let the mouse scroll and click, or select text again", "M"),
		Quit:         bind("q", "quit", "q"),
		Abort:        bind("ctrl+c", "quit, also while typing", "ctrl+c"),
		Suspend:      bind("ctrl+z", "suspend; fg comes back", "ctrl+z"),
	}
}

// Groups returns all bindings in reading order.
func (k KeyMap) Groups() []KeyGroup {
	return []KeyGroup{
		{"Move", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom}},
		{"Go in and out", []key.Binding{k.Open, k.Back, k.Left, k.Right, k.NextTab,
			k.PreviousTab, k.Tab, k.Previous, k.Next, k.Node}},
		{"Lists", []key.Binding{k.Filter, k.Group, k.Newest}},
		{"Timelines and pages", []key.Binding{k.NextMark, k.PreviousMark, k.ZoomIn, k.ZoomOut, k.Fit, k.Fold}},
		{"Take away", []key.Binding{k.Copy, k.Command, k.Logs, k.Explain, k.Write, k.Save}},
		{"Session", []key.Binding{k.First, k.Gaps, k.Help, k.Mouse, k.Quit, k.Abort, k.Suspend}},
	}
}

func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}
