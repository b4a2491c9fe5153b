// Package timeline is what is known of a cluster's past once it is in order: restarts,
// instances and sandboxes, the stories of nodes and pods, and the answers to what is
// asked of them by time. Package history fills it.
package timeline
