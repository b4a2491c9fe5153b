package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// This file creates the events of a status, those of kubelets and controllers, single or merged.

// speak adds the events that the status has.
func (o *object) speak() {
	s := o.status
	if s[ofKill] > 0 && o.newest != nil {
		o.event(spoken{"Killing", kills[s[ofKill]-1].message, "kubelet"}, "main", o.over.Add(-o.stopTakes()), 0)
	}
	if s[ofUnhealthy] > 0 {
		kind := unhealthy[s[ofUnhealthy]-1]
		o.event(spoken{"Unhealthy", kind + " probe failed: HTTP probe failed with statuscode: 500", "kubelet"},
			"main", o.over.Add(-o.stopTakes()), 20*time.Second)
	}
	if s[ofPodEvent] > 0 {
		e := podEvents[s[ofPodEvent]-1]
		at, container := o.over.Add(time.Second), ""
		switch e.reason {
		case "BackOff":
			at, container = at.Add(9*time.Second), "main"
		case "FailedPostStartHook", "FailedPreStopHook":
			at, container = at.Add(-2*time.Second), "main"
		case "Evicted", "Preempting", "TaintManagerEviction":
			at = o.asked()
		}
		o.event(e, container, at, 0)
	}
	if s[ofNodeEvent] > 0 {
		o.nodeEvent(nodeEvents[s[ofNodeEvent]-1])
	}
}

// event adds an event of the pod; an event with a count began a while before.
func (o *object) event(e spoken, container string, at time.Time, counted time.Duration) {
	ev := o.said(e, at)
	ev.InvolvedObject = corev1.ObjectReference{Kind: "Pod", Namespace: o.pod.Namespace,
		Name: o.pod.Name, UID: o.pod.UID, APIVersion: "v1"}
	if container != "" {
		ev.InvolvedObject.FieldPath = "spec.containers{" + container + "}"
		if o.status[ofKind] != kindApp {
			ev.InvolvedObject.FieldPath = "spec.initContainers{" + container + "}"
		}
	}
	switch {
	case counted > 0:
		ev.Count, ev.FirstTimestamp = 3, metav1.Time{Time: at.Add(-counted)}
	case o.status[ofMerged] > 0 && o.status[ofCount] > 0:
		ev.Count, ev.FirstTimestamp = 1+[...]int32{0, 1, 9}[o.status[ofCount]], metav1.Time{Time: at.Add(-10 * time.Hour)}
	}
}

func (o *object) nodeEvent(e spoken) {
	at := o.over.Add(8 * time.Second)
	if e.reason == "SystemOOM" {
		at = o.over
	}
	ev := o.said(e, at)
	ev.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: o.pod.Spec.NodeName,
		UID: types.UID(o.pod.Spec.NodeName)}
}

func (o *object) said(e spoken, at time.Time) *corev1.Event {
	n := len(o.events)
	ev := &corev1.Event{TypeMeta: metav1.TypeMeta{Kind: "Event", APIVersion: "v1"}}
	ev.Namespace, ev.Name, ev.UID = "default", fmt.Sprintf("%s.%d", o.pod.Name, n),
		types.UID(fmt.Sprintf("e%s.%d", o.pod.Name, n))
	ev.Type, ev.Reason, ev.Message, ev.Count = "Normal", e.reason, e.message, 1
	ev.FirstTimestamp, ev.LastTimestamp = metav1.Time{Time: at}, metav1.Time{Time: at}
	ev.Source.Component = e.component
	if e.component == "kubelet" {
		ev.Source.Host = o.pod.Spec.NodeName
	}
	o.events = append(o.events, ev)
	return ev
}
