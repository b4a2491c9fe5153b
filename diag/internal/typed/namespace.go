package typed

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// kubePrompt is what kube-ps1 and similar tools put into a prompt: the context, followed by the namespace.
	kubePrompt = regexp.MustCompile(`^(?:[\w.-]+@[\w.-]+[: ])?\((?:[^\x00-\x7f]{1,2}|k8s)\s?\|[^)\s]{1,120}:([a-z0-9-]{1,63})\)\s*(.*)$`)
	// chosen is the message of tools that change the namespace of later commands.
	chosen = regexp.MustCompile(
		`^(?:Active namespace is "|(?:Now|Already) (?:using|on) project "|Using project ")([a-z0-9-]{1,63})"`)
)

// maxPrompt is the maximum length of a prompt.
const maxPrompt = 160

// Namespace returns the namespace that a tool's message says it has chosen for later commands, "" for any other line.
func Namespace(line string) string {
	if m := chosen.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// Unprompted removes a prompt with the namespace from a line.
func Unprompted(line string) (rest, namespace string) {
	if !strings.Contains(line[:min(len(line), maxPrompt)], "|") {
		return line, "" // the expression is slow
	}
	m := kubePrompt.FindStringSubmatch(line)
	if m == nil {
		return line, ""
	}
	rest = m[2]
	for at, w := range strings.Fields(rest) { // the directory and the mark before the command, or none of them
		if slices.Contains(programs, w) && at < 4 {
			return "$ " + rest[strings.Index(rest, w):], m[1]
		}
	}
	return line, ""
}

// Chooses returns the namespace that a command sets for later ones, "" for none.
func (c Command) Chooses() string {
	words := unquoted(c.Words)
	switch {
	case c.Program == "kubens" && len(words) == 1 && podName.MatchString(words[0]),
		c.Program == "kubectl" && len(words) == 2 && words[0] == "project" && podName.MatchString(words[1]):
		return words[len(words)-1]
	case c.Program == "kubectl" && len(words) > 2 && words[0] == "config" && words[1] == "set-context":
		for i, w := range words {
			if name, ok := strings.CutPrefix(w, "--namespace="); ok {
				return name
			}
			if w == "--namespace" && i+1 < len(words) {
				return words[i+1]
			}
		}
	}
	return ""
}
