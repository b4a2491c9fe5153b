package hash

import (
	"errors"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

var errNoContainer = errors.New("no container given")

// Value is one hash of one container.
type Value struct {
	// Algorithm is one of the names of this package, such as FNV32aJSON.
	Algorithm string
	Sum       uint32
	// Hex is Sum as the kubelet stores it: lower case, no padding, no prefix.
	Hex string
}

// EraHash is a hash with the kubelet minors, inclusive, that compute it. Two entries overlap only where the patches of
// a minor disagree.
type EraHash struct {
	FromMinor, ToMinor int
	Algorithm          string
	Hex                string
}

// Hash returns what the kubelet of Kubernetes 1.minor stores for c. The container is used unchanged: it must already
// have the API server's defaults. Fields that this minor did not know are left out, as that kubelet never sees them.
// Minors before OldestMinor give ErrEraNotModelled, those after NewestMinor are treated as NewestMinor.
//
// Up to 1.15 the print includes the internals of quantities, here those of c as decoded from JSON. A kubelet that had
// used a quantity could have stored another hash: there a match is proof, but a mismatch is none.
//
// From 1.27 to 1.29 a backspace or form feed in a string is hashed as the first patches of the minor did; All has both.
func Hash(minor int, c *corev1.Container) (Value, error) {
	if c == nil {
		return Value{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	return hashEra(minor, c, minor < goShortEscapesAlwaysFrom)
}

// OfPatch is Hash for one patch of a minor. A negative patch means the last one. Patches disagree only about a
// backspace or form feed in a string, from 1.27 to 1.29.
func OfPatch(minor, patch int, c *corev1.Container) (Value, error) {
	if c == nil {
		return Value{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	return hashEra(minor, c, writesLongEscapes(minor, patch))
}

func hashEra(minor int, c *corev1.Container, long bool) (Value, error) {
	era, ok := EraOf(minor)
	if !ok {
		return Value{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, ErrEraNotModelled)
	}
	switch era.Algorithm {
	case Adler32Struct:
		return newResult(era.Algorithm, uint32(printAPI(false, c).adler)), nil
	case FNV32aNameImage:
		return newResult(era.Algorithm, printNameImage(c).sum), nil
	case FNV32aJSON:
		return newResult(era.Algorithm, printJSON(minor, long, c).sum), nil
	}
	return newResult(era.Algorithm, printStruct(minor, minor, c).sums[0].sum), nil
}

// WithoutResources returns what kubelets of 1.27 to 1.30 store in addition when their gate InPlacePodVerticalScaling is
// on: the hash of c without its resources. Other minors have no such hash and give ErrEraNotModelled.
func WithoutResources(minor int, c *corev1.Container) (Value, error) {
	if c == nil {
		return Value{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	if minor < withoutResourcesFrom || minor > LastWholeSpec {
		return Value{}, fmt.Errorf("hash container without resources for kubelet v1.%d: %w", minor, ErrEraNotModelled)
	}
	p := printJSON(minor, minor < goShortEscapesAlwaysFrom, withoutResources(c))
	return newResult(FNV32aJSONWithoutResources, p.sum), nil
}

// All returns the hashes of c over all modelled minors, oldest first; adjacent minors with the same hash are one entry.
func All(c *corev1.Container) []EraHash {
	if c == nil {
		return nil
	}
	hashes := allStruct(make([]EraHash, 0, 8), c)
	hashes = allJSON(hashes, FNV32aJSON, LastStruct+1, c)
	return append(hashes, NameImage(c.Name, c.Image))
}

// NameImage returns the hash of the last era, which needs only the container's name and image.
func NameImage(name, image string) EraHash {
	sum := printNameImage(&corev1.Container{Name: name, Image: image}).sum
	return EraHash{LastWholeSpec + 1, NewestMinor, FNV32aNameImage, formatSum(sum)}
}

// AllJSON is All for the era of JSON alone (FNV32aJSON), at a fraction of its cost.
func AllJSON(c *corev1.Container) []EraHash {
	if c == nil {
		return nil
	}
	return allJSON(nil, FNV32aJSON, LastStruct+1, c)
}

// AllWithoutResources is All for WithoutResources. It is separate because the kubelet stores it under another key and
// compares it only with hashes of the same kind.
func AllWithoutResources(c *corev1.Container) []EraHash {
	if c == nil {
		return nil
	}
	return allJSON(nil, FNV32aJSONWithoutResources, withoutResourcesFrom, withoutResources(c))
}

// allStruct appends the hashes of the struct eras.
func allStruct(hashes []EraHash, c *corev1.Container) []EraHash {
	oldest := formatSum(uint32(printAPI(false, c).adler))
	hashes = append(hashes, EraHash{OldestMinor, OldestMinor, Adler32Struct, oldest})
	return structHashes(hashes, fnvStructFrom, LastStruct, c)
}

// structHashes appends the hashes of the struct prints of the minors from first (at least 1.6) to last.
func structHashes(hashes []EraHash, first, last int, c *corev1.Container) []EraHash {
	sums := printStruct(first, last, c).sums
	for i, s := range sums {
		to := last
		if i+1 < len(sums) {
			to = sums[i+1].from - 1
		}
		hashes = join(hashes, EraHash{s.from, to, FNV32aStruct, formatSum(s.sum)})
	}
	return hashes
}

// allJSON appends the hashes of the JSON era from a minor on. Each print is valid up to the next minor that knows more
// of the fields in c.
func allJSON(hashes []EraHash, algorithm string, from int, c *corev1.Container) []EraHash {
	for minor := from; minor <= LastWholeSpec; {
		p := printJSON(minor, false, c)
		hash := EraHash{minor, p.until, algorithm, formatSum(p.sum)}
		if p.short {
			if to := min(p.until, goShortEscapesAlwaysFrom-1); minor <= to {
				long := printJSON(minor, true, c)
				hashes = join(hashes, EraHash{minor, to, algorithm, formatSum(long.sum)})
			}
			hash.FromMinor = max(minor, goShortEscapesFrom)
		}
		if hash.FromMinor <= hash.ToMinor {
			hashes = join(hashes, hash)
		}
		minor = p.until + 1
	}
	return hashes
}

// join appends h, or extends the last entry if the two agree: a field may be new in a minor and print nothing.
func join(hashes []EraHash, h EraHash) []EraHash {
	if last := len(hashes) - 1; last >= 0 && hashes[last].Algorithm == h.Algorithm &&
		hashes[last].Hex == h.Hex && hashes[last].ToMinor+1 == h.FromMinor {
		hashes[last].ToMinor = h.ToMinor
		return hashes
	}
	return append(hashes, h)
}

func withoutResources(c *corev1.Container) *corev1.Container {
	bare := *c // shares everything else with c, which is not changed here
	bare.Resources = corev1.ResourceRequirements{}
	return &bare
}

func newResult(algorithm string, sum uint32) Value {
	return Value{Algorithm: algorithm, Sum: sum, Hex: formatSum(sum)}
}

// formatSum formats a sum as the kubelet stores it: lower-case hex without padding (kuberuntime/labels.go).
func formatSum(sum uint32) string { return strconv.FormatUint(uint64(sum), 16) }
