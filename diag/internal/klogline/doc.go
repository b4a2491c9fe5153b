// Package klogline takes a line of klog apart: header and values of glog text, structured text and JSON. What a message
// means is package kubeletlog's.
//
// It may import diag/safetext and the standard library.
package klogline
