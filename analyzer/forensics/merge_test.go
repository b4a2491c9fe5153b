package forensics

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Transplanting the pod's own template yields the pod.
func TestTheOwnTemplateBecomesThePod(t *testing.T) {
	for _, e := range edits(base()) {
		own := base()
		if !e.do(own) {
			continue
		}
		now := base()
		if got := transplanted(own, now, own); asJSON(t, got) != asJSON(t, now) &&
			e.field != "env[0]" && e.field != "env[1]" && e.field != "env[2]" {
			t.Errorf("%s:\n%s", e.field, cmp.Diff(now, got))
		}
	}
	if got := transplanted(nil, base(), bare()); asJSON(t, got) != asJSON(t, bare()) {
		t.Error("without a template of its own nothing is known of admission")
	}
}

func TestWhatAdmissionDidIsDoneToAnotherTemplate(t *testing.T) {
	type change = func(*corev1.Container)
	env := func(pairs ...string) change {
		return func(c *corev1.Container) {
			for i := 0; i < len(pairs); i += 2 {
				c.Env = append(c.Env, corev1.EnvVar{Name: pairs[i], Value: pairs[i+1]})
			}
		}
	}
	memory := func(limit string) change {
		return func(c *corev1.Container) {
			if c.Resources.Limits == nil {
				c.Resources.Limits = corev1.ResourceList{}
			}
			c.Resources.Limits[corev1.ResourceMemory] = resource.MustParse(limit)
		}
	}
	port := func(container, host int32) change {
		return func(c *corev1.Container) {
			c.Ports = append(c.Ports, corev1.ContainerPort{ContainerPort: container, HostPort: host, Protocol: "TCP"})
		}
	}
	image := func(name string) change { return func(c *corev1.Container) { c.Image = name } }
	policy := func(p corev1.PullPolicy) change { return func(c *corev1.Container) { c.ImagePullPolicy = p } }
	probe := func(seconds int32) change {
		return func(c *corev1.Container) { c.LivenessProbe = &corev1.Probe{PeriodSeconds: seconds} }
	}
	none := func(*corev1.Container) {}
	for name, test := range map[string]struct{ base, now, template, want change }{
		"variables before and behind": {env("A", "1"), env("P", "p", "A", "1", "Z", "z"),
			env("A", "0", "B", "1"), env("P", "p", "A", "0", "B", "1", "Z", "z")},
		"a variable of a list without any": {none, env("Z", "z"), env("A", "0"), env("A", "0", "Z", "z")},
		"a variable that the template has": {none, env("Z", "z"), env("Z", "own"), env("Z", "own")},
		"a value that was replaced":        {env("A", "1"), env("A", "2"), env("A", "1", "B", "1"), env("A", "2", "B", "1")},
		"a value that is the template's":   {env("A", "1"), env("A", "2"), env("A", "3"), env("A", "3")},
		"a list that admission emptied":    {env("A", "1"), none, env("A", "1"), env("A", "1")},
		"a limit that the template lacks":  {none, memory("1Gi"), none, memory("1Gi")},
		"a limit of its own":               {none, memory("1Gi"), memory("2Gi"), memory("2Gi")},
		"a policy over the same one": {policy("IfNotPresent"), policy("Always"),
			policy("IfNotPresent"), policy("Always")},
		"a policy over another one":       {policy("IfNotPresent"), policy("Always"), policy("Never"), policy("Never")},
		"a field that went":               {probe(5), none, probe(5), none},
		"a field that the template lacks": {probe(5), probe(7), none, none},
		"a field with an own value":       {probe(5), probe(7), probe(6), probe(6)},
		"host ports":                      {port(80, 0), port(80, 80), port(80, 0), port(80, 80)},
		"a port more": {port(80, 0), func(c *corev1.Container) { port(80, 0)(c); port(90, 0)(c) },
			port(80, 0), func(c *corev1.Container) { port(80, 0)(c); port(90, 0)(c) }},
		"an image edited in place": {image("web:2"), image("web:7"), image("web:1"), image("web:1")},
		"an image of a mirror":     {image("web:2"), image("mirror/web:2"), image("web:1"), image("mirror/web:1")},
		"no image in the template": {image(""), image("web:2"), image("web:1"), image("web:1")},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(f change) *corev1.Container {
				c := bare()
				f(c)
				return c
			}
			template := of(test.template)
			got := transplanted(of(test.base), of(test.now), template)
			if asJSON(t, got) != asJSON(t, of(test.want)) {
				t.Error(cmp.Diff(of(test.want), got))
			}
			if asJSON(t, template) != asJSON(t, of(test.template)) {
				t.Error("the template was changed")
			}
		})
	}
}

var hugeAmount = regexp.MustCompile(`[0-9.][eE]`)

// Whatever three containers contain, they are merged and compared without a panic, and nothing is changed.
func FuzzTransplant(f *testing.F) {
	for _, c := range []*corev1.Container{base(), bare(), {}} {
		raw, err := json.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, []byte(`{"name":"app","env":[{"name":"A"},{"name":"A"}],"ports":[{}]}`), raw)
	}
	f.Add([]byte(`{"env":null}`), []byte(`{"env":[{}],"securityContext":{"capabilities":{"add":["X"]}}}`),
		[]byte(`{"resources":{"limits":{"cpu":"1"}}}`))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		var of [3]corev1.Container
		for i, raw := range [][]byte{a, b, c} {
			// Amounts with huge exponents are refused at input: parsing them takes minutes.
			if len(raw) > 4096 || hugeAmount.Match(raw) || json.Unmarshal(raw, &of[i]) != nil {
				return
			}
		}
		before := asJSON(t, &of[2])
		got := transplanted(&of[0], &of[1], &of[2])
		if asJSON(t, &of[2]) != before {
			t.Error("the template was changed")
		}
		for _, d := range differing(&of[1], got) {
			if d.field == "" {
				t.Error("a field without a name")
			}
		}
		if n := len(differing(got, got)); n != 0 {
			t.Errorf("%d fields differ from themselves", n)
		}
	})
}
