// Package signs holds what makes causes more or less likely, and proves none: how long a container lived and how soon
// the next one came, whether its probes can have run, what the node reports, what happened to its pod.
//
// Each function answers a question about the findings of one end, for likelihood and some rules. It may import finding,
// timeline, tolerance and evidence. What never enters: a cause, a weight, and what one finding needs of another.
package signs
