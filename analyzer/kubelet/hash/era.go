package hash

import "errors"

// The public names of the algorithms.
const (
	Adler32Struct              = "adler32-struct"
	FNV32aStruct               = "fnv32a-struct"
	FNV32aJSON                 = "fnv32a-json"
	FNV32aJSONWithoutResources = "fnv32a-json-without-resources"
	FNV32aNameImage            = "fnv32a-name-image"
)

// The minors between which hashes are computed. Newer minors are treated as NewestMinor.
const (
	OldestMinor = 5
	NewestMinor = 37
)

// ErrEraNotModelled is wrapped by errors about a minor whose hash this package does not compute.
var ErrEraNotModelled = errors.New("hashes of this era are not modelled")

// Era is a range of kubelet minors, inclusive, that hash in the same way. Within one minor all patches agree.
type Era struct {
	Algorithm string
	From, To  int
}

// eras holds the main hash of every minor, oldest first and without gaps (kubelet v1.5–v1.37 container/helpers.go
// HashContainer). The struct eras print the Go struct, so that each added field changes each hash; the JSON era omits
// unset fields; the last one covers only name and image and was never backported to an older minor.
var eras = [...]Era{
	{Adler32Struct, OldestMinor, fnvStructFrom - 1},
	{FNV32aStruct, fnvStructFrom, LastStruct},
	{FNV32aJSON, LastStruct + 1, LastWholeSpec},
	{FNV32aNameImage, LastWholeSpec + 1, NewestMinor},
}

const (
	// LastStruct is the last minor that prints the Go struct: nearly every minor up to it hashes differently.
	LastStruct = 15
	// LastWholeSpec is the last minor whose hash covers the whole container: later ones hash name and image.
	LastWholeSpec = 30

	fnvStructFrom = 6
	// withoutResourcesFrom..LastWholeSpec store a second hash, in the annotation
	// io.kubernetes.container.hashWithoutResources, when the gate InPlacePodVerticalScaling is on
	// (kubelet v1.27 container/helpers.go HashContainerWithoutResources).
	withoutResourcesFrom = 27
)

// EraOf returns the era of Kubernetes 1.minor's main hash. A minor newer than NewestMinor belongs to the last era;
// older than 1.5 has none.
func EraOf(minor int) (Era, bool) {
	minor = min(minor, NewestMinor)
	for _, era := range eras {
		if era.From <= minor && minor <= era.To {
			return era, true
		}
	}
	return Era{}, false
}
