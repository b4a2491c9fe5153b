// Code generated from the API types of each minor, all of which are closed (docs/DECISIONS.md); DO NOT EDIT.

package hash

import corev1 "k8s.io/api/core/v1"

const (
	litObject      = 0
	litComma       = 1
	litEmptyObject = 2
	litObjectEnd   = 3
	litQuote       = 4
	litKeyEnd      = 5
	litArrayEnd    = 6
	litJSONTrue    = 7
	litJSONFalse   = 8
	litImage       = 9
	litName        = 10
)

// jsonLiterals are the texts that a print takes over as a whole, by number.
var jsonLiterals = [...]string{
	"{",
	",",
	"{}",
	"}",
	"\"",
	"\":",
	"]",
	"true",
	"false",
	"{\"image\":\"",
	"\",\"name\":\"",
	"\"name\":\"",
	"\"image\":\"",
	"\"command\":[",
	"\"args\":[",
	"\"workingDir\":\"",
	"\"ports\":[",
	"\"envFrom\":[",
	"\"env\":[",
	"\"resources\":",
	"\"resizePolicy\":[",
	"\"restartPolicy\":\"",
	"\"volumeMounts\":[",
	"\"volumeDevices\":[",
	"\"livenessProbe\":",
	"\"readinessProbe\":",
	"\"startupProbe\":",
	"\"lifecycle\":",
	"\"terminationMessagePath\":\"",
	"\"terminationMessagePolicy\":\"",
	"\"imagePullPolicy\":\"",
	"\"securityContext\":",
	"\"stdin\":",
	"\"stdinOnce\":",
	"\"tty\":",
	"\"hostPort\":",
	"\"containerPort\":",
	"\"protocol\":\"",
	"\"hostIP\":\"",
	"\"prefix\":\"",
	"\"configMapRef\":",
	"\"secretRef\":",
	"\"optional\":",
	"\"value\":\"",
	"\"valueFrom\":",
	"\"fieldRef\":",
	"\"resourceFieldRef\":",
	"\"configMapKeyRef\":",
	"\"secretKeyRef\":",
	"\"apiVersion\":\"",
	"\"fieldPath\":\"",
	"\"containerName\":\"",
	"\"resource\":\"",
	"\"divisor\":",
	"\"key\":\"",
	"\"limits\":",
	"\"requests\":",
	"\"claims\":[",
	"\"resourceName\":\"",
	"\"readOnly\":",
	"\"recursiveReadOnly\":\"",
	"\"mountPath\":\"",
	"\"subPath\":\"",
	"\"mountPropagation\":\"",
	"\"subPathExpr\":\"",
	"\"devicePath\":\"",
	"\"initialDelaySeconds\":",
	"\"timeoutSeconds\":",
	"\"periodSeconds\":",
	"\"successThreshold\":",
	"\"failureThreshold\":",
	"\"terminationGracePeriodSeconds\":",
	"\"exec\":",
	"\"httpGet\":",
	"\"tcpSocket\":",
	"\"grpc\":",
	"\"path\":\"",
	"\"port\":",
	"\"host\":\"",
	"\"scheme\":\"",
	"\"httpHeaders\":[",
	"\"service\":null",
	"\"service\":\"",
	"\"postStart\":",
	"\"preStop\":",
	"\"sleep\":",
	"\"seconds\":",
	"\"capabilities\":",
	"\"privileged\":",
	"\"seLinuxOptions\":",
	"\"windowsOptions\":",
	"\"runAsUser\":",
	"\"runAsGroup\":",
	"\"runAsNonRoot\":",
	"\"readOnlyRootFilesystem\":",
	"\"allowPrivilegeEscalation\":",
	"\"procMount\":\"",
	"\"seccompProfile\":",
	"\"appArmorProfile\":",
	"\"add\":[",
	"\"drop\":[",
	"\"user\":\"",
	"\"role\":\"",
	"\"type\":\"",
	"\"level\":\"",
	"\"gmsaCredentialSpecName\":\"",
	"\"gmsaCredentialSpec\":\"",
	"\"runAsUserName\":\"",
	"\"hostProcess\":",
	"\"localhostProfile\":\"",
}

