package release

import (
	"slices"
	"testing"
)

func TestVersionsAreInOrder(t *testing.T) {
	ordered := []string{"v1.9.11", "v1.36.4", "v1.37.0-alpha.2", "v1.37.0-alpha.10",
		"v1.37.0-beta.0", "v1.37.0-rc.1", "v1.37.0", "v1.37.1", "v1.38.0-alpha.0"}
	mixed := slices.Clone(ordered)
	slices.Reverse(mixed)
	slices.SortFunc(mixed, Compare)
	if !slices.Equal(mixed, ordered) {
		t.Errorf("%v", mixed)
	}
}

func TestWhatIsNoVersion(t *testing.T) {
	for _, s := range []string{"", "1.37.1", "v1.37", "v2.0.0", "v1.37.1-eks-1",
		"v1.37.1+k3s1", "v1.37.1; true", "v1.99999999999999999999.0"} {
		if v, err := Parse(s); err == nil {
			t.Errorf("%q is read as %+v", s, v)
		}
	}
	if _, err := Fetch(t.Context(), "v0.37.1"); err == nil {
		t.Error("a staging module's version is fetched")
	}
	if got := Staging("v1.38.0-alpha.0"); got != "v0.38.0-alpha.0" {
		t.Error(got)
	}
}

func TestWhatGoSaysOfModulesIsRead(t *testing.T) {
	list, err := decode([]byte("{\"Path\":\"a\",\"Dir\":\"/a\"}\n{\"Path\":\"b\",\"Error\":\"403 Forbidden\"}\n"))
	if err != nil || len(list) != 2 || list[0].Dir != "/a" || list[1].Error != "403 Forbidden" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := decode([]byte("{\"Path\":")); err == nil {
		t.Error("half an answer is read")
	}
}
