package verdict

import "testing"

func TestWordsThatSayThatItIsNotCertain(t *testing.T) {
	for summary, want := range map[string]bool{
		"it may have been the probe":     true,
		"may":                            true,
		"(may) be":                       true,
		"mayor-0 ended":                  false,
		"container dismay ended":         false,
		"container may_1 ended":          false,
		"container mayor may have ended": true,
		"who did it is not known":        true,
		"it is not knownledgeable":       false,
		"nothing shows it":               true,
		"it ended as a container does whose probe failed": true,
		"it ended as a container; so does another":        false,
		"it was a container that does":                    false,
		"it ended as after a kill":                        true,
		"as  does":                                        true,
		"as does":                                         false,
		"it ended as some doesn":                          false,
		"":                                                false,
	} {
		if got := saysSo(summary); got != want {
			t.Errorf("%q: %t, want %t", summary, got, want)
		}
	}
}
