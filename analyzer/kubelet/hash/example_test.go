package hash_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// From 1.31 on only name and image count, so an upgrade to it changes the hash of every container.
func ExampleHash() {
	for _, minor := range []int{30, 31, 32} {
		h, err := hash.Hash(minor, &corev1.Container{Name: "app", Image: "web:7"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("1.%d %s %s\n", minor, h.Algorithm, h.Hex)
	}
	// Output:
	// 1.30 fnv32a-json 104d05f6
	// 1.31 fnv32a-name-image 4fd0b5f5
	// 1.32 fnv32a-name-image 4fd0b5f5
}
