package main

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/machine"
)

func TestParseNodes(t *testing.T) {
	tests := []struct {
		name, in string
		want     []cluster.NodeSpec
		fails    bool
	}{
		{"the default", defaultNodes, []cluster.NodeSpec{{Name: "n1", Version: "v1.20.15"},
			{Name: "n2", Version: "v1.30.14"}, {Name: "n3", Version: "v1.37.1"}}, false},
		{"one node", "a=v1.31.0", []cluster.NodeSpec{{Name: "a", Version: "v1.31.0"}}, false},
		{
			"an emulated one",
			"a=v1.31.0@emulated",
			[]cluster.NodeSpec{{Name: "a", Version: "v1.31.0", Kind: machine.Emulated}},
			false,
		},
		{"a kind that is none", "a=v1.31.0@vm", nil, true},
		{"no version", "a", nil, true},
		{"no name", "=v1.31.0", nil, true},
		{"a version without v", "a=1.31.0", nil, true},
		{"the same name twice", "a=v1.31.0,a=v1.32.0", nil, true},
		{"nothing", "", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseNodes(tt.in)
			var usage usageErr
			if errors.As(err, &usage) != tt.fails {
				t.Fatalf("error = %v", err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
