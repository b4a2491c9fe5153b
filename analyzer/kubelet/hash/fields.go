package hash

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// known are the fields of each type that is part of a container, in the order of the type, up to the last minor that
// hashed the whole container. A number is the minor that added the field, if OldestMinor did not have it. Later fields
// are left out: the kubelets that know them hash name and image. These minors are closed, so this table is.
var known = map[string]string{
	"Container": `Name Image Command Args WorkingDir Ports EnvFrom:6 Env Resources ResizePolicy:27 RestartPolicy:28
		VolumeMounts VolumeDevices:9 LivenessProbe ReadinessProbe StartupProbe:16 Lifecycle TerminationMessagePath
		TerminationMessagePolicy:6 ImagePullPolicy SecurityContext Stdin StdinOnce TTY`,
	"ContainerPort":         "Name HostPort ContainerPort Protocol HostIP",
	"ContainerResizePolicy": "ResourceName RestartPolicy",
	"EnvFromSource":         "Prefix ConfigMapRef SecretRef",
	"ConfigMapEnvSource":    "LocalObjectReference Optional",
	"SecretEnvSource":       "LocalObjectReference Optional",
	"LocalObjectReference":  "Name",
	"EnvVar":                "Name Value ValueFrom",
	"EnvVarSource":          "FieldRef ResourceFieldRef ConfigMapKeyRef SecretKeyRef",
	"ObjectFieldSelector":   "APIVersion FieldPath",
	"ResourceFieldSelector": "ContainerName Resource Divisor",
	"ConfigMapKeySelector":  "LocalObjectReference Key Optional:6",
	"SecretKeySelector":     "LocalObjectReference Key Optional:6",
	"ResourceRequirements":  "Limits Requests Claims:26",
	"ResourceClaim":         "Name",
	"VolumeMount":           "Name ReadOnly RecursiveReadOnly:30 MountPath SubPath MountPropagation:8 SubPathExpr:14",
	"VolumeDevice":          "Name DevicePath",
	"Probe": `ProbeHandler InitialDelaySeconds TimeoutSeconds PeriodSeconds SuccessThreshold FailureThreshold
		TerminationGracePeriodSeconds:21`,
	"ProbeHandler":     "Exec HTTPGet TCPSocket GRPC:23",
	"LifecycleHandler": "Exec HTTPGet TCPSocket Sleep:29",
	"Lifecycle":        "PostStart PreStop",
	"ExecAction":       "Command",
	"HTTPGetAction":    "Path Port Host Scheme HTTPHeaders",
	"HTTPHeader":       "Name Value",
	"TCPSocketAction":  "Port Host:7",
	"GRPCAction":       "Port Service",
	"SleepAction":      "Seconds",
	"SecurityContext": `Capabilities Privileged SELinuxOptions WindowsOptions:15 RunAsUser RunAsGroup:10 RunAsNonRoot
		ReadOnlyRootFilesystem AllowPrivilegeEscalation:8 ProcMount:12 SeccompProfile:19 AppArmorProfile:30`,
	"Capabilities":                  "Add Drop",
	"SELinuxOptions":                "User Role Type Level",
	"WindowsSecurityContextOptions": "GMSACredentialSpecName GMSACredentialSpec RunAsUserName:16 HostProcess:22",
	"SeccompProfile":                "Type LocalhostProfile",
	"AppArmorProfile":               "Type LocalhostProfile",
}

// shape is what printing needs to know of a type.
type shape struct {
	goType reflect.Type
	kind   reflect.Kind
	fields []field // of a struct
	elem   *shape  // of an element, or of a pointer's target
}

type field struct {
	index, since int
	v1           *literal // what a print of the struct has before the value, from 1.6 on
	api          string   // the same in 1.5
	key          *literal // the same in JSON; nil for an embedded struct, whose fields are inlined
	omitEmpty    bool
	shape        *shape
}

// containerShape is computed when the first container is hashed.
var containerShape = sync.OnceValue(func() *shape { return shapes{}.of(reflect.TypeFor[corev1.Container]()) })

type shapes map[reflect.Type]*shape

func (all shapes) of(t reflect.Type) *shape {
	if s, made := all[t]; made {
		return s
	}
	s := &shape{goType: t, kind: t.Kind()}
	all[t] = s
	switch s.kind {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		s.elem = all.of(t.Elem())
	case reflect.Struct:
		for i, word := range strings.Fields(fieldsOf(t)) {
			name, since, _ := strings.Cut(word, ":")
			of, _ := t.FieldByName(name)
			f := newField(of, i == 0, since)
			f.shape = all.of(of.Type)
			s.fields = append(s.fields, f)
		}
	}
	return s
}

// fieldsOf lists the fields of a struct that are printed. Types outside the API have not changed: all their fields are.
func fieldsOf(t reflect.Type) string {
	if t.PkgPath() == reflect.TypeFor[corev1.Container]().PkgPath() {
		return known[t.Name()]
	}
	var names []string
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	return strings.Join(names, " ")
}

// formerNames are what the struct eras called a handler.
var formerNames = strings.NewReplacer("ProbeHandler", "Handler", "LifecycleHandler", "Handler")

func newField(of reflect.StructField, first bool, since string) field {
	f := field{index: of.Index[0], since: OldestMinor}
	if since != "" {
		f.since, _ = strconv.Atoi(since)
	}
	text := " "
	if first {
		text = "{"
	}
	text += formerNames.Replace(of.Name + ":(" + of.Type.String() + ")")
	f.v1, f.api = newLiteral(text, text), strings.Replace(text, "v1.", "api.", 1)
	name, options, _ := strings.Cut(of.Tag.Get("json"), ",")
	if name != "" {
		key := `"` + name + `":`
		f.key = newLiteral(key, dump(key))
	}
	f.omitEmpty = strings.Contains(options, "omitempty")
	return f
}
