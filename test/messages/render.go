package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var verb = regexp.MustCompile(`%[+#]?[a-z]`)

// render writes a message as a kubelet of that minor version would.
func render(m message, minor int) string {
	head := fmt.Sprintf("%c1121 07:24:45.454287   24911 %s:1] ", m.severity, path.Base(m.file))
	switch m.style {
	case 'S':
		return head + structured(m, minor)
	case 'H': // apimachinery util/runtime HandleError: structured since v1.31
		text := printed(m.text, minor)
		if minor >= 31 {
			return head + `"Unhandled Error" err=` + strconv.Quote(text) + ` logger="UnhandledError"`
		}
		return head + text
	}
	return head + printed(m.text, minor)
}

func structured(m message, minor int) string {
	keys := slices.Clone(m.keys)
	if m.severity == 'E' && !slices.Contains(keys, "err") {
		keys = append([]string{"err"}, keys...)
	}
	if minor >= 36 && m.file == "pod_workers.go" && !slices.Contains(keys, "podUID") {
		keys = append(keys, "pod", "podUID", "updateType") // from the logger
	}
	var b strings.Builder
	b.WriteString(strconv.Quote(m.text))
	seen := map[string]bool{}
	for _, k := range keys {
		if k == "?" || seen[k] {
			continue
		}
		seen[k] = true
		fmt.Fprintf(&b, " %s=%s", k, value(m, k, minor))
	}
	return b.String()
}

func printed(format string, minor int) string {
	var args []string
	for _, a := range arguments {
		if strings.HasPrefix(format, a.format) && minor >= a.since {
			args = a.args
			break
		}
	}
	return verb.ReplaceAllStringFunc(strings.ReplaceAll(format, `\"`, `"`), func(v string) string {
		text := map[byte]string{'d': "7", 't': "true"}[v[len(v)-1]]
		if text == "" {
			text = "x"
		}
		if len(args) > 0 {
			text, args = args[0], args[1:]
		}
		if v == "%q" {
			return quote(text)
		}
		return text
	})
}

// quote is %q. If s is a composite, fmt quotes its parts, and the arguments above have done that already.
func quote(s string) string {
	if strings.HasPrefix(s, "{") {
		return s
	}
	return strconv.Quote(s)
}
