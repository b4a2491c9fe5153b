package data

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"k8s.io/client-go/util/jsonpath"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Columns returns the printer of custom-columns=HEAD:.path,…: a table of the items, each path in kubectl's syntax,
// relative to the item: POD:.pod,WHY:.verdict.cause.
func Columns(spec string, heads bool) (func(w io.Writer, r *report.Report) error, error) {
	type column struct {
		head string
		path *jsonpath.JSONPath
	}
	var columns []column
	for _, part := range strings.Split(spec, ",") {
		head, path, found := strings.Cut(part, ":")
		if !found || head == "" || path == "" {
			return nil, fmt.Errorf("read custom-columns %q: want HEAD:.path,HEAD:.path", part)
		}
		if !strings.HasPrefix(path, "{") {
			path = "{." + strings.TrimPrefix(path, ".") + "}"
		}
		p := jsonpath.New(head).AllowMissingKeys(true)
		if err := safely(func() error { return p.Parse(path) }); err != nil {
			return nil, fmt.Errorf("read custom-columns %q: %w", part, err)
		}
		if err := known(path); err != nil {
			return nil, fmt.Errorf("read custom-columns %q: %w", part, err)
		}
		columns = append(columns, column{head, p})
	}
	return func(w io.Writer, r *report.Report) error {
		var rows [][]string
		if heads {
			row := make([]string, len(columns))
			for n, c := range columns {
				row[n] = c.head
			}
			rows = append(rows, row)
		}
		for i := range r.Items {
			item, err := plain(&r.Items[i])
			if err != nil {
				return err
			}
			row := make([]string, len(columns))
			for n, c := range columns {
				var b strings.Builder
				if err := safely(func() error { return c.path.Execute(&b, item) }); err != nil {
					return fmt.Errorf("read column %s: %w", c.head, err)
				}
				if row[n] = b.String(); row[n] == "" {
					row[n] = "<none>"
				}
			}
			rows = append(rows, row)
		}
		return align(w, rows)
	}, nil
}

// fields are the names of an item's own fields in JSON.
var fields = func() (names []string) {
	item := reflect.TypeFor[report.Item]()
	for i := range item.NumField() {
		if name, _, _ := strings.Cut(item.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}()

// first matches the first field of a path.
var first = regexp.MustCompile(`^\{\.(\w+)[.}\[]`)

// known refuses a path whose first field no item has: kubectl prints <none> for it, which looks like an answer.
func known(path string) error {
	m := first.FindStringSubmatch(path)
	if m == nil || slices.Contains(fields, m[1]) {
		return nil
	}
	return fmt.Errorf("an item has no field %q: want one of %s", m[1], strings.Join(fields, ", "))
}

// plain converts a value to its JSON form.
func plain(v any) (any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return whole(out), nil
}

func align(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t")) // Flush returns the error
	}
	return t.Flush()
}
