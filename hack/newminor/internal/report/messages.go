package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
)

// said identifies a message as a log reader does.
type said struct{ file, text string }

// logs compares log calls: if a message has another severity, keys or file, it changed rather than ended.
func logs(from, to *inventory.Inventory, decides func(string) string) (all []string) {
	was, is := byText(from.Logs), byText(to.Logs)
	mark := func(text string) string {
		if s := decides(text); s != "" && s != "-" {
			return "  ← " + s
		}
		return ""
	}
	for _, l := range from.Logs {
		k := said{l.File, l.Text}
		if was[k] == nil || is[k] != nil {
			continue
		}
		if file, elsewhere := moved(l.Text, to.Logs, was); elsewhere {
			all = append(all, fmt.Sprintf("moved %s → %s %q%s", l.File, file, l.Text, mark(l.Text)))
		} else {
			all = append(all, fmt.Sprintf("ended %s%s", row(l), mark(l.Text)))
		}
		delete(was, k)
	}
	was = byText(from.Logs)
	done := map[said]bool{}
	for _, l := range to.Logs {
		k := said{l.File, l.Text}
		switch {
		case was[k] == nil:
			if _, elsewhere := moved(l.Text, from.Logs, is); !elsewhere {
				all = append(all, "new "+row(l)+mark(l.Text))
			}
		case !done[k] && !slices.Equal(was[k], is[k]):
			all = append(all, fmt.Sprintf("changed %s %q: %s; was %s%s", l.File,
				l.Text, strings.Join(is[k], " | "), strings.Join(was[k], " | "), mark(l.Text)))
		}
		done[k] = true
	}
	return all
}

// moved returns the file that now has a text and did not before.
func moved(text string, now []inventory.Log, before map[said][]string) (string, bool) {
	for _, l := range now {
		if l.Text == text && before[said{l.File, text}] == nil {
			return l.File, true
		}
	}
	return "", false
}

func byText(logs []inventory.Log) map[said][]string {
	all := map[said][]string{}
	for _, l := range logs {
		k := said{l.File, l.Text}
		all[k] = append(all[k], form(l))
	}
	return all
}

// form formats a call as "IV4 S pod,podUID".
func form(l inventory.Log) string {
	severity := l.Severity
	if l.V >= 0 {
		severity += fmt.Sprintf("V%d", l.V)
	}
	return strings.TrimSpace(severity + " " + l.Style + " " + strings.Join(l.Keys, ","))
}

func row(l inventory.Log) string { return fmt.Sprintf("%s %q %s", l.File, l.Text, form(l)) }

func events(from, to *inventory.Inventory) []string {
	show := func(i *inventory.Inventory) (all []string) {
		for _, e := range i.Events {
			all = append(all, fmt.Sprintf("%s %s %s %q", e.File, e.Type, e.Reason, e.Text))
		}
		return all
	}
	return names("", show(from), show(to))
}
