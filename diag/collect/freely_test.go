package collect

import "testing"

func TestTheHeapGrowsTheLessFreelyTheMoreThereIs(t *testing.T) {
	for name, c := range map[string]struct {
		size, objects int64
		least, most   int
	}{
		"nothing":                  {0, 0, 400, 400},
		"16 000 pods":              {17 << 20, 17 << 20, 400, 400},
		"a log of some size":       {60 << 20, 0, 200, 400},
		"100 000 pods":             {106 << 20, 106 << 20, 100, 150},
		"100 000 pods with events": {156 << 20, 156 << 20, 60, 100},
		"half a million pods":      {512 << 20, 512 << 20, 0, 0},
		"a large log":              {100 << 20, 10 << 20, 0, 0},
	} {
		if got := freely(c.size, c.objects); got < c.least || got > c.most {
			t.Errorf("%s: %d %%, want %d to %d", name, got, c.least, c.most)
		}
	}
}
