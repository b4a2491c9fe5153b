package describe

import (
	"os"
	"strings"
	"testing"
)

func TestADescriptionIsANodeAndItsEvents(t *testing.T) {
	b, err := os.ReadFile("testdata/node.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(string) string{
		"as it is printed":    func(s string) string { return s },
		"with CRLF":           func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"of an old kubectl":   func(s string) string { return strings.Replace(s, "Roles:", "Role: ", 1) },
		"of several nodes":    func(s string) string { return s + "\n\n" + strings.ReplaceAll(s, "n1", "n2") },
		"with a pod's behind": func(s string) string { return s + "\n\n" + described(t) },
	} {
		t.Run(name, func(t *testing.T) {
			all := read(t, change(string(b)))
			if len(all) < 4 {
				t.Fatalf("%d objects", len(all))
			}
			node, boot := all[0], all[2]
			for _, c := range []struct{ got, want any }{
				{at(node, "kind"), "Node"},
				{at(node, "metadata", "name"), "n1"},
				{at(node, "metadata", "creationTimestamp"), "2026-11-02T07:11:09Z"},
				{at(node, "status", "nodeInfo", "bootID"), "598fc510-c67b-4ed4-b3d8-9ae30a8c8ff5"},
				{at(node, "status", "nodeInfo", "machineID"), "0c5e3f1a9b7d4e62a1f08b3c7d9e5f21"},
				{at(node, "status", "nodeInfo", "kubeletVersion"), "v1.30.14"},
				{at(node, "status", "nodeInfo", "containerRuntimeVersion"), "containerd://1.7.27"},
				{at(node, "status", "conditions", 1, "type"), "Ready"},
				{at(node, "status", "conditions", 1, "status"), "True"},
				{at(node, "status", "conditions", 1, "lastTransitionTime"), "2026-11-21T09:20:51Z"},
				{at(node, "status", "conditions", 1, "message"), "kubelet is posting ready status: AppArmor enabled"},
				{at(boot, "reason"), "Rebooted"},
				{at(boot, "involvedObject", "kind"), "Node"},
				// The file is of 09:30:00, which the lease of 09:29:55 allows.
				{at(boot, "lastTimestamp"), "2026-11-21T09:20:46Z"},
			} {
				if c.got != c.want {
					t.Errorf("got %v, want %v", c.got, c.want)
				}
			}
		})
	}
}
