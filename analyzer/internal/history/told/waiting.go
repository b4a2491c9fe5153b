package told

// Refused reports whether a waiting reason means that the container cannot be started, rather than that its turn has
// not come (ContainerCreating, PodInitializing).
func Refused(reason string) bool {
	switch reason {
	case "", "ContainerCreating", "PodInitializing", "CrashLoopBackOff":
		return false
	}
	return true
}

// Ran reports whether a waiting reason means that the process did run: it ended, or its hook failed after its start,
// though no record may be left.
func Ran(reason string) bool { return reason == "CrashLoopBackOff" || reason == "PostStartHookError" }

// CannotStart reports whether a waiting reason means that something prevents the container from running.
func CannotStart(reason string) bool { return Refused(reason) && !Ran(reason) }
