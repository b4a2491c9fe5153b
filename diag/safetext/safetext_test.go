package safetext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

func TestCleanDefusesWhatATerminalWouldObey(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"plain text is untouched":          {"back-off 10s restarting", "back-off 10s restarting"},
		"umlauts and CJK are text":         {"Größe 日本", "Größe 日本"},
		"escape sequences become visible":  {"\x1b[31mred\x1b]8;;http://x\x07", `^[[31mred^[]8;;http://x\x07`},
		"C1 controls are controls too":     {"a\u009b2J", `a\x9b2J`},
		"delete and backspace":             {"a\x7f\b", `a\x7f\x08`},
		"carriage return cannot overwrite": {"ok\rEVIL", `ok\x0dEVIL`},
		"newlines stay on one line":        {"a\nb\tc", "a⏎b c"},
		"bidirectional override":           {"a\u202eb", `a\u{202e}b`},
		"zero width space":                 {"a\u200bb", `a\u{200b}b`},
		"tag characters":                   {"a\U000e0041b", `a\u{e0041}b`},
		"broken UTF-8":                     {"a\xffb", "a\ufffdb"},
		"empty":                            {"", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Clean(c.in).String(); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
			if !Safe(Clean(c.in).String()) {
				t.Errorf("what Clean returns is not safe by its own rule")
			}
		})
	}
}

func TestLongTextIsCutAtARuneAndSaysSo(t *testing.T) {
	got := Clean(strings.Repeat("é", MaxText)).String()
	if !utf8.ValidString(got) || !strings.HasSuffix(got, "bytes cut)") {
		t.Errorf("cut text ends in %q", got[len(got)-30:])
	}
	if got := Ident(strings.Repeat("a", MaxIdent+5)); !strings.HasSuffix(got, "(5 bytes cut)") {
		t.Errorf("long identifier ends in %q", got[len(got)-30:])
	}
	if in := "containerd://0123456789abcdef"; Ident(in) != in {
		t.Errorf("an ordinary identifier was changed: %q", Ident(in))
	}
}

func TestAnAddressLosesItsPassword(t *testing.T) {
	digest := "reg.example:5000/web:1@sha256:" + strings.Repeat("ab", 32)
	for in, want := range map[string]string{
		digest: digest, "user@host": "user@host", "someone@example.com": "someone@example.com",
		"https://bob:hunter2@reg.example/web:1": "https://[redacted]@reg.example/web:1",
		"bob:hunter2@reg.example/web:1":         "bob:[redacted]@reg.example/web:1",
		"bob:hunter2@sha.example/web":           "bob:[redacted]@sha.example/web",
		"bob:hunter2@sha256:5000/web":           "bob:[redacted]@sha256:5000/web",
		"admin:pw@shared.example/web:1":         "admin:[redacted]@shared.example/web:1",
		"oidc:someone@example.com":              "oidc:someone@example.com",
	} {
		if got := Ident(in); got != want {
			t.Errorf("Ident(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTextCleansAgainWhenReadFromJSON(t *testing.T) {
	var got Text
	if err := json.Unmarshal([]byte(`"a\u001b[0mb"`), &got); err != nil {
		t.Fatal(err)
	}
	if got.String() != "a^[[0mb" || got.Empty() {
		t.Errorf("read %q", got)
	}
	b, err := json.Marshal(got)
	if err != nil || string(b) != `"a^[[0mb"` {
		t.Errorf("wrote %s, %v", b, err)
	}
	if err := json.Unmarshal([]byte(`{}`), &got); err == nil {
		t.Error("an object was accepted as text")
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31m", "\u202e", "\xff\xfe", strings.Repeat("x", 40), "日本\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Clean(s).String(), Ident(s)} {
			if !utf8.ValidString(got) {
				t.Fatalf("invalid UTF-8 from %q", s)
			}
			for _, r := range got {
				if r < 0x20 || r >= 0x7f && r <= 0x9f || look.Hidden(r) {
					t.Fatalf("%U survived in %q", r, got)
				}
			}
			if clean(got, len(got)+1) != got {
				t.Fatalf("cleaning twice changes %q", got)
			}
		}
	})
}

// Texts are looked at eight bytes at a time: every byte counts at every place.
func TestEveryByteCountsAtEveryPlace(t *testing.T) {
	for length := 1; length <= 20; length++ {
		for at := range length {
			for c := range 256 {
				b := []byte(strings.Repeat("a", length))
				b[at] = byte(c)
				if got, want := plain(string(b)), c >= 0x20 && c <= 0x7e; got != want {
					t.Fatalf("%q is plain: %t", b, got)
				}
			}
		}
	}
}
