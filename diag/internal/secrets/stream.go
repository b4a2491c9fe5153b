package secrets

import "strings"

// Cleaner takes the secrets out of a log that comes line by line. A secret that goes over
// several lines is gone from all of them, also where lines of other writers stand between.
// The zero value is ready.
type Cleaner struct {
	by map[string]*open
}

// open is what a writer's last line left open.
type open struct {
	begin string // text that opens it again; "" for nothing
	lines int
}

const (
	// maxWriters bounds how many writers are remembered.
	maxWriters = 256
	// maxLines is how many lines a secret may have before the rest counts as another text.
	maxLines = 5000
)

// Line returns a line of a writer (a process id, a name, or "") without secrets. It stays
// one line. What begins a new message ends whatever was open.
func (s *Cleaner) Line(writer, line string) string {
	w := s.by[writer]
	if w == nil || w.begin == "" || begins(line) {
		out := clear(line, true)
		s.keep(writer, w, line)
		return out
	}
	whole := w.begin + "\n" + line
	_, out, _ := strings.Cut(clear(whole, true), "\n")
	if w.lines++; w.lines > maxLines {
		w.begin = ""
		return out
	}
	w.begin = left(whole)
	return out
}

func (s *Cleaner) keep(writer string, w *open, line string) {
	begin := left(line)
	switch {
	case begin == "" && w == nil:
		return
	case w != nil:
		w.begin, w.lines = begin, 0
		return
	case s.by == nil || len(s.by) >= maxWriters:
		s.by = map[string]*open{}
	}
	s.by[writer] = &open{begin: begin}
}

// begins tells the first lines of messages: klog's header, logrus' time, JSON.
func begins(line string) bool {
	if strings.HasPrefix(line, `time="`) || strings.HasPrefix(line, `{"ts":`) || strings.HasPrefix(line, `{"level":`) {
		return true
	}
	if len(line) < 14 || strings.IndexByte("IWEF", line[0]) < 0 || line[5] != ' ' || line[8] != ':' || line[11] != ':' {
		return false
	}
	for _, i := range [...]int{1, 2, 3, 4, 6, 7, 9, 10, 12, 13} {
		if line[i] < '0' || line[i] > '9' {
			return false
		}
	}
	return true
}

// blocks are secrets that go over lines: what opens them and what ends them.
var blocks = []struct{ open, within, end, again string }{
	{"-----BEGIN ", "", "-----END ", "-----BEGIN KEY-----"},
	{"Container{Name:", "Command:", ",WorkingDir:", "Container{Name:a,Image:a,Command:"},
	{"EnvVar{Name:", ",Value:", ",ValueFrom:", "EnvVar{Name:a,Value:"},
	{"ExecAction{Command:", "", ",}", "ExecAction{Command:"},
	{"HTTPHeader{Name:", ",Value:", ",}", "HTTPHeader{Name:a,Value:"},
	{"execCommand=[", "", "]", "execCommand=["},
}

var (
	openQuote  = re(`(?is)` + name + `\s*[=:]\s*(?:\\+"[^"\\]*(?:\\+[^"\\][^"\\]*)*|"(?:[^"\\]|\\.)*|'[^']*)$`)
	openBlock  = re(`(?i)` + name + `\s*:[ \t]+[|>][-+0-9]*[ \t]*(?:\n[ \t]+[^\n]*)*\s*$`)
	openValue  = re(`(?i)` + name + `\s*[=:]\s*\\?\s*$`)
	openScheme = re(`(?i)\b(?:authorization` + shut + `\s*[:=]\s*(?:\\*["'])?\[?` + scheme + `|bearer:?)\s*$`)
	openNamed  = re(`(?i)\bname[:=]\s*"?[\w.-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|key|credential)[\w.-]*"?,?\s*$`)
)

// left is what the text leaves open: text that opens the same again.
func left(s string) string {
	for _, b := range blocks {
		i := strings.LastIndex(s, b.open)
		if i < 0 {
			continue
		}
		if b.within != "" {
			j := strings.Index(s[i:], b.within)
			if j < 0 {
				continue
			}
			i += j
		}
		if !strings.Contains(s[i+1:], b.end) {
			return b.again
		}
	}
	have := hinted(s)
	if have&schemeBits != 0 && openScheme.MatchString(s) {
		return "Authorization: Bearer"
	}
	if !strings.ContainsAny(s, "=:") || have&namedBits == 0 {
		return ""
	}
	s, _ = uncovered(s)
	switch {
	case openBlock.MatchString(s):
		return "password: |"
	case openValue.MatchString(s):
		return "password: "
	case openNamed.MatchString(s):
		return "name: credential" // of which no sentence is a secret
	}
	if m := openQuote.FindString(s); m != "" {
		at := strings.IndexAny(m, "=:")
		opener := strings.TrimLeft(m[at+1:], " \t\n")
		quote := opener[:len(opener)-len(strings.TrimLeft(opener, `\`))+1]
		return "password=" + quote
	}
	return ""
}

var namedBits, schemeBits = bitsOf(named[0]), bitsOf("bearer") | bitsOf("auth")

// bitsOf are the bits of the lists of hints that begin with this one.
func bitsOf(first string) (bits uint64) {
	for i := range rules {
		if rules[i].hints[0] == first {
			bits |= rules[i].need
		}
	}
	return bits
}
