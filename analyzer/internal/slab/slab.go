// Package slab makes many small values of one type in few allocations.
//
// It imports nothing and knows of nothing that it holds. What must be freed one by one does
// not belong in it: a block lives as long as anything in it.
package slab

// Of makes values and short lists of one type, out of blocks. A list costs neither an
// allocation nor the room that its size would be rounded up by. The zero value is ready; it serves one
// goroutine.
type Of[T any] struct {
	room []T
	size int // of the newest block
}

// The sizes of blocks, in values: each is twice as large as the one before, up to a size at which
// the rest that no list fits into is next to nothing.
const (
	firstBlock = 16
	largeBlock = 1024
)

// New returns a new zero value.
func (s *Of[T]) New() *T { return &s.Take(1)[0] }

// Take returns a new list of n zero values, without room to grow.
func (s *Of[T]) Take(n int) []T {
	if n > len(s.room) {
		s.size = min(max(firstBlock, 2*s.size), largeBlock)
		s.room = make([]T, max(n, s.size))
	}
	l := s.room[:n:n]
	s.room = s.room[n:]
	return l
}

// Fit returns the list, or a copy if it has more room than it needs.
func (s *Of[T]) Fit(l []T) []T {
	if cap(l) == len(l) {
		return l
	}
	fitted := s.Take(len(l))
	copy(fitted, l)
	return fitted
}
