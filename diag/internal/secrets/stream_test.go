package secrets

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// messages are messages over many lines with what must not survive of them.
var messages = map[string]string{
	"a container": "E1121 07:43:40.929171 8252 kuberuntime_manager.go:1256] container &Container{Name:a,Image:busybox:1,Command:[sh -c first-canary\nsecond-canary\nI think third-canary],Args:[x\nfourth-canary],WorkingDir:,Env:[]EnvVar{EnvVar{Name:A,Value:fifth-canary\nsixth-canary,ValueFrom:nil,},},} start failed in pod web-0",
	"a hook":      "E1121 07:43:40.929171 8252 x.go:1] PostStart:&LifecycleHandler{Exec:&ExecAction{Command:[sh -c\nfirst-canary\nsecond-canary],},} failed",
	"a key":       "E1121 07:43:40.929171 8252 prober.go:104] \"Probe failed\" output=<\n\t-----BEGIN PRIVATE KEY-----\n\tfirst-canary\n\tsecond-canary\n\t-----END PRIVATE KEY-----\n >",
	"a quoted":    "E1121 07:43:40.929171 8252 x.go:1] {\"password\": \"first-canary\nsecond-canary\nthird-canary\", \"n\": 1}",
	"a block":     "E1121 07:43:40.929171 8252 x.go:1] token: |\n  first-canary\n  second-canary\nend",
	"a value":     "E1121 07:43:40.929171 8252 x.go:1] password:\nfirst-canary\nend",
	"a short":     "pw:\nfirst-canary\nend",
	"a variable":  "x\n- name: DB_PASSWORD\n  value: first-canary\nend",
	"a scheme":    "x Authorization: Bearer\n  first-canary\nend",
	"a shell":     "x export DB_PASSWORD=\\\n  first-canary\nend",
	"a cut key":   "x -----BEGIN EC PRIVATE KEY-----\nfirst-canary\nsecond-canary",
	"a header":    "x &HTTPHeader{Name:A,Value:first-canary\nsecond-canary,},} y",
}

const next = `I1121 07:43:41.000000 8252 kubelet.go:1] "Killing container with a grace period" pod="shop/web-0"`

// Nothing of a secret survives, wherever its lines are torn, and what comes behind the
// message is there.
func TestASecretIsGoneFromAllItsLines(t *testing.T) {
	for what, message := range messages {
		if got := Text(message); strings.Contains(got, "canary") {
			t.Errorf("%s, assembled: %q", what, got)
		}
		var s Cleaner
		var out []string
		lines := append(strings.Split(message, "\n"), next)
		for i, line := range lines {
			out = append(out, s.Line("80", line))
			// Another writer's lines stand between.
			if got := s.Line("81", "other line"); got != "other line" {
				t.Errorf("%s: another writer's line became %q", what, got)
			}
			if strings.Contains(out[i], "\n") {
				t.Errorf("%s: a line became several: %q", what, out[i])
			}
		}
		if got := strings.Join(out, "\n"); strings.Contains(got, "canary") {
			t.Errorf("%s: %q", what, got)
		}
		if out[len(out)-1] != next {
			t.Errorf("%s: the next message became %q", what, out[len(out)-1])
		}
	}
}

func TestWhatFollowsASecretIsLeft(t *testing.T) {
	var s Cleaner
	var out []string
	for line := range strings.SplitSeq("a token: |\n  x1\nplain\nb \"secret\": \"y1\ny2\" behind\nlast", "\n") {
		out = append(out, s.Line("", line))
	}
	for _, line := range []string{"a name: db-token", "node12x is ready"} {
		if got := s.Line("", line); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
	if !slices.Contains(out, "plain") || !slices.Contains(out, "last") || !strings.HasSuffix(out[4], "behind") {
		t.Errorf("%q", out)
	}
}

func TestManyWritersCostLittle(t *testing.T) {
	var s Cleaner
	for i := range 10 * maxWriters {
		s.Line(strings.Repeat("x", i%1000), "-----BEGIN KEY-----")
	}
	if len(s.by) > maxWriters {
		t.Errorf("%d writers are remembered", len(s.by))
	}
}

// However many writers there are, none of their open secrets is forgotten, and a writer that closed its own costs
// nothing.
func TestManyWritersHideWhatEachOfThemBegan(t *testing.T) {
	for name, others := range map[string]string{"closed": `password="x"`, "open": `password="x`} {
		var s Cleaner
		writer := func(i int) string { return strconv.Itoa(i) }
		const n = 3 * maxWriters
		for i := range n {
			if i%2 == 0 {
				s.Line(writer(i), others)
			} else {
				s.Line(writer(i), `password="first`)
			}
		}
		for i := 1; i < n; i += 2 {
			if got := s.Line(writer(i), `canary"`); strings.Contains(got, "canary") {
				t.Fatalf("%s: writer %d of %d: %q", name, i, n, got)
			}
		}
	}
}

// A writer that ended within a secret long ago takes no place.
func TestAWriterThatIsGoneIsForgotten(t *testing.T) {
	var s Cleaner
	for i := range maxWriters {
		s.Line(strconv.Itoa(i), `password="x`)
	}
	for range maxLines + 1 {
		s.Line("kubelet", next)
	}
	s.Line("late", `password="first`)
	if got := s.Line("late", `canary"`); strings.Contains(got, "canary") {
		t.Errorf("late: %q", got)
	}
	if got := s.Line("another", "a line"); got != "a line" {
		t.Errorf("another: %q", got)
	}
}

// What a line reopens may be two lines: the third remains one.
func TestTheThirdLineOfACommandIsOneLine(t *testing.T) {
	var s Cleaner
	for _, c := range []struct{ line, want string }{
		{"run --password", "run --password"}, {`first-canary \`, ""}, {"--user ann", "--user ann"},
	} {
		got := s.Line("1", c.line)
		if strings.Contains(got, "canary") || strings.Contains(got, "\n") || c.want != "" && got != c.want {
			t.Errorf("%q became %q", c.line, got)
		}
	}
}

// FuzzStream tears a message with a key into lines anywhere.
func FuzzStream(f *testing.F) {
	f.Add("output=<", uint8(3), uint8(9), "plain")
	f.Add(`password="`, uint8(0), uint8(1), "x\ty")
	f.Fuzz(func(t *testing.T, before string, a, b uint8, behind string) {
		const key = "canaryAAAAcanaryBBBBcanaryCCCC"
		if strings.Contains(before+behind, "canary") || strings.Contains(before, "-----") {
			return
		}
		i, j := int(a)%len(key), int(b)%len(key)
		i, j = min(i, j), max(i, j)
		message := before + "-----BEGIN PRIVATE KEY-----\n" + key[:i] + "\n" +
			key[i:j] + "\n" + key[j:] + "\n-----END PRIVATE KEY-----" + behind
		var s Cleaner
		for line := range strings.SplitSeq(message, "\n") {
			if begins(line) {
				return // another message
			}
			out := s.Line("1", line)
			if strings.Contains(out, "\n") {
				t.Fatalf("a line became several: %q", out)
			}
			for _, part := range []string{key[:i], key[i:j], key[j:]} {
				if len(part) > 3 && strings.Contains(out, part) {
					t.Fatalf("%q survived in %q of %q", part, out, message)
				}
			}
		}
	})
}
