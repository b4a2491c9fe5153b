//go:build !(sdjournal && linux && cgo)

package journal

// libsystemd is the way through libsystemd: this binary was built without it.
func libsystemd(*Options) way { return nil }
