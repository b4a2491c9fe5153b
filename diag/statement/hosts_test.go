package statement

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// One file may have the lines of several machines, and one machine may write under several names. Each line is of a
// host, and comes a second after the one before.
func TestEachMachineOfALogIsRead(t *testing.T) {
	boots := func(host string) evidence.Entry {
		return evidence.Entry{Host: host, Kernel: true, Unit: "kernel", Message: "Linux version 6.1.0"}
	}
	kubelet := func(host string, pid int) evidence.Entry {
		return evidence.Entry{Host: host, Unit: "kubelet", PID: pid, Message: kubeletLine}
	}
	const booted, judged = "kernel.booted", "kubelet.sandbox-judged"
	for _, c := range []struct {
		name    string
		node    string
		entries []evidence.Entry
		want    []string
	}{
		{"one machine", "n1", []evidence.Entry{boots("n1"), kubelet("n1", 80)}, []string{"n1 " + booted, "n1 " + judged}},
		{"another name than the node's", "n1", []evidence.Entry{kubelet("ip-10-0-0-7", 80)}, []string{"n1 " + judged}},
		{"the host's domain", "", []evidence.Entry{kubelet("n1.example.org", 80), kubelet("N1", 80)},
			[]string{"n1.example.org " + judged}},
		{"two addresses", "", []evidence.Entry{kubelet("10.0.0.1", 80), kubelet("10.0.0.2", 80)},
			[]string{"10.0.0.1 " + judged, "10.0.0.2 " + judged}},
		{"no name before the first boot is over", "n1", []evidence.Entry{boots("localhost"), kubelet("ip-7", 80)},
			[]string{"n1 " + booted, "n1 " + judged}},
		{"no name during a later boot", "n1",
			[]evidence.Entry{kubelet("n1", 80), boots("localhost"), kubelet("n1", 70)},
			[]string{"n1 " + booted, "n1 " + judged}},
		{"two machines", "n1", []evidence.Entry{kubelet("n1", 80), kubelet("n2", 80), boots("n2"), kubelet("n1", 80)},
			[]string{"n1 " + judged, "n2 " + booted, "n2 " + judged}},
		{"one that boots beside", "n1",
			[]evidence.Entry{kubelet("n1", 80), boots("n2"), kubelet("n1", 80), kubelet("n2", 80)},
			[]string{"n1 " + judged, "n2 " + booted, "n2 " + judged}},
		{"one that boots at the end", "n1", []evidence.Entry{kubelet("n1", 80), boots("n2")},
			[]string{"n1 " + judged, "n2 " + booted}},
		{"a daemon without numbers", "n1", []evidence.Entry{kubelet("n1", 0), boots("n2"), kubelet("n1", 0)},
			[]string{"n1 " + judged, "n2 " + booted}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := evidence.NewBuilder(t0)
			h := NewHosts(b, Options{Node: c.node})
			for i, e := range c.entries {
				e.Time = t0.Add(time.Duration(i) * time.Second)
				h.Add(e)
			}
			h.Cut()
			h.Close()
			var got []string
			machines := map[*evidence.Origin]string{}
			for _, o := range b.Build().Observations {
				got = append(got, o.Subject.Node+" "+o.Fact.Statement())
				if of := machines[o.Source.Origin]; of != "" && of != o.Subject.Node {
					t.Errorf("%s and %s have one origin", of, o.Subject.Node)
				}
				machines[o.Source.Origin] = o.Subject.Node
			}
			slices.Sort(got) // a parser holds some lines back
			if d := cmp.Diff(c.want, slices.Compact(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// What waits for a decision is bounded.
func TestNoMachineWaitsForEver(t *testing.T) {
	h := NewHosts(evidence.NewBuilder(t0), Options{Node: "n1"})
	h.Add(evidence.Entry{Time: t0, Host: "n1", Unit: "kubelet", PID: 80, Message: kubeletLine})
	for range 3 * maxHeld {
		h.Add(evidence.Entry{Time: t0, Host: "printer", Unit: "cups", Message: "x"})
	}
	if len(h.held) > 0 || len(h.others) != 1 {
		t.Errorf("%d entries wait, %d other machines", len(h.held), len(h.others))
	}
}
