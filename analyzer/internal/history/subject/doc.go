// Package subject settles what each observation is about: which container, sandbox and
// pod, whatever name or part of an id a line has for it, on which machine, and when by
// the clock of its node.
package subject
