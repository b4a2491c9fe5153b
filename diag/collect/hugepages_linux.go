package collect

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// hugePages makes the next n bytes of the heap huge pages where the kernel leaves that to programs
// (transparent_hugepage: madvise), as most distributions' do. Objects of 16 000 pods make a heap of 110 000 small
// pages, and on a virtual machine the first touch of each can cost more than what is written to it: half of the run.
//
// Go's runtime asks for none, and has no setting for it. So its heap is made to grow by blocks that are freed again
// before anything else is in them: the advice stays with their addresses, and what nobody touches costs nothing.
func hugePages(n int64) {
	const block = 64 << 20 // an arena of Go's heap
	blocks := make([][]byte, n/block)
	for i := range blocks {
		blocks[i] = make([]byte, block)
		if unix.Madvise(blocks[i], unix.MADV_HUGEPAGE) != nil {
			break // a kernel without them
		}
	}
	clear(blocks)
	runtime.GC()
}
