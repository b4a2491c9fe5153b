package safetext

import "testing"

func TestATextIsShortenedAtItsCharacters(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "abcd": "abcd", "abcde": "abc…", "äöüß": "äöüß", "äöüße": "äöü…", "\xff\xff\xff\xff\xff": "\xff\xff\xff…",
	} {
		if got := Shorten(in, 4); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
