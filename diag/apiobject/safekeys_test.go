package apiobject

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestHostileKeysAreMadeSafeAndBounded(t *testing.T) {
	keys := make([]string, 100)
	for i := range keys {
		keys[i] = "a\x1b[31mb"
	}
	got := readmission.SafeReadmission(&evidence.Readmission{Unmatched: keys, Untolerated: keys[:1]})
	if len(got.Unmatched) != readmission.MaxKeys || !safetext.Safe(got.Unmatched[0]) ||
		!safetext.Safe(got.Untolerated[0]) {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{`{"kind":"Readmissions","items":[{"podUID":7}]}`,
		`{"kind":"Readmissions","items":[[]]}`} {
		s := objecttest.Observed(
			[]evidence.RawEvidence{Decode([]evidence.File{evidence.Bytes(ReadmissionPath, []byte(bad))}, Hasher{})},
			nil,
		)
		if len(s.Gaps) != 1 {
			t.Errorf("%s: gaps %+v", bad, s.Gaps)
		}
	}
}
