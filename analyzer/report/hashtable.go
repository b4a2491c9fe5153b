package report

import "time"

// HashTable is what kubelets store with containers, and what made the hashes that are
// stored: the page of `hash`. Programs read its own JSON.
type HashTable struct {
	// Pod and what follows are those of a pod that was asked for by name.
	Pod, Namespace, Node, NodeKubelet string
	// Asked says that stored hashes were asked about; Stored are those that are known.
	Asked  bool
	Stored []HashAnswer
	Rows   []HashRow
	// Steps are the changes of the kubelet's version that change hashes, in the order of
	// the versions; Compared says that there was more than one.
	Steps    []HashStep
	Compared bool
	// Undefaulted: a manifest lacks fields that the API server sets, and versions that
	// hash them were asked about.
	Undefaulted bool
	Static      []StaticPodRow
}

// HashRow is a container's hash under a run of versions.
type HashRow struct {
	// Pod is given where there are several; a row that Continues has the container of the
	// one above.
	Pod, Container, Kind, Kubelets string
	Continues                      bool
	Hash, Algorithm                string
	Decimal                        uint32
	// Second: the hash that some kubelets store beside the first.
	Second bool
}

// HashStep is a change of version that changes the hash of containers.
type HashStep struct {
	From, To   string
	Containers []string
	All        bool
}

// HashAnswer says what made one stored hash.
type HashAnswer struct {
	Container, Kind, Hash, ContainerID, Kubelet string
	Attempt                                     *int
	Created                                     *time.Time
	Sentence                                    string
	Difference                                  []HashDifference
	// Found says that something makes it. OneIn are the odds of a chance match, Tried how many hashes were compared.
	Found bool
	OneIn uint64
	Tried int
	Notes []string
}

// HashDifference is a field that was otherwise when the hash was made.
type HashDifference struct{ Field, Then, Now string }

// StaticPodRow is what a run of versions makes of a manifest as a static pod.
type StaticPodRow struct{ Pod, Kubelets, UIDFrom, Why string }
