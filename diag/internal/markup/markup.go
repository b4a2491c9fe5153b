// Package markup knows what people and programs put between outputs: the marks of Markdown, Jira, forums and HTML
// around code, what stands before every line, and the headers that tail prints before each of several files.
//
// It imports the standard library only. What stands between the marks never enters.
package markup

import (
	"regexp"
	"strings"
)

var (
	mark = regexp.MustCompile("^\\s{0,3}(?:```|~~~|\\{(?:code|noformat|quote|panel)\\b[^}]*\\}|" +
		`\[/?(?:code|quote|spoiler|pre)\b[^\]]{0,40}\]|` + aTag + `)`)
	// fileHead matches what tail and head print before each of several files.
	fileHead = regexp.MustCompile(`^==> \S.{0,200} <==\s*$`)
	// rule matches a line that only separates.
	rule = regexp.MustCompile(`^\s{0,3}(?:-{5,}|={5,}|\*{5,}|_{5,}|#{5,}|~{5,})\s*$`)
	tags = regexp.MustCompile(aTag)
)

const aTag = `</?(?:pre|code|details|summary|p|br|div|blockquote|b|strong|h[1-6])\b[^>]{0,80}>`

// Separator reports whether a line separates outputs, and returns the part of it that belongs to the next output.
func Separator(line string) (rest string, ok bool) {
	if line == "" || strings.IndexByte(" `~{[<=-*_#", line[0]) < 0 {
		return "", false
	}
	m := mark.FindString(line)
	if m == "" {
		return "", fileHead.MatchString(line) || rule.MatchString(line)
	}
	rest = line[len(m):]
	switch strings.TrimSpace(m)[0] {
	case '`', '~':
		return "", true // the text after it is a language
	case '<':
		rest = tags.ReplaceAllString(rest, "")
	case '{':
		rest = strings.TrimSuffix(strings.TrimSpace(rest), m)
	}
	return rest, true
}

var closing = regexp.MustCompile(`(?:(?:</code>|</pre>|\{code\}|\{noformat\}|\[/code\])\s*)+$`)

// Closing returns the end mark of code directly after the code's last line, "" if there is none.
func Closing(line string) string { return closing.FindString(line) }
