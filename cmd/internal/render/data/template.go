package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// kubectl's formats with a template: after "=", in --template, or, for the file formats, in the file that either names.
var (
	pathFormats     = []string{"jsonpath", "jsonpath-as-json", "jsonpath-file"}
	templateFormats = []string{"go-template", "go-template-file", "template", "templatefile"}
)

// maxTemplate limits a template's file: a larger one is a wrong file.
const maxTemplate = 1 << 20

// ErrNoFormat is returned for a format that takes no template.
var ErrNoFormat = errors.New("no such format")

// Template returns the printer for a format with a template. The template sees the report in its JSON form. strict
// fails on a missing field.
func Template(of, template string, strict bool) (func(w io.Writer, r *report.Report) error, error) {
	format, text, given := strings.Cut(of, "=")
	if !slices.Contains(pathFormats, format) && !slices.Contains(templateFormats, format) {
		return nil, ErrNoFormat
	}
	if !given || text == "" {
		text = template
	}
	if text == "" {
		return nil, fmt.Errorf("output format %s: it needs a template: -o %s=…, or --template", format, format)
	}
	if strings.HasSuffix(format, "file") {
		data, err := ReadTemplate(text)
		if err != nil {
			return nil, err
		}
		text = data
	}
	var execute func(w io.Writer, data map[string]any) error
	if slices.Contains(pathFormats, format) {
		p, err := printers.NewJSONPathPrinter(text)
		if err != nil {
			return nil, fmt.Errorf("read jsonpath %s: %w", text, err)
		}
		p.AllowMissingKeys(!strict)
		p.EnableJSONOutput(format == "jsonpath-as-json")
		// Its PrintObj would put the whole report into an error.
		execute = func(w io.Writer, data map[string]any) error { return p.Execute(w, data) }
	} else {
		p, err := printers.NewGoTemplatePrinter([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("read template %s: %w", text, err)
		}
		p.AllowMissingKeys(!strict)
		execute = func(w io.Writer, data map[string]any) error {
			return p.PrintObj(&unstructured.Unstructured{Object: data}, w)
		}
	}
	return func(w io.Writer, r *report.Report) error {
		r.Normalise()
		data, err := plain(r)
		if err != nil {
			return err
		}
		// A template that fails half-way prints nothing: a script would treat the part as the whole.
		var b bytes.Buffer
		if err := safely(func() error { return execute(&b, data.(map[string]any)) }); err != nil {
			return fmt.Errorf("execute %s: %w", format, err)
		}
		_, err = w.Write(b.Bytes())
		return err
	}, nil
}

// ReadTemplate reads a template's file.
func ReadTemplate(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read template: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTemplate+1))
	switch {
	case err != nil:
	case len(data) > maxTemplate:
		err = errors.New("longer than 1 MiB")
	case len(bytes.TrimSpace(data)) == 0:
		err = errors.New("it is empty")
	default:
		return string(data), nil
	}
	return "", fmt.Errorf("read template %s: %w", path, err)
}

// whole converts numbers without a fraction to integers, as kubectl prints them: 137, not 137.0 or 1.37e+02.
func whole(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = whole(v[k])
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case float64:
		if n := int64(v); float64(n) == v {
			return n
		}
	}
	return v
}

// safely turns a panic into an error: client-go's jsonpath has panicked on odd expressions before.
func safely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return do()
}
