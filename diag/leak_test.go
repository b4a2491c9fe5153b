package diag

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/logfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
)

// kept is a message that holds no secret, and looks as if its values were some: hashes,
// ids, digests, keys of objects.
const kept = `I1121 07:00:07.100000      80 kuberuntime_container.go:779] "Killing container with a grace period" ` +
	`pod="shop/web-0" podUID="8c0f4b1e-9d3a-4a57-8a3f-1f0f6f6c3b21" containerName="a" ` +
	`containerID="containerd://aabbccddeeff00112233445566778899aabbccddeeff00112233445566778899" gracePeriod=30`

// confided are messages of a kubelet, over many lines, with a secret that must not get out.
var confided = map[string]string{
	"a key in a probe's output": `I1121 07:00:05.100000      80 prober.go:111] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="u1" ` +
		"containerName=\"a\" probeResult=\"failure\" output=<\n\t-----BEGIN RSA PRIVATE KEY-----\n\tleakAAAA\n\tleakBBBB\n\t-----END RSA PRIVATE KEY-----\n >",
	"a script": "E1121 07:00:05.100000      80 kuberuntime_manager.go:1256] container &Container{Name:a,Image:x:1,Command:[sh -c export A=leakAAAA\n" +
		"curl leakBBBB\n],Args:[],WorkingDir:,Env:[]EnvVar{EnvVar{Name:A,Value:leakCCCC\nleakDDDD,ValueFrom:nil,},},} start failed in pod web-0_shop(u1)",
	"a value": "E1121 07:00:05.100000      80 pod_workers.go:1301] \"Error syncing pod\" err=<\n\t{\"password\": \"leakAAAA\n\tleakBBBB\"}\n >",
	"a block": "E1121 07:00:05.100000      80 pod_workers.go:1301] \"Error syncing pod\" err=<\n\ttoken: |\n\t  leakAAAA\n\t  leakBBBB\n >",
}

// told is a journal whose every entry has one message.
type told []string

func (j told) Run(_ context.Context, args []string, out io.Writer) error {
	if !strings.Contains(strings.Join(args, " "), "kubelet") {
		return nil
	}
	for i, m := range j {
		pid := 80
		if m == otherProgram {
			pid = 81
		}
		when := 1795244405100000 + i
		if m == kept { // not written with what stands before it
			when += 2_000_000
		}
		head := fmt.Sprintf(
			"__CURSOR=c%d\n__REALTIME_TIMESTAMP=%d\n_HOSTNAME=n1\n_SYSTEMD_UNIT=kubelet.service\nSYSLOG_IDENTIFIER=kubelet\n_PID=%d\n", i, when, pid)
		if _, err := io.WriteString(out, head+field("MESSAGE", m)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

const otherProgram = "a line of another program"

// field is in the form of journalctl -o export: with its length where there are lines.
func field(name, value string) string {
	if !strings.Contains(value, "\n") {
		return name + "=" + value + "\n"
	}
	n := len(value)
	return name + "\n" + string([]byte{byte(n), byte(n >> 8), byte(n >> 16), 0, 0, 0, 0, 0}) + value + "\n"
}

// What a node's programs confide to their logs reaches neither the files of a bundle nor
// what is made of them, and neither is what is handed over as it is; what only looks like
// a secret is there.
func TestNoSecretOfManyLinesGetsOut(t *testing.T) {
	at := time.Date(2026, 11, 21, 7, 30, 0, 0, time.UTC)
	for what, message := range confided {
		lines := append(strings.Split(message, "\n"), kept)
		var torn []string
		for _, line := range lines {
			torn = append(torn, line, otherProgram)
		}
		raw := strings.Builder{}
		for _, line := range lines {
			second := "05"
			if line == kept {
				second = "07"
			}
			raw.WriteString("Nov 21 07:00:" + second + ".100000 n1 kubelet[80]: " + line + "\n")
		}
		sources := map[string]func(t *testing.T) ([]evidence.RawEvidence, []evidence.Gap){
			"journal, whole":     journalOf(told{message, kept}, at),
			"journal, torn":      journalOf(lines, at),
			"journal, two write": journalOf(torn, at),
			"log file":           logFileOf(strings.Join(lines, "\n")+"\n", at),
		}
		for source, collect := range sources {
			t.Run(what+"/"+source, func(t *testing.T) {
				pieces, gaps := collect(t)
				files := 0
				for _, p := range pieces {
					for path, data := range filetest.Of(t, p) {
						files++
						if i := strings.Index(data, "leak"); i >= 0 {
							t.Errorf("%s: %q", path, data[max(0, i-80):min(len(data), i+80)])
						}
						if !strings.Contains(data, kept) {
							t.Errorf("%s lacks what is no secret: %s", path, data)
						}
					}
				}
				if files == 0 {
					t.Fatalf("nothing was collected: %+v", gaps)
				}
				tight(t, Observe(Collection{Pieces: pieces, Gaps: gaps}, at))
			})
		}
		for name, text := range map[string]string{
			"nodes/n1/logs/messages":          raw.String(),
			"nodes/n1/journal/kubelet.export": exported(t, lines),
		} {
			t.Run(what+"/handed over as "+name, func(t *testing.T) {
				tight(t, intake(t, collected, map[string]string{name: text}))
			})
		}
	}
}

func exported(t *testing.T, lines []string) string {
	var b strings.Builder
	if err := told(lines).Run(t.Context(), []string{"kubelet"}, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func journalOf(messages told, at time.Time) func(t *testing.T) ([]evidence.RawEvidence, []evidence.Gap) {
	return func(t *testing.T) ([]evidence.RawEvidence, []evidence.Gap) {
		o := journal.Options{Dirs: []string{}, Runner: messages, Now: func() time.Time { return at }}
		return journal.NewSource("n1", o).Collect(t.Context())
	}
}

func logFileOf(text string, at time.Time) func(t *testing.T) ([]evidence.RawEvidence, []evidence.Gap) {
	return func(t *testing.T) ([]evidence.RawEvidence, []evidence.Gap) {
		root := filetest.Plant(t, map[string]string{"var/log/kubelet.log": text})
		filetest.Date(t, root, at)
		return logfiles.New(logfiles.Options{Node: "n1", Root: root}).Collect(t.Context())
	}
}

// tight fails if a snapshot has a secret, or lacks the kill that stands behind it.
func tight(t *testing.T, s *evidence.Snapshot) {
	t.Helper()
	each("", reflect.ValueOf(*s), func(place, text string) {
		if strings.Contains(text, "leak") {
			t.Errorf("%s = %q", place, text)
		}
	})
	for _, o := range s.Observations {
		if _, ok := o.Fact.(evidence.KillStarted); ok && strings.HasSuffix(o.Subject.ContainerID, "66778899") {
			return
		}
	}
	t.Errorf("the kill is not seen: %+v", s.Observations)
}
