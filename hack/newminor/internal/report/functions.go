package report

import (
	"fmt"
	"path"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
)

// functions compares the functions that we model, in the order of the list.
func functions(from, to *inventory.Inventory, parts []modelled.Part) (all []string) {
	for _, part := range parts {
		was, had := from.Functions[part.Key()]
		is, has := to.Functions[part.Key()]
		var line string
		switch {
		case !had && !has:
			continue
		case !has:
			line = fmt.Sprintf("removed %s (was %s:%d)", part.Name, was.File, was.Line)
		case !had:
			line = fmt.Sprintf("new %s %s:%d", part.Name, is.File, is.Line)
		case was.Hash == is.Hash && path.Dir(was.File) == path.Dir(is.File):
			continue
		default:
			line = fmt.Sprintf("%s %s %s:%d → %s:%d", verb(was, is), part.Name, was.File, was.Line, is.File, is.Line)
			line += differences(was, is)
		}
		all = append(all, fmt.Sprintf("%s; ours: %s %s", line, part.File, part.Func))
	}
	return all
}

func verb(was, is inventory.Function) string {
	moved := path.Dir(was.File) != path.Dir(is.File)
	switch {
	case moved && was.Hash == is.Hash:
		return "moved"
	case was.Quiet == is.Quiet:
		return "log lines of"
	case moved:
		return "moved and changed"
	}
	return "changed"
}

// differences lists the calls and texts that were added and removed.
func differences(was, is inventory.Function) string {
	var b strings.Builder
	for _, kind := range []struct {
		name    string
		was, is []string
	}{{"calls", was.Calls, is.Calls}, {"texts", was.Texts, is.Texts}} {
		if lines := names("", kind.was, kind.is); len(lines) > 0 {
			for i, l := range lines {
				word, what, _ := strings.Cut(l, " ")
				sign := "+"
				if word == "gone" {
					sign = "-"
				}
				if kind.name == "texts" {
					what = fmt.Sprintf("%q", what)
				}
				lines[i] = sign + what
			}
			fmt.Fprintf(&b, "; %s %s", kind.name, strings.Join(lines, " "))
		}
	}
	return b.String()
}
