package field

import "time"

// zones maps unambiguous zone names to hours ahead of UTC. CST, IST and BST have several meanings.
var zones = map[string]int{"UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MET": 1, "MEST": 2,
	"EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9, "HKT": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
	"EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// AheadOfUTC returns how far a zone is ahead of UTC, by its name or as "+0100". No zone counts as UTC.
func AheadOfUTC(zone string) (ahead time.Duration, known bool) {
	if zone == "" {
		return 0, true
	}
	if hours, ok := zones[zone]; ok {
		return time.Duration(hours) * time.Hour, true
	}
	for _, layout := range []string{"-0700", "-07"} {
		if t, err := time.Parse(layout, zone); err == nil {
			_, seconds := t.Zone()
			return time.Duration(seconds) * time.Second, true
		}
	}
	return 0, false
}

// parse is time.Parse, and refuses a zone that is known by its name alone and has several meanings: Go takes any name
// that this machine's own zone does not have for UTC.
func parse(layout, text string) (t time.Time, ok bool) {
	t, err := time.ParseInLocation(layout, text, time.UTC)
	if err != nil {
		return t, false
	}
	name, offset := t.Zone()
	if offset != 0 {
		return t, true
	}
	ahead, known := AheadOfUTC(name)
	return t.Add(-ahead), known
}
