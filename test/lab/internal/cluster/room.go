package cluster

import (
	"fmt"
	"syscall"
)

// leastFree is how many bytes the disk must have free before a lab starts: what three nodes, etcd and their logs write
// in a run, twice. On a full disk etcd never becomes ready, and nothing in its answer says why.
const leastFree = 4 << 30

// checkRoom returns an error if the disk of a directory has less free than a lab needs.
func checkRoom(dir string, need uint64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return fmt.Errorf("start lab in %s: read its free space: %w", dir, err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < need {
		return fmt.Errorf("start lab in %s: its disk has %.1f GiB free, the lab needs %.1f: make room, for example with `go clean -cache`",
			dir, float64(free)/(1<<30), float64(need)/(1<<30))
	}
	return nil
}
