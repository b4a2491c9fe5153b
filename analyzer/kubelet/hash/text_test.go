package hash

import (
	"encoding/json"
	"errors"
	"hash/adler32"
	"hash/fnv"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// What Text shows is what Hash hashes, in every era.
func TestTheTextIsWhatIsHashed(t *testing.T) {
	c := &corev1.Container{Name: "a", Image: "x:1\b", Env: []corev1.EnvVar{{Name: "A", Value: "<b>"}},
		Args: []string{"-v"}}
	for minor := OldestMinor; minor <= NewestMinor; minor++ {
		text, err := Text(minor, -1, c)
		if err != nil {
			t.Fatal(err)
		}
		want, err := OfPatch(minor, -1, c)
		if err != nil {
			t.Fatal(err)
		}
		var sum uint32
		switch want.Algorithm {
		case Adler32Struct:
			sum = adler32.Checksum([]byte(text))
		case FNV32aStruct:
			h := fnv.New32a()
			h.Write([]byte(text))
			sum = h.Sum32()
		default:
			var numbers []string
			for _, b := range []byte(text) {
				numbers = append(numbers, strconv.Itoa(int(b)))
			}
			h := fnv.New32a()
			h.Write([]byte("([]uint8)[" + strings.Join(numbers, " ") + "]"))
			sum = h.Sum32()
			if !json.Valid([]byte(text)) {
				t.Errorf("v1.%d: no JSON: %s", minor, text)
			}
		}
		if sum != want.Sum {
			t.Errorf("v1.%d: the text hashes to %x, the container to %x: %s", minor, sum, want.Sum, text)
		}
		if values := strings.Contains(text, "-v"); values == (minor >= nameImageFrom()) {
			t.Errorf("v1.%d: %s", minor, text)
		}
	}
}

func nameImageFrom() int { return jsonTo + 1 }

func TestATextNeedsAContainerAndAMinor(t *testing.T) {
	if _, err := Text(30, -1, nil); err == nil {
		t.Error("no container, and a text")
	}
	if _, err := Text(4, -1, &corev1.Container{}); !errors.Is(err, ErrEraNotModelled) {
		t.Errorf("v1.4: %v", err)
	}
	long, _ := Text(27, 3, &corev1.Container{Name: "a", Image: "\f"})
	short, _ := Text(27, 16, &corev1.Container{Name: "a", Image: "\f"})
	if !strings.Contains(long, `\u000c`) || !strings.Contains(short, `\f`) {
		t.Errorf("patches of v1.27: %s, %s", long, short)
	}
}
