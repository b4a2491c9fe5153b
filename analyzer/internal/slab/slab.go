// Package slab makes many small values of one type in few allocations.
//
// It imports nothing and knows nothing about the values. Values that must be freed one by one do not belong in it: a
// block lives as long as anything in it.
package slab

// Of allocates values and short lists of one type from blocks. A list costs neither an allocation nor the memory that
// its size would be rounded up by. The zero value is ready to use; it is not safe for concurrent use.
type Of[T any] struct {
	room []T
	size int // of the newest block
}

// The sizes of blocks, in values: each is twice as large as the one before, up to a size where the unused rest of a
// block is negligible.
const (
	firstBlock = 16
	largeBlock = 1024
)

// New returns a new zero value.
func (s *Of[T]) New() *T { return &s.Take(1)[0] }

// Take returns a new list of n zero values, without spare capacity.
func (s *Of[T]) Take(n int) []T {
	if n > len(s.room) {
		s.size = min(max(firstBlock, 2*s.size), largeBlock)
		s.room = make([]T, max(n, s.size))
	}
	l := s.room[:n:n]
	s.room = s.room[n:]
	return l
}

// Fit returns the list, or a copy if it has spare capacity.
func (s *Of[T]) Fit(l []T) []T {
	if cap(l) == len(l) {
		return l
	}
	fitted := s.Take(len(l))
	copy(fitted, l)
	return fitted
}
