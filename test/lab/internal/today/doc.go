// Package today provokes on an emulated node what takes a kernel, a systemd and cgroups v2 of its own, part by part,
// and judges what the program says of it.
//
// It may import what the rest of the lab may, and package e2e for what all runs share.
package today
