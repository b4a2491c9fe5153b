package docs

import (
	"regexp"
	"slices"
	"strings"
)

// Command is one call of a program in a document.
type Command struct {
	Line int
	// Args are the words after the program's name, without pipes and redirections.
	Args []string
}

// String returns the command as one would type it.
func (c Command) String() string { return "kubectl restartwhy " + strings.Join(c.Args, " ") }

// Screen is a call of this plugin with its output, as a document shows them.
type Screen struct {
	Command
	// Output are the lines of the output. A line with only … after an indentation or word means that lines were left
	// out.
	Output []string
}

// Screens lists the calls after a prompt for which output is shown.
func Screens(text string) (all []Screen) {
	var open *Screen
	fence := ""
	for _, l := range lines(text) {
		if l.fence != fence {
			open, fence = nil, l.fence
		}
		typed, prompted := strings.CutPrefix(l.text, "$ ")
		switch {
		case l.fence == "":
		case prompted:
			open = nil
			if calls := Plugin("```\n" + typed + "\n```"); len(calls) == 1 {
				all = append(all, Screen{Command: Command{l.number, calls[0].Args}})
				open = &all[len(all)-1]
			}
		case open != nil:
			open.Output = append(open.Output, l.text)
		}
	}
	return slices.DeleteFunc(all, func(s Screen) bool { return len(s.Output) == 0 })
}

var span = regexp.MustCompile("(`+)([^`]+)(`+)")

// Plugin lists the calls of this plugin in a document: in code blocks and in inline code. A form with … or with
// brackets for optional parts is a description and no call.
func Plugin(text string) (all []Command) {
	for _, s := range shown(text) {
		for _, words := range stages(s.text) {
			if args, ok := plugin(words); ok && !form(args) {
				all = append(all, Command{s.number, args})
			}
		}
	}
	return all
}

// Make lists the make targets that a document names.
func Make(text string) (all []Command) {
	for _, s := range shown(text) {
		for _, words := range stages(s.text) {
			if len(words) < 2 || words[0] != "make" {
				continue
			}
			for _, w := range words[1:] {
				if !strings.ContainsAny(w, "=…") && !strings.HasPrefix(w, "-") {
					all = append(all, Command{s.number, []string{w}})
				}
			}
		}
	}
	return all
}

// shown lists the commands in a document. In a block with a prompt these are only the lines with the prompt; the rest
// is output. A line that ends in \ continues in the next one.
func shown(text string) (all []line) {
	source := lines(text)
	prompts := map[string]bool{}
	for _, l := range source {
		if strings.HasPrefix(l.text, "$ ") {
			prompts[l.fence] = true
		}
	}
	for i := 0; i < len(source); i++ {
		l := source[i]
		if l.fence == "" {
			for _, m := range span.FindAllStringSubmatch(l.text, -1) {
				all = append(all, line{l.number, m[2], ""})
			}
			continue
		}
		typed, prompted := strings.CutPrefix(l.text, "$ ")
		if prompts[l.fence] && !prompted {
			continue
		}
		for strings.HasSuffix(typed, `\`) && i+1 < len(source) && source[i+1].fence == l.fence {
			i++
			typed = strings.TrimSuffix(typed, `\`) + " " + strings.TrimPrefix(source[i].text, "> ")
		}
		all = append(all, line{l.number, typed, l.fence})
	}
	return all
}

// plugin reports whether words call this plugin, maybe with something in front (sudo, ssh HOST, a variable), and with
// which arguments.
func plugin(words []string) (args []string, ok bool) {
	at := slices.IndexFunc(words, func(w string) bool {
		return w == "kubectl-restartwhy" || strings.HasSuffix(w, "/kubectl-restartwhy")
	})
	if k := slices.Index(words, "restartwhy"); at < 0 && k > 0 && words[k-1] == "kubectl" {
		at = k
	}
	if at < 0 {
		return nil, false
	}
	// Only something that runs another program may be in front: in install FILE or ln -s FILE the program is an
	// argument.
	for at > 0 && len(words) > 0 && strings.Contains(words[0], "=") {
		words, at = words[1:], at-1
	}
	if at > 0 && !slices.Contains([]string{"kubectl", "sudo", "ssh", "docker"}, words[0]) {
		return nil, false
	}
	return words[at+1:], true
}

// form reports whether it is a description rather than a call.
func form(args []string) bool {
	return slices.ContainsFunc(args, func(w string) bool {
		return strings.Contains(w, "…") && !strings.Contains(w, "=") || strings.HasPrefix(w, "[") || strings.HasPrefix(w, "<")
	}) || slices.ContainsFunc(args, func(w string) bool { return strings.HasSuffix(w, "=…") })
}

// stages splits a line as a shell does, as far as documents need it: quotes keep words together, |, ;, & and comments
// end a call, and what > and < name is no argument.
func stages(text string) (all [][]string) {
	var words []string
	var word strings.Builder
	open, redirected := false, false
	var quote rune
	flush := func() {
		if open && !redirected {
			words = append(words, word.String())
		}
		if open {
			redirected = false
		}
		word.Reset()
		open = false
	}
	end := func() {
		flush()
		if len(words) > 0 {
			all = append(all, words)
		}
		words, redirected = nil, false
	}
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			flush()
		case r == '#' && !open:
			end()
			return all
		case r == '|' || r == ';' || r == '&':
			end()
		case r == '>' || r == '<' && !open:
			if open && strings.Trim(word.String(), "0123456789") == "" {
				word.Reset() // 2> is no argument either
				open = false
			}
			flush()
			redirected = true
		default:
			word.WriteRune(r)
			open = true
		}
	}
	end()
	return all
}
