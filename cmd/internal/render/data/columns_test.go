package data

import (
	"fmt"
	"strings"
	"testing"
)

func TestAPanicOfATemplateIsAnError(t *testing.T) {
	if err := safely(func() error { panic("odd") }); err == nil || err.Error() != "odd" {
		t.Errorf("a panic became %v", err)
	}
}

// A field that no item has would print <none> in each row, which looks like an answer.
func TestAColumnOfAFieldThatIsNot(t *testing.T) {
	for spec, want := range map[string]string{
		"A:.pod": "", "A:.verdict.cause": "", "A:{.pod}": "", "A:.from.exitCode,B:.labels": "no field \"labels\"",
		"A:.Pod": "no field \"Pod\": want one of ", "A:{.verdict.chain[0].text}": "",
	} {
		_, err := Columns(spec, true)
		if got := fmt.Sprint(err); (err != nil) != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
}
