package report

import "time"

// HashListing holds the hashes that kubelets compute for containers, and what the stored hashes were made from. It is
// the answer of `hash`, and in a viewer that for the two instances of a restart.
type HashListing struct {
	// Pod, Namespace, Node and NodeKubelet (its version) belong to a pod that was asked for by name.
	Pod         string `json:"pod,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Node        string `json:"node,omitempty"`
	NodeKubelet string `json:"nodeKubelet,omitempty"`

	Items []HashItem `json:"items"`
	// Stored says what the stored hashes were made from; absent where none was asked about.
	Stored []Provenance `json:"stored,omitzero"`

	// Undefaulted: a manifest lacks what the API server sets by default.
	Undefaulted bool `json:"-"`
}

// HashItem is the hash of one container for one kubelet version. Pod is set when there are several pods, ModelledAs
// when the version is newer than the newest known one.
type HashItem struct {
	Pod        string `json:"pod,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Container  string `json:"container"`
	Kind       string `json:"kind"`
	Kubelet    string `json:"kubelet"`
	ModelledAs string `json:"modelledAs,omitempty"`
	Algorithm  string `json:"algorithm"`
	Hash       string `json:"hash"`
	Decimal    uint32 `json:"decimal"`

	// Place is the container's position among all, so that two of the same name can be distinguished.
	Place int `json:"-"`
	// Second: the hash that some kubelets store along with the first.
	Second bool `json:"-"`
}

// HashOrigin says what a stored hash was made from.
type HashOrigin string

// The origins.
const (
	FromThisSpec     HashOrigin = "this-spec"     // the present spec, or the part of it that the kubelet hashes
	FromAnotherImage HashOrigin = "another-image" // the present spec with another image
	FromAnotherSpec  HashOrigin = "another-spec"  // the present spec with other fields
	FromUnknown      HashOrigin = "unknown"       // nothing that was tried
	HashDamaged      HashOrigin = "damaged"       // what is stored is no hash
	HashMissing      HashOrigin = "missing"       // the evidence does not contain the stored hash
)

// HashMaker is one way to make a stored hash: the minors From to To, inclusive, compute it from the present spec with
// this image, without some of its fields, with additional ones, and with other values of some.
type HashMaker struct {
	From      string   `json:"from"`
	To        string   `json:"to"`
	Algorithm string   `json:"algorithm"`
	Image     string   `json:"image"`
	Without   []string `json:"without,omitempty"`
	With      []string `json:"with,omitempty"`
	Changed   []string `json:"changed,omitempty"`
	// Source says where the image is named, if it is not the present one, or whose template was hashed: "an event",
	// "revision 3 of deployment web".
	Source string `json:"source,omitempty"`
}

// HashDifference is a field in which the hashed spec and the present one differ. Then and Now are "set" and "not set",
// "other" and "as in the spec", or images.
type HashDifference struct {
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
	// Kubelet is the version that created the instance, as far as is known.
	Kubelet string     `json:"kubelet,omitempty"`
	Hash    string     `json:"hash,omitempty"`
	Origin  HashOrigin `json:"origin"`
	// Sentence is the same in one sentence.
	Sentence string `json:"sentence"`
	// Expected is what the node's kubelet (version NodeKubelet) computes from the present spec. Same reports whether
	// the two hashes are equal; if not, that kubelet treats the container as changed. Absent when unknown.
	NodeKubelet string `json:"nodeKubelet,omitempty"`
	Expected    string `json:"expected,omitempty"`
	Same        *bool  `json:"same,omitempty"`
	// MadeBy are the makers, the likeliest first.
	MadeBy     []HashMaker      `json:"madeBy"`
	Difference []HashDifference `json:"difference"`
	// Tried is how many different hashes were compared; each matches by chance once in 2^32.
	Tried int `json:"tried"`
	// OneIn is the odds of a chance match: one in OneIn. 0 where nothing was compared.
	OneIn uint64 `json:"chanceOneIn,omitempty"`
	// Notes say what limits the answer, or what to collect.
	Notes []string `json:"notes"`

	// Evidence are the observations that contain the hash.
	Evidence []string `json:"-"`
}
