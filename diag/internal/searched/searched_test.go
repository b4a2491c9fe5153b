package searched

import "testing"

func TestALogIsWholeByWhatNobodySearchesFor(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		whole bool
	}{
		"nothing":     {nil, false},
		"empty lines": {[]string{"", ""}, false},
		"a search for errors": {[]string{`E1121 10:00:00.000000 80 kubelet.go:1] "Error syncing pod, skipping" err="x"`,
			"kubelet: Failed to start"}, false},
		"a search for ends": {[]string{`"SyncLoop (PLEG): event for pod" event={"Type":"ContainerDied"}`,
			`"Killing container with a grace period"`, "Stopping kubelet.service"}, false},
		"one line of every day": {[]string{`"Killing container with a grace period"`,
			`"SyncLoop ADD" source="api" pods=["shop/web-0"]`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var l Log
			for _, line := range c.lines {
				l.Add(line)
			}
			if l.Whole() != c.whole {
				t.Errorf("whole: %v", l.Whole())
			}
		})
	}
}
