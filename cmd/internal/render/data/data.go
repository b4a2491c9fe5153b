// Package data writes a report for programs: JSON, YAML, names, metrics for Prometheus, and kubectl's templates and
// custom columns.
//
// From the project it imports only analyzer/report. It contains no words for people, and no limit on what is written.
package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Normal is a report that can replace nil lists by empty ones.
type Normal interface{ Normalise() }

func printJSON[R Normal](w io.Writer, r R) error {
	r.Normalise()
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "    ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// YAML writes any report.
func YAML[R Normal](w io.Writer, r R) error {
	r.Normalise()
	data, err := yaml.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = w.Write(data)
	return err
}

// Line writes a document as one line of JSON.
func Line(w io.Writer, document Normal) error {
	document.Normalise()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(document); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	return nil
}

// Names writes each pod once, as kubectl -o name does, newest item first.
func Names(w io.Writer, r *report.Report) error {
	n := names{}
	for i := range r.Items {
		n.add(r.Items[i].Namespace, r.Items[i].Pod)
	}
	return n.write(w)
}

// PreflightNames writes the pods with a container that restarts or may restart.
func PreflightNames(w io.Writer, r *report.Preflight) error {
	n := names{}
	for i := range r.Items {
		if it := &r.Items[i]; it.Prediction == report.Restarts || it.Prediction == report.MayRestart {
			n.add(it.Namespace, it.Pod)
		}
	}
	return n.write(w)
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

type names struct {
	b    strings.Builder
	seen map[[2]string]bool
}

func (n *names) add(namespace, pod string) {
	if n.seen == nil {
		n.seen = map[[2]string]bool{}
	}
	if key := [2]string{namespace, pod}; pod != "" && !n.seen[key] {
		n.seen[key] = true
		fmt.Fprintf(&n.b, "pod/%s\n", pod)
	}
}

func (n *names) write(w io.Writer) error {
	_, err := io.WriteString(w, n.b.String())
	return err
}
