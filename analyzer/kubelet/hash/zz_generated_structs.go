// Code generated from the API types of each minor, all of which are closed (docs/DECISIONS.md); DO NOT EDIT.

package hash

import corev1 "k8s.io/api/core/v1"

const (
	litAPIContainer = 0
	litV1Container  = 1
	litNil          = 2
	litZero         = 3
	litGap          = 4
	litListEnd      = 5
	litTrue         = 6
	litFalse        = 7
	litMap          = 8
	litColon        = 9
	litQuantity     = 10
	litScale        = 11
	litNoDecimal    = 12
	litDecimal      = 13
	litDigits       = 14
	litDecimalScale = 15
	litCached       = 16
	litFormat       = 17
	litIntOrString  = 18
	litIntVal       = 19
	litStrVal       = 20
	litEnd          = 21
)

// structLiterals are the texts that a print takes over as a whole, by number.
var structLiterals = [...]string{
	"(api.Container)",
	"(v1.Container)",
	"<nil>",
	"0",
	" ",
	"]",
	"true",
	"false",
	"map[",
	":",
	"{i:(resource.int64Amount){value:(int64)",
	" scale:(resource.Scale)",
	"} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)",
	"} d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)",
	" abs:(big.nat)",
	"} scale:(inf.Scale)",
	"}} s:(string)",
	" Format:(resource.Format)",
	"{Type:(intstr.Type)",
	" IntVal:(int32)",
	" StrVal:(string)",
	"}",
	"{Name:(string)",
	" Image:(string)",
	" Command:([]string)<nil>",
	" Command:([]string)[",
	" Args:([]string)<nil>",
	" Args:([]string)[",
	" WorkingDir:(string)",
	" Ports:([]api.ContainerPort)<nil>",
	" Ports:([]api.ContainerPort)[",
	" Env:([]api.EnvVar)<nil>",
	" Env:([]api.EnvVar)[",
	" Resources:(api.ResourceRequirements)",
	" VolumeMounts:([]api.VolumeMount)<nil>",
	" VolumeMounts:([]api.VolumeMount)[",
	" LivenessProbe:(*api.Probe)<nil>",
	" LivenessProbe:(*api.Probe)",
	" ReadinessProbe:(*api.Probe)<nil>",
	" ReadinessProbe:(*api.Probe)",
	" Lifecycle:(*api.Lifecycle)<nil>",
	" Lifecycle:(*api.Lifecycle)",
	" TerminationMessagePath:(string)",
	" ImagePullPolicy:(api.PullPolicy)",
	" SecurityContext:(*api.SecurityContext)<nil>",
	" SecurityContext:(*api.SecurityContext)",
	" Stdin:(bool)",
	" StdinOnce:(bool)",
	" TTY:(bool)",
	" HostPort:(int32)",
	" ContainerPort:(int32)",
	" Protocol:(api.Protocol)",
	" HostIP:(string)",
	" Value:(string)",
	" ValueFrom:(*api.EnvVarSource)<nil>",
	" ValueFrom:(*api.EnvVarSource)",
	"{FieldRef:(*api.ObjectFieldSelector)<nil>",
	"{FieldRef:(*api.ObjectFieldSelector)",
	" ResourceFieldRef:(*api.ResourceFieldSelector)<nil>",
	" ResourceFieldRef:(*api.ResourceFieldSelector)",
	" ConfigMapKeyRef:(*api.ConfigMapKeySelector)<nil>",
	" ConfigMapKeyRef:(*api.ConfigMapKeySelector)",
	" SecretKeyRef:(*api.SecretKeySelector)<nil>",
	" SecretKeyRef:(*api.SecretKeySelector)",
	"{APIVersion:(string)",
	" FieldPath:(string)",
	"{ContainerName:(string)",
	" Resource:(string)",
	" Divisor:(resource.Quantity)",
	"{LocalObjectReference:(api.LocalObjectReference)",
	" Key:(string)",
	"{Limits:(api.ResourceList)",
	" Requests:(api.ResourceList)",
	" ReadOnly:(bool)",
	" MountPath:(string)",
	" SubPath:(string)",
	"{Handler:(api.Handler)",
	" InitialDelaySeconds:(int32)",
	" TimeoutSeconds:(int32)",
	" PeriodSeconds:(int32)",
	" SuccessThreshold:(int32)",
	" FailureThreshold:(int32)",
	"{Exec:(*api.ExecAction)<nil>",
	"{Exec:(*api.ExecAction)",
	" HTTPGet:(*api.HTTPGetAction)<nil>",
	" HTTPGet:(*api.HTTPGetAction)",
	" TCPSocket:(*api.TCPSocketAction)<nil>",
	" TCPSocket:(*api.TCPSocketAction)",
	"{Command:([]string)<nil>",
	"{Command:([]string)[",
	"{Path:(string)",
	" Port:(intstr.IntOrString)",
	" Host:(string)",
	" Scheme:(api.URIScheme)",
	" HTTPHeaders:([]api.HTTPHeader)<nil>",
	" HTTPHeaders:([]api.HTTPHeader)[",
	"{Port:(intstr.IntOrString)",
	"{PostStart:(*api.Handler)<nil>",
	"{PostStart:(*api.Handler)",
	" PreStop:(*api.Handler)<nil>",
	" PreStop:(*api.Handler)",
	"{Capabilities:(*api.Capabilities)<nil>",
	"{Capabilities:(*api.Capabilities)",
	" Privileged:(*bool)<nil>",
	" Privileged:(*bool)",
	" SELinuxOptions:(*api.SELinuxOptions)<nil>",
	" SELinuxOptions:(*api.SELinuxOptions)",
	" RunAsUser:(*int64)<nil>",
	" RunAsUser:(*int64)",
	" RunAsNonRoot:(*bool)<nil>",
	" RunAsNonRoot:(*bool)",
	" ReadOnlyRootFilesystem:(*bool)<nil>",
	" ReadOnlyRootFilesystem:(*bool)",
	"{Add:([]api.Capability)<nil>",
	"{Add:([]api.Capability)[",
	" Drop:([]api.Capability)<nil>",
	" Drop:([]api.Capability)[",
	"{User:(string)",
	" Role:(string)",
	" Type:(string)",
	" Level:(string)",
	" Ports:([]v1.ContainerPort)<nil>",
	" Ports:([]v1.ContainerPort)[",
	" EnvFrom:([]v1.EnvFromSource)<nil>",
	" EnvFrom:([]v1.EnvFromSource)[",
	" Env:([]v1.EnvVar)<nil>",
	" Env:([]v1.EnvVar)[",
	" Resources:(v1.ResourceRequirements)",
	" VolumeMounts:([]v1.VolumeMount)<nil>",
	" VolumeMounts:([]v1.VolumeMount)[",
	" VolumeDevices:([]v1.VolumeDevice)<nil>",
	" VolumeDevices:([]v1.VolumeDevice)[",
	" LivenessProbe:(*v1.Probe)<nil>",
	" LivenessProbe:(*v1.Probe)",
	" ReadinessProbe:(*v1.Probe)<nil>",
	" ReadinessProbe:(*v1.Probe)",
	" Lifecycle:(*v1.Lifecycle)<nil>",
	" Lifecycle:(*v1.Lifecycle)",
	" TerminationMessagePolicy:(v1.TerminationMessagePolicy)",
	" ImagePullPolicy:(v1.PullPolicy)",
	" SecurityContext:(*v1.SecurityContext)<nil>",
	" SecurityContext:(*v1.SecurityContext)",
	" Protocol:(v1.Protocol)",
	"{Prefix:(string)",
	" ConfigMapRef:(*v1.ConfigMapEnvSource)<nil>",
	" ConfigMapRef:(*v1.ConfigMapEnvSource)",
	" SecretRef:(*v1.SecretEnvSource)<nil>",
	" SecretRef:(*v1.SecretEnvSource)",
	"{LocalObjectReference:(v1.LocalObjectReference)",
	" Optional:(*bool)<nil>",
	" Optional:(*bool)",
	" ValueFrom:(*v1.EnvVarSource)<nil>",
	" ValueFrom:(*v1.EnvVarSource)",
	"{FieldRef:(*v1.ObjectFieldSelector)<nil>",
	"{FieldRef:(*v1.ObjectFieldSelector)",
	" ResourceFieldRef:(*v1.ResourceFieldSelector)<nil>",
	" ResourceFieldRef:(*v1.ResourceFieldSelector)",
	" ConfigMapKeyRef:(*v1.ConfigMapKeySelector)<nil>",
	" ConfigMapKeyRef:(*v1.ConfigMapKeySelector)",
	" SecretKeyRef:(*v1.SecretKeySelector)<nil>",
	" SecretKeyRef:(*v1.SecretKeySelector)",
	"{Limits:(v1.ResourceList)",
	" Requests:(v1.ResourceList)",
	" MountPropagation:(*v1.MountPropagationMode)<nil>",
	" MountPropagation:(*v1.MountPropagationMode)",
	" SubPathExpr:(string)",
	" DevicePath:(string)",
	"{Handler:(v1.Handler)",
	"{Exec:(*v1.ExecAction)<nil>",
	"{Exec:(*v1.ExecAction)",
	" HTTPGet:(*v1.HTTPGetAction)<nil>",
	" HTTPGet:(*v1.HTTPGetAction)",
	" TCPSocket:(*v1.TCPSocketAction)<nil>",
	" TCPSocket:(*v1.TCPSocketAction)",
	" Scheme:(v1.URIScheme)",
	" HTTPHeaders:([]v1.HTTPHeader)<nil>",
	" HTTPHeaders:([]v1.HTTPHeader)[",
	"{PostStart:(*v1.Handler)<nil>",
	"{PostStart:(*v1.Handler)",
	" PreStop:(*v1.Handler)<nil>",
	" PreStop:(*v1.Handler)",
	"{Capabilities:(*v1.Capabilities)<nil>",
	"{Capabilities:(*v1.Capabilities)",
	" SELinuxOptions:(*v1.SELinuxOptions)<nil>",
	" SELinuxOptions:(*v1.SELinuxOptions)",
	" WindowsOptions:(*v1.WindowsSecurityContextOptions)<nil>",
	" WindowsOptions:(*v1.WindowsSecurityContextOptions)",
	" RunAsGroup:(*int64)<nil>",
	" RunAsGroup:(*int64)",
	" AllowPrivilegeEscalation:(*bool)<nil>",
	" AllowPrivilegeEscalation:(*bool)",
	" ProcMount:(*v1.ProcMountType)<nil>",
	" ProcMount:(*v1.ProcMountType)",
	"{Add:([]v1.Capability)<nil>",
	"{Add:([]v1.Capability)[",
	" Drop:([]v1.Capability)<nil>",
	" Drop:([]v1.Capability)[",
	"{GMSACredentialSpecName:(*string)<nil>",
	"{GMSACredentialSpecName:(*string)",
	" GMSACredentialSpec:(*string)<nil>",
	" GMSACredentialSpec:(*string)",
}

