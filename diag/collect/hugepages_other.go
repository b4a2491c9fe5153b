//go:build !linux

package collect

// hugePages does nothing: elsewhere the kernel chooses the pages.
func hugePages(_, _ int64) {}
