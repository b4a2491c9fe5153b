package describe

import "testing"

func TestADocumentBehindTheEndOfOneIsNotRead(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: Pod\n...\nstatus: {}\n": false, "kind: Pod\n...\n": true, "kind: Pod\n": true} {
		if Parses([]byte(text)) != want {
			t.Errorf("%q parses: %t", text, !want)
		}
	}
}
