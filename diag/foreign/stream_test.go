package foreign

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func text(t testing.TB, f evidence.File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil || int64(len(data)) != f.Size {
		t.Fatalf("%s: %d bytes of %d, %v", f.Path, len(data), f.Size, err)
	}
	return string(data)
}

func TestObjectsOfAStreamAreFoundOneByOne(t *testing.T) {
	const a, b = `{"kind":"NodeList","s":"} \" {"}`, "{\n \"kind\": \"PodList\",\n \"items\": [{}]\n}"
	cases := map[string]struct {
		text string
		want []string
		lack string
	}{
		"one object":                           {a, []string{a}, ""},
		"two":                                  {a + "\n" + b + "\n", []string{a, b}, ""},
		"without a newline between them":       {a + b, []string{a, b}, ""},
		"the last one has no end":              {a + "\n" + b[:20], []string{a}, "has no end"},
		"words before an object do not matter": {"Kubernetes control plane is running\n" + a + "\n", []string{a}, ""},
		"no object":                            {"hello\n", []string{"hello\n"}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			docs, lack, err := documents(evidence.Bytes("x", []byte(c.text)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range docs {
				got = append(got, strings.TrimSuffix(text(t, d), "\n"))
			}
			for i := range c.want {
				c.want[i] = strings.TrimSuffix(c.want[i], "\n")
			}
			if diff := cmp.Diff(c.want, got); diff != "" || (lack == "") != (c.lack == "") || !strings.Contains(lack, c.lack) {
				t.Errorf("lack %q: %s", lack, diff)
			}
		})
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add([]byte(podList + "\n" + podList))
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, _, err := documents(evidence.Bytes("x", data))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			if s := text(t, d); len(docs) > 1 && (s[0] != '{' || s[len(s)-1] != '}') {
				t.Fatalf("%q is no object", s)
			}
		}
	})
}

// Whatever a log holds, every byte from the first host's line on is one host's.
func FuzzHosts(f *testing.F) {
	f.Add([]byte(kubeletLine + otherHost + "  more\n" + kubeletLine))
	f.Add([]byte("2026-11-21T07:21:31+0000 n1 kubelet[80]: x\n2026-11-21T07:21:31.1Z n2 kubelet: y"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := evidence.Bytes("x", data)
		shares, err := hostsIn(file, true)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, s := range shares {
			total += len(text(t, s.of(file)))
		}
		first, _, _ := strings.Cut(string(data), "\n")
		if len(shares) > 0 && len(shares) < maxHosts && hostOf([]byte(first+"\n")) != nil && total != len(data) {
			t.Fatalf("%d of %d bytes", total, len(data))
		}
	})
}

func TestALineOfAContainerHasNoHost(t *testing.T) {
	for line, want := range map[string]string{
		kubeletLine: "n1", "2026-11-21T07:21:31+0000 n1 kubelet[80]: x\n": "n1",
		"2026-11-21T07:21:31.4Z stderr F text: x\n": "",
		"Nov  1 07:21:31.823345 n1 systemd: x\n":    "n1", "-- Logs begin at Sat 2026-11-21 --\n": "",
		"I1121 07:21:31.823000 80 a.go:1] x\n": "", "x": "",
		"2026-11-21T07:21:31.4Z node/n1 kubelet.service[80]: x\n": "n1",
		"Nov 21 07:21:31 nodes/n1 kubelet[80]: x\n":               "n1",
	} {
		if got := string(hostOf([]byte(line))); got != want {
			t.Errorf("%q is of %q, want %q", line, got, want)
		}
	}
	const slashed, plain = "2026-11-21T07:21:31Z node/n1 kubelet[80]: x\n", "2026-11-21T07:21:31Z n2 kubelet[80]: x\n"
	if !goesOnAs([]byte(slashed), []byte(plain)) {
		t.Error("the writer behind a host with its kind is not read")
	}
}

// A machine that asks for its name has another one while it boots.
func TestAMachineThatIsRenamedIsOne(t *testing.T) {
	line := func(at, host, writer string) string {
		return "Nov 21 07:" + at + ".000000 " + host + " " + writer + ": x\n"
	}
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"renamed": {line("00:01", "localhost", "kubelet[80]") +
			line("00:02", "n1", "kubelet[80]") + line("00:03", "n1", "kubelet[80]"), 1},
		"another process": {line("00:01", "localhost", "kubelet[80]") + line("00:02", "n1", "kubelet[81]"), 2},
		"no process":      {line("00:01", "localhost", "kubelet") + line("00:02", "n1", "kubelet"), 2},
		"in turn": {line("00:01", "n2", "kubelet[80]") +
			line("00:02", "n1", "kubelet[80]") + line("00:03", "n2", "kubelet[80]"), 2},
		"one log behind another": {line("40:01", "n2", "kubelet[80]") +
			strings.Replace(line("00:02", "n1", "kubelet[80]"), " 07:", " 03:", 1), 2},
		"renamed twice": {line("00:01", "localhost", "k[80]") + line("00:02", "a", "k[80]") + line("00:03", "b", "k[80]"), 1},
		"renamed, and another machine": {line("00:01", "localhost", "k[80]") +
			line("00:02", "a", "k[80]") + line("00:03", "b", "k[90]"), 2},
	} {
		t.Run(name, func(t *testing.T) {
			file := evidence.Bytes("x", []byte(c.text))
			shares, err := hostsIn(file, true)
			if err != nil || len(shares) != c.want {
				t.Fatalf("%+v, %v", shares, err)
			}
			var total int
			for _, s := range shares {
				total += len(text(t, s.of(file)))
			}
			if total != len(c.text) {
				t.Errorf("%d of %d bytes", total, len(c.text))
			}
		})
	}
}

// Sections of anybody's making place nothing twice, and believe none that comes twice.
func FuzzSections(f *testing.F) {
	f.Add(
		"==> kubelet <==\nNov 21 07:21:31 n1 kubelet[80]: x\n\n==> container status <==\nCONTAINER  IMAGE  STATE  NAME  ATTEMPT  POD ID\na  b  Running  c  2  d\n\n==> dmesg <==\n[  1.0] x\n")
	f.Add("* ==> kubelet <==\n* x\n* ==> kubelet <==\n* y\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := newPlaces([]evidence.File{evidence.Bytes("logs.txt", []byte(text))}, "", nil)
		p.arrange()
		seen := map[string]bool{}
		for _, f := range p.out {
			if seen[f.Path] {
				t.Fatalf("%s is there twice", f.Path)
			}
			seen[f.Path] = true
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
		}
	})
}
