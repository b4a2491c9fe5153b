package klogline

import (
	"testing"
	"time"
)

func TestATimeWithoutAYearIsTheLastOne(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for text, want := range map[string]string{
		"Nov 21 06:12:33": "2026-11-21T06:12:33+01:00", "Dec 31 23:59:59": "2025-12-31T23:59:59+01:00",
		"Feb 29 00:00:00": "2024-02-29T00:00:00+01:00", "Nov 31 06:12:33": "0001-01-01T00:00:00Z", "": "0001-01-01T00:00:00Z",
	} {
		got := Yearless(time.Stamp, text, time.Date(2026, 11, 21, 7, 30, 0, 0, time.UTC), berlin)
		if got.Format(time.RFC3339) != want {
			t.Errorf("%q: %s, want %s", text, got.Format(time.RFC3339), want)
		}
	}
}
