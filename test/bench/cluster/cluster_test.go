package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// predicted goes through a made-up cluster and counts the pages.
func predicted(t *testing.T, s size, page int64) (r *report.Preflight, pages int) {
	t.Helper()
	handler, err := newServer(s)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	client, err := kube.New(&rest.Config{Host: srv.URL, QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeProtobuf,
			AcceptContentTypes: runtime.ContentTypeProtobuf}})
	if err != nil {
		t.Fatal(err)
	}
	to, err := kubelet.ParseVersion("v1.31")
	if err != nil {
		t.Fatal(err)
	}
	var stream *preflight.Stream
	gaps, err := apiserver.NewSource(client, apiserver.Scope{}, apiobject.Hasher{Present: forensics.Present},
		apiserver.Options{PageSize: page}).ForEachPage(t.Context(), func(p *apiobject.Piece) (err error) {
		s := diag.Observe(diag.Collection{Pieces: []evidence.RawEvidence{p}}, began)
		if pages++; stream == nil {
			stream, err = preflight.NewStream(s, preflight.Options{To: to, GeneratedAt: began})
			return err
		}
		stream.Add(s)
		return nil
	})
	if err != nil || len(gaps) > 0 {
		t.Fatalf("error %v, gaps %+v", err, gaps)
	}
	return stream.Report(), pages
}

// The measured cluster makes the program work: every pod exists once, on its node, and its containers are judged.
func TestTheClusterIsRealEnoughToMeasure(t *testing.T) {
	r, pages := predicted(t, size{7, 30}, 50)
	if len(r.Nodes) != 7 || len(r.Items) != 2*7*30 || pages != 1+5 {
		t.Fatalf("%d nodes, %d containers, %d pages", len(r.Nodes), len(r.Items), pages)
	}
	seen := map[string]bool{}
	for i := range r.Items {
		it := &r.Items[i]
		seen[it.Namespace+"/"+it.Pod+"/"+it.Container] = true
		// Both hashes differ over 1.31; sidecars are not compared before 1.32.
		want := map[string]report.Prediction{"app": report.Restarts, "proxy": report.Stays}[it.Container]
		if it.Prediction != want {
			t.Fatalf("%+v, want %s", it, want)
		}
	}
	if len(seen) != len(r.Items) {
		t.Errorf("%d of %d containers are told apart", len(seen), len(r.Items))
	}
	for _, a := range r.Assumed {
		if strings.Contains(a, "admitted again") {
			t.Errorf("pods were not compared with their nodes: %s", a)
		}
	}
	handler, err := newServer(size{1, 1})
	if err != nil || handler.podJSON < 6000 || handler.podJSON > 10_000 {
		t.Errorf("a pod has %d bytes of JSON: %v", handler.podJSON, err)
	}
	if w := httptest.NewRecorder(); true {
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/secrets", nil))
		if w.Code != http.StatusNotFound {
			t.Errorf("secrets are served: %d", w.Code)
		}
	}
}

// built writes a script in place of the program.
func built(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestARunIsMeasuredAndHeldToItsBudget(t *testing.T) {
	fine := built(t, `test "$4" = --kubeconfig && test -s "$5" && echo 12345`)
	c, err := once(fine, "/dev/null", "preflight --to v1.31")
	if err == nil {
		t.Error("an empty kubeconfig is one")
	}
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err = once(fine, file, "preflight --to v1.31"); err != nil || c.printed != 6 || c.mib() <= 0 || c.Wall <= 0 {
		t.Errorf("%+v, error %v", c, err)
	}
	s := size{1, 1}
	if err := measure(fine, s, []run{{"preflight --to v1.31", 500}}); err != nil {
		t.Error(err)
	}
	if err := measure(fine, s, []run{{"preflight --to v1.31", 0.001}, {"preflight --to v1.31", 500}}); err == nil ||
		!strings.Contains(err.Error(), "1 over their budget") {
		t.Errorf("over the budget: %v", err)
	}
	if err := measure(built(t, "echo it cannot >&2; exit 1"), s, []run{{"-A", 500}}); err == nil ||
		!strings.Contains(err.Error(), "it cannot") {
		t.Errorf("a run that fails: %v", err)
	}
}
