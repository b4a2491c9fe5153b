package typed

import (
	"regexp"
	"strings"
)

// output parses the argument of -o.
func (c *Command) output(format string) {
	if p, ok := strings.CutPrefix(format, "custom-columns="); ok {
		for _, column := range strings.Split(p, ",") {
			if _, path, ok := strings.Cut(column, ":"); ok {
				c.Columns = append(c.Columns, fields(path))
			}
		}
		return
	}
	p, ok := strings.CutPrefix(format, "jsonpath=")
	if !ok {
		return
	}
	var paths [][]string
	for _, m := range template.FindAllStringSubmatch(p, 32) {
		paths = append(paths, fields(m[1]))
	}
	if len(paths) == 1 {
		c.Path = paths[0]
	}
	if strings.Contains(p, "{range") || len(paths) > 1 {
		c.Columns = paths
	}
}

// template is a field of a jsonpath, except a range over all items.
var template = regexp.MustCompile(`\{(\.[^{}]+)\}`)

// unquoted joins the words of a quoted argument.
func unquoted(words []string) (out []string) {
	quote := byte(0)
	for _, w := range words {
		if quote != 0 {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
		for i := 0; i < len(w); i++ {
			switch {
			case quote == 0 && (w[i] == '\'' || w[i] == '"'):
				quote = w[i]
			case w[i] == quote:
				quote = 0
			}
		}
	}
	return out
}