func (p *structPrint) apiContainer(v *corev1.Container) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(23) //  Image:(string)
	p.raw(string(v.Image))
	if v.Command == nil {
		p.lit(24) //  Command:([]string)<nil>
	} else {
		p.lit(25) //  Command:([]string)[
		for i := range v.Command {
			p.gap(i)
			p.raw(string(v.Command[i]))
		}
		p.lit(litListEnd)
	}
	if v.Args == nil {
		p.lit(26) //  Args:([]string)<nil>
	} else {
		p.lit(27) //  Args:([]string)[
		for i := range v.Args {
			p.gap(i)
			p.raw(string(v.Args[i]))
		}
		p.lit(litListEnd)
	}
	p.lit(28) //  WorkingDir:(string)
	p.raw(string(v.WorkingDir))
	if v.Ports == nil {
		p.lit(29) //  Ports:([]api.ContainerPort)<nil>
	} else {
		p.lit(30) //  Ports:([]api.ContainerPort)[
		for i := range v.Ports {
			p.gap(i)
			p.apiContainerPort(&v.Ports[i])
		}
		p.lit(litListEnd)
	}
	if v.Env == nil {
		p.lit(31) //  Env:([]api.EnvVar)<nil>
	} else {
		p.lit(32) //  Env:([]api.EnvVar)[
		for i := range v.Env {
			p.gap(i)
			p.apiEnvVar(&v.Env[i])
		}
		p.lit(litListEnd)
	}
	p.lit(33) //  Resources:(api.ResourceRequirements)
	p.apiResourceRequirements(&v.Resources)
	if v.VolumeMounts == nil {
		p.lit(34) //  VolumeMounts:([]api.VolumeMount)<nil>
	} else {
		p.lit(35) //  VolumeMounts:([]api.VolumeMount)[
		for i := range v.VolumeMounts {
			p.gap(i)
			p.apiVolumeMount(&v.VolumeMounts[i])
		}
		p.lit(litListEnd)
	}
	if v.LivenessProbe == nil {
		p.lit(36) //  LivenessProbe:(*api.Probe)<nil>
	} else {
		p.lit(37) //  LivenessProbe:(*api.Probe)
		p.apiProbe(v.LivenessProbe)
	}
	if v.ReadinessProbe == nil {
		p.lit(38) //  ReadinessProbe:(*api.Probe)<nil>
	} else {
		p.lit(39) //  ReadinessProbe:(*api.Probe)
		p.apiProbe(v.ReadinessProbe)
	}
	if v.Lifecycle == nil {
		p.lit(40) //  Lifecycle:(*api.Lifecycle)<nil>
	} else {
		p.lit(41) //  Lifecycle:(*api.Lifecycle)
		p.apiLifecycle(v.Lifecycle)
	}
	p.lit(42) //  TerminationMessagePath:(string)
	p.raw(string(v.TerminationMessagePath))
	p.lit(43) //  ImagePullPolicy:(api.PullPolicy)
	p.raw(string(v.ImagePullPolicy))
	if v.SecurityContext == nil {
		p.lit(44) //  SecurityContext:(*api.SecurityContext)<nil>
	} else {
		p.lit(45) //  SecurityContext:(*api.SecurityContext)
		p.apiSecurityContext(v.SecurityContext)
	}
	p.lit(46) //  Stdin:(bool)
	p.bool(v.Stdin)
	p.lit(47) //  StdinOnce:(bool)
	p.bool(v.StdinOnce)
	p.lit(48) //  TTY:(bool)
	p.bool(v.TTY)
	p.lit(litEnd)
}

