package cgroup

import (
	"math"
	"strconv"
	"strings"
)

// noLimitV1 and above is how cgroup v1 says "no limit": the largest number of whole pages, which depends on the page
// size (kernel mm/memcontrol.c PAGE_COUNTER_MAX). No machine has that much memory.
const noLimitV1 = math.MaxInt64 / 2

// single reads a file with one number. It returns -1 for no number, and for "max" and other spellings of no limit.
func single(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 || n >= noLimitV1 {
		return -1
	}
	return n
}

// keyed reads one value of a file of "key value" lines (memory.events, memory.oom_control). It returns -1 if the kernel
// does not print that key: memory.oom_control has oom_kill since Linux 4.13, memory.events always.
func keyed(text, key string) int64 {
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if ok && name == key {
			return single(value)
		}
	}
	return -1
}
