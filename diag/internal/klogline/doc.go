// Package klogline takes a line of klog apart: header and values of glog text, structured text and JSON. Before that it
// makes lines whole that lost their header or were broken. What a message means is package kubeletlog's.
//
// It may import diag/evidence, diag/safetext and the standard library.
package klogline
