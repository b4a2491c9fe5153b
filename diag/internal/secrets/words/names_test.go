package words

import "testing"

func TestTheWholeNameDecidesItsKind(t *testing.T) {
	for _, c := range []struct {
		text, hint string
		at         int
		name       string
		kind       Kind
	}{
		{"DB_PASSWORD=", "pass", 3, "DB_PASSWORD", Human},
		{"compass: ", "pass", 3, "compass", None},
		{"password_file: ", "pass", 0, "password_file", None},
		{"-srcstorepass ", "pass", 9, "-srcstorepass", Setting},
		{"X-Api-Key: ", "key", 6, "X-Api-Key", Machine},
		{"api key: ", "key", 4, "key", Machine},
		{"key: ", "key", 0, "key", Object},
		{"cacheKey: ", "key", 5, "cacheKey", Suspect},
		{"monkey: ", "key", 3, "monkey", None},
		{`\ntoken->`, "token", 2, "token", Machine},
		{"tokenizer: ", "token", 0, "tokenizer", None},
		{"imagePullSecrets: ", "secret", 9, "imagePullSecrets", None},
		{"EXISTING_SECRET=", "secret", 9, "EXISTING_SECRET", Machine},
		{"PULL_TOKEN=", "token", 5, "PULL_TOKEN", Machine},
	} {
		n := NameAt(c.text, c.at, c.at+len(c.hint))
		if name := c.text[n.From:n.To]; name != c.name || n.Kind != c.kind {
			t.Errorf("%q: %q of kind %d, want %q of kind %d", c.text, name, n.Kind, c.name, c.kind)
		}
	}
}
