package kubeletlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// parts takes a structured line of the tables apart.
func parts(t *testing.T, line string) (head, msg string, pairs klogline.Values, ok bool) {
	t.Helper()
	i := strings.Index(line, `] "`)
	if i < 0 {
		return "", "", nil, false
	}
	head, rest := line[:i+2], line[i+3:]
	msg, rest, ok = strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no message in %q", line)
	}
	return head, msg, klogline.ParseValues(nil, rest), true
}

func join(head, msg string, pairs klogline.Values) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%q", head, msg)
	for _, p := range pairs {
		v := p.Text()
		if p.Quoted {
			v = strconv.Quote(v)
		}
		b.WriteString(" " + p.Key + "=" + v)
	}
	return b.String()
}

func asBlock(v string) string { return "<\n\t" + strings.ReplaceAll(v, "\n", "\n\t") + "\n >" }

// Each mutation writes the same line as another klog would: the keys in another
// order, with the names of a contextual logger, with a value as a block.
var mutations = map[string]func(head, msg string, pairs klogline.Values) string{
	"as it is": join,
	"the keys the other way round": func(head, msg string, pairs klogline.Values) string {
		p := slices.Clone(pairs)
		slices.Reverse(p)
		return join(head, msg, p)
	},
	"keys of a logger before": func(head, msg string, pairs klogline.Values) string {
		return join(
			head,
			msg,
			append(
				klogline.Values{{Key: "logger", Value: "UnhandledError", Quoted: true}, {Key: "cycle", Value: "7", Quoted: false}},
				pairs...),
		)
	},
	"keys of a logger behind": func(head, msg string, pairs klogline.Values) string {
		return join(head, msg, append(slices.Clone(pairs),
			klogline.Pair{Key: "logger", Value: `pod="evil/x" containerName="evil"`, Quoted: true},
			klogline.Pair{Key: "spec", Value: `{"pod":"evil/x","ID":"evil"}`, Quoted: false}))
	},
	"a name of a container behind cannot replace the first": func(head, msg string, pairs klogline.Values) string {
		return join(head, msg, append(
			slices.Clone(pairs),
			klogline.Pair{Key: "pod", Value: "evil/x", Quoted: true},
			klogline.Pair{
				Key:    "containerName",
				Value:  "evil",
				Quoted: true,
			},
			klogline.Pair{Key: "podUID", Value: "evil", Quoted: true},
			klogline.Pair{Key: "source", Value: "evil", Quoted: true},
		))
	},
	"as an error": func(_, msg string, pairs klogline.Values) string {
		return join("E0229 23:59:60.000000 4194303 kubelet.go:2] ", msg, pairs)
	},
	"texts as blocks": func(head, msg string, pairs klogline.Values) string {
		line := head + strconv.Quote(msg)
		for _, p := range pairs {
			switch {
			case slices.Contains([]string{"output", "err", "message", "containerMessage"}, p.Key):
				line += " " + p.Key + "=" + asBlock(p.Text())
			default:
				line += join("", "", klogline.Values{p})[2:]
			}
		}
		return line
	},
	"a block that quotes other lines": func(head, msg string, pairs klogline.Values) string {
		forged := now +
			`"Killing container with a grace period" pod="evil/x" podUID="evil" containerName="evil" containerID="containerd://evil" gracePeriod=0`
		return join(head, msg, pairs) + " note=" + asBlock("first\n"+forged+"\n > pod=\"evil/x\"")
	},
}

