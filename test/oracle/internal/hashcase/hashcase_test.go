package hashcase

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

func drivers() []hashdriver.Driver { return slices.Concat(hashdriver.Eras...) }

// TestTheRecordedAnswersOfRealReleasesAreOurs replays what `make oracle-record` recorded.
func TestTheRecordedAnswersOfRealReleasesAreOurs(t *testing.T) {
	packed, err := os.ReadFile(filepath.Join("testdata", VectorFile))
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) > 300<<10 {
		t.Errorf("%d KiB of vectors, want 300 at most", len(packed)>>10)
	}
	vectors, err := peer.Unpack[Vector](packed)
	if err != nil || len(vectors) < 500 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for _, d := range drivers() {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			for i, v := range vectors {
				c, err := Read(v.Case)
				if err != nil {
					t.Fatal(err)
				}
				minor := d.From + i%(d.To-d.From+1)
				if got := Ours(d, minor, c); got != v.Answers[d.String()] {
					t.Fatalf("vector %d, v1.%d: %s, upstream %s\n%s", i, minor, got, v.Answers[d.String()], v.Case)
				}
			}
		})
	}
}

func TestTheSeedDecidesTheCases(t *testing.T) {
	a, b, c := NewGenerator(3), NewGenerator(3), NewGenerator(4)
	same := true
	for range 100 {
		line := a.Next()
		if !bytes.Equal(line, b.Next()) {
			t.Fatal("one seed made different cases")
		}
		same = same && bytes.Equal(line, c.Next())
	}
	if same {
		t.Error("two seeds made the same cases")
	}
}

// seenPaths records each field's path with the kind of its value.
func seenPaths(seen map[string]bool, path string, v any) {
	switch v := v.(type) {
	case nil:
		seen[path+" null"] = true
	case map[string]any:
		if len(v) == 0 {
			seen[path+" empty"] = true
		}
		for k, inner := range v {
			if strings.HasSuffix(path, "/limits") || strings.HasSuffix(path, "/requests") {
				k = "*"
			}
			seenPaths(seen, path+"/"+k, inner)
		}
	case []any:
		if len(v) == 0 {
			seen[path+" empty"] = true
		}
		for _, inner := range v {
			seenPaths(seen, path+"[]", inner)
		}
	default:
		seen[path+" set"] = true
	}
}

// fieldPaths lists the path of every leaf of a type, and of its lists with the kinds that must have been seen.
func fieldPaths(path string, t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Pointer:
		return fieldPaths(path, t.Elem())
	case reflect.Slice:
		return append(fieldPaths(path+"[]", t.Elem()), path+" empty", path+" null")
	case reflect.Map:
		return []string{path + "/* set", path + "/* null", path + " empty", path + " null"}
	case reflect.Struct:
		if t.Name() == "Quantity" || t.Name() == "IntOrString" {
			return []string{path + " set", path + " null"}
		}
		var all []string
		for i := range t.NumField() {
			f := t.Field(i)
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key == "" {
				all = append(all, fieldPaths(path, f.Type)...)
			} else {
				all = append(all, fieldPaths(path+"/"+key, f.Type)...)
			}
		}
		return all
	}
	return []string{path + " set"}
}

func TestTheGeneratorSetsEveryFieldInEveryWay(t *testing.T) {
	g, seen := NewGenerator(7), map[string]bool{}
	for range 12000 {
		line := g.Next()
		if _, err := Read(line); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("not one line: %q", line)
		}
		var v map[string]any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		seenPaths(seen, "", v["container"])
		seen[fmt.Sprint("touch ", v["touch"])] = true
	}
	want := append(fieldPaths("", reflect.TypeFor[corev1.Container]()), "touch 1", "touch 2", "/aFieldOfTomorrow set")
	if len(want) < 150 {
		t.Fatalf("only %d ways to set a field known", len(want))
	}
	for _, path := range want {
		if !seen[path] {
			t.Errorf("never seen: %s", path)
		}
	}
}

