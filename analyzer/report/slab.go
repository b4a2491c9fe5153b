package report

// slab makes many short lists in few blocks: a list costs neither an allocation nor the
// room that its size is rounded up by. A block lives as long as any list in it, so a slab is for
// what is kept or dropped together. The zero value is ready.
type slab[T any] struct {
	room []T
	size int // of the newest block
}

// The sizes of blocks, in values: each is twice as large as the one before, up to a size at which
// the rest that no list fits into is next to nothing.
const (
	firstBlock = 16
	largeBlock = 1024
)

// take returns a new list of n zero values, without room to grow.
func (s *slab[T]) take(n int) []T {
	if n > len(s.room) {
		s.size = min(max(firstBlock, 2*s.size), largeBlock)
		s.room = make([]T, max(n, s.size))
	}
	l := s.room[:n:n]
	s.room = s.room[n:]
	return l
}

// fit copies a list whose room is larger than it needs.
func (s *slab[T]) fit(l []T) []T {
	if cap(l) == len(l) {
		return l
	}
	fitted := s.take(len(l))
	copy(fitted, l)
	return fitted
}
