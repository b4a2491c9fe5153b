package tui

import "charm.land/bubbles/v2/key"

// KeyMap holds every key of the viewer. Two bindings never share a key.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding
	Open, Back, Previous, Next              key.Binding
	Filter, Gaps, Help                      key.Binding
	Quit, Abort, Suspend                    key.Binding
}

// KeyGroup is a titled group of bindings, in the order in which help shows them.
type KeyGroup struct {
	Title    string
	Bindings []key.Binding
}

// Keys returns the keys of the viewer: those that users of less, vi and other
// cluster viewers know already.
func Keys() KeyMap {
	return KeyMap{
		Up:       bind("k/up", "up", "up", "k"),
		Down:     bind("j/down", "down", "down", "j"),
		PageUp:   bind("pgup", "a page up", "pgup", "ctrl+b"),
		PageDown: bind("pgdn/space", "a page down", "pgdown", "ctrl+f", "space"),
		Top:      bind("g/home", "to the top", "g", "home"),
		Bottom:   bind("G/end", "to the bottom", "G", "end"),
		Open:     bind("enter/l/right", "open", "enter", "l", "right"),
		Back:     bind("esc/h/left", "back", "esc", "h", "left"),
		Previous: bind("[", "previous", "["),
		Next:     bind("]", "next", "]"),
		Filter:   bind("/", "filter", "/"),
		Gaps:     bind("m", "gaps", "m"),
		Help:     bind("?", "help", "?"),
		Quit:     bind("q", "quit", "q"),
		Abort:    bind("ctrl+c", "quit, also while typing", "ctrl+c"),
		Suspend:  bind("ctrl+z", "suspend", "ctrl+z"),
	}
}

// Groups returns all bindings in reading order.
func (k KeyMap) Groups() []KeyGroup {
	return []KeyGroup{
		{"Move", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom}},
		{"Look", []key.Binding{k.Open, k.Back, k.Previous, k.Next, k.Filter, k.Gaps}},
		{"Session", []key.Binding{k.Help, k.Quit, k.Abort, k.Suspend}},
	}
}

func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}
