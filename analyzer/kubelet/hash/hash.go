package hash

import (
	"errors"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

var errNoContainer = errors.New("no container given")

// Result is one hash of one container.
type Result struct {
	// Algorithm is one of the names of this package, such as FNV32aJSON.
	Algorithm string
	Sum       uint32
	// Hex is Sum as the kubelet stores it: lower case, no padding, no prefix.
	Hex string
	// Text is the JSON that was hashed, or the print of the struct up to 1.15. Up to 1.30 it holds values of environment variables: never store or show it.
	Text string
}

// EraHash is a hash with the kubelet minors, both ends included, that compute it. Two entries overlap only where the
// patches of a minor disagree.
type EraHash struct {
	FromMinor, ToMinor int
	Algorithm          string
	Hex                string
}

// Hash returns what the kubelet of Kubernetes 1.minor stores for c. The container is taken as it is: defaults that the
// API server sets must be in it already. Fields that this minor did not know are left out, as that kubelet never sees
// them. Minors before OldestMinor give ErrEraNotModelled, those after NewestMinor are taken for it.
//
// Up to 1.15 the print holds the inside of quantities, which is that of c as it was decoded from JSON. A kubelet that
// had touched a quantity could have stored another hash: there a match is proof, a mismatch is none.
//
// From 1.27 to 1.29 a backspace or form feed in a string is hashed as the first patches of the minor did; All has both.
func Hash(minor int, c *corev1.Container) (Result, error) {
	if c == nil {
		return Result{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	return hashEra(minor, c, minor < goShortEscapesAlwaysFrom)
}

// HashPatch is Hash for one patch of a minor. A negative patch stands for the last one. Patches disagree only about a
// backspace or form feed in a string, from 1.27 to 1.29.
func HashPatch(minor, patch int, c *corev1.Container) (Result, error) {
	if c == nil {
		return Result{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	return hashEra(minor, c, writesLongEscapes(minor, patch))
}

func hashEra(minor int, c *corev1.Container, long bool) (Result, error) {
	switch era, _ := EraOf(minor); era.Algorithm {
	case FNV32aNameImage:
		var buffer [256]byte
		return newResult(FNV32aNameImage, nameImageText(buffer[:0], c)), nil
	case FNV32aJSON:
		return hashJSON(FNV32aJSON, minor, c, long)
	case FNV32aStruct, Adler32Struct:
		return hashStruct(minor, c), nil
	}
	return Result{}, eraError(minor)
}

// HashWithoutResources returns what kubelets of 1.27 to 1.30 store besides when their gate InPlacePodVerticalScaling is
// on: the hash of c without its resources. Other minors have no such hash and give ErrEraNotModelled.
func HashWithoutResources(minor int, c *corev1.Container) (Result, error) {
	if c == nil {
		return Result{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	if minor < withoutResourcesFrom || minor > jsonTo {
		return Result{}, fmt.Errorf("hash container without resources for kubelet v1.%d: %w", minor, ErrEraNotModelled)
	}
	return hashJSON(FNV32aJSONWithoutResources, minor, withoutResources(c), minor < goShortEscapesAlwaysFrom)
}

// All returns the hashes of c over all modelled minors, oldest first; neighbours that agree are one entry. A nil
// container, or one that no API server could have handed out because it does not encode, has none for the JSON era.
func All(c *corev1.Container) []EraHash {
	if c == nil {
		return nil
	}
	var buffer [256]byte
	sum := sumOfDump(nameImageText(buffer[:0], c))
	hashes := append(allStruct(c), allJSON(FNV32aJSON, jsonFrom, c)...)
	return append(hashes, EraHash{jsonTo + 1, NewestMinor, FNV32aNameImage, formatSum(sum)})
}

// AllWithoutResources is All for HashWithoutResources. It is kept apart because the kubelet stores it under another key
// and compares it only with its like.
func AllWithoutResources(c *corev1.Container) []EraHash {
	if c == nil {
		return nil
	}
	return allJSON(FNV32aJSONWithoutResources, withoutResourcesFrom, withoutResources(c))
}

// Match returns those of hashes that stored, the text of the annotation, is equal to. A missing or damaged annotation
// matches nothing; a match is proof but for one chance in 2^32.
func Match(stored string, hashes []EraHash) []EraHash {
	sum, err := strconv.ParseUint(stored, 16, 32)
	if err != nil {
		return nil
	}
	hex := formatSum(uint32(sum))
	var matches []EraHash
	for _, h := range hashes {
		if h.Hex == hex {
			matches = append(matches, h)
		}
	}
	return matches
}

func hashJSON(algorithm string, minor int, c *corev1.Container, long bool) (Result, error) {
	text, err := jsonText(asKnownTo(minor, c))
	if err != nil {
		return Result{}, fmt.Errorf("hash container for kubelet v1.%d: %w", minor, err)
	}
	if long {
		text, _ = longEscapes(text)
	}
	return newResult(algorithm, text), nil
}

// allJSON encodes c once for each run of minors in from..jsonTo that see the same fields. Runs differ in a field that is
// set, so neighbours never agree.
func allJSON(algorithm string, from int, c *corev1.Container) []EraHash {
	starts := append([]int{from}, knownSince(c, from, jsonTo)...)
	hashes := make([]EraHash, 0, len(starts)+2) // one more when escapes differ, one for the caller's last era
	for i, start := range starts {
		end := jsonTo
		if i+1 < len(starts) {
			end = starts[i+1] - 1
		}
		text, err := jsonText(asKnownTo(start, c))
		if err != nil {
			return nil
		}
		long, differs := longEscapes(text)
		if !differs {
			hashes = append(hashes, EraHash{start, end, algorithm, formatSum(sumOfDump(text))})
			continue
		}
		if to := min(end, goShortEscapesAlwaysFrom-1); start <= to {
			hashes = append(hashes, EraHash{start, to, algorithm, formatSum(sumOfDump(long))})
		}
		if since := max(start, goShortEscapesFrom); since <= end {
			hashes = append(hashes, EraHash{since, end, algorithm, formatSum(sumOfDump(text))})
		}
	}
	return hashes
}

func withoutResources(c *corev1.Container) *corev1.Container {
	bare := *c // shares all else with c, which nothing here changes
	bare.Resources = corev1.ResourceRequirements{}
	return &bare
}

func newResult(algorithm string, text []byte) Result {
	sum := sumOfDump(text)
	return Result{Algorithm: algorithm, Sum: sum, Hex: formatSum(sum), Text: string(text)}
}
