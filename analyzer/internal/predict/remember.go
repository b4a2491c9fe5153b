package predict

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// key is everything that an outcome depends on.
type key struct {
	profile *kubelet.Profile
	spec    int
	who     string
	ended   [maxContainers]int16
	later   bool // the sandbox is not the pod's first
	s       sim.Hypothesis
	code    int32
}

func (p *Predictor) keyOf(g *inputs) key {
	return key{profile: g.profile, spec: p.number(g.object.Spec), who: g.restart.Container,
		ended: g.ended, later: g.box != nil && g.box.Attempt > 0}
}

// outcome plays a hypothesis, or returns the cached outcome. It is nil where no state can be made.
func (p *Predictor) outcome(s sim.Hypothesis, code int32) *sim.Outcome {
	k := p.now.key
	k.s = s
	if s.OfCode() {
		k.code = code // what policies and rules depend on
	}
	out, known := p.outcomes[k]
	if !known {
		if x := p.now.inputs.state(); x != nil {
			s.Apply(x, p.now.inputs.argument(code))
			o, _ := x.Play(k.who, false)
			out = &o
		}
		p.outcomes[k] = out
	}
	return out
}

// number returns the same number for pods whose specs make no difference to the decision.
func (p *Predictor) number(pod *corev1.PodSpec) int {
	n, known := p.pods[pod]
	if !known {
		shape := specShape(pod)
		if n, known = p.specs[shape]; !known {
			n = len(p.specs)
			p.specs[shape] = n
		}
		p.pods[pod] = n
	}
	return n
}

// specShape encodes what a decision reads of a spec. Resources are left out: no hypothesis depends on them, and a state
// has those of the present spec.
func specShape(s *corev1.PodSpec) string {
	b := append([]byte(s.RestartPolicy), 0)
	flag := func(on bool) {
		b = append(b, map[bool]byte{true: '1', false: '0'}[on])
	}
	flag(s.HostNetwork)
	for _, list := range [][]corev1.Container{s.InitContainers, s.Containers} {
		b = append(b, 0)
		for i := range list {
			c := &list[i]
			b = append(append(b, c.Name...), 0)
			flag(c.LivenessProbe != nil)
			flag(c.StartupProbe != nil)
			if c.RestartPolicy != nil {
				b = append(b, *c.RestartPolicy...)
			}
			for _, rule := range c.RestartPolicyRules {
				b = append(append(append(b, 0), rule.Action...), rule.ExitCodes.String()...)
			}
		}
	}
	return string(b)
}
