package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

const hashPod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  initContainers:
  - {name: prepare, image: busybox:1}
  - {name: proxy, image: proxy:1, restartPolicy: Always}
  containers:
  - {name: test_container, image: "foo/image:v1", env: [{name: TOKEN, value: s3cret}]}
  ephemeralContainers:
  - {name: debug, image: tools:1, targetContainerName: test_container}
`

// hashed runs `hash -f` on a manifest.
func hashed(t *testing.T, manifest string, args ...string) (code int, out, errOut string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pod.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	env, o, e := testEnv()
	code = Run(context.Background(), env, append([]string{"kubectl-restartwhy", "hash", "-f", file}, args...))
	return code, o.String(), strings.ReplaceAll(e.String(), file, "pod.yaml")
}

func itemsOf(t *testing.T, out string) (items []report.HashItem) {
	t.Helper()
	var table struct{ Items []report.HashItem }
	if err := json.Unmarshal([]byte(out), &table); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return table.Items
}

func TestHashPrintsOneItemPerContainerAndMinor(t *testing.T) {
	code, out, errOut := hashed(t, hashPod, "-o", "json")
	if code != command.ExitDone || errOut != "" {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	seen := map[string]int{}
	for _, i := range itemsOf(t, out) {
		seen[i.Kind+" "+i.Container]++
		if i.Hash == "" || i.Algorithm == "" || i.Pod != "" {
			t.Errorf("%+v", i)
		}
		if v, err := kubelet.ParseVersion(i.Kubelet); err != nil || i.Container == "test_container" &&
			v.Minor >= 31 && i.Hash != "8e45cbd0" {
			t.Errorf("%+v, %v; want 8e45cbd0 since 1.31", i, err)
		}
	}
	all := kubelet.NewestMinor - kubelet.OldestMinor + 1
	want := map[string]int{"init prepare": all, "sidecar proxy": all, "app test_container": all, "ephemeral debug": all}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

func TestHashOfOneContainerAndVersionIsTheContractsExample(t *testing.T) {
	code, out, errOut := hashed(t, hashPod, "-o", "json", "-c", "test_container", "--kubelet", "1.31.4")
	if code != command.ExitDone {
		t.Fatal(errOut)
	}
	want := `{
    "items": [
        {
            "container": "test_container",
            "kind": "app",
            "kubelet": "v1.31.4",
            "algorithm": "fnv32a-name-image",
            "hash": "8e45cbd0",
            "decimal": 2386938832
        }
    ]
}
`
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	code, out, _ = hashed(t, hashPod, "-o", "yaml", "-c", "test_container", "--kubelet", "v1.31.4")
	if raw, err := yaml.YAMLToJSON([]byte(out)); code != command.ExitDone || err != nil ||
		itemsOf(t, string(raw))[0].Hash != "8e45cbd0" {
		t.Errorf("%d, %v: %s", code, err, out)
	}
}

func TestHashTakesVersionsAsVendorsSpellThem(t *testing.T) {
	code, out, errOut := hashed(t, hashPod, "-o", "json", "-c", "proxy", "--kubelet",
		"v1.29.3-eks-49c6de4,1.30.4+k3s1,v1.31", "--kubelet", "v1.31", "--kubelet", "v1.50.0")
	if code != command.ExitDone {
		t.Fatal(errOut)
	}
	var got []string
	for _, i := range itemsOf(t, out) {
		got = append(got, i.Kubelet+" "+i.Algorithm+" "+i.ModelledAs)
	}
	want := []string{
		"v1.29.3-eks-49c6de4 fnv32a-json ", "v1.30.4+k3s1 fnv32a-json ", "v1.31 fnv32a-name-image ",
		"v1.50.0 fnv32a-name-image v1.37",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHashMindsThePatchWhereItMatters(t *testing.T) {
	odd := strings.Replace(hashPod, "image: busybox:1", `image: busybox:1, args: ["\b"]`, 1)
	hashOf := func(version string) string {
		_, out, _ := hashed(t, odd, "-o", "json", "-c", "prepare", "--kubelet", version)
		return itemsOf(t, out)[0].Hash
	}
	if hashOf("v1.28.11") != hashOf("v1.26.0") || hashOf("v1.28.12") != hashOf("v1.30.0") ||
		hashOf("v1.28") != hashOf("v1.28.15") || hashOf("v1.28.11") == hashOf("v1.28.12") {
		t.Errorf("1.26.0 %s, 1.28.11 %s, 1.28.12 %s, 1.28 %s, 1.30.0 %s", hashOf("v1.26.0"),
			hashOf("v1.28.11"), hashOf("v1.28.12"), hashOf("v1.28"), hashOf("v1.30.0"))
	}
}

func TestHashWithoutResourcesIsAskedFor(t *testing.T) {
	_, out, _ := hashed(t, hashPod, "-o", "json", "-c", "prepare", "--without-resources")
	n := 0
	for _, i := range itemsOf(t, out) {
		if i.Algorithm == "fnv32a-json-without-resources" {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d second hashes, want those of 1.27 to 1.30", n)
	}
}

func TestHashReadsLikeATable(t *testing.T) {
	several := hashPod + "---\n" + strings.Replace(hashPod, "name: web", "name: db, namespace: shop", 1)
	for golden, run := range map[string]struct {
		manifest string
		args     []string
	}{
		"hash-table.golden":   {hashPod, nil},
		"hash-wide.golden":    {hashPod, []string{"-o", "wide", "--kubelet", "v1.30.4,v1.31,v1.40", "--without-resources"}},
		"hash-several.golden": {several, []string{"-c", "test_container"}},
	} {
		t.Run(golden, func(t *testing.T) {
			code, out, errOut := hashed(t, run.manifest, run.args...)
			if code != command.ExitDone || errOut != "" {
				t.Fatalf("exit code %d: %s", code, errOut)
			}
			path := filepath.Join("testdata", golden)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHashNeverShowsTheEnvironment(t *testing.T) {
	for _, args := range [][]string{{"-o", "json"}, {"-o", "yaml"}, {"-o", "wide"},
		{"-c", "none"}} {
		_, out, errOut := hashed(t, hashPod, args...)
		if strings.Contains(out+errOut, "s3cret") {
			t.Errorf("%v prints the value: %s%s", args, out, errOut)
		}
	}
}

func TestHashSaysWhatIsWrongWithItsArguments(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"an unknown version": {[]string{"--kubelet", "latest"}, command.ExitUsage,
			`--kubelet: parse kubelet version "latest"`},
		"a version before 1.5": {[]string{"--kubelet", "v1.4.12"}, command.ExitUsage, "is not modelled"},
		"another format":       {[]string{"-o", "xml"}, command.ExitUsage, `unknown output format "xml"`},
		"a container of no pod": {[]string{"-c", "none"}, command.ExitUsage,
			`no container "none" in web: want one of prepare, proxy, test_container, debug`},
		"an empty container": {[]string{"-c", ""}, command.ExitUsage, "--container: want the name of a container"},
		"a pod": {[]string{"web"}, command.ExitUsage,
			`hash takes a pod or a file with -f, not both: got "web" too`},
		"a node alone": {[]string{"--node", "n"}, command.ExitUsage, "--node: needs a pod"},
		"a file that is not there": {[]string{"-f", "/nowhere/x.yaml"}, command.ExitError,
			"read manifest /nowhere/x.yaml: no such file or directory"},
		"a directory":          {[]string{"-f", "/"}, command.ExitError, "read manifest /: is a directory"},
		"standard input twice": {[]string{"-f", "-", "-f", "-"}, command.ExitUsage, "standard input can be read once"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := hashed(t, hashPod, test.args...)
			if code != test.code || out != "" || !strings.HasPrefix(errOut, "error: ") || !strings.Contains(errOut, test.want) {
				t.Errorf("exit code %d, want %d: %s%s", code, test.code, out, errOut)
			}
		})
	}
}
