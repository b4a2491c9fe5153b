// Package data writes a report for programs: JSON, YAML, names, metrics for Prometheus, and kubectl's templates and
// custom columns.
//
// From the project it imports only analyzer/report. It contains no words for people, and no limit on what is written.
package data

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// normal is a report that can replace nil lists by empty ones.
type normal interface{ Normalise() }

func normalise(document any) {
	if r, ok := document.(normal); ok {
		r.Normalise()
	}
}

// compact are the forms of encoding/json, with < and > as they are.
var compact = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false))

// Line writes a document as one line of JSON. It is written while it is encoded: in a large cluster it is gigabytes.
func Line(w io.Writer, document any) error { return encode(w, document) }

// JSON writes a document as indented JSON.
func JSON[T any](w io.Writer, document T) error {
	return encode(w, document, jsontext.WithIndent("    "))
}

func encode(w io.Writer, document any, form ...json.Options) error {
	normalise(document)
	if err := json.MarshalWrite(w, document, append(form, compact)...); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// YAML writes a document as YAML.
func YAML[T any](w io.Writer, document T) error {
	normalise(document)
	data, err := yaml.Marshal(document)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = w.Write(data)
	return err
}

// Names writes each pod once, as kubectl -o name does, newest item first.
func Names(w io.Writer, r *report.Report) error {
	var pods []pod
	for i := range r.Items {
		pods = append(pods, pod{r.Items[i].Namespace, r.Items[i].Pod})
	}
	return names(w, pods)
}

// PreflightNames writes the pods with a container that restarts or may restart.
func PreflightNames(w io.Writer, r *report.Preflight) error {
	var pods []pod
	for i := range r.Items {
		if it := &r.Items[i]; it.Prediction == report.Restarts || it.Prediction == report.MayRestart {
			pods = append(pods, pod{it.Namespace, it.Pod})
		}
	}
	return names(w, pods)
}

type pod struct{ namespace, name string }

func names(w io.Writer, pods []pod) error {
	var b strings.Builder
	seen := map[pod]bool{}
	for _, p := range pods {
		if p.name != "" && !seen[p] {
			seen[p] = true
			fmt.Fprintf(&b, "pod/%s\n", p.name)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// IncidentNames writes each incident.
func IncidentNames(w io.Writer, r *report.Report) error {
	var b strings.Builder
	for i := range r.Incidents {
		fmt.Fprintf(&b, "incident/%s\n", r.Incidents[i].ID)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
