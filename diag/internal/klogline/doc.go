// Package klogline takes a line of klog apart: header and values of glog text, structured text and JSON. Lines that lost
// their header or were broken it makes whole before. What a message means is package kubeletlog's.
//
// It may import diag/safetext and the standard library.
package klogline
