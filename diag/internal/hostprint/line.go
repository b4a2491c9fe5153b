package hostprint

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

var (
	// reboot   system boot  5.15.0-91-generi Tue Mar  5 10:21[:09 2024]   still running
	lastBoot = regexp.MustCompile(
		`^reboot\s+system boot\s.*?\b((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d \d{4})?)`)
	//          system boot  2024-03-05 10:21
	whoBoot = regexp.MustCompile(`^\s*system boot\s+(\d{4}-\d\d-\d\d \d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)`)
	// -1 0f1c… Thu 2024-02-01 07:00:01 UTC—Tue 2024-03-05 10:19:58 UTC
	listed = regexp.MustCompile(
		`^\s*(-?\d+)\s+[0-9a-f]{32}\s+[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (` + zone + `)`)
	//  10:57:02 up 36 min,  1 user,  load average: 0.52, 0.58, 0.59; top - 10:57:02 up …
	up = regexp.MustCompile(`^(?:top -)?\s*(\d\d:\d\d:\d\d) up\s+(.*?),\s+(?:\d+ users?,\s+)?load average: `)
	// 2024-03-05 10:21:09, of uptime -s
	bare = regexp.MustCompile(`^\s*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)
	// ● containerd.service - containerd container runtime
	unitHead = regexp.MustCompile(`^\s*[●○×*↻]\s+([\w@:.\\-]+\.service)(?: - .*)?$`)
	//    Active: failed (Result: oom-kill) since Tue 2024-03-05 10:18:02 CET; 4min 3s ago
	active = regexp.MustCompile(`^\s*Active: ([a-z-]+) \(([^)]*)\)(?: \(([^)]*)\))?` +
		`(?: since [A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (` + zone + `)(?:;|$))?`)
	// 5:memory:/kubepods-burstable-pod71d9….slice:cri-containerd:22f5…, of /proc/<pid>/cgroup
	ofProcess = regexp.MustCompile(`^\s*\d{1,3}:[\w=,.-]*:(/\S*(?:kubepods|docker|crio|cri-containerd)\S*)\s*$`)
	//  Main PID: 1401 (code=killed, signal=KILL)
	mainPID = regexp.MustCompile(`^\s*Main PID: (\d+) \((?:code=(\w+), (?:status|signal)=([^)]*)|[^)]*)\)`)
)

// drivers match settings of the cgroup driver, in output or configuration files: of the kubelet, and of runtimes
// (containerd's and CRI-O's configuration, docker info, daemon.json).
var drivers = []struct {
	says    *regexp.Regexp
	kubelet bool
}{
	{regexp.MustCompile(`(?:^|[\s:{,])"?cgroupDriver"?:\s*"?(systemd|cgroupfs)"?\s*(?:,|$)`), true},
	{regexp.MustCompile(`--cgroup-driver[= ](systemd|cgroupfs)\b`), true},
	{regexp.MustCompile(`^\s*Cgroup Driver:\s*(systemd|cgroupfs)\s*$`), false},
	{regexp.MustCompile(`^[^#]*\bnative\.cgroupdriver=(systemd|cgroupfs)\b`), false},
	{regexp.MustCompile(`(?:^|[\s:])cgroup_manager\s*=\s*"(systemd|cgroupfs)"`), false},
	{regexp.MustCompile(`(?:^|[\s:])(?:SystemdCgroup|systemd_cgroup)\s*=\s*(true|false)\b`), false},
	{regexp.MustCompile(`"(?:SystemdCgroup|systemdCgroup)":\s*(true|false)\b`), false}, // crictl info
}

// driver returns the cgroup driver in a line, and whether it is the kubelet's.
func driver(line string) (name string, kubelet, ok bool) {
	if !strings.Contains(line, "group") || strings.HasPrefix(strings.TrimSpace(line), "#") {
		return "", false, false
	}
	for _, d := range drivers {
		if m := d.says.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "true":
				m[1] = "systemd"
			case "false":
				m[1] = "cgroupfs"
			}
			return m[1], d.kubelet, true
		}
	}
	return "", false, false
}

