package report

import "time"

// HashListing is what kubelets compute for containers, and what made the hashes that are stored with them: the answer
// of `hash`, and of a viewer for the two instances of a restart.
type HashListing struct {
	// Pod, Namespace, Node and NodeKubelet, its version, are those of a pod that was asked for by name.
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

// HashItem is the hash of one container for one kubelet version. Pod is given when there are several pods, ModelledAs
// when the version is newer than the newest that is known.
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

	// Place is the container's position among all, so that two of the same name stay apart.
	Place int `json:"-"`
	// Second: the hash that some kubelets store beside the first.
	Second bool `json:"-"`
}

// HashOrigin says what a stored hash was made from.
type HashOrigin string

// The origins.
const (
	FromThisSpec     HashOrigin = "this-spec"     // the present spec, or all of it that the kubelet hashes
	FromAnotherImage HashOrigin = "another-image" // the present spec with another image
	FromAnotherSpec  HashOrigin = "another-spec"  // the present spec with other fields
	FromUnknown      HashOrigin = "unknown"       // nothing that was tried
	HashDamaged      HashOrigin = "damaged"       // what is stored is no hash
	HashMissing      HashOrigin = "missing"       // the stored hash is not in the evidence
)

// HashMaker is one way to make a stored hash: the minors From…To, both ends included, store it for the present spec
// with this image, without some of its fields, with others and with other values of others.
type HashMaker struct {
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
	// Kubelet made the instance, as far as is known.
	Kubelet string     `json:"kubelet,omitempty"`
	Hash    string     `json:"hash,omitempty"`
	Origin  HashOrigin `json:"origin"`
	// Sentence says it in words.
	Sentence string `json:"sentence"`
	// Expected is what the node's kubelet computes from the present spec, and NodeKubelet its version. Same says whether
	// the two hashes are equal; where they are not, that kubelet takes the container for changed. Absent when unknown.
	NodeKubelet string `json:"nodeKubelet,omitempty"`
	Expected    string `json:"expected,omitempty"`
	Same        *bool  `json:"same,omitempty"`
	// MadeBy are the makers, the likeliest first.
	MadeBy     []HashMaker      `json:"madeBy"`
	Difference []HashDifference `json:"difference"`
	// Tried is how many different hashes were compared; each matches by chance once in 2^32.
	Tried int `json:"tried"`
	// OneIn is the odds of a chance match: one in so many. 0 where nothing was compared.
	OneIn uint64 `json:"chanceOneIn,omitempty"`
	// Notes say what limits the answer, or what to collect.
	Notes []string `json:"notes"`

	// Evidence are the records that the hash stands in.
	Evidence []string `json:"-"`
}
