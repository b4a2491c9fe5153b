package mask

import "testing"

func TestMasks(t *testing.T) {
	for text, want := range map[string]struct{ value, id bool }{
		"********":          {true, true},
		"<redacted>":        {true, true},
		"a REDACTED value":  {true, true},
		"x-Obfuscated-1":    {true, true},
		"a masked value":    {true, true},
		"<OMITTED>":         {true, true},
		"***x":              {false, true},
		"hidden":            {false, false},
		"mask":              {false, false},
		"<uid>":             {false, true},
		"xxxxxxxx-xxxx":     {false, true},
		"**":                {false, true},
		"7d1f6a52-0b8e":     {false, false},
		"[1, 2]":            {false, true},
		"containerd://abc1": {false, false},
		"":                  {false, false},
	} {
		if value, id := Is(text), ID(text); value != want.value || id != want.id {
			t.Errorf("%q: %v and %v, want %v", text, value, id, want)
		}
	}
	for path, want := range map[string]bool{
		"/kubepods/burstable/pod<redacted>/<redacted>":                                  true,
		"/kubepods.slice/kubepods-podxxxxxxxx_xxxx_xxxx_xxxx_xxxxxxxxxxxx.slice":        true,
		"/kubepods/besteffort/pod6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4/ebabb3f387d777eb": false,
	} {
		if got := In(path); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}
