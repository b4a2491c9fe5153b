package hash

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Text returns what the kubelet of Kubernetes 1.minor hashes of c, so that two hashes that differ can be compared field
// by field: the JSON of the container (1.16 to 1.30), of its name and image (since 1.31), or the print of its Go struct
// (up to 1.15). A negative patch stands for the minor's last. From 1.16 on the kubelet does not hash these bytes
// themselves but their print as numbers, see Hash.
//
// The text holds the values of environment variables: it is for comparing on the spot and must never be stored or shown
// without having been redacted. Errors are those of Hash; a container that does not encode has the text "".
func Text(minor, patch int, c *corev1.Container) (string, error) {
	if c == nil {
		return "", fmt.Errorf("print container for kubelet v1.%d: %w", minor, errNoContainer)
	}
	era, ok := EraOf(minor)
	if !ok {
		return "", fmt.Errorf("print container for kubelet v1.%d: %w", minor, ErrEraNotModelled)
	}
	switch era.Algorithm {
	case FNV32aNameImage, FNV32aJSON:
		p := newJSONPrint(minor)
		p.keep, p.long = true, writesLongEscapes(minor, patch)
		if era.Algorithm == FNV32aNameImage {
			p.nameImage(c)
		} else {
			p.whole(c)
		}
		return string(p.text), nil
	case Adler32Struct:
		p := newStructPrint(0, -1)
		p.keep = true
		p.internal(c)
		return string(p.text), nil
	}
	lane := laneOf(minor)
	p := newStructPrint(lane, lane)
	p.keep = true
	p.v1(c)
	return string(p.text), nil
}
