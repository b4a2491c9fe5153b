package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// textArchive splits a text archive into its head and its files.
func textArchive(text string) (head string, files map[string]string) {
	files = map[string]string{}
	name, body := "", &strings.Builder{}
	for line := range strings.Lines(text) {
		if next, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(next, " --") {
			if name == "" {
				head = body.String()
			} else {
				files[name] = body.String()
			}
			name, body = strings.TrimSuffix(next, " --"), &strings.Builder{}
			continue
		}
		body.WriteString(line)
	}
	files[name] = body.String()
	return head, files
}

func TestHashOfAPodTellsWhatMadeTheStoredOne(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "hashpod", "*.txtar"))
	if err != nil || len(archives) < 7 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			head, files := textArchive(string(data))
			want := files["want"]
			delete(files, "want")
			_, args, ok := strings.Cut(head, "args: ")
			if !ok {
				t.Fatalf("no arguments in %q", head)
			}
			out, errOut, code := run(t, append([]string{"hash", "--from", filetest.Plant(t, files)}, strings.Fields(args)...)...)
			if code != command.ExitDone || strings.Contains(errOut, "error") {
				t.Fatalf("exit code %d: %s", code, errOut)
			}
			if strings.Contains(out+errOut, "s3cret") || strings.Contains(out, "TOKEN") {
				t.Errorf("the environment is shown:\n%s", out)
			}
			if os.Getenv("UPDATE_GOLDEN") != "" {
				body, _, _ := strings.Cut(string(data), "-- want --\n")
				if err := os.WriteFile(name, []byte(body+"-- want --\n"+out), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, out); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What scripts read: the lists are there even when they are empty, and what `hash -f` prints stays as it was.
func TestHashOfAPodForPrograms(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "hashpod", "edited.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, files := textArchive(string(data))
	out, errOut, code := run(t, "hash", "web-0", "--from", filetest.Plant(t, files), "-o", "json")
	var got struct {
		Items  []report.HashItem
		Stored []report.Provenance
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != command.ExitDone {
		t.Fatalf("%d %v %s", code, err, errOut)
	}
	var origins []string
	for _, a := range got.Stored {
		origins = append(origins, string(a.Origin))
	}
	want := []string{"another-spec", "another-image", "this-spec", "damaged", "this-spec"}
	if diff := cmp.Diff(want, origins); diff != "" {
		t.Error(diff)
	}
	if len(got.Items) != 33 { // 1.5–1.37
		t.Errorf("%d items", len(got.Items))
	}
	for _, i := range got.Items {
		if i.Hash == "" || i.Decimal == 0 || i.Container != "app" || i.Kind != "app" {
			t.Errorf("%+v", i)
		}
	}
	if strings.Contains(out, "null") {
		t.Errorf("a list is null:\n%s", out)
	}
	if out, _, _ := run(t, "hash", "web-0", "--from", filetest.Plant(t, files),
		"-o", "json", "--without-resources"); strings.Count(out, `"fnv32a-json-without-resources"`) != 4 {
		t.Error("the second hashes of 1.27 to 1.30 are asked for, and not there")
	}
	code, plain, _ := hashed(t, hashPod, "-o", "json")
	if code != command.ExitDone || strings.Contains(plain, `"stored"`) || strings.Contains(plain, `"node`) {
		t.Errorf("a file has no stored hash: %s", plain)
	}
}

func TestHashOfAFileExplainsAStoredHash(t *testing.T) {
	stored := func(manifest string) string {
		_, out, _ := hashed(t, manifest, "-o", "json", "-c", "prepare", "--kubelet", "v1.30")
		return itemsOf(t, out)[0].Hash
	}
	with := strings.Replace(hashPod, "image: busybox:1}",
		"image: busybox:1, terminationMessagePolicy: File, imagePullPolicy: Always}", 1)
	code, out, errOut := hashed(t, hashPod, "-c", "prepare", "--stored", stored(with), "--kubelet", "v1.30")
	for _, want := range []string{
		"from this spec with terminationMessagePolicy and imagePullPolicy Always.\n",
		"then imagePullPolicy Always: set, now: not set\n", "A chance match is one in ", "prepare     init   1.30      ",
	} {
		if code != command.ExitDone || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %q is not in\n%s%s", code, want, out, errOut)
		}
	}
	if _, out, _ := hashed(t, hashPod, "-c", "prepare", "--stored", "deadbeef",
		"-o", "markdown"); !strings.Contains(out, "**No known spec gives it: ") ||
		!strings.Contains(out, `| prepare | init | 1\.5 |`) {
		t.Error(out)
	}
	if _, out, _ := hashed(t, hashPod, "-c", "prepare", "--stored", "c0ff\x1b[31m"); strings.Contains(out, "\x1b") ||
		!strings.Contains(out, "The stored value is not a hash") {
		t.Errorf("%q", out)
	}
}

func TestHashOfAPodSaysWhatIsWrongWithItsArguments(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "hashpod", "edited.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, files := textArchive(string(data))
	dir := filetest.Plant(t, files)
	for name, test := range map[string]struct {
		args string
		code int
		want string
	}{
		"two pods":                   {"web-0 web-1", command.ExitUsage, "hash takes one pod, got 2 arguments"},
		"a workload":                 {"deploy/web", command.ExitUsage, "hash takes a pod, not deploy/web"},
		"a file too":                 {"web-0 -f x.yaml", command.ExitUsage, "hash takes a pod or a file with -f, not both"},
		"a container that is absent": {"web-0 -c none", command.ExitUsage, `no container "none" in web-0: want one of app`},
		"a pod that is absent":       {"absent", command.ExitError, "hash pod absent: it is not in the evidence"},
		"another namespace":          {"web-0 -n other", command.ExitError, "hash pod web-0: it is not in the evidence"},
		"an empty hash":              {"web-0 --stored=", command.ExitUsage, "--stored: want a hash"},
		"an unknown version":         {"web-0 --kubelet new", command.ExitUsage, "parse kubelet version"},
		"an unknown level":           {"web-0 --evidence all", command.ExitUsage, `unknown value "all" for --evidence`},
		"nothing":                    {"", command.ExitUsage, "hash needs a pod, or a file"},
	} {
		t.Run(name, func(t *testing.T) {
			out, errOut, code := run(t, append([]string{"hash", "--from", dir}, strings.Fields(test.args)...)...)
			if test.args == "" {
				out, errOut, code = run(t, "hash")
			}
			if code != test.code || out != "" || !strings.Contains(errOut, test.want) {
				t.Errorf("exit code %d, want %d, %q: %s%s", code, test.code, test.want, out, errOut)
			}
		})
	}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a recording and no pod": {[]string{"--from", dir}, "--from needs a pod"},
		"a namespace, which a file has itself": {[]string{"-n", "shop"},
			"--namespace: needs a pod; with -f, only the file is read"},
		"how far to go for a file": {[]string{"--evidence", "api", "--collector-allow", "cri"},
			"--evidence, --collector-allow: needs a pod"},
		"a hash that could be anybody's": {[]string{"--stored", "1"}, "there are 4; name one with -c"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, out, errOut := hashed(t, hashPod, test.args...); code != command.ExitUsage ||
				out != "" || !strings.Contains(errOut, test.want) {
				t.Errorf("%d %s%s", code, out, errOut)
			}
		})
	}
}