// Settings returns the lines of a kubelet's or a runtime's configuration that set the cgroup driver, "" for another
// file. containerd's default is cgroupfs (pkg/cri/config config_unix.go DefaultConfig).
func Settings(file string) string {
	var told []string
	for line := range strings.Lines(file) {
		if _, _, ok := driver(strings.TrimRight(line, "\r\n")); ok {
			told = append(told, strings.TrimRight(line, "\r\n"))
		}
	}
	if containerds.MatchString(file) && len(told) == 0 {
		told = append(told, "SystemdCgroup = false (the file does not set it)")
	}
	if len(told) == 0 || !containerds.MatchString(file) && !strings.Contains(file, "KubeletConfiguration") &&
		!crios.MatchString(file) {
		return ""
	}
	return strings.Join(told, "\n")
}

// containerds and crios match their configuration files.
var (
	containerds = regexp.MustCompile(`(?m)^\s*\[plugins\]\s*$|^\s*\[plugins[.:]["'a-z]`)
	crios       = regexp.MustCompile(`(?m)^\s*\[crio(?:\.\w+)?\]\s*$`)
)

// IsLine reports whether only these tools print such a line. It excludes the line of uptime -s, which is only a time.
func IsLine(line string) bool {
	for _, re := range []*regexp.Regexp{lastBoot, whoBoot, listed, up, unitHead, ofProcess} {
		if re.MatchString(line) {
			return true
		}
	}
	_, _, ok := driver(line)
	return ok
}

// zone matches a time zone as systemd prints it.
const zone = `[A-Z]{1,5}|[+-]\d\d(?:\d\d)?`

// stamp is a time in a line, and whether it has a zone.
type stamp struct {
	at    time.Time
	zoned bool
}

// read parses a time. If it has no year, printed gives it: the last year in which that day was before printed and, if
// the line has a weekday, fell on that weekday.
func read(s, zone string, printed time.Time) (stamp, bool) {
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "Mon Jan _2 15:04:05 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			ahead, known := field.AheadOfUTC(zone)
			return stamp{t.Add(-ahead), zone != ""}, known
		}
	}
	day := ""
	if len(s) > 4 && s[3] == ' ' && strings.Contains("MonTueWedThuFriSatSun", s[:3]) {
		day, s = s[:3], s[4:]
	}
	t, err := time.Parse("Jan _2 15:04", s)
	if err != nil || printed.IsZero() {
		return stamp{}, false
	}
	for year := printed.Year(); year > printed.Year()-12; year-- {
		at := time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
		if at.Sub(printed) < 24*time.Hour && (day == "" || at.Format("Mon") == day) {
			return stamp{at, false}, true
		}
	}
	return stamp{}, false
}

// since returns when a machine booted, from its uptime and the time of day on the day of printed.
func since(clock, long string, printed time.Time) (stamp, bool) {
	t, err := time.Parse("15:04:05", clock)
	if err != nil || printed.IsZero() {
		return stamp{}, false
	}
	lasted := time.Duration(0)
	for _, part := range strings.Split(long, ",") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		hours, minutes, clocked := strings.Cut(fields[0], ":")
		n, err := strconv.Atoi(hours)
		if err != nil || n < 0 || n > 20_000 {
			return stamp{}, false
		}
		switch {
		case clocked:
			m, err := strconv.Atoi(minutes)
			if err != nil {
				return stamp{}, false
			}
			lasted += time.Duration(n)*time.Hour + time.Duration(m)*time.Minute
		case len(fields) > 1 && strings.HasPrefix(fields[1], "day"):
			lasted += time.Duration(n) * 24 * time.Hour
		case len(fields) > 1 && strings.HasPrefix(fields[1], "min"):
			lasted += time.Duration(n) * time.Minute
		default:
			return stamp{}, false
		}
	}
	y, m, d := printed.Date()
	now := time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	if now.After(printed.Add(12 * time.Hour)) {
		now = now.AddDate(0, 0, -1) // printed the evening before
	}
	// Incomplete minutes are left out (procps library/uptime.c), so half a minute is added: it matters if the machine
	// just booted.
	return stamp{now.Add(-lasted - 30*time.Second), false}, true
}
