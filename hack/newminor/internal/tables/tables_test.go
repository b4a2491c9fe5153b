package tables

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
)

var root = filepath.Join("..", "..", "..", "..")

func inventories(t *testing.T) []*inventory.Inventory {
	t.Helper()
	all, err := Load(filepath.Join(root, "hack", "newminor", "releases"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func newest(t *testing.T) Minors {
	t.Helper()
	m, err := Newest(inventories(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheTablesAreUpToDate(t *testing.T) {
	m := newest(t)
	if m.Last() != kubelet.NewestMinor {
		t.Errorf("inventories reach 1.%d, the kubelets that are modelled 1.%d", m.Last(), kubelet.NewestMinor)
	}
	for _, table := range All {
		old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(table.File)))
		if err != nil {
			t.Fatal(err)
		}
		made, err := table.Make(old, m)
		if err != nil {
			t.Fatalf("%s: %v", table.File, err)
		}
		if !bytes.Equal(made, old) {
			t.Errorf("%s is not what its generator makes: run make generate", table.File)
		}
		if again, err := table.Make(made, m); err != nil || !bytes.Equal(again, made) {
			t.Errorf("%s comes out another way the second time: %v", table.File, err)
		}
	}
}

// Each mutation breaks a table in a way that its generator has to fix.
func TestABrokenTableComesOutRight(t *testing.T) {
	m := newest(t)
	for name, c := range map[string]struct{ file, old, new string }{
		"a gate that is not locked": {All[0].File, `"NodeDeclaredFeatures":`, `"NodeDeclared":`},
		"a gate that ended later": {All[0].File, `{"last":36,"locked":33,"value":true}`,
			`{"last":35,"locked":33,"value":true}`},
		"a gate that came later":      {All[1].File, `"ReloadKubeletClientCAFile"`, `"Reload"`},
		"a flag that is there still":  {All[2].File, `"container-hints",`, ``},
		"a minor that changes no UID": {All[3].File, `"36": {"fields"`, `"36": {"recipe":true,"fields"`},
		"a message that is there still": {All[4].File, "10-35\tIV1\tf\tcomponent-base/featuregate",
			"10-\tIV1\tf\tcomponent-base/featuregate"},
		"a message that lost its keys": {All[4].File, "\tpod,podUID,containerName,containerID,gracePeriod\t", "\tpod\t"},
		"a message that nobody knows now": {All[4].File, "\tEffective KubeletConfiguration\t",
			"\tKubeletConfiguration in effect\t"},
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(All, func(table Table) bool { return table.File == c.file })
			right, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.file)))
			if err != nil {
				t.Fatal(err)
			}
			broken := strings.Replace(string(right), c.old, c.new, 1)
			if broken == string(right) {
				t.Fatalf("%s does not hold %q", c.file, c.old)
			}
			made, err := All[i].Make([]byte(broken), m)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(c.new, "KubeletConfiguration in effect") || c.new == "\tpod\t" {
				// The message is back; its statement has to be given again.
				if !strings.Contains(string(made), c.old+"pod,podUID,containerName,containerID,gracePeriod\t") &&
					!bytes.Contains(made, []byte("\t?\n")) {
					t.Error("a message that nobody has judged is not marked")
				}
				return
			}
			if string(made) != string(right) {
				t.Error("the generator leaves the mistake in the table")
			}
		})
	}
}