// A live pod is asked about as a recorded one is: its spec is hashed, and its neighbours, before the values are
// dropped.
func TestHashOfALivePod(t *testing.T) {
	was := strings.Replace(examplePod, `"image":"busybox:1.36",`,
		`"image":"busybox:1.36","terminationMessagePolicy":"File",`, 1)
	node := `{"apiVersion":"v1","kind":"Node","metadata":{"name":"worker-3"},"status":{"nodeInfo":{"kubeletVersion":"v1.30.2"}}}`
	t.Setenv("KUBECONFIG", api(t, map[string]string{
		"/api/v1/namespaces/shop/pods/web-0": examplePod,
		"/api/v1/namespaces/shop/events":     `{"apiVersion":"v1","kind":"EventList","items":[]}`,
		"/api/v1/nodes/worker-3":             node,
	}))
	_, then, _ := hashed(t, was, "-o", "json", "--kubelet", "v1.30")
	out, errOut, code := run(t, "hash", "web-0", "-n", "shop", "--evidence", "api", "--stored", itemsOf(t, then)[0].Hash)
	for _, want := range []string{"Pod shop/web-0 on worker-3, kubelet v1.30.2\n",
		"v1.16–1.30 kubelet from this spec with terminationMessagePolicy.\n", "\napp         app    1.5 "} {
		if code != command.ExitDone || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %q is not in\n%s%s", code, want, out, errOut)
		}
	}
}