func (p *structPrint) apiContainerPort(v *corev1.ContainerPort) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(49) //  HostPort:(int32)
	p.int(int64(v.HostPort))
	p.lit(50) //  ContainerPort:(int32)
	p.int(int64(v.ContainerPort))
	p.lit(51) //  Protocol:(api.Protocol)
	p.raw(string(v.Protocol))
	p.lit(52) //  HostIP:(string)
	p.raw(string(v.HostIP))
	p.lit(litEnd)
}

func (p *structPrint) apiEnvVar(v *corev1.EnvVar) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(53) //  Value:(string)
	p.raw(string(v.Value))
	if v.ValueFrom == nil {
		p.lit(54) //  ValueFrom:(*api.EnvVarSource)<nil>
	} else {
		p.lit(55) //  ValueFrom:(*api.EnvVarSource)
		p.apiEnvVarSource(v.ValueFrom)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiEnvVarSource(v *corev1.EnvVarSource) {
	if v.FieldRef == nil {
		p.lit(56) // {FieldRef:(*api.ObjectFieldSelector)<nil>
	} else {
		p.lit(57) // {FieldRef:(*api.ObjectFieldSelector)
		p.apiObjectFieldSelector(v.FieldRef)
	}
	if v.ResourceFieldRef == nil {
		p.lit(58) //  ResourceFieldRef:(*api.ResourceFieldSelector)<nil>
	} else {
		p.lit(59) //  ResourceFieldRef:(*api.ResourceFieldSelector)
		p.apiResourceFieldSelector(v.ResourceFieldRef)
	}
	if v.ConfigMapKeyRef == nil {
		p.lit(60) //  ConfigMapKeyRef:(*api.ConfigMapKeySelector)<nil>
	} else {
		p.lit(61) //  ConfigMapKeyRef:(*api.ConfigMapKeySelector)
		p.apiConfigMapKeySelector(v.ConfigMapKeyRef)
	}
	if v.SecretKeyRef == nil {
		p.lit(62) //  SecretKeyRef:(*api.SecretKeySelector)<nil>
	} else {
		p.lit(63) //  SecretKeyRef:(*api.SecretKeySelector)
		p.apiSecretKeySelector(v.SecretKeyRef)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiObjectFieldSelector(v *corev1.ObjectFieldSelector) {
	p.lit(64) // {APIVersion:(string)
	p.raw(string(v.APIVersion))
	p.lit(65) //  FieldPath:(string)
	p.raw(string(v.FieldPath))
	p.lit(litEnd)
}

func (p *structPrint) apiResourceFieldSelector(v *corev1.ResourceFieldSelector) {
	p.lit(66) // {ContainerName:(string)
	p.raw(string(v.ContainerName))
	p.lit(67) //  Resource:(string)
	p.raw(string(v.Resource))
	p.lit(68) //  Divisor:(resource.Quantity)
	p.quantity(&v.Divisor)
	p.lit(litEnd)
}

func (p *structPrint) apiConfigMapKeySelector(v *corev1.ConfigMapKeySelector) {
	p.lit(69) // {LocalObjectReference:(api.LocalObjectReference)
	p.apiLocalObjectReference(&v.LocalObjectReference)
	p.lit(70) //  Key:(string)
	p.raw(string(v.Key))
	p.lit(litEnd)
}

func (p *structPrint) apiLocalObjectReference(v *corev1.LocalObjectReference) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(litEnd)
}

func (p *structPrint) apiSecretKeySelector(v *corev1.SecretKeySelector) {
	p.lit(69) // {LocalObjectReference:(api.LocalObjectReference)
	p.apiLocalObjectReference(&v.LocalObjectReference)
	p.lit(70) //  Key:(string)
	p.raw(string(v.Key))
	p.lit(litEnd)
}

func (p *structPrint) apiResourceRequirements(v *corev1.ResourceRequirements) {
	p.lit(71) // {Limits:(api.ResourceList)
	p.resources(v.Limits)
	p.lit(72) //  Requests:(api.ResourceList)
	p.resources(v.Requests)
	p.lit(litEnd)
}

func (p *structPrint) apiVolumeMount(v *corev1.VolumeMount) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(73) //  ReadOnly:(bool)
	p.bool(v.ReadOnly)
	p.lit(74) //  MountPath:(string)
	p.raw(string(v.MountPath))
	p.lit(75) //  SubPath:(string)
	p.raw(string(v.SubPath))
	p.lit(litEnd)
}

func (p *structPrint) apiProbe(v *corev1.Probe) {
	p.lit(76) // {Handler:(api.Handler)
	p.apiHandler(&corev1.LifecycleHandler{Exec: v.Exec, HTTPGet: v.HTTPGet, TCPSocket: v.TCPSocket})
	p.lit(77) //  InitialDelaySeconds:(int32)
	p.int(int64(v.InitialDelaySeconds))
	p.lit(78) //  TimeoutSeconds:(int32)
	p.int(int64(v.TimeoutSeconds))
	p.lit(79) //  PeriodSeconds:(int32)
	p.int(int64(v.PeriodSeconds))
	p.lit(80) //  SuccessThreshold:(int32)
	p.int(int64(v.SuccessThreshold))
	p.lit(81) //  FailureThreshold:(int32)
	p.int(int64(v.FailureThreshold))
	p.lit(litEnd)
}

func (p *structPrint) apiHandler(v *corev1.LifecycleHandler) {
	if v.Exec == nil {
		p.lit(82) // {Exec:(*api.ExecAction)<nil>
	} else {
		p.lit(83) // {Exec:(*api.ExecAction)
		p.apiExecAction(v.Exec)
	}
	if v.HTTPGet == nil {
		p.lit(84) //  HTTPGet:(*api.HTTPGetAction)<nil>
	} else {
		p.lit(85) //  HTTPGet:(*api.HTTPGetAction)
		p.apiHTTPGetAction(v.HTTPGet)
	}
	if v.TCPSocket == nil {
		p.lit(86) //  TCPSocket:(*api.TCPSocketAction)<nil>
	} else {
		p.lit(87) //  TCPSocket:(*api.TCPSocketAction)
		p.apiTCPSocketAction(v.TCPSocket)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiExecAction(v *corev1.ExecAction) {
	if v.Command == nil {
		p.lit(88) // {Command:([]string)<nil>
	} else {
		p.lit(89) // {Command:([]string)[
		for i := range v.Command {
			p.gap(i)
			p.raw(string(v.Command[i]))
		}
		p.lit(litListEnd)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiHTTPGetAction(v *corev1.HTTPGetAction) {
	p.lit(90) // {Path:(string)
	p.raw(string(v.Path))
	p.lit(91) //  Port:(intstr.IntOrString)
	p.intOrString(&v.Port)
	p.lit(92) //  Host:(string)
	p.raw(string(v.Host))
	p.lit(93) //  Scheme:(api.URIScheme)
	p.raw(string(v.Scheme))
	if v.HTTPHeaders == nil {
		p.lit(94) //  HTTPHeaders:([]api.HTTPHeader)<nil>
	} else {
		p.lit(95) //  HTTPHeaders:([]api.HTTPHeader)[
		for i := range v.HTTPHeaders {
			p.gap(i)
			p.apiHTTPHeader(&v.HTTPHeaders[i])
		}
		p.lit(litListEnd)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiHTTPHeader(v *corev1.HTTPHeader) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(53) //  Value:(string)
	p.raw(string(v.Value))
	p.lit(litEnd)
}

func (p *structPrint) apiTCPSocketAction(v *corev1.TCPSocketAction) {
	p.lit(96) // {Port:(intstr.IntOrString)
	p.intOrString(&v.Port)
	p.lit(litEnd)
}

func (p *structPrint) apiLifecycle(v *corev1.Lifecycle) {
	if v.PostStart == nil {
		p.lit(97) // {PostStart:(*api.Handler)<nil>
	} else {
		p.lit(98) // {PostStart:(*api.Handler)
		p.apiHandler(v.PostStart)
	}
	if v.PreStop == nil {
		p.lit(99) //  PreStop:(*api.Handler)<nil>
	} else {
		p.lit(100) //  PreStop:(*api.Handler)
		p.apiHandler(v.PreStop)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiSecurityContext(v *corev1.SecurityContext) {
	if v.Capabilities == nil {
		p.lit(101) // {Capabilities:(*api.Capabilities)<nil>
	} else {
		p.lit(102) // {Capabilities:(*api.Capabilities)
		p.apiCapabilities(v.Capabilities)
	}
	if v.Privileged == nil {
		p.lit(103) //  Privileged:(*bool)<nil>
	} else {
		p.lit(104) //  Privileged:(*bool)
		p.bool(*v.Privileged)
	}
	if v.SELinuxOptions == nil {
		p.lit(105) //  SELinuxOptions:(*api.SELinuxOptions)<nil>
	} else {
		p.lit(106) //  SELinuxOptions:(*api.SELinuxOptions)
		p.apiSELinuxOptions(v.SELinuxOptions)
	}
	if v.RunAsUser == nil {
		p.lit(107) //  RunAsUser:(*int64)<nil>
	} else {
		p.lit(108) //  RunAsUser:(*int64)
		p.int(int64(*v.RunAsUser))
	}
	if v.RunAsNonRoot == nil {
		p.lit(109) //  RunAsNonRoot:(*bool)<nil>
	} else {
		p.lit(110) //  RunAsNonRoot:(*bool)
		p.bool(*v.RunAsNonRoot)
	}
	if v.ReadOnlyRootFilesystem == nil {
		p.lit(111) //  ReadOnlyRootFilesystem:(*bool)<nil>
	} else {
		p.lit(112) //  ReadOnlyRootFilesystem:(*bool)
		p.bool(*v.ReadOnlyRootFilesystem)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiCapabilities(v *corev1.Capabilities) {
	if v.Add == nil {
		p.lit(113) // {Add:([]api.Capability)<nil>
	} else {
		p.lit(114) // {Add:([]api.Capability)[
		for i := range v.Add {
			p.gap(i)
			p.raw(string(v.Add[i]))
		}
		p.lit(litListEnd)
	}
	if v.Drop == nil {
		p.lit(115) //  Drop:([]api.Capability)<nil>
	} else {
		p.lit(116) //  Drop:([]api.Capability)[
		for i := range v.Drop {
			p.gap(i)
			p.raw(string(v.Drop[i]))
		}
		p.lit(litListEnd)
	}
	p.lit(litEnd)
}

func (p *structPrint) apiSELinuxOptions(v *corev1.SELinuxOptions) {
	p.lit(117) // {User:(string)
	p.raw(string(v.User))
	p.lit(118) //  Role:(string)
	p.raw(string(v.Role))
	p.lit(119) //  Type:(string)
	p.raw(string(v.Type))
	p.lit(120) //  Level:(string)
	p.raw(string(v.Level))
	p.lit(litEnd)
}

func (p *structPrint) v1Container(v *corev1.Container) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(23) //  Image:(string)
	p.raw(string(v.Image))
	if v.Command == nil {
		p.lit(24) //  Command:([]string)<nil>
	} else {
		p.lit(25) //  Command:([]string)[
		for i := range v.Command {
			p.gap(i)
			p.raw(string(v.Command[i]))
		}
		p.lit(litListEnd)
	}
	if v.Args == nil {
		p.lit(26) //  Args:([]string)<nil>
	} else {
		p.lit(27) //  Args:([]string)[
		for i := range v.Args {
			p.gap(i)
			p.raw(string(v.Args[i]))
		}
		p.lit(litListEnd)
	}
	p.lit(28) //  WorkingDir:(string)
	p.raw(string(v.WorkingDir))
	if v.Ports == nil {
		p.lit(121) //  Ports:([]v1.ContainerPort)<nil>
	} else {
		p.lit(122) //  Ports:([]v1.ContainerPort)[
		for i := range v.Ports {
			p.gap(i)
			p.v1ContainerPort(&v.Ports[i])
		}
		p.lit(litListEnd)
	}
	if v.EnvFrom == nil {
		p.lit(123) //  EnvFrom:([]v1.EnvFromSource)<nil>
	} else {
		p.lit(124) //  EnvFrom:([]v1.EnvFromSource)[
		for i := range v.EnvFrom {
			p.gap(i)
			p.v1EnvFromSource(&v.EnvFrom[i])
		}
		p.lit(litListEnd)
	}
	if v.Env == nil {
		p.lit(125) //  Env:([]v1.EnvVar)<nil>
	} else {
		p.lit(126) //  Env:([]v1.EnvVar)[
		for i := range v.Env {
			p.gap(i)
			p.v1EnvVar(&v.Env[i])
		}
		p.lit(litListEnd)
	}
	p.lit(127) //  Resources:(v1.ResourceRequirements)
	p.v1ResourceRequirements(&v.Resources)
	if v.VolumeMounts == nil {
		p.lit(128) //  VolumeMounts:([]v1.VolumeMount)<nil>
	} else {
		p.lit(129) //  VolumeMounts:([]v1.VolumeMount)[
		for i := range v.VolumeMounts {
			p.gap(i)
			p.v1VolumeMount(&v.VolumeMounts[i])
		}
		p.lit(litListEnd)
	}
	if lane := p.first; p.since(9) {
		if v.VolumeDevices == nil {
			p.lit(130) //  VolumeDevices:([]v1.VolumeDevice)<nil>
		} else {
			p.lit(131) //  VolumeDevices:([]v1.VolumeDevice)[
			for i := range v.VolumeDevices {
				p.gap(i)
				p.v1VolumeDevice(&v.VolumeDevices[i])
			}
			p.lit(litListEnd)
		}
		p.first = lane
	}
	if v.LivenessProbe == nil {
		p.lit(132) //  LivenessProbe:(*v1.Probe)<nil>
	} else {
		p.lit(133) //  LivenessProbe:(*v1.Probe)
		p.v1Probe(v.LivenessProbe)
	}
	if v.ReadinessProbe == nil {
		p.lit(134) //  ReadinessProbe:(*v1.Probe)<nil>
	} else {
		p.lit(135) //  ReadinessProbe:(*v1.Probe)
		p.v1Probe(v.ReadinessProbe)
	}
	if v.Lifecycle == nil {
		p.lit(136) //  Lifecycle:(*v1.Lifecycle)<nil>
	} else {
		p.lit(137) //  Lifecycle:(*v1.Lifecycle)
		p.v1Lifecycle(v.Lifecycle)
	}
	p.lit(42) //  TerminationMessagePath:(string)
	p.raw(string(v.TerminationMessagePath))
	p.lit(138) //  TerminationMessagePolicy:(v1.TerminationMessagePolicy)
	p.raw(string(v.TerminationMessagePolicy))
	p.lit(139) //  ImagePullPolicy:(v1.PullPolicy)
	p.raw(string(v.ImagePullPolicy))
	if v.SecurityContext == nil {
		p.lit(140) //  SecurityContext:(*v1.SecurityContext)<nil>
	} else {
		p.lit(141) //  SecurityContext:(*v1.SecurityContext)
		p.v1SecurityContext(v.SecurityContext)
	}
	p.lit(46) //  Stdin:(bool)
	p.bool(v.Stdin)
	p.lit(47) //  StdinOnce:(bool)
	p.bool(v.StdinOnce)
	p.lit(48) //  TTY:(bool)
	p.bool(v.TTY)
	p.lit(litEnd)
}

func (p *structPrint) v1ContainerPort(v *corev1.ContainerPort) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(49) //  HostPort:(int32)
	p.int(int64(v.HostPort))
	p.lit(50) //  ContainerPort:(int32)
	p.int(int64(v.ContainerPort))
	p.lit(142) //  Protocol:(v1.Protocol)
	p.raw(string(v.Protocol))
	p.lit(52) //  HostIP:(string)
	p.raw(string(v.HostIP))
	p.lit(litEnd)
}

func (p *structPrint) v1EnvFromSource(v *corev1.EnvFromSource) {
	p.lit(143) // {Prefix:(string)
	p.raw(string(v.Prefix))
	if v.ConfigMapRef == nil {
		p.lit(144) //  ConfigMapRef:(*v1.ConfigMapEnvSource)<nil>
	} else {
		p.lit(145) //  ConfigMapRef:(*v1.ConfigMapEnvSource)
		p.v1ConfigMapEnvSource(v.ConfigMapRef)
	}
	if v.SecretRef == nil {
		p.lit(146) //  SecretRef:(*v1.SecretEnvSource)<nil>
	} else {
		p.lit(147) //  SecretRef:(*v1.SecretEnvSource)
		p.v1SecretEnvSource(v.SecretRef)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1ConfigMapEnvSource(v *corev1.ConfigMapEnvSource) {
	p.lit(148) // {LocalObjectReference:(v1.LocalObjectReference)
	p.v1LocalObjectReference(&v.LocalObjectReference)
	if v.Optional == nil {
		p.lit(149) //  Optional:(*bool)<nil>
	} else {
		p.lit(150) //  Optional:(*bool)
		p.bool(*v.Optional)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1LocalObjectReference(v *corev1.LocalObjectReference) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(litEnd)
}

func (p *structPrint) v1SecretEnvSource(v *corev1.SecretEnvSource) {
	p.lit(148) // {LocalObjectReference:(v1.LocalObjectReference)
	p.v1LocalObjectReference(&v.LocalObjectReference)
	if v.Optional == nil {
		p.lit(149) //  Optional:(*bool)<nil>
	} else {
		p.lit(150) //  Optional:(*bool)
		p.bool(*v.Optional)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1EnvVar(v *corev1.EnvVar) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(53) //  Value:(string)
	p.raw(string(v.Value))
	if v.ValueFrom == nil {
		p.lit(151) //  ValueFrom:(*v1.EnvVarSource)<nil>
	} else {
		p.lit(152) //  ValueFrom:(*v1.EnvVarSource)
		p.v1EnvVarSource(v.ValueFrom)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1EnvVarSource(v *corev1.EnvVarSource) {
	if v.FieldRef == nil {
		p.lit(153) // {FieldRef:(*v1.ObjectFieldSelector)<nil>
	} else {
		p.lit(154) // {FieldRef:(*v1.ObjectFieldSelector)
		p.v1ObjectFieldSelector(v.FieldRef)
	}
	if v.ResourceFieldRef == nil {
		p.lit(155) //  ResourceFieldRef:(*v1.ResourceFieldSelector)<nil>
	} else {
		p.lit(156) //  ResourceFieldRef:(*v1.ResourceFieldSelector)
		p.v1ResourceFieldSelector(v.ResourceFieldRef)
	}
	if v.ConfigMapKeyRef == nil {
		p.lit(157) //  ConfigMapKeyRef:(*v1.ConfigMapKeySelector)<nil>
	} else {
		p.lit(158) //  ConfigMapKeyRef:(*v1.ConfigMapKeySelector)
		p.v1ConfigMapKeySelector(v.ConfigMapKeyRef)
	}
	if v.SecretKeyRef == nil {
		p.lit(159) //  SecretKeyRef:(*v1.SecretKeySelector)<nil>
	} else {
		p.lit(160) //  SecretKeyRef:(*v1.SecretKeySelector)
		p.v1SecretKeySelector(v.SecretKeyRef)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1ObjectFieldSelector(v *corev1.ObjectFieldSelector) {
	p.lit(64) // {APIVersion:(string)
	p.raw(string(v.APIVersion))
	p.lit(65) //  FieldPath:(string)
	p.raw(string(v.FieldPath))
	p.lit(litEnd)
}

func (p *structPrint) v1ResourceFieldSelector(v *corev1.ResourceFieldSelector) {
	p.lit(66) // {ContainerName:(string)
	p.raw(string(v.ContainerName))
	p.lit(67) //  Resource:(string)
	p.raw(string(v.Resource))
	p.lit(68) //  Divisor:(resource.Quantity)
	p.quantity(&v.Divisor)
	p.lit(litEnd)
}

func (p *structPrint) v1ConfigMapKeySelector(v *corev1.ConfigMapKeySelector) {
	p.lit(148) // {LocalObjectReference:(v1.LocalObjectReference)
	p.v1LocalObjectReference(&v.LocalObjectReference)
	p.lit(70) //  Key:(string)
	p.raw(string(v.Key))
	if v.Optional == nil {
		p.lit(149) //  Optional:(*bool)<nil>
	} else {
		p.lit(150) //  Optional:(*bool)
		p.bool(*v.Optional)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1SecretKeySelector(v *corev1.SecretKeySelector) {
	p.lit(148) // {LocalObjectReference:(v1.LocalObjectReference)
	p.v1LocalObjectReference(&v.LocalObjectReference)
	p.lit(70) //  Key:(string)
	p.raw(string(v.Key))
	if v.Optional == nil {
		p.lit(149) //  Optional:(*bool)<nil>
	} else {
		p.lit(150) //  Optional:(*bool)
		p.bool(*v.Optional)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1ResourceRequirements(v *corev1.ResourceRequirements) {
	p.lit(161) // {Limits:(v1.ResourceList)
	p.resources(v.Limits)
	p.lit(162) //  Requests:(v1.ResourceList)
	p.resources(v.Requests)
	p.lit(litEnd)
}

func (p *structPrint) v1VolumeMount(v *corev1.VolumeMount) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(73) //  ReadOnly:(bool)
	p.bool(v.ReadOnly)
	p.lit(74) //  MountPath:(string)
	p.raw(string(v.MountPath))
	p.lit(75) //  SubPath:(string)
	p.raw(string(v.SubPath))
	if lane := p.first; p.since(8) {
		if v.MountPropagation == nil {
			p.lit(163) //  MountPropagation:(*v1.MountPropagationMode)<nil>
		} else {
			p.lit(164) //  MountPropagation:(*v1.MountPropagationMode)
			p.raw(string(*v.MountPropagation))
		}
		p.first = lane
	}
	if lane := p.first; p.since(14) {
		p.lit(165) //  SubPathExpr:(string)
		p.raw(string(v.SubPathExpr))
		p.first = lane
	}
	p.lit(litEnd)
}

func (p *structPrint) v1VolumeDevice(v *corev1.VolumeDevice) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(166) //  DevicePath:(string)
	p.raw(string(v.DevicePath))
	p.lit(litEnd)
}

func (p *structPrint) v1Probe(v *corev1.Probe) {
	p.lit(167) // {Handler:(v1.Handler)
	p.v1Handler(&corev1.LifecycleHandler{Exec: v.Exec, HTTPGet: v.HTTPGet, TCPSocket: v.TCPSocket})
	p.lit(77) //  InitialDelaySeconds:(int32)
	p.int(int64(v.InitialDelaySeconds))
	p.lit(78) //  TimeoutSeconds:(int32)
	p.int(int64(v.TimeoutSeconds))
	p.lit(79) //  PeriodSeconds:(int32)
	p.int(int64(v.PeriodSeconds))
	p.lit(80) //  SuccessThreshold:(int32)
	p.int(int64(v.SuccessThreshold))
	p.lit(81) //  FailureThreshold:(int32)
	p.int(int64(v.FailureThreshold))
	p.lit(litEnd)
}

func (p *structPrint) v1Handler(v *corev1.LifecycleHandler) {
	if v.Exec == nil {
		p.lit(168) // {Exec:(*v1.ExecAction)<nil>
	} else {
		p.lit(169) // {Exec:(*v1.ExecAction)
		p.v1ExecAction(v.Exec)
	}
	if v.HTTPGet == nil {
		p.lit(170) //  HTTPGet:(*v1.HTTPGetAction)<nil>
	} else {
		p.lit(171) //  HTTPGet:(*v1.HTTPGetAction)
		p.v1HTTPGetAction(v.HTTPGet)
	}
	if v.TCPSocket == nil {
		p.lit(172) //  TCPSocket:(*v1.TCPSocketAction)<nil>
	} else {
		p.lit(173) //  TCPSocket:(*v1.TCPSocketAction)
		p.v1TCPSocketAction(v.TCPSocket)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1ExecAction(v *corev1.ExecAction) {
	if v.Command == nil {
		p.lit(88) // {Command:([]string)<nil>
	} else {
		p.lit(89) // {Command:([]string)[
		for i := range v.Command {
			p.gap(i)
			p.raw(string(v.Command[i]))
		}
		p.lit(litListEnd)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1HTTPGetAction(v *corev1.HTTPGetAction) {
	p.lit(90) // {Path:(string)
	p.raw(string(v.Path))
	p.lit(91) //  Port:(intstr.IntOrString)
	p.intOrString(&v.Port)
	p.lit(92) //  Host:(string)
	p.raw(string(v.Host))
	p.lit(174) //  Scheme:(v1.URIScheme)
	p.raw(string(v.Scheme))
	if v.HTTPHeaders == nil {
		p.lit(175) //  HTTPHeaders:([]v1.HTTPHeader)<nil>
	} else {
		p.lit(176) //  HTTPHeaders:([]v1.HTTPHeader)[
		for i := range v.HTTPHeaders {
			p.gap(i)
			p.v1HTTPHeader(&v.HTTPHeaders[i])
		}
		p.lit(litListEnd)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1HTTPHeader(v *corev1.HTTPHeader) {
	p.lit(22) // {Name:(string)
	p.raw(string(v.Name))
	p.lit(53) //  Value:(string)
	p.raw(string(v.Value))
	p.lit(litEnd)
}

func (p *structPrint) v1TCPSocketAction(v *corev1.TCPSocketAction) {
	p.lit(96) // {Port:(intstr.IntOrString)
	p.intOrString(&v.Port)
	if lane := p.first; p.since(7) {
		p.lit(92) //  Host:(string)
		p.raw(string(v.Host))
		p.first = lane
	}
	p.lit(litEnd)
}

func (p *structPrint) v1Lifecycle(v *corev1.Lifecycle) {
	if v.PostStart == nil {
		p.lit(177) // {PostStart:(*v1.Handler)<nil>
	} else {
		p.lit(178) // {PostStart:(*v1.Handler)
		p.v1Handler(v.PostStart)
	}
	if v.PreStop == nil {
		p.lit(179) //  PreStop:(*v1.Handler)<nil>
	} else {
		p.lit(180) //  PreStop:(*v1.Handler)
		p.v1Handler(v.PreStop)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1SecurityContext(v *corev1.SecurityContext) {
	if v.Capabilities == nil {
		p.lit(181) // {Capabilities:(*v1.Capabilities)<nil>
	} else {
		p.lit(182) // {Capabilities:(*v1.Capabilities)
		p.v1Capabilities(v.Capabilities)
	}
	if v.Privileged == nil {
		p.lit(103) //  Privileged:(*bool)<nil>
	} else {
		p.lit(104) //  Privileged:(*bool)
		p.bool(*v.Privileged)
	}
	if v.SELinuxOptions == nil {
		p.lit(183) //  SELinuxOptions:(*v1.SELinuxOptions)<nil>
	} else {
		p.lit(184) //  SELinuxOptions:(*v1.SELinuxOptions)
		p.v1SELinuxOptions(v.SELinuxOptions)
	}
	if lane := p.first; p.since(15) {
		if v.WindowsOptions == nil {
			p.lit(185) //  WindowsOptions:(*v1.WindowsSecurityContextOptions)<nil>
		} else {
			p.lit(186) //  WindowsOptions:(*v1.WindowsSecurityContextOptions)
			p.v1WindowsSecurityContextOptions(v.WindowsOptions)
		}
		p.first = lane
	}
	if v.RunAsUser == nil {
		p.lit(107) //  RunAsUser:(*int64)<nil>
	} else {
		p.lit(108) //  RunAsUser:(*int64)
		p.int(int64(*v.RunAsUser))
	}
	if lane := p.first; p.since(10) {
		if v.RunAsGroup == nil {
			p.lit(187) //  RunAsGroup:(*int64)<nil>
		} else {
			p.lit(188) //  RunAsGroup:(*int64)
			p.int(int64(*v.RunAsGroup))
		}
		p.first = lane
	}
	if v.RunAsNonRoot == nil {
		p.lit(109) //  RunAsNonRoot:(*bool)<nil>
	} else {
		p.lit(110) //  RunAsNonRoot:(*bool)
		p.bool(*v.RunAsNonRoot)
	}
	if v.ReadOnlyRootFilesystem == nil {
		p.lit(111) //  ReadOnlyRootFilesystem:(*bool)<nil>
	} else {
		p.lit(112) //  ReadOnlyRootFilesystem:(*bool)
		p.bool(*v.ReadOnlyRootFilesystem)
	}
	if lane := p.first; p.since(8) {
		if v.AllowPrivilegeEscalation == nil {
			p.lit(189) //  AllowPrivilegeEscalation:(*bool)<nil>
		} else {
			p.lit(190) //  AllowPrivilegeEscalation:(*bool)
			p.bool(*v.AllowPrivilegeEscalation)
		}
		p.first = lane
	}
	if lane := p.first; p.since(12) {
		if v.ProcMount == nil {
			p.lit(191) //  ProcMount:(*v1.ProcMountType)<nil>
		} else {
			p.lit(192) //  ProcMount:(*v1.ProcMountType)
			p.raw(string(*v.ProcMount))
		}
		p.first = lane
	}
	p.lit(litEnd)
}

func (p *structPrint) v1Capabilities(v *corev1.Capabilities) {
	if v.Add == nil {
		p.lit(193) // {Add:([]v1.Capability)<nil>
	} else {
		p.lit(194) // {Add:([]v1.Capability)[
		for i := range v.Add {
			p.gap(i)
			p.raw(string(v.Add[i]))
		}
		p.lit(litListEnd)
	}
	if v.Drop == nil {
		p.lit(195) //  Drop:([]v1.Capability)<nil>
	} else {
		p.lit(196) //  Drop:([]v1.Capability)[
		for i := range v.Drop {
			p.gap(i)
			p.raw(string(v.Drop[i]))
		}
		p.lit(litListEnd)
	}
	p.lit(litEnd)
}

func (p *structPrint) v1SELinuxOptions(v *corev1.SELinuxOptions) {
	p.lit(117) // {User:(string)
	p.raw(string(v.User))
	p.lit(118) //  Role:(string)
	p.raw(string(v.Role))
	p.lit(119) //  Type:(string)
	p.raw(string(v.Type))
	p.lit(120) //  Level:(string)
	p.raw(string(v.Level))
	p.lit(litEnd)
}

func (p *structPrint) v1WindowsSecurityContextOptions(v *corev1.WindowsSecurityContextOptions) {
	if v.GMSACredentialSpecName == nil {
		p.lit(197) // {GMSACredentialSpecName:(*string)<nil>
	} else {
		p.lit(198) // {GMSACredentialSpecName:(*string)
		p.raw(string(*v.GMSACredentialSpecName))
	}
	if v.GMSACredentialSpec == nil {
		p.lit(199) //  GMSACredentialSpec:(*string)<nil>
	} else {
		p.lit(200) //  GMSACredentialSpec:(*string)
		p.raw(string(*v.GMSACredentialSpec))
	}
	p.lit(litEnd)
}
