package pagecheck

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
)

// page is one HTML file to check.
type page struct {
	name, html string
	// hostile pages have attacks in place of the cluster's texts.
	hostile bool
	// says is text that must be visible on it.
	says []string
}

// pages returns the recorded incident, one restart of it, what a new kubelet would do to its nodes, and a copy of each
// with all of the cluster's texts replaced by attacks.
func pages(now time.Time) ([]page, error) {
	b, err := bundle.Read("demo", bytes.NewReader(demo.Named(demo.Incident)), bundle.Options{Now: now})
	if err != nil {
		return nil, err
	}
	defer b.Close()
	s := diag.Observe(diag.Load(b, apiobject.Hasher{}), b.Manifest.CollectedAt)
	told := analyzer.AnalyzeWithDetails(s, analyzer.Options{ToolVersion: "devel", GeneratedAt: now})
	if len(told.Report.Items) == 0 || len(told.Report.Incidents) == 0 {
		return nil, fmt.Errorf("the recording has no restarts or no incident")
	}
	few := *told.Report
	few.Items, few.Incidents = few.Items[:min(4, len(few.Items))], few.Incidents[:1]
	one := *told.Report
	one.Items, one.Incidents = one.Items[:1], nil
	to, err := kubelet.ParseVersion("v1.30.14") // the recorded nodes run a newer one, and a downgrade restarts too
	if err != nil {
		return nil, err
	}
	ahead, err := preflight.Run(s, preflight.Options{To: to, ToolVersion: "devel", GeneratedAt: now})
	if err != nil {
		return nil, err
	}
	var out []page
	add := func(name, html string, err error, says ...string) error {
		out = append(out, page{name: name, html: html, hostile: strings.HasPrefix(name, "hostile"), says: says})
		return err
	}
	pod := told.Report.Items[0].Pod
	html, err := whole(told.Report, told.Details)
	if err := add("demo", html, err, pod, told.Report.Incidents[0].Summary); err != nil {
		return nil, err
	}
	html, err = whole(&one, told.Details)
	if err := add("one", html, err, pod); err != nil {
		return nil, err
	}
	html, err = foretold(ahead)
	if err := add("preflight", html, err, "v1.30.14"); err != nil {
		return nil, err
	}
	for i, text := range attacks {
		r, err := spoiled(&few, text)
		if err != nil {
			return nil, err
		}
		html, err := whole(r, teller{told.Details, text})
		if err := add(fmt.Sprintf("hostile-%d", i), html, err); err != nil {
			return nil, err
		}
		p, err := spoiled(ahead, text)
		if err != nil {
			return nil, err
		}
		html, err = foretold(p)
		if err := add(fmt.Sprintf("hostile-preflight-%d", i), html, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func whole(r *report.Report, t report.DetailProvider) (string, error) {
	p, err := render.New(render.Options{Format: "html", Details: t})
	if err != nil {
		return "", err
	}
	return printed(func(w io.Writer) error { return p(w, r) })
}

func foretold(r *report.Preflight) (string, error) {
	return printed(func(w io.Writer) error { return render.Preflight(w, r, "html", 0) })
}

func printed(print func(io.Writer) error) (string, error) {
	var b strings.Builder
	err := print(&b)
	return b.String(), err
}
