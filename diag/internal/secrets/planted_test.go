package secrets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// testdata/planted.txt has texts with secrets between ⟦ and ⟧, one a line; ␤ is the end of one within.
// What stands between ‹ and › is drawn (an alphabet and a length) or encoded: issuers' own services look for
// their tokens in repositories.
var (
	marked  = regexp.MustCompile(`⟦([^⟧]*)⟧`)
	drawnAs = regexp.MustCompile(`‹([A-Z])(\d+)›`)
	codedAs = regexp.MustCompile(`‹([a-z]+):([^›]*)›`)
)

var alphabets = map[string]string{
	"A": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "H": "0123456789abcdef", "D": "0123456789",
	"L": "abcdefghijklmnopqrstuvwxyz0123456789", "U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"W": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
	"B": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
}

// secretsOf reads a line: the text, and what of it must not be seen.
func secretsOf(line string, r *rand.Rand) (text string, parts []string) {
	line = drawnAs.ReplaceAllStringFunc(line, func(s string) string {
		m := drawnAs.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabets[m[1]][r.IntN(len(alphabets[m[1]]))]
		}
		return string(b)
	})
	line = codedAs.ReplaceAllStringFunc(line, func(s string) string {
		m := codedAs.FindStringSubmatch(s)
		data := []byte(strings.ReplaceAll(m[2], "¶", "\n"))
		if strings.Contains(m[1], "z") {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = w.Write(data)
			_ = w.Close()
			data = b.Bytes()
		}
		if m[1] == "u" {
			return base64.RawURLEncoding.EncodeToString(data)
		}
		for range max(1, strings.Count(m[1], "b")+strings.Count(m[1], "z")) {
			data = []byte(base64.StdEncoding.EncodeToString(data))
		}
		return string(data)
	})
	line = strings.ReplaceAll(line, "␤", "\n")
	for _, m := range marked.FindAllStringSubmatch(line, -1) {
		parts = append(parts, strings.Split(m[1], "\n")...)
	}
	return strings.NewReplacer("⟦", "", "⟧", "").Replace(line), parts
}

func linesOf(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// Every form is gone as it is, in an event, in quotes as klog and JSON write them, and line by line.
func TestEveryPlantedFormIsGone(t *testing.T) {
	forms := linesOf(t, "planted.txt")
	if len(forms) < 300 {
		t.Errorf("only %d forms", len(forms))
	}
	r := rand.New(rand.NewPCG(14, 4))
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	for _, form := range forms {
		for range 1 + 2*min(1, strings.Count(form, "‹")) {
			text, parts := secretsOf(form, r)
			var lines Cleaner
			var cleaned []string
			for line := range strings.SplitSeq(text, "\n") {
				cleaned = append(cleaned, lines.Line("", line))
			}
			for where, got := range map[string]string{
				"alone": Text(text), "event": Text("Liveness probe failed: " + text), "brackets": Text("(" + text + ")"),
				"lines": strings.Join(cleaned, "\n"),
				"klog": Text(`E1121 07:43:40.929171 8252 prober.go:104] "Probe failed" output="` + escape.Replace(text) +
					`" pod="s/p"`),
				"JSON": Text(`{"ts":1.5,"msg":"Probe failed","output":"` + escape.Replace(text) + `","pod":"s/p"}`),
			} {
				for _, part := range parts {
					if where == "klog" || where == "JSON" {
						part = escape.Replace(part)
					}
					if len(part) > 1 && strings.Contains(got, part) {
						t.Errorf("%s of %q shows %q: %q", where, form, part, got)
					}
				}
				if again := Text(got); again != got {
					t.Errorf("%q became\n%q, then\n%q", form, got, again)
				}
			}
		}
	}
}

// What explains restarts stays, whatever it looks like.
func TestEvidenceIsLeft(t *testing.T) {
	for _, line := range linesOf(t, "evidence.txt") {
		text, _ := secretsOf(line, rand.New(rand.NewPCG(14, 5)))
		var cleaner Cleaner
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = cleaner.Line("", lines[i])
		}
		for _, got := range []string{Text(text), strings.Join(lines, "\n")} {
			if got != text {
				t.Errorf("%q became\n%q", text, got)
			}
		}
	}
}
