package apiserver

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

func collected(t *testing.T, f *fakeAPI, s Scope) (evidence.RawEvidence, []evidence.Gap) {
	t.Helper()
	pieces, gaps := NewSource(
		f.serve(t),
		s,
		apiobject.Hasher{Present: objecttest.TestHash},
		Options{Now: now},
	).Collect(t.Context())
	if len(pieces) != 1 {
		t.Fatalf("%d pieces, gaps %v", len(pieces), gaps)
	}
	return pieces[0], gaps
}

func TestTheFilesHoldTheEvidenceAndNoSecret(t *testing.T) {
	piece, _ := collected(t, serving(objecttest.Secretive()), Scope{})
	for path, got := range filetest.Of(t, piece) {
		if strings.Contains(got, "CANARY") {
			t.Errorf("a secret got into %s:\n%s", path, got)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s is not JSON", path)
		}
		filetest.Golden(t, filepath.Join("testdata", filepath.FromSlash(path)), got)
	}
}

func TestABundleSaysWhatTheClusterSaid(t *testing.T) {
	piece, gaps := collected(t, serving(objecttest.Secretive()), Scope{})
	again := apiobject.Decode(piece.Files(), apiobject.Hasher{Present: func(*corev1.Container) []evidence.SpecHash {
		t.Error("a redacted container was hashed")
		return nil
	}})
	if diff := cmp.Diff(filetest.Of(t, piece), filetest.Of(t, again)); diff != "" {
		t.Errorf("the files change when they are read and written again:\n%s", diff)
	}
	live, offline := objecttest.Observed(
		[]evidence.RawEvidence{piece},
		gaps,
	), objecttest.Observed(
		[]evidence.RawEvidence{again},
		nil,
	)
	if diff := cmp.Diff(live, offline, objecttest.CompareText); diff != "" {
		t.Errorf("live (-) and offline (+) differ:\n%s", diff)
	}
	if len(offline.Coverage) != 1 || len(offline.Pods[0].Containers[0].Hashes) == 0 {
		t.Errorf("coverage %+v, pod %+v", offline.Coverage, offline.Pods[0])
	}
}
