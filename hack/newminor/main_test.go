package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/tables"
)

// tree creates a repository with tables and one inventory per minor version, and a proxy that serves some more
// releases.
func tree(t *testing.T, served map[string]func(*inventory.Inventory)) sources {
	t.Helper()
	root, here := t.TempDir(), filepath.Join("..", "..")
	for _, table := range tables.All {
		text, err := os.ReadFile(filepath.Join(here, table.File))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(root, table.File), text)
	}
	inventories, err := filepath.Glob(filepath.Join("releases", "*.gz"))
	if err != nil || len(inventories) < 10 {
		t.Fatalf("%d inventories: %v", len(inventories), err)
	}
	for _, file := range inventories {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(root, releases, filepath.Base(file)), text)
	}
	t.Chdir(root)
	return func(_ context.Context, version string) (*inventory.Inventory, map[string]string, error) {
		if served[version] == nil {
			return nil, nil, errors.New("fetch " + version + ": 403 Forbidden")
		}
		all, err := tables.Load(releases)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tables.Newest(all)
		if err != nil {
			t.Fatal(err)
		}
		i := m[len(m)-1]
		for _, kept := range all { // itself, or for an alpha another one
			if kept.Version == version || strings.HasPrefix(kept.Version, version[:strings.LastIndex(version, ".")]) &&
				strings.Contains(version, "-") {
				i = kept
			}
		}
		i.Version, i.Binary = version, version[1:strings.LastIndex(version, ".")]
		served[version](i)
		return i, nil, nil
	}
}

func put(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// known is the newest stored minor version; a release of the next one is made up.
const known = kubelet.NewestMinor

var (
	patch = fmt.Sprintf("v1.%d.98", known)
	later = fmt.Sprintf("v1.%d.0", known+1)
	since = fmt.Sprintf("1.%d", known+1)
)

// with replaces K with the newest minor version and N with the one after it.
func with(s string) string {
	return strings.NewReplacer("K", strconv.Itoa(known), "N", strconv.Itoa(known+1)).Replace(s)
}

// next changes a release into one of the next minor version: each kind of table has to change.
func next(i *inventory.Inventory) {
	delete(i.Gates, "HugepageAwareEviction")
	i.Gates["MemoryQoS"] = []inventory.Stage{{Since: since, Default: true, Locked: true}}
	i.Gates["BrandNew"] = []inventory.Stage{{Since: since, Stage: "ALPHA"}}
	i.Flags = slices.DeleteFunc(i.Flags, func(f string) bool { return f == "housekeeping-interval" })
	spec := i.Print["PodSpec"]
	spec.Fields = append(slices.Clone(spec.Fields), "BrandNew bool")
	i.Print["PodSpec"] = spec
	i.Logs = append(i.Logs, inventory.Log{File: "kubelet.go", Severity: "I",
		V: 2, Style: "S", Text: "Brand new", Keys: []string{"pod"}})
	i.Logs = slices.DeleteFunc(i.Logs, func(l inventory.Log) bool {
		return l.Text == "Killing container with a grace period"
	})
	key := "pkg/kubelet/container.HashContainer"
	f := i.Functions[key]
	f.Hash, f.Quiet, f.File, f.Calls = "another", "another", "pkg/kubelet/hash/hash.go",
		append(slices.Clone(f.Calls), "Sum128")
	i.Functions[key] = f
	delete(i.Functions, "pkg/kubelet/kuberuntime.kubeGenericRuntimeManager.computePodActions")
}

func TestExitCodes(t *testing.T) {
	same := func(*inventory.Inventory) {}
	gap := func(i *inventory.Inventory) {
		i.Gaps = []string{"parse k8s.io/kubernetes/pkg/kubelet/x.go: expected 'IDENT'"}
	}
	served := map[string]func(*inventory.Inventory){patch: same, "v1.37.1": same,
		"v1.38.0-alpha.0": same, "v1.38.0-alpha.1": same, later: next, "v1.37.99": gap, "v1.23.17": same}
	for name, c := range map[string]struct {
		args string
		code int
		says string
	}{
		"nothing changed":               {"-v " + patch, nothing, " → " + patch + ": nothing changed\n"},
		"a release that is kept":        {"-v v1.37.1", nothing, "newminor: v1.37.1 → v1.37.1: nothing changed\n"},
		"an alpha that is kept":         {"-v v1.38.0-alpha.0", nothing, "newminor: v1.38.0-alpha.0 → v1.38.0-alpha.0: "},
		"the alpha that follows it":     {"-v v1.38.0-alpha.1", nothing, "newminor: v1.38.0-alpha.0 → v1.38.0-alpha.1: "},
		"something changed":             {"-v " + later, changed, " → " + later + ": 9 changes: "},
		"a part was not read":           {"-v v1.37.99", changed, "nothing changed; 1 things not read"},
		"a release of before":           {"-v v1.37.1 -from v1.36.4", changed, "newminor: v1.36.4 → v1.37.1: "},
		"not served":                    {"-v v1.39.0", failed, "fetch v1.39.0: 403 Forbidden"},
		"the one before is not served":  {"-v " + later + " -from v1.37.77", failed, "fetch v1.37.77: 403 Forbidden"},
		"nothing to compare it with":    {"-v v1.23.17", failed, "there is no inventory of an earlier release"},
		"no release":                    {"", failed, "give a release"},
		"two things at once":            {"-v v1.38.0 -tables", failed, "give a release"},
		"a word too many":               {"-v v1.38.0 v1.37.1", failed, "give a release"},
		"a flag that is none":           {"-version v1.38.0", failed, "read flags"},
		"tables that are right already": {"-tables", nothing, ""},
	} {
		t.Run(name, func(t *testing.T) {
			get := tree(t, served)
			var out strings.Builder
			code, err := run(t.Context(), strings.Fields(c.args), &out, get)
			text := out.String()
			if err != nil {
				text += err.Error()
			}
			if code != c.code || (err != nil) != (code == failed) || !strings.Contains(text, c.says) {
				t.Errorf("exit %d, %v, not %d with %q:\n%s", code, err, c.code, c.says, text)
			}
			if strings.Contains(text, "renewed") {
				t.Errorf("a table was renewed:\n%s", text)
			}
		})
	}
}

func TestTheReportNamesWhatChanged(t *testing.T) {
	get := tree(t, map[string]func(*inventory.Inventory){later: next})
	var out strings.Builder
	if _, err := run(t.Context(), []string{"-v", later}, &out, get); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"moved and changed HashContainer pkg/kubelet/container/helpers.go:",
		"→ pkg/kubelet/hash/hash.go:", "+Sum128; ours: analyzer/kubelet/hash/hash.go hashEra",
		"removed kubeGenericRuntimeManager.computePodActions", "  PodSpec.BrandNew\n",
		"gone HugepageAwareEviction", "locked MemoryQoS to true",
		"new BrandNew, alpha off", "gone flag --housekeeping-interval", `new kubelet.go "Brand new" IV2 S pod`,
		`ended kuberuntime/kuberuntime_container.go "Killing container with a grace period" IV2 S pod,podUID,containerName,containerID,gracePeriod  ← kubelet.kill-started`,
		"9 changes: 2 functions that we model, 1 print of every pod, 3 feature gates, 1 flags, 2 log messages",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the report:\n%s", want, out.String())
		}
	}
}

