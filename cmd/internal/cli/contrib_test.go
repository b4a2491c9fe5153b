package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// contrib reads a file of contrib.
func contrib(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "contrib", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// parses tells whether a command line is one of this program: its command is there and has its flags.
func parses(t *testing.T, args ...string) {
	t.Helper()
	env, _, _ := testEnv()
	cmd, rest, err := newRoot(env, "kubectl restartwhy").Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && cmd.Args != nil {
		err = cmd.Args(cmd, cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%q: %v", args, err)
	}
}

func TestThePluginsOfK9s(t *testing.T) {
	var file struct {
		Plugins map[string]struct {
			ShortCut, Description, Command string
			Scopes, Args                   []string
			Background                     bool
		}
	}
	if err := yaml.UnmarshalStrict(contrib(t, "k9s/plugins.yaml"), &file); err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("$NAMESPACE", "shop", "$NAME", "web-0", "$CONTEXT", "staging")
	for name, p := range file.Plugins {
		if p.Command != "kubectl" || p.Args[0] != "restartwhy" || p.Background || p.ShortCut == "" || p.Description == "" {
			t.Errorf("%s: %+v", name, p)
		}
		for _, scope := range p.Scopes {
			var args []string
			for _, a := range p.Args[1:] {
				args = append(args, names.Replace(strings.ReplaceAll(a, "$RESOURCE_NAME", scope)))
			}
			parses(t, args...)
			if _, _, err := command.ParseTargets(args[:1]); err != nil && args[0] != "node" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if len(file.Plugins) != 3 {
		t.Errorf("%d plugins", len(file.Plugins))
	}
}

func TestTheAliases(t *testing.T) {
	alias := regexp.MustCompile(`(?m)^alias \w+='kubectl restartwhy(.*)'$`)
	found := alias.FindAllStringSubmatch(string(contrib(t, "shell/aliases.sh")), -1)
	if len(found) != 5 {
		t.Fatalf("%d aliases", len(found))
	}
	for _, f := range found {
		args := strings.Fields(f[1])
		if len(args) > 0 && args[0] == "node" {
			args = append(args, "n1")
		}
		parses(t, args...)
	}
}

func TestTheJobOfArgoCD(t *testing.T) {
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(contrib(t, "argocd/preflight.yaml"), &job); err != nil {
		t.Fatal(err)
	}
	if job.Annotations["argocd.argoproj.io/hook"] != "PreSync" || *job.Spec.BackoffLimit != 0 {
		t.Errorf("%+v", job)
	}
	parses(t, job.Spec.Template.Spec.Containers[0].Args...)
}

func TestTheActionPassesItsInputsAsVariables(t *testing.T) {
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Using string
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(contrib(t, "preflight-action/action.yml"), &action); err != nil {
		t.Fatal(err)
	}
	script := string(contrib(t, "preflight-action/preflight.sh"))
	step := action.Runs.Steps[0]
	if action.Runs.Using != "composite" || strings.Contains(step.Run, "${{") || len(step.Env) != len(action.Inputs) {
		t.Errorf("%+v", action)
	}
	for name, value := range step.Env {
		input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
		if action.Inputs[input] == nil || !strings.Contains(script, name) {
			t.Errorf("%s is %q", name, value)
		}
	}
}
