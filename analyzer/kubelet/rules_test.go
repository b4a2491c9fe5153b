package kubelet

import (
	"errors"
	"strings"
	"testing"
)

func TestARuleHoldsFromItsFirstToItsLastPatch(t *testing.T) {
	tests := map[string]struct {
		versions string // "version:yes" or "version:no", in pairs around every change
		holds    func(Rules) bool
	}{
		"a sandbox needs an address":   {"v1.7.0:no v1.8.0:yes v1.36.0:yes", func(r Rules) bool { return r.SandboxNeedsIP }},
		"unless none is reported":      {"v1.24.17:no v1.25.0:yes", func(r Rules) bool { return r.SandboxIPMayBeUnreported }},
		"namespace modes are compared": {"v1.9.11:no v1.10.0:yes", func(r Rules) bool { return r.NamespaceModes }},
		"a finished pod of policy Never ends": {"v1.12.10:no v1.13.0:yes v1.13.8:no",
			func(r Rules) bool { return r.NeverPod == NeverPodEnds }},
		"one that never ran is tried again": {
			"v1.13.7:no v1.13.8:yes v1.14.3:no v1.14.4:yes v1.15.0:no v1.15.1:yes v1.16.0:yes v1.14:yes",
			func(r Rules) bool { return r.NeverPod == NeverPodEndsIfRan }},
		"no sandbox is made for nothing": {
			"v1.17.14:no v1.17.15:yes v1.18.12:no v1.18.13:yes v1.19.3:no v1.19.4:yes v1.20.0:yes v1.16.15:no",
			func(r Rules) bool { return r.NoIdleSandbox }},
		"only what exited has succeeded": {"v1.31.14:no v1.32.0:yes", func(r Rules) bool { return r.SucceededIsExited }},
		"the older function decides": {"v1.5:yes v1.7.16:yes v1.8.0:no",
			func(r Rules) bool { return r.ContainerChanges }},
		"a created container is started": {"v1.5.8:no v1.6.0:yes", func(r Rules) bool { return r.CreatedIsUnclear }},
		"an ended pod is not admitted again": {
			"v1.5:yes v1.21.14:yes v1.22.0:no v1.27:no v1.28.13:no v1.28.14:yes v1.29.8:no v1.29.9:yes v1.30.4:no v1.31.0:no v1.31.1:yes v1.32.0:yes", func(r Rules) bool { return r.EndedSkipsAdmission }},
		"ephemeral containers exist": {"v1.15.12:no v1.16.0:yes", func(r Rules) bool { return r.Ephemeral }},
		"the newer function for every pod": {
			"v1.27.16:no v1.28.0:yes v1.28.1:yes v1.28.2:no v1.33.0:no v1.34.0:yes",
			func(r Rules) bool { return r.InitPath == InitActions }},
		"the gate alone chooses the function": {
			"v1.28.1:no v1.28.2:yes v1.28.15:yes v1.29.8:yes v1.29.9:no v1.30.4:yes v1.30.5:no v1.31.0:yes v1.31.1:no",
			func(r Rules) bool { return r.InitPath == InitByGate }},
		"gate and sidecar choose it": {
			"v1.29.8:no v1.29.9:yes v1.30.5:yes v1.31.1:yes v1.32.0:yes v1.33.0:no v1.30:yes",
			func(r Rules) bool { return r.InitPath == InitBySidecar }},
		"unless told otherwise": {"v1.32.13:no v1.33.0:yes v1.34.0:no",
			func(r Rules) bool { return r.InitPath == InitUnlessLegacy }},
		"a running container shows initialization": {"v1.20.15:no v1.21.0:yes",
			func(r Rules) bool { return r.RunningIsInitialized }},
		"so does an exited one": {"v1.27.16:no v1.28.0:yes v1.28.15:yes v1.29.0:no",
			func(r Rules) bool { return r.ExitedIsInitialized }},
		"a created init container is started": {"v1.29.8:no v1.29.9:yes v1.31.0:no v1.31.1:yes v1.32.0:yes",
			func(r Rules) bool { return r.CreatedInitStarts }},
		"an OOM kill fails an init container": {"v1.22.17:no v1.23.0:yes",
			func(r Rules) bool { return r.OOMKilledInitFails }},
		"a container in state unknown is killed": {"v1.13.12:no v1.14.0:yes",
			func(r Rules) bool { return r.UnknownIsKilled }},
		"a startup probe kills": {"v1.16.15:no v1.17.0:yes", func(r Rules) bool { return r.StartupKills }},
		"a second hash is compared": {"v1.26.15:no v1.27.0:yes v1.30.14:yes v1.31.0:no",
			func(r Rules) bool { return r.HashWithoutResources }},
		"resize goes by the API status": {"v1.26.15:no v1.27.0:yes v1.31.14:yes v1.32.0:no",
			func(r Rules) bool { return r.Resize == ResizeStatus }},
		"resize goes by the runtime": {"v1.31.14:no v1.32.0:yes v1.33.0:no",
			func(r Rules) bool { return r.Resize == ResizeRuntime }},
		"resize goes by the record": {"v1.32.13:no v1.33.0:yes", func(r Rules) bool { return r.Resize == ResizeActuated }},
		"nothing of a deleted pod is started": {"v1.17.10:no v1.17.11:yes v1.18.0:yes v1.16.15:no",
			func(r Rules) bool { return r.DeletedStays }},
		"kills have reason codes":     {"v1.20.15:no v1.21.0:yes", func(r Rules) bool { return r.KillReasons }},
		"the text of a kill is plain": {"v1.13.12:no v1.14.0:yes", func(r Rules) bool { return r.KillText == KillTextPlain }},
		"initialization is judged by one sandbox": {"v1.36.4:no v1.37.0:yes",
			func(r Rules) bool { return r.ActiveSandboxOnly }},
		"the condition says why the sandbox must go": {"v1.36.4:no v1.37.0:yes",
			func(r Rules) bool { return r.SandboxReasons }},
		"records of resources are made": {"v1.36.4:no v1.37.0:yes", func(r Rules) bool { return r.RecordsMade }},
		"a start with another size resizes the pod": {"v1.35.6:no v1.36.3:no v1.36.4:yes v1.36:yes v1.37.0:yes",
			func(r Rules) bool { return r.StartingResized }},
		"a newer minor's first patch is not our own's": {"v1.40.0:yes", func(r Rules) bool {
			return r.InitPath == InitActions
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for pair := range strings.FieldsSeq(test.versions) {
				version, want, _ := strings.Cut(pair, ":")
				v, err := ParseVersion(version)
				if err != nil {
					t.Fatal(err)
				}
				p, err := ProfileFor(v)
				if err != nil {
					t.Fatal(err)
				}
				if got := test.holds(p.Rules); got != (want == "yes") {
					t.Errorf("%s: %v, want %s", version, got, want)
				}
			}
		})
	}
}

