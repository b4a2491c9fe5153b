package collect

import (
	"runtime"
	"runtime/debug"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages makes the next n bytes of the heap huge pages where the kernel leaves that to programs
// (transparent_hugepage: madvise), as most distributions' do, and has it find the first of them while something else
// goes on. Objects of 16 000 pods make a heap of 110 000 small pages, and on a virtual machine the first touch of each
// can cost more than what is written to it: half of the run.
//
// Go's runtime asks for none, and has no setting for it. So its heap is made to grow by blocks that are freed again
// before anything else is in them: the advice stays with their addresses, and what nobody touches costs nothing.
func hugePages(n, first int64) {
	const block = 64 << 20 // an arena of Go's heap
	if n < block {
		return
	}
	before := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(before)
	blocks := make([][]byte, n/block)
	addresses := make([]uintptr, 0, len(blocks))
	for i := range blocks {
		blocks[i] = make([]byte, block)
		if unix.Madvise(blocks[i], unix.MADV_HUGEPAGE) != nil {
			break // a kernel without them
		}
		addresses = append(addresses, uintptr(unsafe.Pointer(&blocks[i][0])))
	}
	clear(blocks)
	runtime.GC()
	go func() {
		for i := 0; i < len(addresses) && int64(i) < first/block; i++ {
			// Nothing becomes of pages that have something in them by now. Before Linux 5.14 it is an error.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, addresses[i], block, unix.MADV_POPULATE_WRITE)
		}
	}()
}
