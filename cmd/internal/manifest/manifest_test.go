package manifest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// base is a pod that every test of a single mistake changes in one place.
const base = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  initContainers:
  - {name: prepare, image: busybox:1}
  containers:
  - name: app
    image: web:1
    env:
    - {name: TOKEN, value: s3cret}
    ports:
    - containerPort: 8080
    resources:
      limits: {memory: 128Mi}
  volumes:
  - name: scratch
    emptyDir: {sizeLimit: 1Gi}
status: {whatever: is here does not matter}
`

// refs are the pods of a manifest with their containers.
func refs(pods []Pod) (out []string) {
	for _, p := range pods {
		line := p.Ref()
		for _, c := range p.Template.Spec.Containers {
			line += " " + c.Name
		}
		out = append(out, line)
	}
	return out
}

func TestReadTakesEveryObjectThatHoldsAPod(t *testing.T) {
	template := "{metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}"
	for name, test := range map[string]struct {
		in   string
		want []string
	}{
		"a pod": {base, []string{"web app"}},
		"a Deployment": {
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 3, template: " + template + "}}",
			[]string{"Deployment/d c"}},
		"a Deployment of an old API": {
			"{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: d}, spec: {template: " + template + "}}",
			[]string{"Deployment/d c"}},
		"a ReplicaSet": {
			"{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: d}, spec: {template: " + template + "}}",
			[]string{"ReplicaSet/d c"}},
		"a StatefulSet": {
			"{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: d}, spec: {template: " + template + "}}",
			[]string{"StatefulSet/d c"}},
		"a DaemonSet": {"{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {template: " +
			template + "}}", []string{"DaemonSet/d c"}},
		"a Job": {"{apiVersion: batch/v1, kind: Job, metadata: {name: d}, spec: {template: " +
			template + "}}", []string{"Job/d c"}},
		"a CronJob": {
			"{apiVersion: batch/v1, kind: CronJob, metadata: {name: d}, spec: {jobTemplate: {spec: {template: " +
				template + "}}}}", []string{"CronJob/d c"}},
		"a ReplicationController": {
			"{apiVersion: v1, kind: ReplicationController, metadata: {name: d}, spec: {template: " + template + "}}",
			[]string{"ReplicationController/d c"}},
		"a PodTemplate": {"{apiVersion: v1, kind: PodTemplate, metadata: {name: d}, template: " +
			template + "}", []string{"PodTemplate/d c"}},
		"several documents": {base + "---\n" + strings.Replace(base, "name: web", "name: db", 1) +
			"...\n---\n# nothing\n", []string{"web app", "db app"}},
		"a document on the separator": {
			"--- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}", []string{"a c"}},
		"Windows' line ends": {strings.ReplaceAll(base+"---\n"+base, "\n", "\r\n"), []string{"web app", "web app"}},
		"a separator inside of a text": {
			"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, args: ['x ---']}]}}",
			[]string{"a c"}},
		"a List of different kinds": {
			"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}, {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: " + template + "}}]}", []string{"a c", "Job/j c"}},
		"a PodList without kinds": {
			"{apiVersion: v1, kind: PodList, items: [{metadata: {name: a}, spec: {containers: [{name: c}]}}]}", []string{"a c"}},
		"JSON with tabs": {
			"{\n\t\"apiVersion\": \"v1\",\t\"kind\": \"Pod\", \"spec\": {\"containers\": [{\"name\": \"c\"}]}}", []string{" c"}},
		"an ephemeral container beside it": {
			"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}], ephemeralContainers: [{name: e, targetContainerName: c}]}}", []string{"a c"}},
	} {
		t.Run(name, func(t *testing.T) {
			pods, skipped, err := Read("f.yaml", []byte(test.in))
			if err != nil || len(skipped) > 0 {
				t.Fatalf("%v, skipped %v", err, skipped)
			}
			if diff := cmp.Diff(test.want, refs(pods)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNothingIsDefaulted(t *testing.T) {
	pods, _, err := Read("f.yaml", []byte(base))
	if err != nil {
		t.Fatal(err)
	}
	p := &pods[0]
	c := p.Template.Spec.Containers[0]
	if c.ImagePullPolicy != "" || c.TerminationMessagePath != "" || c.Ports[0].Protocol != "" ||
		p.Template.Spec.RestartPolicy != "" || c.Command != nil {
		t.Errorf("something was added: %+v", c)
	}
	if p.Namespace != "shop" || p.Document != 1 || p.File != "f.yaml" || c.Env[0].Value != "s3cret" {
		t.Errorf("something was lost: %+v", p)
	}
}

func TestOtherObjectsBesideAPodAreLeftOut(t *testing.T) {
	service := "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}]}\n"
	pods, skipped, err := Read("f.yaml", []byte(service+"---\n"+base))
	if err != nil || len(pods) != 1 || pods[0].Document != 2 {
		t.Fatalf("%v, %v", pods, err)
	}
	if diff := cmp.Diff([]Skipped{{"f.yaml", 1, "v1", "Service"}}, skipped); diff != "" {
		t.Error(diff)
	}
	if _, _, err = Read("f.yaml", []byte(service)); !errors.Is(err, ErrKind) ||
		!strings.Contains(err.Error(), `kind "Service" of apiVersion "v1"; want one of Pod (v1)`) {
		t.Errorf("a Service alone: %v", err)
	}
}

func TestAnErrorNamesFileDocumentAndFieldAndNoValue(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"a number for a text": {"image: web:1", "image: 17",
			"spec.containers[0].image: want a text, got a number; put it in quotes"},
		"a word that YAML takes for yes": {"value: s3cret", "value: yes",
			"spec.containers[0].env[0].value: want a text, got true or false; put it in quotes"},
		"a number as a variable's value": {"value: s3cret", "value: 4711",
			"spec.containers[0].env[0].value: want a text, got a number; put it in quotes"},
		"an object for a text": {"value: s3cret", "value: {a: s3cret}",
			"spec.containers[0].env[0].value: want a text, got an object"},
		"a text for a number": {"8080", "'s3cret'", "spec.containers[0].ports[0].containerPort: want a number, got a text"},
		"a fraction for a port": {"8080", "80.5",
			"spec.containers[0].ports[0].containerPort: want a whole number of at most 32 bits"},
		"a port that fits no number": {"8080", "99999999999",
			"spec.containers[0].ports[0].containerPort: want a whole number of at most 32 bits"},
		"a quantity that is a word": {"memory: 128Mi", "memory: s3cret",
			"spec.containers[0].resources.limits.memory: not a quantity: want a number with a unit"},
		"a quantity with a wrong unit": {"memory: 128Mi", "memory: 128MB",
			"spec.containers[0].resources.limits.memory: not a quantity: want a number with a unit"},
		"a quantity with endless zeroes": {"memory: 128Mi", "memory: 1e999999999",
			"spec.containers[0].resources.limits.memory: not a quantity that a node could have"},
		"a quantity with endless places": {"memory: 128Mi", "memory: '1e-999999999'",
			"spec.containers[0].resources.limits.memory: not a quantity that a node could have"},
		"an exponent beyond numbers": {"memory: 128Mi", "memory: '1e99999999999999999999'",
			"spec.containers[0].resources.limits.memory: not a quantity that a node could have"},
		"a quantity of many digits": {"memory: 128Mi", "memory: '" + strings.Repeat("9", 100) + "'",
			"spec.containers[0].resources.limits.memory: not a quantity that a node could have"},
		"more than the largest quantity": {"memory: 128Mi", "memory: 9223372036854775808",
			"spec.containers[0].resources.limits.memory: not a quantity that a node could have"},
		"a quantity that is a list": {"memory: 128Mi", "memory: [1]",
			"spec.containers[0].resources.limits.memory: want a quantity, got a list"},
		"a quantity far from containers": {"sizeLimit: 1Gi", "sizeLimit: 1e99999",
			"spec.volumes[0].emptyDir.sizeLimit: not a quantity that a node could have"},
		"a field that does not exist": {"image: web:1", "imgae: web:1", "spec.containers[0].imgae: no such field"},
		"a field in the wrong case":   {"image: web:1", "Image: web:1", "spec.containers[0].Image: no such field"},
		"a field name that writes": {"image: web:1", "\"im\\e[31mage\": web:1",
			`spec.containers[0]."im\x1b[31mage": no such field`},
		"a field that appears twice": {"image: web:1", "image: web:1\n    image: web:2",
			"line 12: not readable as YAML or JSON: the field image appears twice"},
		"a container without a name":    {"- name: app\n    image", "- image", "spec.containers[0].name: missing"},
		"an init container without one": {"name: prepare, ", "", "spec.initContainers[0].name: missing"},
		"no containers": {"  containers:\n", "  nodeSelector: {}\n  tolerations:\n",
			"spec.tolerations[0].env: no such field"},
		"a list for the spec":        {"spec:\n", "spec: []\nx:\n", "spec: want an object, got a list"},
		"broken indentation":         {"    image: web:1", "  image: web:1\n s3cret", "not readable as YAML or JSON"},
		"an alias without an anchor": {"value: s3cret", "value: *s3cret", "not readable as YAML or JSON"},
		"no kind":                    {"kind: Pod\n", "", "kind: missing"},
		"no version":                 {"apiVersion: v1\n", "", "apiVersion: missing"},
		"a kind that is a number":    {"kind: Pod", "kind: 3", "kind: want a text, got a number"},
		"a version that never was":   {"apiVersion: v1", "apiVersion: v7", "not a kind with containers"},
	} {
		t.Run(name, func(t *testing.T) {
			in := strings.Replace(base, test.old, test.new, 1)
			if in == base {
				t.Fatalf("the base has no %q", test.old)
			}
			pods, _, err := Read("f.yaml", []byte(in))
			if err == nil {
				t.Fatalf("read as %v", refs(pods))
			}
			if text := err.Error(); !strings.HasPrefix(text, "read manifest f.yaml, document 1: ") ||
				!strings.Contains(text, test.want) || strings.Contains(text, "s3cret") {
				t.Errorf("%s\nwant …%s", text, test.want)
			}
		})
	}
}

func TestThePlaceOfAnErrorCountsDocumentsAndItems(t *testing.T) {
	bad := strings.Replace(base, "image: web:1", "image: 1", 1)
	for name, test := range map[string]struct{ in, want string }{
		"the second document":               {base + "---\n" + bad, "document 2: spec.containers[0].image"},
		"empty documents do not count":      {"---\n# comment\n---\n" + bad, "document 1: spec.containers[0].image"},
		"lines count from the file's first": {base + "---\na: 'b", "document 2: line "},
		"an item of a list": {
			"{apiVersion: v1, kind: List, items: [{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: 1}]}}}}]}",
			"document 1: items[0].spec.template.spec.containers[0].name: want a text"},
		"an item that is a text":      {"{apiVersion: v1, kind: List, items: [a]}", "items[0]: want an object, got a text"},
		"a workload without template": {"{apiVersion: apps/v1, kind: Deployment, spec: {}}", "spec.template: missing"},
		"a workload without spec":     {"{apiVersion: apps/v1, kind: Deployment}", "spec: missing"},
		"a spec that is a text":       {"{apiVersion: apps/v1, kind: Deployment, spec: a}", "spec: want an object"},
		"a template with a stray part": {"{apiVersion: apps/v1, kind: Deployment, spec: {template: {specs: {}}}}",
			"spec.template.specs: no such field"},
		"a pod without spec": {"{apiVersion: v1, kind: Pod, metadata: {name: a}}", "spec.containers: missing"},
		"a list at the top":  {"- a\n- b\n", "the document: want an object, got a list"},
		"an ephemeral without a name": {
			"{apiVersion: v1, kind: Pod, spec: {containers: [{name: a}], ephemeralContainers: [{image: b}]}}",
			"spec.ephemeralContainers[0].name: missing"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Read("f.yaml", []byte(test.in)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v\nwant …%s", err, test.want)
			}
		})
	}
}

func TestNothingToReadIsAnError(t *testing.T) {
	for name, in := range map[string]string{"nothing": "", "comments": "# a\n---\n# b\n",
		"null": "null", "too much": strings.Repeat("#", MaxBytes+1)} {
		if pods, _, err := Read("f.yaml", []byte(in)); err == nil ||
			!strings.HasPrefix(err.Error(), "read manifest f.yaml: ") {
			t.Errorf("%s: %v, %v", name, pods, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(base))
	f.Add(
		[]byte(
			"{apiVersion: v1, kind: List, items: [{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}}}]}"))
	f.Add([]byte("--- a\n...\n---\n\t{\"a\": 1e999999}"))
	f.Add([]byte("a: &a [1]\nb: [*a, *a, *a]\n"))
	f.Add([]byte(strings.Replace(base, "128Mi", "1e-99999999", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		pods, _, err := Read("f", data)
		if err == nil && len(pods) == 0 {
			t.Error("neither a pod nor an error")
		}
		if err != nil && (len(pods) > 0 || !strings.HasPrefix(err.Error(), "read manifest f")) {
			t.Errorf("%d pods with the error %v", len(pods), err)
		}
		for i := range pods {
			for _, c := range pods[i].Template.Spec.Containers {
				if c.Name == "" {
					t.Error("a container without a name")
				}
			}
		}
	})
}
