package hashes

import "github.com/restartwhy/kubectl-restartwhy/analyzer/report"

const (
	web1 = "registry.example/shop/web:1.4.2"
	web2 = "registry.example/shop/web:1.5.0"
)

// upgraded is the same spec under another kubelet.
func upgraded() *report.Hashes {
	return &report.Hashes{
		Old: &report.StoredHash{Hex: "c87f01d2", Evidence: []string{"e5"}, MadeBy: []report.HashMaker{
			{From: "v1.16", To: "v1.30", Algorithm: "fnv32a-json", Image: web1, PresentSpec: true},
		}},
		New: &report.StoredHash{Hex: "5d6b2a10", Evidence: []string{"e6"}, MadeBy: []report.HashMaker{
			{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image", Image: web1, PresentSpec: true},
		}},
		Minors: []report.MinorHash{
			{From: "v1.6", To: "v1.12", Algorithm: "fnv32a-struct", Hex: "11a0b3c4"},
			{From: "v1.13", To: "v1.15", Algorithm: "fnv32a-struct", Hex: "9be3f017"},
			{From: "v1.16", To: "v1.30", Algorithm: "fnv32a-json", Hex: "c87f01d2"},
			{From: "v1.27", To: "v1.30", Algorithm: "fnv32a-json-without-resources", Hex: "40c2e6d1"},
			{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image", Hex: "5d6b2a10"},
		},
		Before: "v1.30.14", At: "v1.31.0",
		Changed: []string{},
	}
}

// imageChanged is another image under the same kubelet.
func imageChanged() *report.Hashes {
	h := upgraded()
	h.Old.MadeBy = []report.HashMaker{{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image", Image: web1}}
	h.New.MadeBy[0].Image = web2
	h.Old.Hex, h.Before = "77aa10fe", "v1.31.0"
	h.Changed = []string{"image: " + web1 + " → " + web2}
	return h
}

// unexplained is an old hash that nothing known makes.
func unexplained() *report.Hashes {
	h := upgraded()
	h.Old.MadeBy = nil
	h.Old.Hex = "deadbeef"
	return h
}
