package hostprint

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var printed = time.Date(2024, 3, 5, 10, 57, 30, 0, time.UTC)

// Of each tool what it prints.
const (
	last = "reboot   system boot  5.15.0-91-generi Tue Mar  5 10:21   still running\n" +
		"shutdown system down  5.15.0-91-generi Tue Mar  5 10:19 - 10:21  (00:01)\n"
	lastFull = "reboot   system boot  6.1.0-18-amd64   Tue Dec  5 10:21:09 2023 - Tue Mar  5 10:19:01 2024 (91+00:00)\n"
	boots    = "-2 0f1c2d3e4f5061728394a5b6c7d8e9f0 Thu 2024-01-01 07:00:01 UTC—Thu 2024-02-01 06:59:00 UTC\n" +
		"-1 1f1c2d3e4f5061728394a5b6c7d8e9f0 Thu 2024-02-01 07:00:01 UTC—Tue 2024-03-05 10:19:58 UTC\n" +
		" 0 2f1c2d3e4f5061728394a5b6c7d8e9f0 Tue 2024-03-05 10:21:12 UTC Tue 2024-03-05 10:56:59 UTC\n"
	upHours = " 10:57:02 up  3:04,  1 user,  load average: 0.52, 0.58, 0.59\n"
	upDays  = "top - 10:57:02 up 12 days,  3:04,  2 users,  load average: 0.52, 0.58, 0.59\n"
	running = "● kubelet.service - kubelet: The Kubernetes Node Agent\n" +
		"     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled)\n" +
		"     Active: active (running) since Tue 2024-03-05 10:21:30 UTC; 36min ago\n   Main PID: 811 (kubelet)\n"
	failed = "● docker.service - Docker Application Container Engine\n" +
		"   Active: failed (Result: oom-kill) since Tue 2024-03-05 10:18:02 CET; 4min 3s ago\n" +
		" Main PID: 1401 (code=killed, signal=KILL)\n"
	foreign = "● nginx.service - nginx\n   Active: active (running) since Tue 2024-03-05 10:18:02 UTC; 4min ago\n"
)

func TestWhatToolsPrint(t *testing.T) {
	const cid = "22f5191f45a232d5583e3479a463123aaebe118b6124ab162133051bf3f7c3e9"
	const spec = "/kubepods-burstable-pod0b6b3a3c_5d1e_4a53_9a58_0d8f3f3f2c11.slice:cri-containerd:" + cid
	boot := evidence.KernelBooted{}
	for name, c := range map[string]struct {
		text  string
		at    []string
		facts []evidence.Fact
		zone  bool // assumed, or not known
	}{
		"last": {last, []string{"2024-03-05T10:21:00Z"}, []evidence.Fact{boot}, true},
		"the cgroup of a process that systemd's driver would call so": {"5:memory:" + spec + "\n4:pids:" + spec + "\n",
			[]string{"2024-03-05T10:57:30Z"}, []evidence.Fact{evidence.CgroupPlacement{Version: 1, Path: spec, Outside: true,
				SpecForm: true}}, false},
		"a cgroup of its own driver": {"5:memory:/kubepods/burstable/pod0b6b3a3c-5d1e-4a53-9a58-0d8f3f3f2c11/" + cid + "\n", nil, nil, false},
		"last -F":                    {lastFull, []string{"2023-12-05T10:21:09Z"}, []evidence.Fact{boot}, true},
		"a year by its weekday": {strings.Replace(last, "Tue", "Sun", 2), []string{"2023-03-05T10:21:00Z"},
			[]evidence.Fact{boot}, true},
		"the oldest of a list may have begun before": {boots, []string{"2024-02-01T07:00:01Z", "2024-03-05T10:21:12Z"},
			[]evidence.Fact{boot, boot}, false},
		"who -b": {"         system boot  2024-03-05 10:21\n", []string{"2024-03-05T10:21:00Z"},
			[]evidence.Fact{boot}, true},
		"who -b, trimmed": {"system boot  2024-03-05 10:21\n", []string{"2024-03-05T10:21:00Z"},
			[]evidence.Fact{boot}, true},
		"who -b, in words": {"         system boot  Mar  5 10:21\n", []string{"2024-03-05T10:21:00Z"},
			[]evidence.Fact{boot}, true},
		"uptime -s": {"2024-03-05 10:21:09\n", []string{"2024-03-05T10:21:09Z"}, []evidence.Fact{boot}, true},
		"uptime":    {upHours, []string{"2024-03-05T07:52:32Z"}, []evidence.Fact{boot}, true},
		"top":       {upDays, []string{"2024-02-22T07:52:32Z"}, []evidence.Fact{boot}, true},
		"a kubelet": {running, []string{"2024-03-05T10:21:30Z"},
			[]evidence.Fact{evidence.KubeletStarted{PID: 811}}, false},
		"a runtime that ended": {failed, []string{"2024-03-05T09:18:02Z"}, []evidence.Fact{evidence.UnitChanged{
			Unit: "docker.service", Change: "failed", Result: "oom-kill", Code: "killed"}}, false},
		"a zone in figures": {strings.Replace(running, "UTC", "+0530", 1), []string{"2024-03-05T04:51:30Z"},
			[]evidence.Fact{evidence.KubeletStarted{PID: 811}}, false},
		"a zone behind": {strings.Replace(boots, "10:21:12 UTC", "10:21:12 -03", 1),
			[]string{"2024-02-01T07:00:01Z", "2024-03-05T13:21:12Z"}, []evidence.Fact{boot, boot}, false},
		"a zone that is several": {text: strings.Replace(running, "UTC", "IST", 1), zone: true},
		"somebody's unit":        {text: foreign},
		"prose":                  {text: "It has been up 3 days, and the load average: is high\nreboot system boot\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(printed)
			NewPiece("n1", File("n1", []byte(c.text), printed), time.Time{}).Observe(b)
			s := b.Build()
			var at []string
			var facts []evidence.Fact
			for i := range s.Observations {
				at = append(at, s.Observations[i].Time.Format(time.RFC3339))
				facts = append(facts, s.Observations[i].Fact)
			}
			if diff := cmp.Diff(c.at, at) + cmp.Diff(c.facts, facts); diff != "" {
				t.Error(diff)
			}
			if got := len(s.Gaps) == 1; got != c.zone {
				t.Errorf("gaps %v", s.Gaps)
			}
		})
	}
}

func FuzzPiece(f *testing.F) {
	for _, s := range []string{last, lastFull, boots, upHours, upDays, running, failed} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := evidence.NewBuilder(printed)
		NewPiece("n1", File("n1", []byte(text), printed), time.Time{}).Observe(b)
		s := b.Build()
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Time.IsZero() || !safetext.Safe(o.Text.String()) {
				t.Errorf("%+v", o)
			}
		}
	})
}