func (p *jsonPrint) container(v *corev1.Container) {
	p.next()
	p.lit(11) // "name":"
	p.string(string(v.Name))
	p.lit(litQuote)
	if v.Image != "" {
		p.next()
		p.lit(12) // "image":"
		p.string(string(v.Image))
		p.lit(litQuote)
	}
	if len(v.Command) > 0 {
		p.next()
		p.lit(13) // "command":[
		for i := range v.Command {
			p.comma(i)
			p.lit(litQuote)
			p.string(string(v.Command[i]))
			p.lit(litQuote)
		}
		p.lit(litArrayEnd)
	}
	if len(v.Args) > 0 {
		p.next()
		p.lit(14) // "args":[
		for i := range v.Args {
			p.comma(i)
			p.lit(litQuote)
			p.string(string(v.Args[i]))
			p.lit(litQuote)
		}
		p.lit(litArrayEnd)
	}
	if v.WorkingDir != "" {
		p.next()
		p.lit(15) // "workingDir":"
		p.string(string(v.WorkingDir))
		p.lit(litQuote)
	}
	if len(v.Ports) > 0 {
		p.next()
		p.lit(16) // "ports":[
		for i := range v.Ports {
			p.comma(i)
			p.object()
			p.containerPort(&v.Ports[i])
			p.objectEnd()
		}
		p.lit(litArrayEnd)
	}
	if len(v.EnvFrom) > 0 {
		p.next()
		p.lit(17) // "envFrom":[
		for i := range v.EnvFrom {
			p.comma(i)
			p.object()
			p.envFromSource(&v.EnvFrom[i])
			p.objectEnd()
		}
		p.lit(litArrayEnd)
	}
	if len(v.Env) > 0 {
		p.next()
		p.lit(18) // "env":[
		for i := range v.Env {
			p.comma(i)
			p.object()
			p.envVar(&v.Env[i])
			p.objectEnd()
		}
		p.lit(litArrayEnd)
	}
	p.next()
	p.lit(19) // "resources":
	p.object()
	p.resourceRequirements(&v.Resources)
	p.objectEnd()
	if len(v.ResizePolicy) > 0 {
		if p.since(27) {
			p.next()
			p.lit(20) // "resizePolicy":[
			for i := range v.ResizePolicy {
				p.comma(i)
				p.object()
				p.containerResizePolicy(&v.ResizePolicy[i])
				p.objectEnd()
			}
			p.lit(litArrayEnd)
		}
	}
	if v.RestartPolicy != nil {
		if p.since(28) {
			p.next()
			p.lit(21) // "restartPolicy":"
			p.string(string(*v.RestartPolicy))
			p.lit(litQuote)
		}
	}
	if len(v.VolumeMounts) > 0 {
		p.next()
		p.lit(22) // "volumeMounts":[
		for i := range v.VolumeMounts {
			p.comma(i)
			p.object()
			p.volumeMount(&v.VolumeMounts[i])
			p.objectEnd()
		}
		p.lit(litArrayEnd)
	}
	if len(v.VolumeDevices) > 0 {
		p.next()
		p.lit(23) // "volumeDevices":[
		for i := range v.VolumeDevices {
			p.comma(i)
			p.object()
			p.volumeDevice(&v.VolumeDevices[i])
			p.objectEnd()
		}
		p.lit(litArrayEnd)
	}
	if v.LivenessProbe != nil {
		p.next()
		p.lit(24) // "livenessProbe":
		p.object()
		p.probe(v.LivenessProbe)
		p.objectEnd()
	}
	if v.ReadinessProbe != nil {
		p.next()
		p.lit(25) // "readinessProbe":
		p.object()
		p.probe(v.ReadinessProbe)
		p.objectEnd()
	}
	if v.StartupProbe != nil {
		p.next()
		p.lit(26) // "startupProbe":
		p.object()
		p.probe(v.StartupProbe)
		p.objectEnd()
	}
	if v.Lifecycle != nil {
		p.next()
		p.lit(27) // "lifecycle":
		p.object()
		p.lifecycle(v.Lifecycle)
		p.objectEnd()
	}
	if v.TerminationMessagePath != "" {
		p.next()
		p.lit(28) // "terminationMessagePath":"
		p.string(string(v.TerminationMessagePath))
		p.lit(litQuote)
	}
	if v.TerminationMessagePolicy != "" {
		p.next()
		p.lit(29) // "terminationMessagePolicy":"
		p.string(string(v.TerminationMessagePolicy))
		p.lit(litQuote)
	}
	if v.ImagePullPolicy != "" {
		p.next()
		p.lit(30) // "imagePullPolicy":"
		p.string(string(v.ImagePullPolicy))
		p.lit(litQuote)
	}
	if v.SecurityContext != nil {
		p.next()
		p.lit(31) // "securityContext":
		p.object()
		p.securityContext(v.SecurityContext)
		p.objectEnd()
	}
	if v.Stdin {
		p.next()
		p.lit(32) // "stdin":
		p.bool(v.Stdin)
	}
	if v.StdinOnce {
		p.next()
		p.lit(33) // "stdinOnce":
		p.bool(v.StdinOnce)
	}
	if v.TTY {
		p.next()
		p.lit(34) // "tty":
		p.bool(v.TTY)
	}
}

