package forensics

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// MadeFrom says what a stored hash was made from.
type MadeFrom string

// The origins.
const (
	FromThisSpec     MadeFrom = "this-spec"     // the present spec, or all of it that the kubelet hashes
	FromAnotherImage MadeFrom = "another-image" // the present spec with another image
	FromAnotherSpec  MadeFrom = "another-spec"  // the present spec with other fields
	FromUnknown      MadeFrom = "unknown"       // nothing that was tried
	Damaged          MadeFrom = "damaged"       // what is stored is no hash
	Missing          MadeFrom = "missing"       // the stored hash is not in the evidence
)

// Stored is one container instance with the hash that a kubelet stored with it. What the evidence does not tell is
// zero.
type Stored struct {
	ContainerID string
	Attempt     int // -1 when unknown
	Image       string
	Runtime     string // that the API's id names: docker, containerd, cri-o
	Created     time.Time
	// Hash is the annotation io.kubernetes.container.hash as it stands there, "" when it was not read, and Second
	// io.kubernetes.container.hashWithoutResources.
	Hash, Second string
	// Kubelet is the version that made the instance, where the node's records tell it.
	Kubelet string
}

// Question is one container with its instances, oldest first.
type Question struct {
	Spec   evidence.Container
	Stored []Stored
	// Kubelet is the version that the node has now, "" when unknown.
	Kubelet string
}

// Identity is one way to make a stored hash: the minors From…To, both ends included, store it for the present spec with
// this image, without some of its fields, with others and with other values of others.
type Identity struct {
	From      string   `json:"from"`
	To        string   `json:"to"`
	Algorithm string   `json:"algorithm"`
	Image     string   `json:"image"`
	Without   []string `json:"without,omitempty"`
	With      []string `json:"with,omitempty"`
	Changed   []string `json:"changed,omitempty"`
	// Source says who names the image, if it is not the present one, or whose template was hashed: "an event",
	// "revision 3 of deployment web".
	Source string `json:"source,omitempty"`

	from, to  int
	thisImage bool
	template  bool // Source is that of a whole spec
}

// plain tells that no field was left out, set or changed.
func (i *Identity) plain() bool { return len(i.Without)+len(i.With)+len(i.Changed) == 0 }

// covers tells whether kubelets of this minor are among the makers.
func (i *Identity) covers(minor int) bool { return i.from <= minor && minor <= i.to }

// Difference is a field in which the hashed spec and the present one differ. Then and Now are "set" and "not set",
// "other" and "as in the spec", or images.
type Difference struct {
	Field string `json:"field"`
	Then  string `json:"then"`
	Now   string `json:"now"`
}

// Provenance is what is known of one stored hash.
type Provenance struct {
	Container   string     `json:"container"`
	Kind        string     `json:"kind"`
	ContainerID string     `json:"containerID,omitempty"`
	Attempt     *int       `json:"attempt,omitempty"`
	Created     *time.Time `json:"created,omitempty"`
	// Kubelet made the instance, as far as is known.
	Kubelet string   `json:"kubelet,omitempty"`
	Hash    string   `json:"hash,omitempty"`
	Origin  MadeFrom `json:"origin"`
	// Sentence says it in words.
	Sentence string `json:"sentence"`
	// Expected is what the node's kubelet computes from the present spec, and NodeKubelet its version. Same says whether
	// the two hashes are equal; where they are not, that kubelet takes the container for changed. Absent when unknown.
	NodeKubelet string `json:"nodeKubelet,omitempty"`
	Expected    string `json:"expected,omitempty"`
	Same        *bool  `json:"same,omitempty"`
	// MadeBy are the identities, the likeliest first.
	MadeBy     []Identity   `json:"madeBy"`
	Difference []Difference `json:"difference"`
	// Tried is how many different hashes were compared; each matches by chance once in 2^32.
	Tried int `json:"tried"`
	// OneIn is the odds of a chance match: one in so many. 0 where nothing was compared.
	OneIn uint64 `json:"chanceOneIn,omitempty"`
	// Notes say what limits the answer, or what to collect.
	Notes []string `json:"notes"`
}
