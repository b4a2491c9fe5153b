package excerpt

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/dockerevent"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostprint"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/typed"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// Kind is the content of a part.
type Kind string

// The kinds. Other is text that nothing here reads, Output what a container wrote.
const (
	Other   Kind = ""
	Output  Kind = "the output of a container"
	Log     Kind = "log lines"
	JSON    Kind = "JSON"
	YAML    Kind = "YAML"
	Table   Kind = "a table"
	Printed Kind = "kubectl describe"
	Piece   Kind = "a piece of kubectl describe"
	Events  Kind = "the events of a description"
	Values  Kind = "chosen fields"
	Host    Kind = "a tool of the node"
	GoMap   Kind = "states of a Go template"
	Stream  Kind = "docker events"
	Drain   Kind = "kubectl drain"
	Stated  Kind = "why a kubelet ended a pod"
	Said    Kind = "messages of events"
)

// Part is one output, or a piece of one.
type Part struct {
	Kind    Kind
	Command typed.Command
	Lines   []string
	// Headless reports whether a table was cut, mostly by grep: its first line was added.
	Headless bool
	// Quoted reports whether a part was in a JSON string.
	Quoted bool
}

// Text returns the part as a file's content.
func (p Part) Text() string { return strings.Join(p.Lines, "\n") + "\n" }

// own reports whether a part contains text that a container or its author may have chosen.
func (p Part) own() bool { return p.Kind != JSON && p.Kind != YAML && p.Kind != Table }

