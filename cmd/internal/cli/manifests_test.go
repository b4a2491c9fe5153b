package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

const (
	deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: i}]}}}\n"
	onePod     = "apiVersion: v1\nkind: Pod\nmetadata: {name: web-0}\nspec: {containers: [{name: a, image: i}]}\n"
	service    = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n"
)

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAManifestNamesItsWorkloads(t *testing.T) {
	for name, c := range map[string]struct{ text, want, namespace string }{
		"a deployment":              {deployment, "deployment/web", "shop"},
		"a pod without a namespace": {onePod, "pod/web-0", ""},
		"both, and a service beside them": {deployment + "---\n" + onePod + "---\n" + service,
			"deployment/web pod/web-0", "shop"},
		"the same twice": {onePod + "---\n" + onePod, "pod/web-0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			env, _, _ := testEnv()
			got, namespace, err := command.Manifested(env, []string{written(t, c.text)})
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, g := range got {
				all = append(all, g.String())
			}
			if strings.Join(all, " ") != c.want || namespace != c.namespace {
				t.Errorf("%v in %q, want %s in %q", all, namespace, c.want, c.namespace)
			}
		})
	}
}

func TestAManifestThatCannotBeAskedAbout(t *testing.T) {
	other := strings.Replace(deployment, "namespace: shop", "namespace: other", 1)
	for name, c := range map[string]struct {
		text, want string
		code       int
	}{
		"two namespaces": {deployment + "---\n" + other, "in the namespaces shop and other", command.ExitUsage},
		"only a service": {service, "not a kind with containers", command.ExitUsage},
		"a generated name": {strings.Replace(onePod, "name: web-0", "generateName: web-", 1), "without a name",
			command.ExitUsage},
		"a pod template": {
			"apiVersion: v1\nkind: PodTemplate\nmetadata: {name: t}\ntemplate: {spec: {containers: [{name: a, image: i}]}}\n",
			"a PodTemplate has no pods", command.ExitUsage},
		"nothing":           {"", "holds no object", command.ExitError},
		"what is no YAML":   {"a: [", "read manifest", command.ExitError},
		"escape sequences":  {strings.Replace(onePod, "web-0", `"\e[31mred"`, 1), "", command.ExitError},
		"a field of a typo": {strings.Replace(onePod, "image: i", "imagee: i", 1), "imagee", command.ExitError},
	} {
		t.Run(name, func(t *testing.T) {
			_, errs, code := run(t, "-f", written(t, c.text), "--kubeconfig", "none")
			if code != c.code || !strings.Contains(errs, c.want) || strings.Contains(errs, "\x1b") {
				t.Errorf("exit code %d, want %d: %s", code, c.code, errs)
			}
		})
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"beside a name":         {[]string{"web-0", "-f", written(t, onePod)}, "not both"},
		"against -n":            {[]string{"-n", "other", "-f", written(t, deployment)}, "are in namespace shop"},
		"standard input, twice": {[]string{"-f", "-", "-f", "-"}, "read once"},
		"beside labels":         {[]string{"-l", "a=b", "-f", written(t, deployment)}, "not both"},
		"in all namespaces":     {[]string{"-A", "-f", written(t, deployment)}, "cannot be combined with -A"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, errs, code := run(t, c.args...); code != command.ExitUsage || !strings.Contains(errs, c.want) {
				t.Errorf("exit code %d: %s", code, errs)
			}
		})
	}
	if _, errs, code := run(t, "-f", "none.yaml"); code != command.ExitError ||
		!strings.Contains(errs, "error: read manifest none.yaml: no such file") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// The manifest's namespace is the one that is looked in.
func TestAManifestIsLookedUpWhereItSays(t *testing.T) {
	config := api(t, map[string]string{
		"/apis/apps/v1/namespaces/shop/deployments/web": `{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}}}}`,
		"/api/v1/namespaces/shop/pods":                  `{"kind":"PodList","apiVersion":"v1","items":[]}`,
		"/api/v1/namespaces/shop/events":                `{"kind":"EventList","apiVersion":"v1","items":[]}`,
		"/api/v1/namespaces/shop":                       `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"shop"}}`,
	})
	_, errs, code := run(t, "-f", written(t, deployment), "--kubeconfig", config, "--context", "there")
	if code != 0 || !strings.Contains(errs, "no restarts found in deployment/web in namespace shop; checked no pod") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestAServiceIsAskedAboutThroughItsSelector(t *testing.T) {
	config := api(t, map[string]string{
		"/api/v1/namespaces/shop/services/front": `{"kind":"Service","apiVersion":"v1","metadata":{"name":"front"},"spec":{"selector":{"app":"web"}}}`,
		"/api/v1/namespaces/shop/services/bare":  `{"kind":"Service","apiVersion":"v1","metadata":{"name":"bare"},"spec":{}}`,
		"/api/v1/namespaces/shop/pods":           `{"kind":"PodList","apiVersion":"v1","items":[]}`,
		"/api/v1/namespaces/shop/events":         `{"kind":"EventList","apiVersion":"v1","items":[]}`,
		"/api/v1/namespaces/shop":                `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"shop"}}`,
	})
	for target, want := range map[string]string{
		"svc/front": "no restarts found in service/front in namespace shop",
		"svc/bare":  "error: list pods of service/bare in shop: it has no label selector",
		"svc/gone":  "error: get service shop/gone: not found\nhint: 'kubectl get services -n shop' lists them",
	} {
		if _, errs, _ := run(t, target, "--kubeconfig", config); !strings.Contains(errs, want) {
			t.Errorf("%s: %s", target, errs)
		}
	}
	if _, errs, code := run(t, "svc/front", "--from", "."); code != command.ExitUsage ||
		!strings.Contains(errs, "service/front needs a cluster") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
