package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"text/template"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// message formats a report's item as JSON.
type message func(r *report.Report, item int) ([]byte, error)

// errNoJSON is returned when a template does not produce JSON.
var errNoJSON = errors.New("the template made no JSON: put texts through json, as in {{ json .verdict.summary }}")

// newMessage parses a template. The template sees one item as in -o json, with its keys, and writes a value as JSON
// with the function json; a missing key is null. Without a template the message is the report with only that item, its
// incident and its evidence, as -o json prints it (docs/report.schema.json).
func newMessage(text string) (message, error) {
	if text == "" {
		return func(r *report.Report, item int) ([]byte, error) {
			return json.Marshal(r.Narrowed(int32(item)))
		}, nil
	}
	t, err := template.New("webhook").Option("missingkey=zero").Funcs(template.FuncMap{"json": asJSON}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the template of a webhook: %w", err)
	}
	return func(r *report.Report, item int) ([]byte, error) {
		text, err := json.Marshal(&r.Items[item])
		if err != nil {
			return nil, err
		}
		var values map[string]any
		if err := json.Unmarshal(text, &values); err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := t.Execute(&out, values); err != nil {
			return nil, fmt.Errorf("carry out the template: %w", err)
		}
		if !json.Valid(out.Bytes()) {
			return nil, errNoJSON
		}
		return out.Bytes(), nil
	}, nil
}

func asJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}