func (p *jsonPrint) containerPort(v *corev1.ContainerPort) {
	if v.Name != "" {
		p.next()
		p.lit(11) // "name":"
		p.string(string(v.Name))
		p.lit(litQuote)
	}
	if v.HostPort != 0 {
		p.next()
		p.lit(35) // "hostPort":
		p.int(int64(v.HostPort))
	}
	p.next()
	p.lit(36) // "containerPort":
	p.int(int64(v.ContainerPort))
	if v.Protocol != "" {
		p.next()
		p.lit(37) // "protocol":"
		p.string(string(v.Protocol))
		p.lit(litQuote)
	}
	if v.HostIP != "" {
		p.next()
		p.lit(38) // "hostIP":"
		p.string(string(v.HostIP))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) envFromSource(v *corev1.EnvFromSource) {
	if v.Prefix != "" {
		p.next()
		p.lit(39) // "prefix":"
		p.string(string(v.Prefix))
		p.lit(litQuote)
	}
	if v.ConfigMapRef != nil {
		p.next()
		p.lit(40) // "configMapRef":
		p.object()
		p.configMapEnvSource(v.ConfigMapRef)
		p.objectEnd()
	}
	if v.SecretRef != nil {
		p.next()
		p.lit(41) // "secretRef":
		p.object()
		p.secretEnvSource(v.SecretRef)
		p.objectEnd()
	}
}

func (p *jsonPrint) configMapEnvSource(v *corev1.ConfigMapEnvSource) {
	p.localObjectReference(&v.LocalObjectReference)
	if v.Optional != nil {
		p.next()
		p.lit(42) // "optional":
		p.bool(*v.Optional)
	}
}

func (p *jsonPrint) localObjectReference(v *corev1.LocalObjectReference) {
	if v.Name != "" {
		p.next()
		p.lit(11) // "name":"
		p.string(string(v.Name))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) secretEnvSource(v *corev1.SecretEnvSource) {
	p.localObjectReference(&v.LocalObjectReference)
	if v.Optional != nil {
		p.next()
		p.lit(42) // "optional":
		p.bool(*v.Optional)
	}
}

func (p *jsonPrint) envVar(v *corev1.EnvVar) {
	p.next()
	p.lit(11) // "name":"
	p.string(string(v.Name))
	p.lit(litQuote)
	if v.Value != "" {
		p.next()
		p.lit(43) // "value":"
		p.string(string(v.Value))
		p.lit(litQuote)
	}
	if v.ValueFrom != nil {
		p.next()
		p.lit(44) // "valueFrom":
		p.object()
		p.envVarSource(v.ValueFrom)
		p.objectEnd()
	}
}

func (p *jsonPrint) envVarSource(v *corev1.EnvVarSource) {
	if v.FieldRef != nil {
		p.next()
		p.lit(45) // "fieldRef":
		p.object()
		p.objectFieldSelector(v.FieldRef)
		p.objectEnd()
	}
	if v.ResourceFieldRef != nil {
		p.next()
		p.lit(46) // "resourceFieldRef":
		p.object()
		p.resourceFieldSelector(v.ResourceFieldRef)
		p.objectEnd()
	}
	if v.ConfigMapKeyRef != nil {
		p.next()
		p.lit(47) // "configMapKeyRef":
		p.object()
		p.configMapKeySelector(v.ConfigMapKeyRef)
		p.objectEnd()
	}
	if v.SecretKeyRef != nil {
		p.next()
		p.lit(48) // "secretKeyRef":
		p.object()
		p.secretKeySelector(v.SecretKeyRef)
		p.objectEnd()
	}
}

func (p *jsonPrint) objectFieldSelector(v *corev1.ObjectFieldSelector) {
	if v.APIVersion != "" {
		p.next()
		p.lit(49) // "apiVersion":"
		p.string(string(v.APIVersion))
		p.lit(litQuote)
	}
	p.next()
	p.lit(50) // "fieldPath":"
	p.string(string(v.FieldPath))
	p.lit(litQuote)
}

func (p *jsonPrint) resourceFieldSelector(v *corev1.ResourceFieldSelector) {
	if v.ContainerName != "" {
		p.next()
		p.lit(51) // "containerName":"
		p.string(string(v.ContainerName))
		p.lit(litQuote)
	}
	p.next()
	p.lit(52) // "resource":"
	p.string(string(v.Resource))
	p.lit(litQuote)
	p.next()
	p.lit(53) // "divisor":
	p.quantity(v.Divisor)
}

func (p *jsonPrint) configMapKeySelector(v *corev1.ConfigMapKeySelector) {
	p.localObjectReference(&v.LocalObjectReference)
	p.next()
	p.lit(54) // "key":"
	p.string(string(v.Key))
	p.lit(litQuote)
	if v.Optional != nil {
		p.next()
		p.lit(42) // "optional":
		p.bool(*v.Optional)
	}
}

func (p *jsonPrint) secretKeySelector(v *corev1.SecretKeySelector) {
	p.localObjectReference(&v.LocalObjectReference)
	p.next()
	p.lit(54) // "key":"
	p.string(string(v.Key))
	p.lit(litQuote)
	if v.Optional != nil {
		p.next()
		p.lit(42) // "optional":
		p.bool(*v.Optional)
	}
}

func (p *jsonPrint) resourceRequirements(v *corev1.ResourceRequirements) {
	if len(v.Limits) > 0 {
		p.next()
		p.lit(55) // "limits":
		p.resources(v.Limits)
	}
	if len(v.Requests) > 0 {
		p.next()
		p.lit(56) // "requests":
		p.resources(v.Requests)
	}
	if len(v.Claims) > 0 {
		if p.since(26) {
			p.next()
			p.lit(57) // "claims":[
			for i := range v.Claims {
				p.comma(i)
				p.object()
				p.resourceClaim(&v.Claims[i])
				p.objectEnd()
			}
			p.lit(litArrayEnd)
		}
	}
}

func (p *jsonPrint) resourceClaim(v *corev1.ResourceClaim) {
	p.next()
	p.lit(11) // "name":"
	p.string(string(v.Name))
	p.lit(litQuote)
}

func (p *jsonPrint) containerResizePolicy(v *corev1.ContainerResizePolicy) {
	p.next()
	p.lit(58) // "resourceName":"
	p.string(string(v.ResourceName))
	p.lit(litQuote)
	p.next()
	p.lit(21) // "restartPolicy":"
	p.string(string(v.RestartPolicy))
	p.lit(litQuote)
}

func (p *jsonPrint) volumeMount(v *corev1.VolumeMount) {
	p.next()
	p.lit(11) // "name":"
	p.string(string(v.Name))
	p.lit(litQuote)
	if v.ReadOnly {
		p.next()
		p.lit(59) // "readOnly":
		p.bool(v.ReadOnly)
	}
	if v.RecursiveReadOnly != nil {
		if p.since(30) {
			p.next()
			p.lit(60) // "recursiveReadOnly":"
			p.string(string(*v.RecursiveReadOnly))
			p.lit(litQuote)
		}
	}
	p.next()
	p.lit(61) // "mountPath":"
	p.string(string(v.MountPath))
	p.lit(litQuote)
	if v.SubPath != "" {
		p.next()
		p.lit(62) // "subPath":"
		p.string(string(v.SubPath))
		p.lit(litQuote)
	}
	if v.MountPropagation != nil {
		p.next()
		p.lit(63) // "mountPropagation":"
		p.string(string(*v.MountPropagation))
		p.lit(litQuote)
	}
	if v.SubPathExpr != "" {
		p.next()
		p.lit(64) // "subPathExpr":"
		p.string(string(v.SubPathExpr))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) volumeDevice(v *corev1.VolumeDevice) {
	p.next()
	p.lit(11) // "name":"
	p.string(string(v.Name))
	p.lit(litQuote)
	p.next()
	p.lit(65) // "devicePath":"
	p.string(string(v.DevicePath))
	p.lit(litQuote)
}

func (p *jsonPrint) probe(v *corev1.Probe) {
	p.probeHandler(&v.ProbeHandler)
	if v.InitialDelaySeconds != 0 {
		p.next()
		p.lit(66) // "initialDelaySeconds":
		p.int(int64(v.InitialDelaySeconds))
	}
	if v.TimeoutSeconds != 0 {
		p.next()
		p.lit(67) // "timeoutSeconds":
		p.int(int64(v.TimeoutSeconds))
	}
	if v.PeriodSeconds != 0 {
		p.next()
		p.lit(68) // "periodSeconds":
		p.int(int64(v.PeriodSeconds))
	}
	if v.SuccessThreshold != 0 {
		p.next()
		p.lit(69) // "successThreshold":
		p.int(int64(v.SuccessThreshold))
	}
	if v.FailureThreshold != 0 {
		p.next()
		p.lit(70) // "failureThreshold":
		p.int(int64(v.FailureThreshold))
	}
	if v.TerminationGracePeriodSeconds != nil {
		if p.since(21) {
			p.next()
			p.lit(71) // "terminationGracePeriodSeconds":
			p.int(int64(*v.TerminationGracePeriodSeconds))
		}
	}
}

func (p *jsonPrint) probeHandler(v *corev1.ProbeHandler) {
	if v.Exec != nil {
		p.next()
		p.lit(72) // "exec":
		p.object()
		p.execAction(v.Exec)
		p.objectEnd()
	}
	if v.HTTPGet != nil {
		p.next()
		p.lit(73) // "httpGet":
		p.object()
		p.hTTPGetAction(v.HTTPGet)
		p.objectEnd()
	}
	if v.TCPSocket != nil {
		p.next()
		p.lit(74) // "tcpSocket":
		p.object()
		p.tCPSocketAction(v.TCPSocket)
		p.objectEnd()
	}
	if v.GRPC != nil {
		if p.since(23) {
			p.next()
			p.lit(75) // "grpc":
			p.object()
			p.gRPCAction(v.GRPC)
			p.objectEnd()
		}
	}
}

func (p *jsonPrint) execAction(v *corev1.ExecAction) {
	if len(v.Command) > 0 {
		p.next()
		p.lit(13) // "command":[
		for i := range v.Command {
			p.comma(i)
			p.lit(litQuote)
			p.string(string(v.Command[i]))
			p.lit(litQuote)
		}
		p.lit(litArrayEnd)
	}
}

func (p *jsonPrint) hTTPGetAction(v *corev1.HTTPGetAction) {
	if v.Path != "" {
		p.next()
		p.lit(76) // "path":"
		p.string(string(v.Path))
		p.lit(litQuote)
	}
	p.next()
	p.lit(77) // "port":
	p.intOrString(&v.Port)
	if v.Host != "" {
		p.next()
		p.lit(78) // "host":"
		p.string(string(v.Host))
		p.lit(litQuote)
	}
	if v.Scheme != "" {
		p.next()
		p.lit(79) // "scheme":"
		p.string(string(v.Scheme))
		p.lit(litQuote)
	}
	if len(v.HTTPHeaders) > 0 {
		p.next()
		p.lit(80) // "httpHeaders":[
		for i := range v.HTTPHeaders {
			p.comma(i)
			p.object()
			p.hTTPHeader(&v.HTTPHeaders[i])
			p.objectEnd()
		}
		p.lit(litArrayEnd)
	}
}

func (p *jsonPrint) hTTPHeader(v *corev1.HTTPHeader) {
	p.next()
	p.lit(11) // "name":"
	p.string(string(v.Name))
	p.lit(litQuote)
	p.next()
	p.lit(43) // "value":"
	p.string(string(v.Value))
	p.lit(litQuote)
}

func (p *jsonPrint) tCPSocketAction(v *corev1.TCPSocketAction) {
	p.next()
	p.lit(77) // "port":
	p.intOrString(&v.Port)
	if v.Host != "" {
		p.next()
		p.lit(78) // "host":"
		p.string(string(v.Host))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) gRPCAction(v *corev1.GRPCAction) {
	p.next()
	p.lit(77) // "port":
	p.int(int64(v.Port))
	if v.Service == nil {
		p.next()
		p.lit(81) // "service":null
	} else {
		p.next()
		p.lit(82) // "service":"
		p.string(string(*v.Service))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) lifecycle(v *corev1.Lifecycle) {
	if v.PostStart != nil {
		p.next()
		p.lit(83) // "postStart":
		p.object()
		p.lifecycleHandler(v.PostStart)
		p.objectEnd()
	}
	if v.PreStop != nil {
		p.next()
		p.lit(84) // "preStop":
		p.object()
		p.lifecycleHandler(v.PreStop)
		p.objectEnd()
	}
}

func (p *jsonPrint) lifecycleHandler(v *corev1.LifecycleHandler) {
	if v.Exec != nil {
		p.next()
		p.lit(72) // "exec":
		p.object()
		p.execAction(v.Exec)
		p.objectEnd()
	}
	if v.HTTPGet != nil {
		p.next()
		p.lit(73) // "httpGet":
		p.object()
		p.hTTPGetAction(v.HTTPGet)
		p.objectEnd()
	}
	if v.TCPSocket != nil {
		p.next()
		p.lit(74) // "tcpSocket":
		p.object()
		p.tCPSocketAction(v.TCPSocket)
		p.objectEnd()
	}
	if v.Sleep != nil {
		if p.since(29) {
			p.next()
			p.lit(85) // "sleep":
			p.object()
			p.sleepAction(v.Sleep)
			p.objectEnd()
		}
	}
}

func (p *jsonPrint) sleepAction(v *corev1.SleepAction) {
	p.next()
	p.lit(86) // "seconds":
	p.int(int64(v.Seconds))
}

func (p *jsonPrint) securityContext(v *corev1.SecurityContext) {
	if v.Capabilities != nil {
		p.next()
		p.lit(87) // "capabilities":
		p.object()
		p.capabilities(v.Capabilities)
		p.objectEnd()
	}
	if v.Privileged != nil {
		p.next()
		p.lit(88) // "privileged":
		p.bool(*v.Privileged)
	}
	if v.SELinuxOptions != nil {
		p.next()
		p.lit(89) // "seLinuxOptions":
		p.object()
		p.sELinuxOptions(v.SELinuxOptions)
		p.objectEnd()
	}
	if v.WindowsOptions != nil {
		p.next()
		p.lit(90) // "windowsOptions":
		p.object()
		p.windowsSecurityContextOptions(v.WindowsOptions)
		p.objectEnd()
	}
	if v.RunAsUser != nil {
		p.next()
		p.lit(91) // "runAsUser":
		p.int(int64(*v.RunAsUser))
	}
	if v.RunAsGroup != nil {
		p.next()
		p.lit(92) // "runAsGroup":
		p.int(int64(*v.RunAsGroup))
	}
	if v.RunAsNonRoot != nil {
		p.next()
		p.lit(93) // "runAsNonRoot":
		p.bool(*v.RunAsNonRoot)
	}
	if v.ReadOnlyRootFilesystem != nil {
		p.next()
		p.lit(94) // "readOnlyRootFilesystem":
		p.bool(*v.ReadOnlyRootFilesystem)
	}
	if v.AllowPrivilegeEscalation != nil {
		p.next()
		p.lit(95) // "allowPrivilegeEscalation":
		p.bool(*v.AllowPrivilegeEscalation)
	}
	if v.ProcMount != nil {
		p.next()
		p.lit(96) // "procMount":"
		p.string(string(*v.ProcMount))
		p.lit(litQuote)
	}
	if v.SeccompProfile != nil {
		if p.since(19) {
			p.next()
			p.lit(97) // "seccompProfile":
			p.object()
			p.seccompProfile(v.SeccompProfile)
			p.objectEnd()
		}
	}
	if v.AppArmorProfile != nil {
		if p.since(30) {
			p.next()
			p.lit(98) // "appArmorProfile":
			p.object()
			p.appArmorProfile(v.AppArmorProfile)
			p.objectEnd()
		}
	}
}

func (p *jsonPrint) capabilities(v *corev1.Capabilities) {
	if len(v.Add) > 0 {
		p.next()
		p.lit(99) // "add":[
		for i := range v.Add {
			p.comma(i)
			p.lit(litQuote)
			p.string(string(v.Add[i]))
			p.lit(litQuote)
		}
		p.lit(litArrayEnd)
	}
	if len(v.Drop) > 0 {
		p.next()
		p.lit(100) // "drop":[
		for i := range v.Drop {
			p.comma(i)
			p.lit(litQuote)
			p.string(string(v.Drop[i]))
			p.lit(litQuote)
		}
		p.lit(litArrayEnd)
	}
}

func (p *jsonPrint) sELinuxOptions(v *corev1.SELinuxOptions) {
	if v.User != "" {
		p.next()
		p.lit(101) // "user":"
		p.string(string(v.User))
		p.lit(litQuote)
	}
	if v.Role != "" {
		p.next()
		p.lit(102) // "role":"
		p.string(string(v.Role))
		p.lit(litQuote)
	}
	if v.Type != "" {
		p.next()
		p.lit(103) // "type":"
		p.string(string(v.Type))
		p.lit(litQuote)
	}
	if v.Level != "" {
		p.next()
		p.lit(104) // "level":"
		p.string(string(v.Level))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) windowsSecurityContextOptions(v *corev1.WindowsSecurityContextOptions) {
	if v.GMSACredentialSpecName != nil {
		p.next()
		p.lit(105) // "gmsaCredentialSpecName":"
		p.string(string(*v.GMSACredentialSpecName))
		p.lit(litQuote)
	}
	if v.GMSACredentialSpec != nil {
		p.next()
		p.lit(106) // "gmsaCredentialSpec":"
		p.string(string(*v.GMSACredentialSpec))
		p.lit(litQuote)
	}
	if v.RunAsUserName != nil {
		p.next()
		p.lit(107) // "runAsUserName":"
		p.string(string(*v.RunAsUserName))
		p.lit(litQuote)
	}
	if v.HostProcess != nil {
		if p.since(22) {
			p.next()
			p.lit(108) // "hostProcess":
			p.bool(*v.HostProcess)
		}
	}
}

func (p *jsonPrint) seccompProfile(v *corev1.SeccompProfile) {
	p.next()
	p.lit(103) // "type":"
	p.string(string(v.Type))
	p.lit(litQuote)
	if v.LocalhostProfile != nil {
		p.next()
		p.lit(109) // "localhostProfile":"
		p.string(string(*v.LocalhostProfile))
		p.lit(litQuote)
	}
}

func (p *jsonPrint) appArmorProfile(v *corev1.AppArmorProfile) {
	p.next()
	p.lit(103) // "type":"
	p.string(string(v.Type))
	p.lit(litQuote)
	if v.LocalhostProfile != nil {
		p.next()
		p.lit(109) // "localhostProfile":"
		p.string(string(*v.LocalhostProfile))
		p.lit(litQuote)
	}
}
