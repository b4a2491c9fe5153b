package kernel

import (
	"regexp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Storage tracks file systems and disks that fail, because what daemons log may be lost with them. The zero value is
// ready to use.
type Storage struct {
	stopped map[string]time.Time // devices that accept no writes, and since when
}

const (
	// A page waits thirty seconds until it is written, and the flusher looks every five (vm.dirty_expire_centisecs,
	// vm.dirty_writeback_centisecs): a failing write may hold what was logged that long before.
	unwritten = 35 * time.Second
	// The kernel leaves out what fails within five seconds (lib/ratelimit.c DEFAULT_RATELIMIT_INTERVAL).
	unsaid = 5 * time.Second
)

// Add reads a line of the kernel and calls lose for the loss that it shows.
func (s *Storage) Add(e evidence.Entry, lose func(from, until time.Time)) {
	switch {
	case storageFailed(e.Message):
		if stops.MatchString(e.Message) {
			device := deviceOf(e.Message)
			if _, known := s.stopped[device]; !known {
				if s.stopped == nil {
					s.stopped = map[string]time.Time{}
				}
				s.stopped[device] = e.Time
			}
		}
		lost(e.Time, e.Time.Add(unsaid), lose)
	case len(s.stopped) == 0:
	case Booted(e.Message):
		s.Close(e.Time, lose)
	case mounted.MatchString(e.Message):
		device := deviceOf(e.Message)
		if since, ok := s.stopped[device]; ok {
			delete(s.stopped, device)
			lost(since, e.Time, lose)
		}
	}
}

// Close reports the devices that still accept no writes, at the end of a boot or, with a zero time, of the log.
func (s *Storage) Close(at time.Time, lose func(from, until time.Time)) {
	for _, since := range s.stopped {
		lost(since, at, lose)
	}
	s.stopped = nil
}

// lost reports a loss that began before since, or that may have happened at any time if since is zero.
func lost(since, until time.Time, lose func(from, until time.Time)) {
	if since.IsZero() {
		until = time.Time{}
	} else {
		since = since.Add(-unwritten)
	}
	lose(since, until)
}

// storageFailed reports whether a file system or a disk failed a write, or may have failed one (fs/ext4/super.c,
// fs/xfs/xfs_message.c, fs/btrfs/messages.c, fs/buffer.c, block/blk-mq.c blk_print_req_error). It ignores drives
// without a disk, which fail all the time.
func storageFailed(s string) bool {
	return s != "" && strings.IndexByte("EXABJFpbcI", s[0]) >= 0 && failing.MatchString(s)
}

var (
	failing = regexp.MustCompile(`^(?:EXT[234]-fs(?: error| \([^)]*\): (?:error|failed|Remounting filesystem read-only|` +
		`Delayed block allocation failed))|Aborting journal|JBD2: .*error|` +
		`XFS \([^)]*\): .*(?:[Cc]orruption|I/O error|[Ss]hut(?:ting)? down)|` +
		`BTRFS(?::| ) ?(?:error|critical)|BTRFS info \([^)]*\): forced readonly|F2FS-fs .*(?:error|inconsist)|Buffer I/O error|` +
		`(?:blk_update_request: |print_req_error: )?(?:critical \w+ error|I/O error), dev (?:[^fs]|f[^d]|s[^r]))`)
	// After this, nothing is written to the device until it is mounted again.
	stops   = regexp.MustCompile(`read-?only|Aborting journal|[Ss]hut(?:ting)? down`)
	mounted = regexp.MustCompile(`^(?:EXT[234]-fs|XFS|BTRFS info|F2FS-fs) \([^)]*\): ` +
		`(?:re-mounted .*\br/w|mounted filesystem|Mounting V|[Ff]irst mount|Mounted with)`)
	device = regexp.MustCompile(`(?:\bdevice |\()(?:device )?([\w!.-]+)`)
)

// deviceOf returns the device that a line names. A journal on it has its own name, "sda1-8".
func deviceOf(s string) string {
	m := device.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(m[1], "."), "-8")
}
