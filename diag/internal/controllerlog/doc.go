// Package controllerlog reads what the programs that end pods through the API write into their own logs: the
// controllers of kube-controller-manager, kube-scheduler, cluster-autoscaler, descheduler, the updater of
// vertical-pod-autoscaler. Each line becomes what the event of the same end would be.
//
// It may import diag/evidence, diag/safetext and the packages below diag/internal that read klog and events. Lines of
// kubelets and runtimes never enter.
package controllerlog
