package field

import "testing"

// A record is a container's output if it says so in any of the ways of collectors and stores.
func TestOutputOfContainers(t *testing.T) {
	for name, c := range map[string]struct {
		record string
		output bool
	}{
		"the kubelet's, of a unit":   {`{"_SYSTEMD_UNIT":"kubelet.service","MESSAGE":"x","_HOSTNAME":"n1"}`, false},
		"Fluent Bit, Fluentd":        {`{"log":"x","kubernetes":{"pod_name":"p","container_name":"c"}}`, true},
		"Filebeat without metadata":  {`{"message":"x","log":{"file":{"path":"/var/log/containers/p_n_c-1.log"}}}`, true},
		"Promtail, by its file":      {`{"filename":"/var/log/pods/n_p_u/c/0.log"}`, true},
		"Splunk, by its sourcetype":  {`{"_raw":"x","sourcetype":"kube:container:c"}`, true},
		"CloudWatch, by its stream":  {`{"logStreamName":"n1-application.var.log.containers.p_n_c.log","message":"x"}`, true},
		"CloudWatch, of a unit":      {`{"logStreamName":"n1-dataplane.systemd.kubelet.service","message":"x"}`, false},
		"Azure's ContainerLog":       {`{"LogEntry":"x","LogEntrySource":"stderr","Computer":"n1"}`, true},
		"Datadog's tags":             {`{"message":"x","tags":["env:a","kube_container_name:c","pod_name:p"]}`, true},
		"Datadog's tags in a cell":   {`{"content":"x","tags":"env:a, kube_container_name:c"}`, true},
		"Datadog, of a host":         {`{"message":"x","tags":["env:a","source:kubelet"]}`, false},
		"GELF of Docker":             {`{"short_message":"x","_container_name":"k8s_c_p_n_u_0"}`, true},
		"a log driver without names": {`{"message":"x","container_id":"3f4e5d6c7b8a"}`, true},
		"a kubelet that Docker runs, by id": {
			`{"message":"x","container_id":"3f4e5d6c7b8a","container_name":"/kubelet"}`, false},
		"a kubelet that Docker runs":         {`{"message":"x","container_name":"/kubelet"}`, false},
		"a container of a pod, named so too": {`{"message":"x","container_name":"kubelet","pod_name":"p"}`, true},
	} {
		f, ok := Parse([]byte(c.record))
		if got := f.OfContainer(); got != c.output || !ok {
			t.Errorf("%s: %t", name, got)
		}
	}
}