func TestAMutatedLineSaysTheSame(t *testing.T) {
	tested := 0
	for _, c := range newLines {
		head, msg, pairs, ok := parts(t, c.line)
		if !ok || len(c.want) == 0 {
			continue
		}
		for name, mutate := range mutations {
			line := mutate(head, msg, pairs)
			want := slices.Clone(c.want)
			if k, is := want[0].Fact.(evidence.KubeletStarted); is {
				h, _, _ := klogline.ParseHeader(line)
				k.PID = h.PID
				want[0].Fact = k
			}
			var lacking bool // a key that the line itself does not have may come from behind
			for i := range want {
				s := want[i].Subject
				lacking = lacking || s.Container == "" || s.PodUID == "" || s.Pod == ""
			}
			if lacking && strings.HasPrefix(name, "a name of a container") {
				continue
			}
			tested++
			if diff := cmp.Diff(want, read(line), byText); diff != "" {
				t.Errorf("%s, %s: %s\n%s", c.name, name, line, diff)
			}
		}
	}
	if tested < 150 {
		t.Errorf("only %d lines were tested", tested)
	}
}

// The same line with --logging-format=json says the same.
func TestALineAsJSONSaysTheSame(t *testing.T) {
	tested := 0
	for _, c := range newLines {
		_, msg, pairs, ok := parts(t, c.line)
		if !ok || len(c.want) == 0 || strings.HasSuffix(msg, "override") {
			continue // in JSON nothing tells the override line of 1.21 from that of later ones
		}
		fields := map[string]any{"ts": 1795249957127.4, "caller": "kubelet/kubelet.go:1", "msg": msg, "v": 2}
		for _, p := range pairs {
			ns, name, ref := strings.Cut(p.Text(), "/")
			switch {
			case p.Key == "pod" && ref:
				fields[p.Key] = map[string]string{"name": name, "namespace": ns}
			case !p.Quoted && json.Valid([]byte(p.Text())):
				fields[p.Key] = json.RawMessage(p.Text())
			default:
				fields[p.Key] = p.Text()
			}
		}
		line, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(c.want)
		for i := range want {
			switch f := want[i].Fact.(type) {
			case evidence.KubeletStarted:
				f.PID = 0 // JSON lines do not tell it
				want[i].Fact = f
			case evidence.PodRejected:
				if strings.HasPrefix(f.Message.String(), "[") {
					f.Message = text("[MemoryPressure]") // as a list of the text format, without quotes
					want[i].Fact = f
				}
			}
		}
		tested++
		if diff := cmp.Diff(want, read(string(line)), byText); diff != "" {
			t.Errorf("%s: %s\n%s", c.name, line, diff)
		}
	}
	if tested < 25 {
		t.Errorf("only %d lines were tested", tested)
	}
}

// What a container writes ends up in the output of its probe. It must not become
// a statement about another container, in no journal entry and in no block.
func TestAProbesOutputForgesNothing(t *testing.T) {
	forged := `"Message for Container of pod" containerName="b" containerStatusID={"Type":"containerd","ID":"` +
		cid + `"} pod="x/y" containerMessage="Container b definition changed, will be restarted"`
	for name, output := range map[string]string{
		"a line":              now + forged,
		"a line after a line": "ok\n" + now + forged,
		"the end of a block":  "ok\n >\n" + now + forged,
		"an indented end":     "ok\n\t >\n" + now + forged,
		"quotes":              `x" pod="x/y" containerName="b"`,
		"a block of its own":  "ok err=<\n" + now + forged + "\n >",
		"carriage returns":    "ok\r" + now + forged,
	} {
		t.Run(name, func(t *testing.T) {
			for style, value := range map[string]string{"quoted": strconv.Quote(output), "block": asBlock(output)} {
				lines := now + `"Probe failed" probeType="Liveness" pod="s-n5/p" podUID="` +
					uid + `" containerName="a" probeResult="failure" output=` + value
				p := Parser{Known: true}
				var got []said
				emit := func(o evidence.Observation) { got = append(got, said{o.Subject, o.Fact}) }
				for _, l := range strings.Split(lines, "\n") {
					p.Add(evidence.Entry{PID: 8252, Message: l}, emit)
				}
				p.Close(emit)
				want := one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Output: text(output), Count: 1})
				if diff := cmp.Diff(want, got, byText); diff != "" {
					t.Errorf("%s: %s", style, diff)
				}
			}
		})
	}
}
