// Package controllerlog reads the logs of programs that end pods through the API: the controllers of
// kube-controller-manager, kube-scheduler, cluster-autoscaler, descheduler, the updater of vertical-pod-autoscaler.
// Each line becomes the same fact as the event of the same end.
//
// It may import diag/evidence, diag/safetext and the packages below diag/internal that read klog and events. It does
// not read lines of kubelets and runtimes.
package controllerlog