func TestAStringMayHoldWhatEncodersTreatInDifferentWays(t *testing.T) {
	g, text := NewGenerator(1), []byte{}
	for range 5000 {
		text = append(text, g.Next()...)
	}
	for _, f := range fragments {
		if !bytes.Contains(text, []byte(f)) {
			t.Errorf("no case holds %q", f)
		}
	}
	for _, q := range quantities {
		if !bytes.Contains(text, []byte(q)) {
			t.Errorf("no case holds the quantity %s", q)
		}
	}
}

func TestATouchedQuantityIsAnotherOneInside(t *testing.T) {
	hashes := map[string]bool{}
	d15, d16 := hashdriver.Choose(15)[0], hashdriver.Choose(16)[0]
	for touch := range touches {
		c, err := Read(fmt.Appendf(nil, `{"touch":%d,"container":{"resources":{"limits":{"cpu":"1.0001"}}}}`, touch))
		if err != nil {
			t.Fatal(err)
		}
		hashes[Ours(d15, 15, c)] = true
		if cpu := c.Resources.Limits["cpu"]; touch != Rounded && cpu.String() != "1000100u" {
			t.Errorf("touch %d made the quantity %s", touch, cpu.String())
		}
		if got, want := Ours(d16, 16, c), Ours(d16, 16, c.DeepCopy()); got != want {
			t.Errorf("%s and %s for one container", got, want)
		}
	}
	if len(hashes) != int(touches) {
		t.Errorf("%d hashes for %d ways to touch", len(hashes), touches)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	if _, err := Read([]byte(`{"container":{"name":1}}`)); err == nil || !strings.HasPrefix(err.Error(), "read case: ") {
		t.Errorf("err = %v", err)
	}
}

func TestADifferenceShrinksToWhatCausesIt(t *testing.T) {
	line := []byte(
		`{"touch":1,"container":{"name":"abc","image":"i","args":["x","a<b","y"],"env":[{"name":"E","value":"v"}],"tty":true}}` + "\n")
	asked := 0
	got := peer.Shrink(line, func(smaller []byte) bool {
		asked++
		c, err := Read(smaller)
		return err == nil && slices.ContainsFunc(c.Args, func(s string) bool { return strings.Contains(s, "<") })
	})
	c, err := Read(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&corev1.Container{Args: []string{"<"}}, c); diff != "" {
		t.Errorf("after %d questions %s (-want +got):\n%s", asked, got, diff)
	}
	if got := peer.Shrink([]byte("no case"), func([]byte) bool { return true }); string(got) != "no case" {
		t.Errorf("what is no JSON became %q", got)
	}
}

func TestShrinkingKeepsWhatTheDifferenceNeeds(t *testing.T) {
	full := `{"touch":1,"container":{"name":"ab","image":"x","env":[{"name":"E"},{"name":"F","value":"v"}],"tty":true,` +
		`"resources":{"limits":{"cpu":"1","memory":"2"}},"livenessProbe":{"httpGet":{"port":8080},"periodSeconds":3}}}`
	tests := map[string]struct {
		differs func(c *corev1.Container) bool
		want    string
	}{
		"one field": {func(c *corev1.Container) bool { return c.TTY }, `{"container":{"tty":true}}`},
		"two fields together": {func(c *corev1.Container) bool { return c.TTY && c.Image != "" },
			`{"container":{"image":"x","tty":true}}`},
		"one of two elements": {func(c *corev1.Container) bool { return len(c.Env) > 0 && c.Env[len(c.Env)-1].Value != "" },
			`{"container":{"env":[{"value":"v"}]}}`},
		"the number of them": {func(c *corev1.Container) bool { return len(c.Env) == 2 }, `{"container":{"env":[{},{}]}}`},
		"a key of a map": {func(c *corev1.Container) bool { return !c.Resources.Limits.Memory().IsZero() },
			`{"container":{"resources":{"limits":{"memory":"2"}}}}`},
		"something deep": {func(c *corev1.Container) bool {
			return c.LivenessProbe != nil && c.LivenessProbe.HTTPGet != nil
		}, `{"container":{"livenessProbe":{"httpGet":{}}}}`},
		"nothing in the case": {func(*corev1.Container) bool { return true }, `{}`},
		"what cannot be spared": {func(c *corev1.Container) bool { return len(c.Name) == 2 && c.LivenessProbe != nil },
			`{"container":{"livenessProbe":{},"name":"ab"}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := peer.Shrink([]byte(full+"\n"), func(line []byte) bool {
				c, err := Read(line)
				return err == nil && test.differs(c)
			})
			if diff := cmp.Diff(test.want+"\n", string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCasesAreMostlySmallAndSometimesLarge(t *testing.T) {
	g, sizes := NewGenerator(2), []int{}
	touched := map[Touch]int{}
	for range 4000 {
		line := g.Next()
		sizes = append(sizes, len(line))
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		touched[c.Touch]++
	}
	slices.Sort(sizes)
	if median, largest := sizes[len(sizes)/2], sizes[len(sizes)-1]; median > 500 || largest < 3000 {
		t.Errorf("half have up to %d bytes, the largest %d", median, largest)
	}
	for touch, n := range touched {
		if touch != Untouched && (n < 100 || n > 500) {
			t.Errorf("%d of 4000 cases are touched as %d", n, touch)
		}
	}
	if len(touched) != int(touches) {
		t.Errorf("touched in %d ways, want %d", len(touched), touches)
	}
}

func TestTheTwoWaysOfAskingOursMustAgree(t *testing.T) {
	c, err := Read([]byte(`{"container":{"name":"a","args":["\b"],"startupProbe":{"terminationGracePeriodSeconds":5}}}`))
	if err != nil {
		t.Fatal(err)
	}
	early, late := hashdriver.Choose(29)[0], hashdriver.Choose(29)[1]
	if a, b := Ours(early, 29, c), Ours(late, 29, c); a == b || strings.Contains(a+b, ":") {
		t.Errorf("the backspace is written in two ways, the answers are %s and %s", a, b)
	}
	// A driver that claims minor versions with different types.
	wrong := hashdriver.Driver{Release: "v1.20.15", From: 20, To: 21}
	if got := Ours(wrong, 20, c); !strings.HasPrefix(got, "all: v1.20 has ") {
		t.Errorf("minors that differ gave %s", got)
	}
	if got := Ours(hashdriver.Driver{Release: "v1.20.15", From: 20, To: 20}, 21, c); !strings.HasPrefix(got, "all has ") {
		t.Errorf("Hash for another minor gave %s", got)
	}
	if got := Ours(hashdriver.Driver{Release: "v1.4.0", From: 4, To: 4}, 4, c); !strings.HasPrefix(got, "hash: ") {
		t.Errorf("a minor without a hash gave %s", got)
	}
}

func TestVectorsComeBackAsTheyWerePacked(t *testing.T) {
	want := []Vector{{Case: json.RawMessage(`{"container":{}}`), Answers: map[string]string{"v1.5.8": "1"}}}
	for i := range 50 {
		want = append(want, Vector{Case: json.RawMessage(fmt.Sprintf(`{"container":{"name":"%d"}}`, i)),
			Answers: map[string]string{"v1.6.13": "2 3"}})
	}
	packed, err := peer.Pack(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := peer.Unpack[Vector](packed)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := peer.Unpack[Vector]([]byte("no zstd")); err == nil {
		t.Error("what is no archive was unpacked")
	}
	if _, err := peer.Pack([]Vector{{Case: json.RawMessage("{")}}); err == nil {
		t.Error("what is no JSON was packed")
	}
}

// FuzzOurs checks that both functions agree on any container that decodes.
func FuzzOurs(f *testing.F) {
	g := NewGenerator(1)
	for range 200 {
		f.Add(g.Next())
	}
	f.Add([]byte(`{"container":{"resources":{"limits":{"cpu":"1e999"}},"livenessProbe":{"tcpSocket":{"port":"\ud800"}}}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := Read(line)
		if err != nil {
			return
		}
		for _, d := range drivers() {
			if got := Ours(d, d.To, c); strings.Contains(got, "has") || strings.Contains(got, ":") {
				t.Errorf("%s: %s", d, got)
			}
		}
	})
}
