package kubeletlog

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Who knows the kubelet's PID, and has a newline in the output of a probe, writes a line that looks like the kubelet's.
func TestALineBehindAPlainOutput(t *testing.T) {
	const own, other = "0b222463-b4cd-48ff-b717-ecaa167c7f92", "1c333463-b4cd-48ff-b717-ecaa167c7f92"
	plain := `Liveness probe for "x_ns(` + other + `):a" failed (failure): no`
	errored := strings.Replace(plain, "failed (failure)", "errored", 1)
	quoted := `"Probe failed" probeType="Liveness" pod="ns/x" podUID="` + other + `" containerName="a" output="x"`
	for name, c := range map[string]struct {
		probe  string
		writer evidence.Voucher
		after  time.Duration
		want   bool
	}{
		"at once":                       {plain, evidence.Unvouched + 1, 0, true},
		"later, by the journal":         {plain, evidence.Unvouched + 1, 150 * time.Millisecond, false},
		"later, by the line's own time": {plain, evidence.Unvouched, 150 * time.Millisecond, true},
		"much later":                    {plain, evidence.Unvouched, 2 * time.Second, false},
		"a probe of the same pod":       {strings.Replace(plain, other, own, 1), evidence.Unvouched, 0, false},
		"a probe that could not be run": {errored, evidence.Unvouched, 0, false},
		"an output that is quoted":      {quoted, evidence.Unvouched, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Parser{Known: true}
			inside := false
			add := func(at time.Duration, file, text string) {
				p.Add(evidence.Entry{Time: t0.Add(at), Writer: c.writer, Message: from(812, file, text), PID: 812},
					func(o evidence.Observation) { inside = o.Source.Inside })
			}
			add(-time.Minute, "server.go", "Version: v1.20.15")
			add(0, "prober.go", c.probe)
			add(c.after, "kuberuntime_manager.go", `Container "a" ({"containerd" "`+strings.Repeat("1", 64)+
				`"}) of pod web-0_shop(`+own+`): Container a failed liveness probe, will be restarted`)
			if inside != c.want {
				t.Errorf("inside: %v, want %v", inside, c.want)
			}
		})
	}
}

// A container ends an output of several lines behind a NUL, where journald begins a new entry.
func TestALineBehindABlock(t *testing.T) {
	const own, other = "0b222463-b4cd-48ff-b717-ecaa167c7f92", "1c333463-b4cd-48ff-b717-ecaa167c7f92"
	head := func(uid string) string {
		return `"Probe failed" probeType="Readiness" pod="ops/evil" podUID="` + uid +
			`" containerName="a" probeResult="failure" output=<`
	}
	const killing = `"Killing container with a grace period" pod="shop/web-0" podUID="` + own +
		`" containerName="a" containerID="containerd://1111" gracePeriod=30`
	const decided = `"Message for Container of pod" containerName="a" pod="shop/web-0" containerMessage=` +
		`"Container a failed liveness probe, will be restarted" containerStatusID={"Type":"containerd","ID":"1111"}`
	for name, c := range map[string]struct {
		uid    string
		writer evidence.Voucher
		after  time.Duration
		line   string
		want   bool
	}{
		"at once, by UID":                {other, evidence.Vouched, time.Millisecond, killing, true},
		"at once, by name":               {other, evidence.Vouched, time.Millisecond, decided, true},
		"later":                          {other, evidence.Vouched, 150 * time.Millisecond, killing, false},
		"a probe of the same pod":        {own, evidence.Vouched, time.Millisecond, killing, false},
		"a text, which proves not alone": {other, evidence.Unvouched, time.Millisecond, killing, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Parser{Known: true}
			inside, said := false, 0
			add := func(at time.Duration, text string) {
				p.Add(evidence.Entry{Time: t0.Add(at), Writer: c.writer, Message: text, PID: 812},
					func(o evidence.Observation) { inside, said = o.Source.Inside, said+1 })
			}
			add(-time.Minute, from(812, "server.go", `"Kubelet version" kubeletVersion="v1.30.14"`))
			add(0, from(812, "prober.go", head(c.uid)))
			add(0, "\thello")
			add(0, " >")
			before := said
			add(c.after, from(812, "kuberuntime_container.go", c.line))
			if inside != c.want || said == before {
				t.Errorf("inside: %v, want %v (%d statements)", inside, c.want, said)
			}
		})
	}
}
