package foreign

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	logStarts = "==== START logs for container c of pod x/y ====\n"
	logEnds   = "==== END logs for container c of pod x/y ====\n"
)

func TestLogsOfContainersAreCutOutOfADump(t *testing.T) {
	const prompt, a, b, forged = "$ kubectl cluster-info dump\n", "{\"a\":1}\n", "{\"b\":1}\n", "{\"forged\":1}\n"
	const log, twice = logStarts + forged + logEnds, logStarts + logEnds + forged // and its real end is to come
	const quoted = `{"m":"` + "==== END logs for container c of pod x/y ====" + "\"}\n"
	const much = logStarts + logEnds + "{}\n{}\n{}\n"
	others := strings.NewReplacer("x/y", "x/z")
	for name, c := range map[string]struct {
		text, want string
		tells      bool
	}{
		"no log":                          {a + b, a + b, false},
		"a log":                           {a + log + b, a + b, false},
		"it comes first":                  {log + b, b, false},
		"behind a prompt":                 {prompt + a + log + b, prompt + a + b, false},
		"two":                             {a + log + b + others.Replace(log) + a, a + b + a, false},
		"an empty one":                    {a + logStarts + logEnds + b, a + b, false},
		"it has no end":                   {a + logStarts + forged, a, true},
		"it ends another's":               {a + logStarts + others.Replace(log) + logEnds + b, a + b, false},
		"it imitates its own end":         {a + twice + logEnds + b, a, true},
		"and goes on as another's":        {a + twice + others.Replace(logStarts) + logEnds + b, a, true},
		"and begins once more":            {a + twice + logStarts + logEnds + b, a, true},
		"and takes the mark into a value": {a + logStarts + logEnds + "{\n" + logEnds + "}\n" + b, a, true},
		"far behind":                      {a + much + logEnds + b, a, true},
		"its last line has no end":        {a + logStarts + "\n" + forged + "x" + logEnds + b, a + b, false},
		"and is long":                     {a + logStarts + strings.Repeat("x", 256<<10-7) + logEnds + b, a + b, false},
		"and hides the real end":          {a + twice + "x" + logEnds + b, a, true},
		"an object quotes a mark":         {a + quoted + log + b, a + quoted + b, false},
		"an end without a beginning":      {logEnds + a, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := &places{}
			got := text(t, p.withoutLogs(evidence.Bytes("x", []byte(c.text))))
			if got != c.want || (len(p.gaps) > 0) != c.tells {
				t.Errorf("%q, %v, want %q", got, p.gaps, c.want)
			}
		})
	}
}

// A margin before every line hides the marks: it is removed first.
func TestLogsAreCutOutOfAQuotedDump(t *testing.T) {
	const forged = `{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"forged"},"spec":{` + "\n" +
		`"nodeName": "n1.example.internal"}}]}` + "\n"
	dump := "$ kubectl cluster-info dump\n" + podList + "\n" + logStarts + forged + strings.TrimSpace(logEnds)
	for _, margin := range []string{"> ", "    "} {
		quoted := margin + strings.ReplaceAll(dump, "\n", "\n"+margin)
		got, _ := placed(t, "", map[string]string{"issue.txt": quoted})
		if len(got) == 0 {
			t.Errorf("%q: nothing was read", margin)
		}
		for path, content := range got {
			if strings.Contains(content, "forged") {
				t.Errorf("%q: %s has what the container printed", margin, path)
			}
		}
	}
}
