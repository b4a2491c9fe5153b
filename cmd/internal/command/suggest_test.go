package command

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnErrorRepeatsNoSecret(t *testing.T) {
	for _, between := range []string{"=", "\t", ":\n"} {
		if got := fmt.Sprintf("%q", Shortened("password"+between+"falcon-river26")); strings.Contains(got, "falcon") {
			t.Errorf("%s", got)
		}
	}
}
