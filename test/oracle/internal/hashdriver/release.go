package hashdriver

import "fmt"

// Driver says which release represents a range of minor versions, and how its program is built.
type Driver struct {
	Release  string // such as v1.30.14
	From, To int    // the minor versions that it represents
	// Late marks a second build of a minor version whose last patches were built with Go 1.22 or newer, which writes a
	// backspace in JSON differently than before.
	Late bool
	// go121 means to build with Go 1.21, which writes JSON like all earlier Go versions.
	go121 bool
}

// Minor returns the minor version of the release itself.
func (d Driver) Minor() int {
	var minor int
	_, _ = fmt.Sscanf(d.Release, "v1.%d.", &minor)
	return minor
}

// WithoutResources reports whether the release has HashContainerWithoutResources too.
func (d Driver) WithoutResources() bool { return d.Minor() >= 27 && d.Minor() <= 30 }

func (d Driver) String() string {
	if d.Late {
		return d.Release + "/go1.22"
	}
	return d.Release
}

// Eras groups the drivers by what is hashed, oldest first. Every minor version whose types differ from the previous
// one's, as far as a container uses them, has its own release; those in between have the same types and the same
// HashContainer.
var Eras = [][]Driver{
	{{Release: "v1.5.8", From: 5, To: 5}},
	{
		{Release: "v1.6.13", From: 6, To: 6},
		{Release: "v1.7.0", From: 7, To: 7},
		{Release: "v1.8.15", From: 8, To: 8},
		{Release: "v1.9.11", From: 9, To: 9},
		{Release: "v1.10.13", From: 10, To: 11},
		{Release: "v1.12.10", From: 12, To: 13},
		{Release: "v1.14.10", From: 14, To: 14},
		{Release: "v1.15.12", From: 15, To: 15},
	},
	{
		{Release: "v1.16.15", From: 16, To: 18, go121: true},
		{Release: "v1.19.16", From: 19, To: 20, go121: true},
		{Release: "v1.21.14", From: 21, To: 21, go121: true},
		{Release: "v1.22.17", From: 22, To: 22, go121: true},
		{Release: "v1.23.17", From: 23, To: 25, go121: true},
		{Release: "v1.26.15", From: 26, To: 26, go121: true},
	},
	{
		{Release: "v1.27.16", From: 27, To: 27, go121: true},
		{Release: "v1.27.16", From: 27, To: 27, Late: true},
		{Release: "v1.28.15", From: 28, To: 28, go121: true},
		{Release: "v1.28.15", From: 28, To: 28, Late: true},
		{Release: "v1.29.14", From: 29, To: 29, go121: true},
		{Release: "v1.29.14", From: 29, To: 29, Late: true},
		{Release: "v1.30.14", From: 30, To: 30},
	},
	{
		{Release: "v1.31.14", From: 31, To: 33},
		{Release: "v1.34.4", From: 34, To: 35},
		{Release: "v1.36.3", From: 36, To: 36},
		{Release: "v1.37.1", From: 37, To: 37},
	},
}

// Choose returns the drivers that represent 1.minor: one, or two if Late distinguishes them. A minor version outside of
// the eras has none.
func Choose(minor int) []Driver {
	for _, era := range Eras {
		var stand []Driver
		for _, d := range era {
			if d.From <= minor && minor <= d.To {
				stand = append(stand, d)
			}
		}
		if len(stand) > 0 {
			return stand
		}
	}
	return nil
}

// Twice reports whether the minor version has a second driver, for its late patches.
func (d Driver) Twice() bool { return d.go121 && d.WithoutResources() }
