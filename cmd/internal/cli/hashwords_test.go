package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
)

func TestLargeNumbersAreRounded(t *testing.T) {
	for n, want := range map[uint64]string{1: "1", 999: "999", 1000: "1.0 thousand", 31_814_572: "31.8 million", 1 << 32: "4.3 billion"} {
		if got := rounded(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestAnInstanceIsNamedByWhatIsKnownOfIt(t *testing.T) {
	attempt, at := 3, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	for want, a := range map[string]forensics.Answer{
		"app (app)":                                 {Container: "app", Kind: "app"},
		"app (sidecar): stored hash 1":              {Container: "app", Kind: "sidecar", Hash: "1"},
		"app (app), instance 0123, attempt 3":       {Container: "app", Kind: "app", ContainerID: "0123", Attempt: &attempt},
		"app (app), instance 0123456789ab":          {Container: "app", Kind: "app", ContainerID: "0123456789abcdef"},
		"app (app), made 2026-03-01T10:00:00Z":      {Container: "app", Kind: "app", Created: &at},
		"app (app): stored hash 1 by kubelet v1.31": {Container: "app", Kind: "app", Hash: "1", Kubelet: "v1.31"},
	} {
		if got := instanceLine(&a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOddsAreToldWhereSomethingMatched(t *testing.T) {
	a := forensics.Answer{Difference: []forensics.Difference{{Field: "env", Then: "set", Now: "not set"}}, Tried: 8, OneIn: 1 << 29, Notes: []string{"n"}}
	if diff := cmp.Diff([]string{"then env: set, now: not set", "note: n"}, details(&a)); diff != "" {
		t.Error(diff)
	}
	a.MadeBy = []forensics.Identity{{}}
	if got := strings.Join(details(&a), "\n"); !strings.Contains(got, "A chance match is one in 536.9 million: 8 hashes were compared.") {
		t.Error(got)
	}
}

func TestMarkdownMarksInNamesAreText(t *testing.T) {
	for in, want := range map[string]string{"a_b*c": `a\_b\*c`, "[x](y)": `\[x\](y)`, "`|`": "\\`\\|\\`", "<b>&amp;": `\<b\>\&amp;`, "env[3]": `env\[3\]`, "plain – text": "plain – text"} {
		if got := marked(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestATitleSaysWhatIsKnownOfThePod(t *testing.T) {
	for want, table := range map[string]hashTable{
		"":                                      {},
		"Pod shop/web-0":                        {Pod: "web-0", Namespace: "shop"},
		"Pod shop/web-0 on n1":                  {Pod: "web-0", Namespace: "shop", Node: "n1"},
		"Pod shop/web-0 on n1, kubelet v1.31.0": {Pod: "web-0", Namespace: "shop", Node: "n1", NodeKubelet: "v1.31.0"},
	} {
		if got := table.title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
