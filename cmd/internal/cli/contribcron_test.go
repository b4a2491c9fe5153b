package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// cronJob reads the three objects of the manifest, strictly.
func cronJob(t *testing.T) *batchv1.CronJob {
	t.Helper()
	parts := bytes.Split(contrib(t, "cronjob/metrics.yaml"), []byte("\n---\n"))
	if len(parts) != 3 {
		t.Fatalf("%d objects", len(parts))
	}
	var account corev1.ServiceAccount
	var binding rbacv1.ClusterRoleBinding
	var job batchv1.CronJob
	for i, into := range []any{&account, &binding, &job} {
		if err := yaml.UnmarshalStrict(parts[i], into); err != nil {
			t.Fatal(err)
		}
	}
	spec := &job.Spec.JobTemplate.Spec.Template.Spec
	if spec.ServiceAccountName != account.Name || job.Namespace != account.Namespace ||
		binding.Subjects[0].Name != account.Name || binding.Subjects[0].Namespace != account.Namespace {
		t.Errorf("account %q, binding %+v", spec.ServiceAccountName, binding.Subjects)
	}
	role, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "rbac", "tier0.yaml"))
	if err != nil || !strings.Contains(string(role), "name: "+binding.RoleRef.Name+"\n") {
		t.Errorf("the role %q is not that of docs/rbac: %v", binding.RoleRef.Name, err)
	}
	return &job
}

func TestTheCronJobAsksForWhatThereIs(t *testing.T) {
	script := cronJob(t).Spec.JobTemplate.Spec.Template.Spec.Containers[0].Args[0]
	line := regexp.MustCompile(`kubectl-restartwhy (.*) > `).FindStringSubmatch(script)
	if line == nil {
		t.Fatal("it never runs the program")
	}
	parses(t, strings.Fields(line[1])...)
}

// What was written stays when the program fails, and is replaced as a whole when it does not.
func TestTheCronJobReplacesItsFileAsAWhole(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here; the CronJob runs in an image that has one")
	}
	write := cronJob(t).Spec.JobTemplate.Spec.Template.Spec.Containers[0]
	for name, c := range map[string]struct {
		program, want string
		fails         bool
	}{
		"it answers":    {"echo new", "new\n", false},
		"it is refused": {"echo half; exit 1", "old\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, tools := t.TempDir(), t.TempDir()
			file := filepath.Join(dir, "restartwhy.prom")
			if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(tools, "kubectl-restartwhy")
			if err := os.WriteFile(program, []byte("#!"+sh+"\n"+c.program+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), sh, append(write.Command[1:], write.Args...)...)
			cmd.Env = append(os.Environ(), "TEXTFILES="+dir, "PATH="+os.Getenv("PATH")+":"+tools)
			out, err := cmd.CombinedOutput()
			got, _ := os.ReadFile(file)
			if (err != nil) != c.fails || string(got) != c.want {
				t.Errorf("%v, file %q: %s", err, got, out)
			}
		})
	}
}
