package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
)

// Unclassified is the statement of a message that nobody has judged yet: make verify rejects it, so that someone has to
// say what a new message becomes.
const Unclassified = "?"

// message is a row of messages.tsv without minors and statement.
type message struct{ style, file, text, keys, severity string }

// says holds the statements of a message, by minor version.
type says map[int]string

// notPrinted are log calls that no kubelet executes, though they are in a package that it uses.
var notPrinted = map[message]bool{
	// InitFlags: the kubelet has its own
	{style: "f", file: "component-base/cli/flag/flags.go", text: "FLAG: --%s=%q", severity: "IV2"}: true,
}

// messagesTable keeps the order of files, and messages keep their statements; a new message gets Unclassified.
func messagesTable(old []byte, m Minors) ([]byte, error) {
	known, err := readMessages(old, m.Last())
	if err != nil {
		return nil, err
	}
	files := map[string]bool{}
	for k := range known {
		files[k.file] = true
	}
	all := map[message]says{}
	note := func(k message, minor int, statement string) {
		if all[k] == nil {
			all[k] = says{}
		}
		all[k][minor] = statement
	}
	for k, minors := range known {
		for minor, statement := range minors {
			if minor < m.First() {
				note(k, minor, statement)
			}
		}
	}
	for minor := m.First(); minor <= m.Last(); minor++ {
		for _, l := range m.At(minor).Logs {
			for _, k := range printedAs(l) {
				if files[k.file] && !notPrinted[k] {
					note(k, minor, statement(known, k, minor))
				}
			}
		}
	}
	return []byte(printMessages(all, m.Last())), nil
}

// printedAs returns the rows of a log call. One format begins with the kind of the container: the line of an init
// container is distinguished by it, and has its own row.
func printedAs(l inventory.Log) []message {
	severity := l.Severity
	if l.V >= 0 {
		severity += "V" + strconv.Itoa(l.V)
	}
	k := message{l.Style, l.File, flat(l.Text), strings.Join(l.Keys, ","), severity}
	if rest, ok := strings.CutPrefix(k.text, "%v "); ok && l.Style == "H" &&
		strings.Contains(rest, "start failed in pod") {
		init := k
		init.text = "init container " + rest
		return []message{k, init}
	}
	return []message{k}
}

// flat returns a text on one line without tabs.
func flat(s string) string { return oneLine.Replace(s) }

var oneLine = strings.NewReplacer("\n", `\n`, "\t", `\t`)

// statement returns the table's statement of a message: of that minor version, or else of the nearest one before, or
// else of any.
func statement(known map[message]says, k message, minor int) string {
	minors := known[k]
	if s, ok := minors[minor]; ok {
		return s
	}
	ordered := slices.Sorted(maps.Keys(minors))
	for _, at := range slices.Backward(ordered) {
		if at < minor {
			return minors[at]
		}
	}
	if len(ordered) > 0 {
		return minors[ordered[0]]
	}
	return Unclassified
}

func readMessages(table []byte, last int) (map[message]says, error) {
	all := map[message]says{}
	for n, row := range strings.Split(strings.TrimSuffix(string(table), "\n"), "\n") {
		c := strings.Split(row, "\t")
		if len(c) != 7 {
			return nil, fmt.Errorf("read messages: row %d has %d columns, not 7", n+1, len(c))
		}
		from, to, _ := strings.Cut(c[0], "-")
		since, err := strconv.Atoi(from)
		until := last
		if err == nil && to != "" {
			until, err = strconv.Atoi(to)
		}
		if err != nil {
			return nil, fmt.Errorf("read messages: row %d: %w", n+1, err)
		}
		k := message{style: c[2], file: c[3], text: c[4], keys: c[5], severity: c[1]}
		if all[k] == nil {
			all[k] = says{}
		}
		for minor := since; minor <= until; minor++ {
			all[k][minor] = c[6]
		}
	}
	return all, nil
}

func printMessages(all map[message]says, last int) string {
	printed := func(m message) int {
		if m.style == "f" {
			return 0
		}
		return 1
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b message) int {
		return cmp.Or(cmp.Compare(printed(a), printed(b)), cmp.Compare(a.file, b.file), cmp.Compare(a.text, b.text),
			cmp.Compare(a.severity, b.severity), cmp.Compare(a.style, b.style), cmp.Compare(a.keys, b.keys))
	})
	var b strings.Builder
	for _, k := range keys {
		minors := slices.Sorted(maps.Keys(all[k]))
		for start := 0; start < len(minors); {
			end := start
			for end+1 < len(minors) && minors[end+1] == minors[end]+1 && all[k][minors[end+1]] == all[k][minors[start]] {
				end++
			}
			until := strconv.Itoa(minors[end])
			if minors[end] == last {
				until = ""
			}
			row := []string{fmt.Sprintf("%d-%s", minors[start], until), k.severity,
				k.style, k.file, k.text, k.keys, all[k][minors[start]]}
			b.WriteString(strings.Join(row, "\t") + "\n")
			start = end + 1
		}
	}
	return b.String()
}
