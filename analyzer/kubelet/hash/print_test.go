package hash

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestAPrintSaysHowFarItHolds(t *testing.T) {
	tests := map[string]struct {
		minor   int
		ask     func(*jsonPrint) bool
		printed bool
		until   int
	}{
		"a field that the minor has":        {22, func(p *jsonPrint) bool { return p.since(21) }, true, 30},
		"a field that is new in the minor":  {21, func(p *jsonPrint) bool { return p.since(21) }, true, 30},
		"a field that a later minor brings": {20, func(p *jsonPrint) bool { return p.since(21) }, false, 20},
		"the nearest of two changes counts": {18, func(p *jsonPrint) bool {
			return p.since(27) || p.since(21) || p.since(30)
		}, false, 20},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &jsonPrint{minor: test.minor, until: 30}
			if got := test.ask(p); got != test.printed || p.until != test.until {
				t.Errorf("printed %v, holds to %d; want %v, %d", got, p.until, test.printed, test.until)
			}
		})
	}
}

func TestEveryMinorThatAPrintHoldsForPrintsTheSame(t *testing.T) {
	for line, c := range corpus(t) {
		for minor := LastStruct + 1; minor <= LastWholeSpec; minor++ {
			p := printJSON(minor, true, c)
			for m := minor; m <= p.until; m++ {
				if printJSON(m, true, c).sum != p.sum {
					t.Errorf("corpus line %d: 1.%d is said to hold to 1.%d, 1.%d differs", line+1, minor, p.until, m)
				}
			}
		}
	}
}

func TestPrintingAllMinorsAtOnceIsPrintingEach(t *testing.T) {
	for line, c := range corpus(t) {
		p := printStruct(fnvStructFrom, LastStruct, c)
		for i, minor := 0, fnvStructFrom; minor <= LastStruct; minor++ {
			if i+1 < len(p.sums) && p.sums[i+1].from == minor {
				i++
			}
			if want := naiveFNV([]byte(textOf(minor, c))); p.sums[i].sum != want {
				t.Errorf("corpus line %d, 1.%d: %x together, want %x", line+1, minor, p.sums[i].sum, want)
			}
		}
		if p.first != 0 {
			t.Errorf("corpus line %d: the print ends without its first minors", line+1)
		}
	}
}

// TestEveryKnownFieldIsAFieldOfTheAPI detects fields that the API has dropped or moved: the order of the table is the
// order of the prints.
func TestEveryKnownFieldIsAFieldOfTheAPI(t *testing.T) {
	seen := map[string]bool{}
	var walk func(s *shape)
	walk = func(s *shape) {
		if s.elem != nil {
			walk(s.elem)
		}
		if s.kind == reflect.Struct && known[s.goType.Name()] != "" {
			seen[s.goType.Name()] = true
		}
		last := -1
		for _, f := range s.fields {
			if f.index <= last {
				t.Errorf("%v: field %d stands behind %d", s.goType, f.index, last)
			}
			last = f.index
			walk(f.shape)
		}
	}
	walk(containerShape())
	if len(seen) != len(known) {
		t.Errorf("%d types of %d are reached", len(seen), len(known))
	}
}

func TestAllIsWhatHashSaysOfEveryMinor(t *testing.T) {
	for line, c := range corpus(t) {
		first := func(minor int, hashes []EraHash) string {
			for _, h := range hashes {
				if h.FromMinor <= minor && minor <= h.ToMinor {
					return h.Hex
				}
			}
			return ""
		}
		all, bare := All(c), AllWithoutResources(c)
		for minor := OldestMinor; minor <= NewestMinor; minor++ {
			if got, want := first(minor, all), mustHash(t, minor, c).Hex; got != want {
				t.Errorf("corpus line %d: All has %s for 1.%d, Hash %s", line+1, got, minor, want)
			}
			if r, err := WithoutResources(minor, c); err == nil && first(minor, bare) != r.Hex {
				t.Errorf("corpus line %d: AllWithoutResources has %s for 1.%d, WithoutResources %s",
					line+1, first(minor, bare), minor, r.Hex)
			}
		}
	}
}