func TestANewMinorComesIntoEveryTable(t *testing.T) {
	served := map[string]func(*inventory.Inventory){later: next}
	get := tree(t, served)
	var out strings.Builder
	code, err := run(t.Context(), []string{"-v", later, "-write"}, &out, get)
	if err != nil || code != changed {
		t.Fatalf("exit %d: %v", code, err)
	}
	for file, wants := range map[string][]string{
		"analyzer/preflight/gates.json": {`"HugepageAwareEviction": ` + with(`{"last":K}`),
			`"MemoryQoS": ` + with(`{"locked":N,"value":true}`)},
		"analyzer/preflight/newgates.json":        {with(`"N": [`) + `"BrandNew"]`},
		"analyzer/preflight/flags.json":           {with(`"N": ["housekeeping-interval"]`)},
		"analyzer/kubelet/staticpod/changes.json": {with(`"N": {"fields":["PodSpec.Brand`) + `New"]}`},
		"test/messages/messages.tsv": {with("N-") + "\tIV2\tS\tkubelet.go\tBrand new\tpod\t?\n",
			with("22-K") + "\tIV2\tS\tkuberuntime/kuberuntime_container.go\tKilling container with a grace period\t"},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not hold %q", file, want)
			}
		}
		if !strings.Contains(out.String(), "renewed "+file) {
			t.Errorf("nobody says that %s is another one:\n%s", file, out.String())
		}
	}
	out.Reset()
	served[later] = func(*inventory.Inventory) {} // it is stored as it is
	if code, err := run(t.Context(), []string{"-v", later}, &out, get); code != nothing || err != nil {
		t.Errorf("a release that is kept: exit %d, %v\n%s", code, err, out.String())
	}
}

func TestReleasesAreReadAgain(t *testing.T) {
	get := tree(t, map[string]func(*inventory.Inventory){"v1.36.4": func(i *inventory.Inventory) {
		i.Flags = append(i.Flags, "a-flag")
	}})
	var out strings.Builder
	if code, err := run(t.Context(), []string{"-again"}, &out, get); err != nil || code != nothing {
		t.Fatalf("exit %d: %v", code, err)
	}
	if !strings.Contains(out.String(), "read v1.36.4\n") ||
		!strings.Contains(out.String(), "v1.37.1 stays as it was: fetch v1.37.1: 403") {
		t.Error(out.String())
	}
	i, err := inventory.Read(filepath.Join(releases, "v1.36.4.json.gz"))
	if err != nil || !slices.Contains(i.Flags, "a-flag") {
		t.Errorf("the inventory is not renewed: %v", err)
	}
}

func TestTheNewestThatIsServedIsTaken(t *testing.T) {
	get := tree(t, map[string]func(*inventory.Inventory){"v1.37.1": func(*inventory.Inventory) {}})
	var out strings.Builder
	i, _, err := first(t.Context(), &out, []string{"v1.38.0-alpha.1", "v1.37.1", "v1.37.0"}, get)
	if err != nil || i.Version != "v1.37.1" || out.String() != "left out: fetch v1.38.0-alpha.1: 403 Forbidden\n" {
		t.Errorf("%v: %s", err, out.String())
	}
	if _, _, err := first(t.Context(), &out, []string{"v1.39.0", "v1.38.0"}, get); err == nil ||
		!strings.Contains(err.Error(), "v1.39.0") || !strings.Contains(err.Error(), "v1.38.0") {
		t.Errorf("none is served: %v", err)
	}
}

func TestADecidingMessageIsMarked(t *testing.T) {
	tree(t, nil)
	says := decides()
	for text, want := range map[string]string{"Killing container with a grace period": "kubelet.kill-started",
		"SyncLoop ADD": "kubelet.sync", "no such text": ""} {
		if got := says(text); (got == "") != (want == "") {
			t.Errorf("%q: %q", text, got)
		}
	}
}
