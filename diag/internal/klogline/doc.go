// Package klogline splits a line of klog into header and values: glog text, structured text and JSON. Before that it
// repairs lines that lost their header or were broken. It also knows the names of months in other lines. The meaning of
// a message is up to package kubeletlog.
//
// It may import diag/evidence, diag/safetext and the standard library.
package klogline
