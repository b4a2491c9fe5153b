package excerpt

import (
	"strings"
	"testing"
)

func TestDescriptionsWithoutIndentsAreNested(t *testing.T) {
	lines := strings.Split("Name: web-0\nNamespace: shop\nContainers:\napp:\nContainer ID: containerd://aa\nState: Running\n"+
		"Started: Mon, 02 Mar 2026 10:00:00 +0000\nLast State: Terminated\nReason: Error\nExit Code: 3\nRestart Count: 2\n"+
		"Limits:\nmemory: 128Mi\nRequests:\nexample.com/gpu: 1\nEnvironment: <none>\nmemory: of an elephant", "\n")
	nest(lines)
	for i, want := range map[int]string{3: "  app:", 4: "    Container ID:", 7: "    Last State:",
		8: "      Reason:", 9: "      Exit Code:", 12: "      memory:", 14: "      example.com/gpu:",
		16: "memory: of"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	plain := []string{"State: of the union", "Reason: none"}
	if nest(plain); plain[0][0] == ' ' || plain[1][0] == ' ' {
		t.Errorf("%q", plain)
	}
}

// Who selects lines of a description often leaves out the margin of the first one.
func TestTheMarginOfTheFirstLine(t *testing.T) {
	const rest = "\n      Reason:     CrashLoopBackOff\n    Last State:   Terminated\n      Exit Code:  3\n"
	for text, want := range map[string]string{
		"State:        Waiting" + rest:               "    State:        Waiting" + rest,
		"It fails\nState:        Waiting" + rest:     "It fails\n    State:        Waiting" + rest,
		"    Image: a\nState:        Waiting" + rest: "    Image: a\nState:        Waiting" + rest,
		"State of it:  Waiting" + rest:               "State of it:  Waiting" + rest,
		"State:        Waiting\nReason: no\n":        "State:        Waiting\nReason: no\n",
	} {
		lines := strings.Split(text, "\n")
		if remargin(lines); strings.Join(lines, "\n") != want {
			t.Errorf("%q, want %q", lines, want)
		}
	}
}

func TestTheNameAboveAContainersState(t *testing.T) {
	for text, want := range map[string]bool{
		"web:\n    State:   Waiting\n":                                true,
		"web:\n    Image:   a\n    Port:  80\n    State:   Waiting\n": true,
		"web:\n    Container ID:  containerd://aa\n":                  true,
		"web:\n    Image:   a\n    Port:  80\n":                       false,
		"output:\n    State:   Waiting\n":                             false,
		"web:\n    image:   a\n    state:  Waiting\n":                 false,
	} {
		lines := strings.Split(text, "\n")
		if got := (&splitter{lines: lines}).containerName(lines[0]); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestABrokenDescriptionIsJoined(t *testing.T) {
	id := "    Container ID:   containerd://" + strings.Repeat("a", 64)
	for name, c := range map[string]struct{ text, want string }{
		"a terminal's width": {"Containers:\n" + id[:80] + "\n" + id[80:] + "\n    Ready:  True\n",
			"Containers:\n" + id + "\n    Ready:  True\n"},
		"over three lines": {id[:60] + "\n" + id[60:] + strings.Repeat("b", 60-len(id[60:])) + "\nccc",
			id + strings.Repeat("b", 60-len(id[60:])) + "ccc"},
		"the next section":  {id + "\nConditions:\n", id + "\nConditions:\n"},
		"not the width":     {id + "\nrest\n" + id + "longer", id + "\nrest\n" + id + "longer"},
		"a prompt":          {id + "\ncore@n1:~$ uptime", id + "\ncore@n1:~$ uptime"},
		"a table":           {id + "\nNAME  READY  STATUS  RESTARTS  AGE", id + "\nNAME  READY  STATUS  RESTARTS  AGE"},
		"a log":             {id + "\n[    0.000000] Linux version 6", id + "\n[    0.000000] Linux version 6"},
		"a fence":           {id + "\n```\nOf it.", id + "\n```\nOf it."},
		"a narrow sentence": {"  Note: a\nb", "  Note: a\nb"},
	} {
		if got := strings.Join(rejoin(strings.Split(c.text, "\n")), "\n"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestMarksOfNotesAreTakenOff(t *testing.T) {
	noted := strings.Split("# NAME    READY   STATUS   RESTARTS   AGE\n# web-0   0/1     Error    3          5m\n# a\n# b\n# c\n# d", "\n")
	if unnote(noted); strings.HasPrefix(noted[1], "#") {
		t.Errorf("%q", noted)
	}
	for _, mark := range []string{"// ", "| ", "E   ", "    util.go:123: ", "ci-1  | ", "Nov 20 10:02:00.123: INFO: ",
		"2026-11-20T10:02:00.1234567Z ", "[2026-11-20 10:02:00,123] "} {
		lines := strings.Split("Name: web-0\nNamespace: shop\nContainers:\n  web:\n    State: Running\n    Ready: True", "\n")
		for i := range lines {
			lines[i] = mark + lines[i]
		}
		if unnote(lines); lines[0] != "Name: web-0" || lines[5] != "    Ready: True" {
			t.Errorf("%q: %q", mark, lines)
		}
	}
	logged := strings.Split(strings.Repeat("2026-11-20T10:02:00Z {\"a\":1}\n", 6), "\n")
	if unnote(logged); logged[0] == `{"a":1}` {
		t.Errorf("a log lost its times: %q", logged)
	}
	remarks := []string{"# one remark", "# and another"}
	if unnote(remarks); remarks[0][0] != '#' {
		t.Errorf("%q", remarks)
	}
}