// Split splits a text. Its parts are in the order of the text; blank ones are left out. marked reports that something
// was around them.
func Split(text string) (parts []Part, marked bool) {
	s := splitter{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	for s.at < len(s.lines) {
		s.next()
	}
	s.end()
	return s.parts, s.marked
}

type splitter struct {
	lines   []string
	at      int
	command typed.Command
	now     Part
	parts   []Part
	events  bool // the current description has reached its events
	blank   bool // the previous line is blank
	broken  int  // beginnings of JSON that are none
	marked  bool // something separates its parts
	// namespace is that of commands that name none: a tool or the prompt set it.
	namespace string
}

// maxBroken is how many lines that only look like the beginning of JSON are tried: each costs the rest of the text.
const maxBroken = 20

// end closes the current part.
func (s *splitter) end() {
	for n := len(s.now.Lines); n > 0 && strings.TrimSpace(s.now.Lines[n-1]) == ""; n-- {
		s.now.Lines = s.now.Lines[:n-1]
	}
	if c := s.now.Command; s.now.Kind == Other && len(s.now.Lines) > 0 {
		switch { // its command shows what the lines alone do not
		case slices.ContainsFunc(s.now.Lines, func(l string) bool {
			return naming.AnyOf(l, endWords...) && (c.Program == "kubectl" || strings.Contains(l, "\t")) &&
				!strings.Contains(l, ".go:") && inRow.MatchString(l)
		}):
			s.now.Kind = Stated
		case c.Described && c.Pod != "":
			s.now.Kind = Piece
		case len(c.Columns) > 0 || len(c.Path) > 1:
			s.now.Kind = Values
		case c.Program == "uptime":
			s.now.Kind = Host
		}
	}
	if len(s.now.Lines) > 0 {
		s.parts = append(s.parts, s.now)
	}
	s.now, s.events = Part{Command: s.command}, false
}

func (s *splitter) begin(k Kind) {
	s.end()
	s.now.Kind = k
	if s.command.OfContainer() {
		s.now.Kind = Output
	}
}

// next reads a line, or the whole document that begins with it.
func (s *splitter) next() {
	line := s.lines[s.at]
	defer func() { s.blank = strings.TrimSpace(line) == "" }()
	if name := typed.Namespace(line); name != "" {
		s.namespace = name
	}
	command, prompted := typed.Unprompted(line)
	if prompted != "" {
		s.namespace = prompted
	}
	if c, ok := typed.Of(command); ok {
		if name := c.Chooses(); name != "" {
			s.namespace = name
		}
		if s.command = c; c.Program == "kubectl" && c.Namespace == "" {
			s.command.Namespace = s.namespace
		}
		s.marked = s.marked || len(s.now.Lines) > 0 // also where it is the last line, and no output is its own
		s.begin(Other)
		s.at++
		return
	}
	if rest, ok := markup.Separator(line); ok && !s.quotes() || strings.HasPrefix(line, "```") {
		s.command, s.marked = typed.Command{}, true
		s.begin(Other)
		if s.lines[s.at] = rest; strings.TrimSpace(rest) == "" {
			s.at++
		}
		return
	}
	if s.now.Kind == Output {
		s.take(1)
		return
	}
	if n := s.document(line); n > 0 {
		s.begin(JSON)
		s.take(n)
		if inner := quoted(s.now.value()); s.now.Kind == JSON && len(inner) > 0 {
			s.parts, s.now.Lines, s.marked = append(s.parts, inner...), nil, true
		}
		s.begin(Other)
		return
	}
	switch k, head := s.kindOf(line), ""; {
	case s.now.Kind == YAML && s.endsYAML(line):
		s.begin(k)
	case k != s.now.Kind && s.may(k), k == Printed && s.events: // or the next description
		s.begin(k)
	case k == Other && s.mayBeRow():
		if k, head = rowOf(line); k != Other && (s.now.Kind != k || s.blank) {
			s.begin(k)
			s.now.Lines, s.now.Headless = append(s.now.Lines, head), true
		}
	}
	s.events = s.events || s.now.Kind == Printed && strings.HasPrefix(line, "Events:")
	s.take(1)
}

// quotes reports whether the current part may hold lines that a container wrote, which separate nothing: its output,
// and a description up to its events, which has the container's last message. A fence ends both: there is no other end.
func (s *splitter) quotes() bool {
	return s.now.Kind == Output || s.now.Kind == Printed && !s.events
}

func (s *splitter) take(n int) {
	s.now.Lines = append(s.now.Lines, s.lines[s.at:s.at+n]...)
	s.at += n
}

// may reports whether a part of a kind may begin within the current one. A log and a description may contain lines from
// anyone: only a prompt or the head of a whole output ends a log, and a description ends after its events.
func (s *splitter) may(k Kind) bool {
	switch s.now.Kind {
	case Log:
		return k == Printed || s.blank && (k == Table || k == YAML && strings.HasPrefix(s.lines[s.at], "apiVersion:"))
	case Printed:
		return k == Table || s.events && (k == Log || k == YAML || k == Piece)
	case YAML, Piece:
		return k != Other && (s.blank || k == Table || k == Printed || k == Log || k == Events)
	case Table, Events:
		return k != Other || s.blank
	case Stated, Said, Drain:
		return k != Other || s.blank || s.now.Kind != Stated
	case Host:
		return k != Other && k != Log || s.blank && k != Other // a status ends with lines of its unit's log
	}
	return k != Other
}

// endsYAML reports whether a line is not part of the current object: the beginning of another one, or words at the left
// margin, where no indented value is.
func (s *splitter) endsYAML(line string) bool {
	if line == "" || line[0] <= ' ' {
		return false
	}
	if strings.HasPrefix(line, "apiVersion:") {
		return slices.ContainsFunc(s.now.Lines, func(l string) bool { return strings.HasPrefix(l, "apiVersion:") })
	}
	return !yamlAtLeft.MatchString(line) &&
		slices.ContainsFunc(s.now.Lines, func(l string) bool { return strings.HasPrefix(l, " ") })
}

// yamlAtLeft is what may be at YAML's left margin, and the beginning of JSON in its place.
var yamlAtLeft = regexp.MustCompile(`^(?:["']?[\w./-]+["']?:(?:\s|$)|- |-$|---|#|[{}\[\]"'])`)

var (
	yamlHead  = regexp.MustCompile(`^(?:- )?(?:apiVersion|kind|involvedObject):(?:\s+\S|\s*$)`)
	yamlPiece = regexp.MustCompile(
		`^\s*(?:- )?(?:status|containerStatuses|initContainerStatuses|lastState|state|terminated):\s*$`)
	jsonPiece = regexp.MustCompile(`^\s*"(?:status|containerStatuses|initContainerStatuses|lastState|state|State|` +
		`terminated|involvedObject)":\s*[{\[]`)
	yamlItem = regexp.MustCompile(`^\s*- (?:containerID|allocatedResources):`)
	piece    = regexp.MustCompile(`^\s*(?:(?:Last )?State:\s+(?:Waiting|Running|Terminated)|` +
		`Exit Code:\s+\d|Container ID:\s*|(?:Init )?Containers:\s*$)`)
	// crictl ps, crictl pods and docker ps
	runtimeHead = regexp.MustCompile(`^(?:CONTAINER(?: ID)?\s+(?:IMAGE\s|.*\b(?:STATUS|NAMES)\b)|POD ID\s+CREATED\s)`)
	eventsHead  = regexp.MustCompile(`^\s*(?:LAST SEEN|FIRST SEEN|Type|FirstSeen|LastSeen)\s.*\bReason\b.*\bMessage\b`)
)

// kindOf returns what begins with a line, Other if nothing does.
func (s *splitter) kindOf(line string) Kind {
	text := strings.TrimSpace(line)
	switch {
	case text == "":
		return Other
	case describe.IsHead(line), runtimeHead.MatchString(line):
		return Table
	case strings.HasPrefix(line, "Name:") && s.described():
		return Printed
	case yamlHead.MatchString(line), yamlPiece.MatchString(line), yamlItem.MatchString(line),
		jsonPiece.MatchString(line):
		return YAML
	case eventsHead.MatchString(line), text == "Events:":
		return Events
	case piece.MatchString(line):
		return Piece
	case s.containerName(line), s.above(line, statusLine, "Reason:"), s.above(line, reasonLine, "Exit Code:"):
		return Piece
	case hostprint.IsLine(line):
		return Host
	case s.isGoState(line):
		return GoMap
	case dockerevent.Is(line):
		return Stream
	case naming.AnyOf(text, " evicted", "evicting ") && drained.MatchString(text):
		return Drain
	case naming.AnyOf(text, endWords...) && endOfPod.MatchString(plainly(text)) && !s.given():
		return Stated
	case rowSaid(line) != "" && !s.logged() && !s.given():
		return Said
	case textlog.IsLine(line) && (s.now.Kind == Log || !ofClient.MatchString(line)):
		return Log
	}
	return Other
}

// ofClient matches what kubectl's own libraries log before an output (k8s.io/client-go tools/clientcmd/loader.go,
// discovery/cached/memory/memcache.go, rest/{warnings,request}.go, transport/round_trippers.go).
var ofClient = regexp.MustCompile(`^[IWEF]\d{4} [\d:.]+ +\d+ ` +
	`(?:loader|memcache|warnings|request|round_trippers)\.go:\d+\] `)

// given reports whether the current line is a value that a container was given.
func (s *splitter) given() bool {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	within := indent(s.lines[s.at])
	for _, line := range slices.Backward(s.lines[max(0, s.at-mostGiven):s.at]) {
		if within == 0 {
			break
		}
		if at := indent(line); at < within && at < len(line) {
			if within = at; naming.Gives(line) {
				return true
			}
			if line[at] == '-' {
				within++ // its list may begin there
			}
		}
	}
	return false
}

// mostGiven is how many lines are looked through for the heading above a value.
const mostGiven = 500

// described reports whether it is a description, rather than another text with a "Name:".
func (s *splitter) described() bool {
	for _, l := range s.lines[s.at+1 : min(s.at+12, len(s.lines))] {
		key, _, _ := strings.Cut(strings.TrimSpace(l), ":")
		if key == "Namespace" || key == "Roles" || key == "Node" {
			return true
		}
	}
	return false
}

var nameOnly = regexp.MustCompile(`^\s*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?:\s*$`)

// containerName reports whether it is the name of a container above its description, of which people leave out lines.
func (s *splitter) containerName(line string) bool {
	if !nameOnly.MatchString(line) || s.at+1 >= len(s.lines) {
		return false
	}
	switch key, _, _ := strings.Cut(strings.TrimSpace(s.lines[s.at+1]), ":"); key {
	case "Container ID":
		return true
	case "State", "Last State":
		return !slices.Contains(titles, strings.TrimSpace(line))
	case "Image":
		return !slices.Contains(titles, strings.TrimSpace(line)) &&
			slices.ContainsFunc(s.lines[s.at+2:min(s.at+mostAbove, len(s.lines))], piece.MatchString)
	}
	return false
}

// mostAbove is how many lines may be above a container's state.
const mostAbove = 20

// titles are what people put above an output that begins with a state.
var titles = []string{"pod:", "container:", "containers:", "status:", "state:", "describe:", "output:", "result:",
	"logs:", "log:", "events:", "error:", "details:", "info:", "example:", "before:", "after:", "now:", "and:"}

var (
	// statusLine is the phase above the reason and the message of a pod that ended as a whole, reasonLine the reason
	// above the code of a state that lost its own line.
	statusLine = regexp.MustCompile(`^\s*Status:\s+(?:Pending|Running|Succeeded|Failed|Unknown|Terminating\b.*)\s*$`)
	reasonLine = regexp.MustCompile(`^\s*Reason:\s+[A-Z]\w+\s*$`)
)

// above reports whether a line is of a form, and the next one begins with a key.
func (s *splitter) above(line string, form *regexp.Regexp, key string) bool {
	return form.MatchString(line) && s.at+1 < len(s.lines) && strings.HasPrefix(strings.TrimSpace(s.lines[s.at+1]), key)
}

// Prompted reports whether what stands before a text's first log line is of a terminal: a command, the head of a table
// or, as the first line, what a tool of the node prints before a log or a state in a description.
func Prompted(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		_, ok := typed.Of(line)
		if ok || describe.IsHead(line) || runtimeHead.MatchString(line) ||
			n == 0 && (hostprint.IsLine(line) || piece.MatchString(line)) {
			return true
		}
		if n++; n > maxWords || textlog.IsLine(line) {
			return false
		}
	}
	return false
}

// maxWords is how many lines of a person's words may be before the first output.
const maxWords = 20
