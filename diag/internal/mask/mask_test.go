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
}
