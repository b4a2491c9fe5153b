package excerpt

import (
	"strings"
	"testing"
)

func TestDescriptionsWithoutIndentsAreNested(t *testing.T) {
	lines := strings.Split("Name: web-0\nNamespace: shop\nContainers:\napp:\nContainer ID: containerd://aa\nState: Running\n"+
		"Started: Mon, 02 Mar 2026 10:00:00 +0000\nLast State: Terminated\nReason: Error\nExit Code: 3\nRestart Count: 2", "\n")
	if !nest(lines) {
		t.Fatal("not nested")
	}
	for i, want := range map[int]string{3: "  app:", 4: "    Container ID:", 7: "    Last State:",
		8: "      Reason:", 9: "      Exit Code:"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	if plain := []string{"State: of the union", "Reason: none"}; nest(plain) {
		t.Errorf("%q", plain)
	}
}

func TestMarksOfNotesAreTakenOff(t *testing.T) {
	noted := strings.Split("# NAME    READY   STATUS   RESTARTS   AGE\n# web-0   0/1     Error    3          5m\n# a\n# b\n# c\n# d", "\n")
	if !unnote(noted) || strings.HasPrefix(noted[1], "#") {
		t.Errorf("%q", noted)
	}
	if remarks := []string{"# one remark", "# and another"}; unnote(remarks) {
		t.Errorf("%q", remarks)
	}
}
