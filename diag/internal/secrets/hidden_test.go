package secrets

import (
	"strings"
	"testing"
)

// What a terminal shows in colours is a name all the same: of programs that log to one, and of what pagers, journals
// and JSON made of that.
func TestEscapeSequencesHideNoName(t *testing.T) {
	for _, s := range []string{
		"\x1b[36mINFO\x1b[0m[0001] up \x1b[36mpassword\x1b[0m=canary2x9", // logrus
		"\x1b[36mpassword:\x1b[0m canary2x9",
		"token\x1b[38;5;1m\x1b[K:\x1b[0m \x1b[33mcanary2x9",
		"pass\x1b[1mword=canary2x9",
		"\x1b]8;;http://x\x07password\x1b]8;;\x1b\\=canary2x9",
		"password\u009b0m=canary2x9",
		"^[[36mpassword^[[0m=canary2x9",
		`#033[36mpassword#033[0m=canary2x9`,
		`"\u001b[36mpassword\u001b[0m=canary2x9\n"`,
		`"\\x1b[36mpassword\\x1b[0m=canary2x9"`,
		"pass\x00word\x00=canary2x9",
	} {
		var lines Cleaner
		for _, got := range []string{Text(s), lines.Line("", s)} {
			if strings.Contains(got, "canary") {
				t.Errorf("%q became %q", s, got)
			}
		}
	}
	const plain = "\x1b[32mready\x1b[0m after 3s [1b] x[^[]"
	if got := Text(plain); got != plain {
		t.Errorf("%q became %q", plain, got)
	}
}

// A blank is one of whatever width: editors, web pages and other languages have their own.
func TestBlanksOfAnyWidthHideNoValue(t *testing.T) {
	for _, blank := range []string{"\u00a0", "\u2003", "\u2009", "\u202f", "\u3000"} {
		for _, s := range []string{"password" + blank + "=" + blank + "falcon-river26",
			"--password" + blank + "falcon-river26", "Authorization:" + blank + "Bearer" + blank + "falcon-river26",
			"password:" + blank + "falcon-river26"} {
			if got := Text(s); strings.Contains(got, "falcon") {
				t.Errorf("%q became %q", s, got)
			}
		}
	}
	const plain = "prêt\u00a0: 3\u00a0s"
	if got := Text(plain); got != plain {
		t.Errorf("%q became %q", plain, got)
	}
}

// A value that goes on in the next line is opened by a coloured name, too.
func TestAColouredNameOpensAValue(t *testing.T) {
	var s Cleaner
	for _, line := range []string{"\x1b[36mpassword\x1b[0m=\"canary", "canary\" end"} {
		if got := s.Line("", line); strings.Contains(got, "canary") {
			t.Errorf("%q became %q", line, got)
		}
	}
}
