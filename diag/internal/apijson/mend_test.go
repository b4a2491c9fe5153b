package apijson

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// What programs make of objects that they write down again: the rest of the object is still worth reading.
func TestAFieldThatCannotBeReadCostsOnlyItself(t *testing.T) {
	const base = `{"metadata":{"name":"web-0"},"spec":{"containers":[{"name":"app"}]}}`
	for name, c := range map[string]struct {
		raw, want string
		left      []string
	}{
		"numbers in quotes": {
			raw: `{"metadata":{"name":"web-0"},"spec":{"terminationGracePeriodSeconds":"30"},
				"status":{"containerStatuses":[{"name":"app","ready":"false","restartCount":"4",
				"lastState":{"terminated":{"exitCode":"137"}}}]}}`,
			want: `{"metadata":{"name":"web-0"},"spec":{"terminationGracePeriodSeconds":30},
				"status":{"containerStatuses":[{"name":"app","ready":false,"restartCount":4,
				"lastState":{"terminated":{"exitCode":137}}}]}}`,
		},
		"a code of Windows without a sign": {
			raw:  `{"status":{"containerStatuses":[{"lastState":{"terminated":{"exitCode":3221225786}}}]}}`,
			want: `{"status":{"containerStatuses":[{"lastState":{"terminated":{"exitCode":-1073741510}}}]}}`,
		},
		"a code that none has": {
			raw:  `{"status":{"containerStatuses":[{"lastState":{"terminated":{"exitCode":9999999999,"reason":"Error"}}}]}}`,
			want: `{"status":{"containerStatuses":[{"lastState":{"terminated":{"reason":"Error"}}}]}}`,
			left: []string{"/status/containerStatuses/0/lastState/terminated/exitCode"},
		},
		"a name that is a number": {
			raw:  `{"metadata":{"name":7,"labels":{"tier":1,"canary":true}}}`,
			want: `{"metadata":{"name":"7","labels":{"tier":"1","canary":"true"}}}`,
		},
		"no quantity": {
			raw:  `{"metadata":{"name":"web-0"},"spec":{"containers":[{"name":"app","resources":{"limits":{"memory":"256mi"}}}]}}`,
			want: `{"metadata":{"name":"web-0"},"spec":{"containers":[{"name":"app","resources":{"limits":{}}}]}}`,
			left: []string{"/spec/containers/0/resources/limits/memory"},
		},
		"a time that is none": {
			raw:  `{"metadata":{"name":"web-0","creationTimestamp":"yesterday"},"spec":{"containers":[{"name":"app"}]}}`,
			want: base, left: []string{"/metadata/creationTimestamp"},
		},
		"elements that are none": {
			raw:  `{"spec":{"containers":[{"name":"app","args":["a",{"b":[1,{}]},3]}, "b"]}}`,
			want: `{"spec":{"containers":[{"name":"app","args":["a","","3"]},{}]}}`,
			left: []string{"/spec/containers/0/args/1", "/spec/containers/1"},
		},
		"an object for a list, twice": {
			raw:  `{"metadata":{"name":"web-0"},"status":{"conditions":{"a":[{"b":1}]},"conditions":{}},"spec":{"containers":[{"name":"app"}]}}`,
			want: base, left: []string{"/status/conditions", "/status/conditions"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var want, got corev1.Pod
			if err := Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			mended, left := Mend([]byte(c.raw), func(raw []byte) error {
				got = corev1.Pod{}
				return Unmarshal(raw, &got)
			})
			if diff := cmp.Diff(want, got); mended == nil || diff != "" || !slices.Equal(left, c.left) {
				t.Errorf("left out %q, mended %s (-want +got):\n%s", left, mended, diff)
			}
		})
	}
	for name, raw := range map[string]string{
		"cut": `{"metadata":{"name":"web-0","generation":"a`, "no object": `7`, "a list": `[{"name":"app"}]`,
	} {
		mended, left := Mend([]byte(raw), func(raw []byte) error { return Unmarshal(raw, new(corev1.Pod)) })
		if mended != nil {
			t.Errorf("%s: %s, %q", name, mended, left)
		}
	}
}

func FuzzMend(f *testing.F) {
	f.Add([]byte(`{"spec":{"containers":[{"name":7,"args":["a",{}]}]},"status":{"startTime":1}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		decode := func(raw []byte) error { return Unmarshal(raw, new(corev1.Pod)) }
		if mended, _ := Mend(raw, decode); mended != nil && decode(mended) != nil {
			t.Errorf("%s became %s", raw, mended)
		}
	})
}
