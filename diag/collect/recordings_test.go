package collect_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const aPod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"u"},
"spec":{"containers":[{"name":"app","image":"registry.example/web:1"}]}}`

// A run that prints and ends hashes specs only where something was recorded that may tell a stored hash.
func TestSpecsAreHashedWhereAHashMayBeTold(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		once  bool
		want  bool
	}{
		{name: "objects alone", files: map[string]string{"pod.json": aPod}, once: true},
		{name: "objects alone, for a viewer", files: map[string]string{"pod.json": aPod}, want: true},
		{
			name: "a kubelet's log beside them",
			files: map[string]string{"pod.json": aPod, "kubelet.log": `I1121 10:30:11.000000    1 kubelet.go:2300] ` +
				`"SyncLoop ADD" source="api" pods=["shop/web-0"]` + "\n"},
			once: true, want: true,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir, hashed := t.TempDir(), false
			for name, text := range tc.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			present := func(*corev1.Container) []evidence.SpecHash { hashed = true; return nil }
			r := collect.Recordings{Names: []string{dir}, Once: tc.once, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC),
				Builtin: func(string) []byte { return nil }, Hashing: collect.Hashing{Present: present}}
			g, err := r.Read(silent{})
			if err != nil {
				t.Fatal(err)
			}
			g.Snapshot()
			if err := g.Close(); err != nil || hashed != tc.want {
				t.Errorf("hashed: %t, error %v", hashed, err)
			}
		})
	}
}

type silent struct{}

func (silent) Step(string, bool) {}
func (silent) Note(string)       {}
