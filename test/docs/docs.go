// Package docs reads the project's Markdown as far as tests need it: links, anchors, and the commands to type.
//
// It knows files and text. The meaning of a command is up to the package that has the commands (cmd/internal/cli). It
// imports nothing of the project, and no product code imports it.
package docs

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Files lists the Markdown files below root, with slashes, in order. Test data and build output are no documents.
func Files(root string) (names []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			hidden := strings.HasPrefix(name, ".") && len(name) > 1 && name != ".github" && name != ".."
			if path != root && (hidden || name == "testdata" || name == "bin" || name == "dist") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) == ".md" {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list documents below %s: %w", root, err)
	}
	return names, nil
}

// line is one line of a document and its place.
type line struct {
	number int // from 1
	text   string
	// fence is the info string of the code block that the line is in, with the block's number in front, so that two
	// blocks never share one. Empty outside of blocks.
	fence string
}

// lines separates code from text. It leaves out the lines that open and close a block, and HTML comments that fill
// their lines.
func lines(text string) (all []line) {
	fence, mark, comment, blocks := "", "", false, 0
	for i, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(l)
		switch {
		case mark != "" && strings.HasPrefix(trimmed, mark) && strings.Trim(trimmed, mark[:1]) == "":
			fence, mark = "", ""
		case mark != "":
			all = append(all, line{i + 1, l, fence})
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			info := strings.TrimLeft(trimmed, trimmed[:1])
			mark = trimmed[:len(trimmed)-len(info)]
			blocks++
			fence = strconv.Itoa(blocks) + " " + strings.TrimSpace(info)
		case comment || strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(trimmed, "-->")
		case strings.HasPrefix(l, "    ") && trimmed != "" && (len(all) == 0 || indented(all[len(all)-1])):
			all = append(all, line{i + 1, l[4:], "indented"})
		default:
			all = append(all, line{i + 1, l, ""})
		}
	}
	return all
}

// indented reports whether an indented code block may follow the line: such a block cannot interrupt a paragraph or a
// list item.
func indented(before line) bool {
	return before.fence == "indented" || before.fence == "" && strings.TrimSpace(before.text) == ""
}

// Link is one reference to another place.
type Link struct {
	Line   int
	Target string
}

var (
	codeSpan   = regexp.MustCompile("`+[^`]*`+")
	inlineLink = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)`)
	linkTarget = regexp.MustCompile(`^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?\s*$`)
	heading    = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
	named      = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
	markup     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// Links lists the links of a document, outside of code.
func Links(text string) (all []Link) {
	for _, l := range lines(text) {
		if l.fence != "" {
			continue
		}
		plain := codeSpan.ReplaceAllString(l.text, "``")
		for _, m := range inlineLink.FindAllStringSubmatch(plain, -1) {
			all = append(all, Link{l.number, m[1]})
		}
		if m := linkTarget.FindStringSubmatch(plain); m != nil {
			all = append(all, Link{l.number, m[1]})
		}
	}
	return all
}

// Anchors returns the places in a document that a link may name after #: its headings, with GitHub's ids, and its named
// anchors.
func Anchors(text string) map[string]bool {
	all, seen := map[string]bool{}, map[string]int{}
	for _, l := range lines(text) {
		if l.fence != "" {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(l.text, -1) {
			all[m[1]] = true
		}
		if m := heading.FindStringSubmatch(l.text); m != nil {
			id := slug(m[1])
			if n := seen[id]; n > 0 {
				all[id+"-"+strconv.Itoa(n)] = true
			} else {
				all[id] = true
			}
			seen[id]++
		}
	}
	return all
}

// slug returns GitHub's id of a heading: lower case; letters, digits, - and _ stay, blanks become -, the rest is
// removed.
func slug(title string) string {
	title = markup.ReplaceAllString(title, "$1")
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