func TestGatesHaveTheDefaultsOfTheirMinor(t *testing.T) {
	tests := map[string]struct {
		gate Gate
		from int // 0: never on
	}{
		"EphemeralContainers":                     {EphemeralContainers, 23},
		"InPlacePodVerticalScaling":               {InPlacePodVerticalScaling, 33},
		"InPlacePodVerticalScalingInitContainers": {InPlacePodVerticalScalingInitContainers, 36},
		"InPlacePodLevelResourcesVerticalScaling": {InPlacePodLevelResourcesVerticalScaling, 36},
		"SidecarContainers":                       {SidecarContainers, 29},
		"LegacySidecarContainers":                 {LegacySidecarContainers, 0},
		"ContainerRestartRules":                   {ContainerRestartRules, 35},
		"RestartAllContainersOnContainerExits":    {RestartAllContainersOnContainerExits, 36},
		"KubeletCrashLoopBackOffMax":              {KubeletCrashLoopBackOffMax, 35},
		"ReduceDefaultCrashLoopBackOffDecay":      {ReduceDefaultCrashLoopBackOffDecay, 0},
		"EventedPLEG":                             {EventedPLEG, 0},
	}
	if len(tests) != int(gateCount) {
		t.Fatalf("%d gates tested of %d", len(tests), gateCount)
	}
	for name, test := range tests {
		if test.gate.String() != name {
			t.Errorf("gate %d is called %s, want %s", test.gate, test.gate, name)
		}
		for minor := OldestMinor; minor <= NewestMinor; minor++ {
			want := test.from != 0 && minor >= test.from
			if got := profileOf(t, minor).Gates.On(test.gate); got != want {
				t.Errorf("v1.%d: %s is %v", minor, name, got)
			}
		}
	}
}

func TestAGateCanBeTurnedWhereItIsKnown(t *testing.T) {
	p, err := profileOf(t, 30).WithGate("InPlacePodVerticalScaling", true)
	if err != nil || !p.Gates.On(InPlacePodVerticalScaling) ||
		p.Gates.String() != "EphemeralContainers,InPlacePodVerticalScaling,SidecarContainers" {
		t.Errorf("turned on: %s, %v", p.Gates, err)
	}
	if p, err = p.WithGate("InPlacePodVerticalScaling", false); err != nil || p.Gates != profileOf(t, 30).Gates {
		t.Errorf("turned off again: %s, %v", p.Gates, err)
	}
	for _, name := range []string{"ContainerRestartRules", "LegacySidecarContainers",
		"EphemeralContainers", "EventedPLEG", "Nonsense"} {
		before := profileOf(t, 30)
		after, err := before.WithGate(name, true)
		if !errors.Is(err, ErrUnknownGate) || after != before ||
			!strings.Contains(err.Error(), "InPlacePodVerticalScaling, SidecarContainers") {
			t.Errorf("%s in v1.30: %s, %v", name, after.Gates, err)
		}
	}
}

func TestALockedGateIsWhatItIs(t *testing.T) {
	tests := map[string]struct {
		minor int
		gate  string
		free  bool
	}{
		"resize before its lock":              {34, "InPlacePodVerticalScaling", true},
		"resize":                              {35, "InPlacePodVerticalScaling", false},
		"resize of init containers in 1.36":   {36, "InPlacePodVerticalScalingInitContainers", true},
		"resize of init containers":           {37, "InPlacePodVerticalScalingInitContainers", false},
		"sidecars before their lock":          {32, "SidecarContainers", true},
		"sidecars":                            {36, "SidecarContainers", false},
		"a newer kubelet is as the newest is": {44, "InPlacePodVerticalScaling", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := profileOf(t, test.minor)
			on, err := before.WithGate(test.gate, true)
			if err != nil || on != before {
				t.Errorf("set to its default: %s, %v", on.Gates, err)
			}
			off, err := before.WithGate(test.gate, false)
			switch {
			case test.free && (err != nil || off.Gates == before.Gates):
				t.Errorf("turned off: %s, %v", off.Gates, err)
			case !test.free && (!errors.Is(err, ErrLockedGate) || off != before ||
				!strings.Contains(err.Error(), test.gate+"=false")):
				t.Errorf("against the lock: %s, %v", off.Gates, err)
			}
		})
	}
	if _, err := profileOf(t, 37).WithGate("SidecarContainers", true); !errors.Is(err, ErrUnknownGate) {
		t.Errorf("1.37 does not know the gate any more: %v", err)
	}
}
