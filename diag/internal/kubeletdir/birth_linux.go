package kubeletdir

import (
	"time"

	"golang.org/x/sys/unix"
)

// birth returns when a file was created, zero if the file system does not record it (statx, Linux 4.11+).
func birth(name string) time.Time {
	var st unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &st)
	if err != nil || st.Mask&unix.STATX_BTIME == 0 || st.Btime.Sec <= 0 {
		return time.Time{}
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)).UTC()
}
