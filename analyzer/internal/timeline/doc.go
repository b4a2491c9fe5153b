// Package timeline is a cluster's past in order: restarts, instances and sandboxes, the stories of nodes and pods, and
// queries by time. Package history fills it.
package timeline