func TestOldRowsStayAsTheyAre(t *testing.T) {
	old := []byte(`{"Ended": {"last":20,"locked":17,"value":true}, "Locked": {"locked":22,"value":true}, "Gone": {"last":30}}`)
	m := Minors{
		{Version: "v1.24.17", Gates: map[string][]inventory.Stage{"Locked": {{Locked: true, Default: true}},
			"Later": {{Since: "1.25"}}}},
		{Version: "v1.25.16", Gates: map[string][]inventory.Stage{"Off": {{Locked: true}}}},
	}
	made, err := All[0].Make(old, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"Ended": {"last":20,"locked":17,"value":true}`,
		`"Locked": {"last":24,"locked":22,"value":true}`, `"Off": {"locked":25}`} {
		if !strings.Contains(string(made), want) {
			t.Errorf("%s is not in\n%s", want, made)
		}
	}
	for _, none := range []string{`"Gone"`, `"Later"`} {
		if strings.Contains(string(made), none) {
			t.Errorf("%s is in\n%s", none, made)
		}
	}
}

func TestTheStageOfAMinorCounts(t *testing.T) {
	stages := []inventory.Stage{{Since: "1.30", Stage: "ALPHA"}, {Since: "1.33", Stage: "BETA", Default: true},
		{Since: "1.36", Locked: true, Default: true}}
	for minor, want := range map[int]string{29: "", 30: "ALPHA", 32: "ALPHA", 33: "BETA", 35: "BETA", 40: ""} {
		got, known := Effective(stages, minor)
		if known != (minor >= 30) || got.Stage != want || got.Locked != (minor >= 36) {
			t.Errorf("1.%d: %+v, %t", minor, got, known)
		}
	}
}

func TestPrintChanges(t *testing.T) {
	of := func(always bool, fields ...string) inventory.Type {
		return inventory.Type{Always: always, Fields: fields}
	}
	was := map[string]inventory.Type{"PodSpec": of(true, "A int", "B string"),
		"PodSecurityContext": of(true, "Net bool", "PID bool"), "Probe": of(false, "X int")}
	for name, c := range map[string]struct {
		is   map[string]inventory.Type
		want string
	}{
		"nothing": {was, ""},
		"a field came": {map[string]inventory.Type{"PodSpec": of(true, "A int", "B string", "C int"),
			"PodSecurityContext": was["PodSecurityContext"]}, "PodSpec.C"},
		"a field went": {map[string]inventory.Type{"PodSpec": of(true, "A int"),
			"PodSecurityContext": was["PodSecurityContext"]}, "PodSpec.B removed"},
		"another type": {map[string]inventory.Type{"PodSpec": of(true, "A *int", "B string"),
			"PodSecurityContext": was["PodSecurityContext"]}, "PodSpec.A changed its type"},
		"another order": {map[string]inventory.Type{"PodSpec": of(true, "B string", "A int"),
			"PodSecurityContext": was["PodSecurityContext"]}, "PodSpec: order of its fields"},
		"fields moved": {map[string]inventory.Type{"PodSpec": of(true, "A int", "B string", "Net bool", "PID bool"),
			"PodSecurityContext": of(true)}, "Net and PID moved from PodSecurityContext to PodSpec"},
		"a type that few reach": {map[string]inventory.Type{"PodSpec": was["PodSpec"],
			"PodSecurityContext": was["PodSecurityContext"], "Probe": of(false, "X int", "Y int")}, ""},
		"a type that went whole": {map[string]inventory.Type{"PodSpec": was["PodSpec"]}, ""},
	} {
		if got := strings.Join(PrintChanges(was, c.is), "; "); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// A part that no release has is misspelled, or the inventories are older than the list.
func TestEveryPartIsInSomeRelease(t *testing.T) {
	all := inventories(t)
	for _, p := range modelled.Parts {
		if !slices.ContainsFunc(all, func(i *inventory.Inventory) bool { return i.Functions[p.Key()].Hash != "" }) {
			t.Errorf("no inventory has %s: make new-minor WRITE=1 for each release, or mend the list", p.Key())
		}
	}
}

func TestWhatCannotMakeTablesIsAnError(t *testing.T) {
	for name, all := range map[string][]*inventory.Inventory{
		"nothing":       nil,
		"no release":    {{Version: "1.24"}},
		"a hole":        {{Version: "v1.24.17"}, {Version: "v1.26.15"}},
		"too late":      {{Version: "v1.25.1"}},
		"a first alpha": {{Version: "v1.24.0-alpha.1"}},
	} {
		if _, err := Newest(all); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	m := Minors{{Version: "v1.24.17"}}
	for _, table := range All[:1] {
		if _, err := table.Make([]byte("package preflight\n"), m); err == nil {
			t.Errorf("%s out of nothing: no error", table.File)
		}
	}
	if _, err := messagesTable([]byte("x\n"), m); err == nil {
		t.Error("messages out of a row of one column: no error")
	}
}
