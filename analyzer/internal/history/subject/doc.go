// Package subject resolves what each observation is about: which container, sandbox and pod, whatever name or part of
// an id a line has for it, on which machine, and when by its node's clock.
package subject
