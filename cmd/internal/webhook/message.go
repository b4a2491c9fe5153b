package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/template"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// message formats a report's item as JSON.
type message func(r *report.Report, item int) ([]byte, error)

// errNoJSON is returned when a template does not produce JSON.
var errNoJSON = errors.New("the template made no JSON: put texts through json, as in {{ json .verdict.summary }}")

// newMessage parses a template. The template sees one item as in -o json, with its keys, and writes a value as JSON
// with the function json; a missing key is null. Without a template the message is the report with only that item and
// its evidence, as -o json prints it (docs/report.schema.json).
func newMessage(text string) (message, error) {
	if text == "" {
		return func(r *report.Report, item int) ([]byte, error) {
			one, cited := *r, present.Cited(&r.Items[item].Verdict)
			one.Items, one.Incidents, one.Evidence = r.Items[item:item+1:item+1], nil, nil
			for _, e := range r.Evidence {
				if slices.Contains(cited, e.ID) {
					one.Evidence = append(one.Evidence, e)
				}
			}
			one.Normalise()
			return json.Marshal(&one)
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

// maxTemplate limits a template's file, in bytes: a larger one is a wrong file.
const maxTemplate = 1 << 20

// ReadTemplate reads a template's file.
func ReadTemplate(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the template of a webhook: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTemplate+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the template of a webhook: %w", err)
	case len(data) > maxTemplate:
		return "", fmt.Errorf("read the template of a webhook, %s: longer than 1 MiB", path)
	case len(bytes.TrimSpace(data)) == 0:
		return "", fmt.Errorf("read the template of a webhook, %s: it is empty", path)
	}
	return string(data), nil
}
