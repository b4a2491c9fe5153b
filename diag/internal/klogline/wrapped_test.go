package klogline

import (
	"slices"
	"strings"
	"testing"
)

// kill is a line that a kubelet writes; it is broken in every way below.
const kill = `I0305 07:11:58.412345    1234 kuberuntime_manager.go:712] "Message for Container of pod" ` +
	`containerName="app" ` +
	`containerStatusID={"Type":"containerd","ID":"4f1c9b7be4b6e9fd3a1f3c0e8a4d3d5f1a2b3c4d5e6f708192a3b4c5d6e7f809"} ` +
	`pod="shop/web-5d9c7b8f6-abcde" containerMessage="Container app failed liveness probe, will be restarted"`

// before is what syslog puts before it.
const before = "Mar 05 07:11:58 n1 kubelet[1234]: "

// next is the line behind it.
const next = `I0305 07:11:58.512345    1234 kuberuntime_container.go:808] "Killing container with a grace period" ` +
	`pod="shop/web-5d9c7b8f6-abcde" gracePeriod=30`

// probe is a line whose value goes on in the next ones.
const probe = `I0305 07:11:58.512345    1234 prober.go:107] "Probe failed" pod="shop/web" output=<`

// folded breaks a line at a width, as terminals do.
func folded(line string, width int) (out []string) {
	for len(line) > width {
		out, line = append(out, line[:width]), line[width:]
	}
	return append(out, line)
}

// filled breaks a line between words, as mail programs do.
func filled(line string, width int) (out []string) {
	for len(line) > width {
		at := strings.LastIndexByte(line[:width], ' ')
		if at < 0 {
			break
		}
		out, line = append(out, line[:at]), line[at+1:]
	}
	return append(out, line)
}

func TestUnwrapPutsBrokenLinesTogether(t *testing.T) {
	values := strings.NewReplacer(" containerStatusID", "\n\tcontainerStatusID", " pod=", "\n\tpod=").Replace(kill)
	pod := strings.Index(kill, " pod=")
	for name, broken := range map[string][]string{
		"a terminal of 80":       folded(kill, 80),
		"a terminal of 120":      folded(kill, 120),
		"a syslog's line":        folded(before+kill, 100),
		"before a value":         {kill[:pod], kill[pod+1:]},
		"indented before values": strings.Split(values, "\n"),
		"between words":          filled(kill, 110),
		"within its header":      folded(kill, 62),
		"within syslog's header": folded(
			strings.Replace(before, "n1", "ip-10-0-93-17.us-west-1.compute.internal", 1)+kill, 76),
		"with an indent":     folded("    "+kill, 100),
		"behind an editor's": folded("  1377: "+kill, 100),
		"before a bracket":   folded(kill, strings.Index(kill, `{"Type"`)),
	} {
		t.Run(name, func(t *testing.T) {
			lines := Unwrap(append(slices.Clone(broken), next))
			lines[0] = lines[0][strings.Index(lines[0], kill[:5]):] // without what stood before it
			if want := []string{kill, next}; !slices.Equal(lines, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestUnwrapLeavesWholeLinesAlone(t *testing.T) {
	for name, text := range map[string]string{
		"whole lines":             kill + "\n" + next + "\n" + next + "\n",
		"a journal's entry":       strings.Repeat(before+kill+"\n"+strings.Repeat(" ", 40)+"goroutine 1\n", 2),
		"records":                 strings.Repeat(`{"line":"`+before+next+`"}`+"\n"+`{"line":"no head"}`+"\n", 2),
		"the same value twice":    strings.Repeat(probe+"\n\tNot Found\n >\n", 2),
		"a value of lines":        probe + "\n\tNot Found\n >\n" + next,
		"a value of values":       probe + "\n\tdb=down\n >\n" + next,
		"another log's line":      next + "\n" + next + "\n" + `2026-03-05T07:11:59Z n1 containerd[1]: stopped` + "\n",
		"a person's words":        next + "\nWhat does this mean?\n",
		"a stack":                 next + "\npanic: boom\n\ngoroutine 1 [running]:\nmain.main()\n",
		"a quotation never ended": strings.TrimSuffix(kill, `"`) + "\nWhat does this mean?\n",
		"no log":                  "a=1\nb=2\n",
	} {
		if got := Whole(text); got != text {
			t.Errorf("%s: %q became %q", name, text, got)
		}
	}
}