func TestAQuantityIsPrintedWithItsInside(t *testing.T) {
	const none = "d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>}"
	tests := map[string]struct{ quantity, want string }{
		"a whole number keeps its text": {
			`"5"`, "{i:(resource.int64Amount){value:(int64)5 scale:(resource.Scale)0} " +
				none + " s:(string)5 Format:(resource.Format)DecimalSI}"},
		"thousandths keep a scale": {`"100m"`, "{i:(resource.int64Amount){value:(int64)100 scale:(resource.Scale)-3} " +
			none + " s:(string)100m Format:(resource.Format)DecimalSI}"},
		"a fraction has no text": {`"0.5"`, "{i:(resource.int64Amount){value:(int64)5 scale:(resource.Scale)-1} " +
			none + " s:(string) Format:(resource.Format)DecimalSI}"},
		"a binary suffix is multiplied out, the text of few digits stays": {
			`"1Ki"`, "{i:(resource.int64Amount){value:(int64)1024 scale:(resource.Scale)0} " +
				none + " s:(string)1Ki Format:(resource.Format)BinarySI}"},
		"an exponent has a format of its own": {`"1e3"`,
			"{i:(resource.int64Amount){value:(int64)1 scale:(resource.Scale)3} " +
				none + " s:(string)1e3 Format:(resource.Format)DecimalExponent}"},
		"null is nothing at all": {`null`,
			"{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} " +
				none + " s:(string) Format:(resource.Format)}"},
		"what does not fit is a decimal of billionths": {`"-12345678901234567890123"`,
			"{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)true abs:(big.nat)[6432227781343849984 669260594276]} scale:(inf.Scale)9}} s:(string) Format:(resource.Format)DecimalSI}"},
		"less than a billionth is rounded to one": {`"0.0000000001"`,
			"{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)false abs:(big.nat)[1]} scale:(inf.Scale)9}} s:(string) Format:(resource.Format)DecimalSI}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := &corev1.Container{}
			if err := json.Unmarshal([]byte(`{"resources":{"limits":{"cpu":`+test.quantity+`}}}`), c); err != nil {
				t.Fatal(err)
			}
			for minor := OldestMinor; minor <= LastStruct; minor++ {
				_, text, _ := strings.Cut(textOf(minor, c), "ResourceList)map[cpu:")
				text, _, _ = strings.Cut(text, "] Requests:")
				if diff := cmp.Diff(test.want, text); diff != "" {
					t.Fatalf("v1.%d (-want +got):\n%s", minor, diff)
				}
			}
		})
	}
}

func TestABackspaceIsWrittenAsTheGoOfTheMinorDid(t *testing.T) {
	c := &corev1.Container{Name: "a\b\f\\b"}
	for minor, want := range map[int]string{16: `a\u0008\u000c\\b`, 29: `a\u0008\u000c\\b`, 30: `a\b\f\\b`} {
		if got, want := textOf(minor, c), `{"name":"`+want+`","resources":{}}`; got != want {
			t.Errorf("v1.%d: %s, want %s", minor, got, want)
		}
	}
}

// oddStrings are strings that encoders treat differently.
var oddStrings = []string{"", "nginx", "a<b>&c", `q"\`, "ünï", "\u2028\u2029\x00\x7f\x1f",
	"\xff", "\xc3", "a\xf0\x9f", "tab\t\r\n\b\f", "\ufffd", "🦊", "\u2030"}

func TestTextsAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	for _, s := range oddStrings {
		c := &corev1.Container{Name: s, Image: s + "!", Args: []string{s, s}}
		want, err := json.Marshal(map[string]string{"name": c.Name, "image": c.Image})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), textOf(31, c)); diff != "" {
			t.Errorf("name and image %q (-want +got):\n%s", s, diff)
		}
		if want, err = json.Marshal(c); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), textOf(30, c)); diff != "" {
			t.Errorf("container %q (-want +got):\n%s", s, diff)
		}
	}
}

func TestWhatDoesNotEncodeIsHashedAsNothing(t *testing.T) {
	c := baseContainer()
	c.LivenessProbe.TCPSocket = &corev1.TCPSocketAction{Port: intstr.IntOrString{Type: 7}}
	if _, err := json.Marshal(c); err == nil {
		t.Fatal("the container encodes")
	}
	for _, minor := range []int{16, 30} {
		if r := mustHash(t, minor, c); r.Sum != naiveFNV([]byte("([]uint8)<nil>")) || textOf(minor, c) != "" {
			t.Errorf("v1.%d: %+v", minor, r)
		}
	}
	c.Args = []string{"\b"}
	if got := len(All(c)) - len(allStruct(nil, c)); got != 2 {
		t.Errorf("%d entries behind the struct eras, want the JSON era as a whole and the last: %v", got, All(c))
	}
	if got := mustHash(t, 31, c); got.Hex != mustHash(t, 31, baseContainer()).Hex {
		t.Error("1.31 does not look at probes")
	}
}
