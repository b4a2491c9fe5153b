package cli

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/mcp"
)

// recording is the incident of demo, as a file.
const recording = "../demo/incident.tar.zst"

// client is an agent that speaks with a server started with these flags.
func client(t *testing.T, flags ...string) *sdk.ClientSession {
	t.Helper()
	env, _, _ := testEnv()
	cmd := newMCP(env)
	if err := cmd.ParseFlags(flags); err != nil {
		t.Fatal(err)
	}
	ours, theirs := sdk.NewInMemoryTransports()
	server, err := agent(env, cmd.Flags()).SDK().Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close() // the server goes with it
		_ = server.Wait()
	})
	return session
}

// call asks a tool. The last text of an answer is its JSON, those before it are sentences.
func call(t *testing.T, session *sdk.ClientSession, tool string, args map[string]any) (said []string, failed bool) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Content {
		said = append(said, c.(*sdk.TextContent).Text)
	}
	return said, r.IsError
}

func TestAnAgentAsksEveryTool(t *testing.T) {
	session := client(t, "--from="+recording)
	cases := map[string]struct {
		tool string
		args map[string]any
		// want are parts of the JSON; sentence of what is said before it, "" if nothing is.
		want     []string
		sentence string
		report   bool
	}{
		"why": {
			tool: "why", args: map[string]any{"name": "steady"},
			want: []string{`"cause":"hash-kubelet-upgrade"`, `"confidence":"proven"`}, report: true,
		},
		"why, of everything": {
			tool: "why",
			want: []string{`"items":[{`}, sentence: `"items" has the first `, report: true,
		},
		"why, of one cause": {
			tool: "why", args: map[string]any{"name": "pod/segfaults", "cause": "app-signal", "container": "app"},
			want: []string{`"app-signal"`}, report: true,
		},
		"incidents": {
			tool: "incidents",
			want: []string{`"incidents":[{`}, sentence: `"items" has the first `, report: true,
		},
		"node": {
			tool: "node", args: map[string]any{"node": "n2", "since": "5m"},
			want: []string{`"node":"n2"`}, sentence: `"items"`, report: true,
		},
		"preflight": {
			tool: "preflight", args: map[string]any{"to": "v1.37"},
			want: []string{`"kind":"PreflightReport"`, `"nodes":[{`},
		},
		"hash": {
			tool: "hash", args: map[string]any{"pod": "steady"},
			want: []string{`"steady"`},
		},
		"explain a code": {
			tool: "explain", args: map[string]any{"term": "137"},
			want: []string{`SIGKILL`},
		},
		"explain a cause": {
			tool: "explain", args: map[string]any{"term": "oom-node"},
			want: []string{`"id":"oom-node"`},
		},
		"explain a long event": {
			tool: "explain", args: map[string]any{"term": "Container web definition changed, will be restarted"},
			want: []string{`hash-kubelet-upgrade`},
		},
	}
	schema := reportSchema(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			said, failed := call(t, session, c.tool, c.args)
			answer := said[len(said)-1]
			if failed || !json.Valid([]byte(answer)) || len(answer) > mcp.MaxBytes {
				t.Fatalf("failed %t, %d bytes: %.300s", failed, len(answer), said)
			}
			for _, w := range c.want {
				if !strings.Contains(answer, w) {
					t.Errorf("%s is not in %.600s", w, answer)
				}
			}
			sentences := strings.Join(said[:len(said)-1], " ")
			if (sentences == "") != (c.sentence == "") || !strings.Contains(sentences, c.sentence) {
				t.Errorf("said %q", sentences)
			}
			if c.report {
				if err := schema.Validate(instance(t, []byte(answer))); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// No value of an input is taken for a flag, a file or a command.
func TestAnAgentGetsNoMoreThanItsTools(t *testing.T) {
	session := client(t, "--from="+recording)
	cases := map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"a term that is a file":    {"explain", map[string]any{"term": "/etc/hostname"}, "hint: "},
		"a term that is the input": {"explain", map[string]any{"term": "-"}, "it is empty"},
		"an escape sequence":       {"explain", map[string]any{"term": "\x1b[31mred"}, "red"},
		"a flag that no tool has":  {"why", map[string]any{"evidence": "pod"}, "evidence"},
		"a pod that is a flag":     {"why", map[string]any{"name": "--evidence=pod"}, "find pod --evidence=pod"},
		"a namespace with a flag": {"why", map[string]any{"namespace": "x --evidence=pod"},
			"find namespace x --evidence=pod"},
		"a pod that is a command":   {"why", map[string]any{"name": "collect"}, "find pod collect"},
		"a version that is none":    {"preflight", map[string]any{"to": "newest"}, "newest"},
		"a pod that must be named":  {"hash", map[string]any{}, "pod"},
		"a cause with a slip in it": {"why", map[string]any{"cause": "oom-nod"}, "did you mean"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			said, failed := call(t, session, c.tool, c.args)
			text := strings.Join(said, " ")
			if !failed || !strings.Contains(text, c.want) || strings.Contains(text, "\x1b") {
				t.Errorf("failed %t: %.300q", failed, said)
			}
		})
	}
}

func TestAnAgentIsToldWhenThereIsNothing(t *testing.T) {
	said, failed := call(t, client(t, "--from="+recording), "why", map[string]any{"cause": "resize-restart"})
	if failed || len(said) != 2 ||
		!strings.Contains(said[0], "Nothing that restarted") || !strings.Contains(said[1], `"items":[]`) {
		t.Errorf("failed %t: %.300q", failed, said)
	}
}

func TestAnAgentLearnsWhatThereIs(t *testing.T) {
	session := client(t, "--from="+recording)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.DestructiveHint || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
	}
	if got := strings.Join(names, " "); got != "explain hash incidents node preflight why" {
		t.Errorf("tools: %s", got)
	}
	r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: mcp.SchemaURI})
	if err != nil || !json.Valid([]byte(r.Contents[0].Text)) {
		t.Errorf("the schema: %v, error %v", r, err)
	}
}

func TestMCPRefusesWhatAnAgentMustNotHave(t *testing.T) {
	for args, want := range map[string]string{
		"--evidence=pod": "agents create no pods", "--from=-": "standard input", "more": "no arguments",
	} {
		if _, errs, code := run(t, "mcp", args); code != command.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d: %s", args, code, errs)
		}
	}
}
