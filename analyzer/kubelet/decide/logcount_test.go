package decide

import (
	"regexp"
	"strconv"
	"testing"
)

// upstream are the expressions of calcRestartCountByLogDir, kubelet v1.21.14 and v1.36.3.
var upstream = map[bool]*regexp.Regexp{
	false: regexp.MustCompile(`(\d+).log(\..*)?`),
	true:  regexp.MustCompile(`^(\d+)\.log(\..*)?`),
}

func TestCountFromLogs(t *testing.T) {
	for name, test := range map[string]struct {
		version string
		files   []string
		want    int
		used    bool
	}{
		"up to 1.20 logs are not asked":             {"v1.20.15", []string{"3.log"}, 0, false},
		"since 1.21 the highest number decides":     {"v1.21.0", []string{"0.log", "3.log", "2.log"}, 4, true},
		"an empty directory is a first start":       {"v1.36", nil, 0, true},
		"other files do not count":                  {"v1.36", []string{"debug.txt", "x3.log", ".log"}, 0, true},
		"rotated files count by their number":       {"v1.36", []string{"5.log.20230101-120000", "4.log"}, 6, true},
		"before 1.27 a name need not begin with it": {"v1.26", []string{"old-7.log"}, 8, true},
		"since 1.27 it must":                        {"v1.27", []string{"old-7.log"}, 0, true},
		"before 1.27 any character is a dot":        {"v1.26", []string{"7xlog"}, 8, true},
		"before 1.27 too large a number ends it": {"v1.26", []string{"2.log", "99999999999999999999.log", "5.log"},
			3, true},
		"since 1.27 it is passed over": {"v1.27", []string{"2.log", "99999999999999999999.log", "5.log"}, 6, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got, used := CountFromLogs(profileOf(t, test.version), test.files); got != test.want || used != test.used {
				t.Errorf("%d, %v; want %d, %v", got, used, test.want, test.used)
			}
		})
	}
}

func FuzzLogNumber(f *testing.F) {
	for _, name := range []string{"0.log", "12.log.20230101-120000.gz", "12log",
		"1\n.log", "34 5é.log", "log", "1.log2.log", "007.log", "9\xfflog"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for anchored, expression := range upstream {
			m := expression.FindStringSubmatch(name)
			digits, ok := logNumber(name, anchored)
			if ok != (m != nil) || ok && digits != m[1] {
				t.Errorf("%q, anchored %v: %q, %v; upstream finds %q", name, anchored, digits, ok, m)
			}
			if _, err := strconv.ParseUint(digits, 10, 64); ok && err != nil && len(digits) < 19 {
				t.Errorf("%q is no number", digits)
			}
		}
	})
}
