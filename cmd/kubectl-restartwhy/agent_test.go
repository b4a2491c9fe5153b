package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// agent TOOL JSON FLAG… starts the program as agents do, with the flags, asks the tool over
// standard input and output, and prints the answer.
func agent(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("usage: agent TOOL JSON FLAG...")
	}
	var in map[string]any
	ts.Check(json.Unmarshal([]byte(args[1]), &in))
	var program string
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), ":") {
		if p, err := exec.LookPath(dir + "/kubectl-restartwhy"); err == nil {
			program = p
			break
		}
	}
	cmd := exec.Command(program, append([]string{"mcp"}, args[2:]...)...)
	cmd.Env = []string{"KUBECONFIG=" + ts.Getenv("KUBECONFIG"), "GORACE=" + ts.Getenv("GORACE")}
	t := ts.Value("t").(*testing.T)
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	ts.Check(err)
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: args[0], Arguments: in})
	ts.Check(err)
	for _, c := range r.Content {
		fmt.Fprintln(ts.Stdout(), c.(*sdk.TextContent).Text)
	}
	ts.Check(session.Close())
}
