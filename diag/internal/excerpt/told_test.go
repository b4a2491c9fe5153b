package excerpt

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// A message of an event that someone quotes next to the one end of a container that the text dates belongs to it.
func TestAQuotedMessageBelongsToTheEndBesideIt(t *testing.T) {
	const state = "```\n\"lastState\": {\"terminated\": {\"exitCode\": 137, \"reason\": \"Error\", " +
		"\"startedAt\": \"2024-07-25T10:02:10Z\", \"finishedAt\": \"2024-07-25T12:31:32Z\"}}\n```\n"
	const message = "Container api failed liveness probe, will be restarted"
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"alone on its line":     {state + "web-7d5b9c8f6-2mz4x says\n" + message + "\n", true},
		"a quote with a time":   {state + "web-7d5b9c8f6-2mz4x says\n> 12:31:02 " + message + "\n", true},
		"its reason before it":  {state + "web-7d5b9c8f6-2mz4x says\n- event: Killing - " + message + "\n", true},
		"in typographic quotes": {state + "web-7d5b9c8f6-2mz4x says\nKilling: “" + message + "”\n", true},
		"its pod behind it":     {state + "12:31:02 " + message + " - pod default/web-7d5b9c8f6-2mz4x\n", true},
		"in a program's log, which is no word of the kubelet": {state + "web-7d5b9c8f6-2mz4x says\n\n" +
			"2024-07-25T12:31:00.123Z INFO starting\n" + message + "\n", false},
		"two ends": {state + strings.ReplaceAll(state, "12:31:32", "13:31:32") + "web-7d5b9c8f6-2mz4x says\n" +
			message + "\n", false},
	} {
		f, _ := Read(c.text, "comment.md", describe.Place{}, time.Date(2024, 8, 1, 0, 0, 0, 0, time.UTC))
		got := false
		for _, raw := range f.Objects {
			text := string(raw)
			got = got || strings.Contains(text, `"Killing"`) && strings.Contains(text, `"lastTimestamp":"2024-07-25T12:31:32Z"`) &&
				strings.Contains(text, message+`"`)
		}
		if got != c.want {
			t.Errorf("%s: %t, want %t: %s", name, got, c.want, f.Objects)
		}
		if len(f.Objects) > 0 && c.want && strings.Contains(string(f.Objects[0]), `"name":"?"`) {
			t.Errorf("%s: the container that the message names is not that of the state: %s", name, f.Objects[0])
		}
	}
}
