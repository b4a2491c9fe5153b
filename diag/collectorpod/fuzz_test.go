package collectorpod

import (
	"slices"
	"strings"
	"testing"
)

// What an event says leads to a pod without some directories, never to one with more.
func FuzzAbsent(f *testing.F) {
	mounts := []mount{{"crio", "/run/crio", directory}, {"dbus", "/run/dbus/system_bus_socket", socket},
		{"log", "/run/log", directory}}
	f.Add("hostPath type check failed: /run/crio is not a directory")
	f.Add(`MountVolume.SetUp failed for volume "x" : hostPath type check failed: /run/log is not a directory`)
	f.Add(
		`hostPath type check failed, /run/log is not a directory, unable to determine its type: path "/run/log" does not exist`)
	f.Add("hostPath type check failed: ")
	f.Fuzz(func(t *testing.T, message string) {
		for _, p := range absent(message, mounts) {
			if !slices.ContainsFunc(mounts, func(m mount) bool {
				return m.path == p && (strings.Contains(message, p) || strings.Contains(message, `"`+m.name+`"`))
			}) {
				t.Errorf("%q: the node has no %q", message, p)
			}
		}
	})
}

func FuzzParseGrants(f *testing.F) {
	f.Add("cri,proc")
	f.Add("cri,cri,")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseGrants(strings.Split(text, ","))
		if err != nil {
			return
		}
		if len(got) == 0 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%q: %v", text, got)
		}
		for _, g := range got {
			if !slices.Contains(Grants(), g) {
				t.Errorf("%q grants %q", text, g)
			}
		}
	})
}