// Whoever edited the image of a pod: its ReplicaSet has the one that it was made with. Where the set may not be read
// that is said.
func TestTheReplicaSetNamesTheEarlierImage(t *testing.T) {
	const set = `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web-5d6b12"},"spec":{"template":{"spec":{"containers":[{"name":"app","image":"busybox:1.35"}]}}}}`
	answers := map[string]string{
		"/api/v1/namespaces/shop/pods/web-0":                   examplePod,
		"/api/v1/namespaces/shop/events":                       `{"apiVersion":"v1","kind":"EventList","items":[]}`,
		"/apis/apps/v1/namespaces/shop/replicasets/web-5d6b12": set,
	}
	_, then, _ := hashed(t, strings.Replace(examplePod, `"image":"busybox:1.36","liveness`,
		`"image":"busybox:1.35","liveness`, 1), "-o", "json", "--kubelet", "v1.30")
	stored := itemsOf(t, then)[0].Hash
	t.Setenv("KUBECONFIG", api(t, answers))
	out, errOut, code := run(t, "hash", "web-0", "-n", "shop", "--evidence", "api", "--stored", stored)
	if code != command.ExitDone ||
		!strings.Contains(out,
			"kubelet from replicaset web-5d6b12 (image busybox:1.35): the present spec, only the image changed.\n") {
		t.Errorf("exit code %d\n%s%s", code, out, errOut)
	}
	delete(answers, "/apis/apps/v1/namespaces/shop/replicasets/web-5d6b12")
	t.Setenv("KUBECONFIG", api(t, answers))
	out, errOut, code = run(t, "hash", "web-0", "-n", "shop", "--evidence", "api", "--stored", stored)
	if code != command.ExitDone || !strings.Contains(out, "No known spec gives it") ||
		!strings.Contains(errOut, "note: about the evidence: ") || !strings.Contains(errOut, "web-5d6b12") {
		t.Errorf("exit code %d\n%s%s", code, out, errOut)
	}
}

// A bundle of few pods carries the neighbours of their specs; one of a namespace does not.
func TestABundleOfOnePodCarriesTheNeighbours(t *testing.T) {
	pods := `{"apiVersion":"v1","kind":"PodList","items":[` + examplePod + `]}`
	t.Setenv("KUBECONFIG", api(t, map[string]string{
		"/api/v1/namespaces/shop/pods/web-0": examplePod, "/api/v1/namespaces/shop/pods": pods,
		"/api/v1/namespaces/shop/events": `{"apiVersion":"v1","kind":"EventList","items":[]}`,
	}))
	dir := t.TempDir()
	tried := func(args ...string) int {
		t.Helper()
		file := filepath.Join(dir, strings.Join(args, "")+".tar.zst")
		if _, errOut, code := run(t,
			append([]string{"collect", "-n", "shop", "--evidence", "api", "-o", file}, args...)...); code != command.ExitDone {
			t.Fatal(errOut)
		}
		out, errOut, code := run(t, "hash", "web-0", "--from", file, "--stored", "deadbeef", "-o", "json")
		var got struct{ Stored []report.Provenance }
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != command.ExitDone || len(got.Stored) != 1 {
			t.Fatalf("%d %v: %s%s", code, err, out, errOut)
		}
		return got.Stored[0].Tried
	}
	if one, all := tried("web-0"), tried(); one < 4*all || all == 0 {
		t.Errorf("%d hashes for one pod, %d for all", one, all)
	}
}
