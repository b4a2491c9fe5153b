// Package today provokes on an emulated node what needs its own kernel, systemd and cgroup v2, part by part, and judges
// the program's verdicts.
//
// It may import what the rest of the lab may, and package e2e for what all runs share.
package today
