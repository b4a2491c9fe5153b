package kubeletdir

import "hash/fnv"

// sum returns the kubelet's checksum of a checkpoint: FNV-32a of the value as spew prints it
// (checkpointmanager/checksum/checksum.go, pkg/util/hash DeepHashObject; unchanged v1.8–v1.36).
func sum(printed string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(printed))
	return uint64(h.Sum32())
}

// checked compares the checksum of a string: spew prints its type, then the string.
func checked(data string, want uint64) string {
	if sum("(string)"+data) == want {
		return "ok"
	}
	return "bad"
}
