package field

// The names of fields, in lookup order; lower case, with dots between the levels. A name also matches below any of the
// wrappings.
//
// Sources, as of 2026: Cloud Logging LogEntry (jsonPayload, textPayload, resource.labels); CloudWatch Logs API
// (events[].message, Insights' @message) and the records of Container Insights' Fluent Bit (hostname, systemd_unit);
// systemd.journal-fields(7) as Fluent Bit's and Fluentd's systemd inputs keep them, also lower-cased or without the
// underscore (fluent-plugin-systemd fields_strip_underscores, fields_lowercase); Elastic Common Schema and Filebeat's
// journald input; OpenShift Logging's ViaQ model (hostname, systemd.t, systemd.u); Loki's promtail and Alloy labels
// (node, unit, __journal__*); Azure Monitor's Syslog table; Datadog's and Splunk's exports; OTLP's log records.
var (
	MessageNames = []string{
		"jsonpayload.message", "jsonpayload.log", "jsonpayload.msg", "textpayload",
		"@message", "syslogmessage", "_raw", "message", "line", "log",
		"content", "body", "body.stringvalue", "body.message", "attributes.message",
		"attributes.custom.message", "rawdata", "renderedmessage", "logentry",
		"event.original", "msg", "text", "data", "value", "short_message", "full_message", "event.message", "_source.message",
	}
	TimeNames = []string{
		"@timestamp", "timestamp", "_time", "__realtime_timestamp", "_source_realtime_timestamp",
		"source_realtime_timestamp", "timegenerated", "timegenerated [utc]", "eventtime", "time", "date", "datetime",
		"_messagetimems", "_messagetime", "date_happened", "ts", "timeunixnano", "observedtimeunixnano",
		"attributes.timestamp",
		"event.created", "eventtimestamp", "tsns", "receivetimestamp", "@ingestiontime", "ingestiontime",
	}
	HostNames = []string{
		"jsonpayload._hostname", "jsonpayload.hostname", "_hostname", "resource.labels.node_name",
		"labels.compute.googleapis.com/resource_name", "host.name", "host.hostname",
		"hostname", "node_name", "nodename", "node",
		"kubernetes.host", "kubernetes.node_name", "kubernetes.node.name", "kubernetes.nodename",
		"k8s.node.name", "kubernetes_node_name", "kubernetes_host", "computer", "host", "hostip", "__journal__hostname",
		"agent.hostname", "beat.hostname", "hostname_override", "attributes.hostname",
		"attributes.host", "source_host", "_sourcehost", "instance", "resource.attributes.host.name",
	}
	unitNames = []string{
		"jsonpayload._systemd_unit", "_systemd_unit", "systemd.unit", "systemd_unit",
		"systemd.t.systemd_unit", "unit", "__journal__systemd_unit", "_systemd_user_unit",
		"jsonpayload.syslog_identifier", "syslog_identifier", "syslog.identifier",
		"systemd.u.syslog_identifier", "syslog.appname", "log.syslog.appname",
		"processname", "process.name", "identifier", "ident", "syslog_ident",
		"programname", "program", "appname", "app_name", "jsonpayload._comm",
		"_comm", "systemd.t.comm", "service", "service.name", "job", "tag", "sourcetype", "source",
	}
	PIDNames = []string{
		"jsonpayload._pid", "_pid", "process.pid", "systemd.t.pid", "systemd.u.syslog_pid",
		"pid", "procid", "processid", "syslog_pid", "process.id",
	}
	IDNames = []string{"insertid", "eventid", "_id", "_cd", "@ptr", "id"}

	// streamNames are fields of CloudWatch with a record's origin:
	// "ip-10-0-0-1.ec2.internal-dataplane.systemd.kubelet.service".
	streamNames = []string{"@logstream", "logstreamname", "logstream"}

	// transportNames identify the kernel's messages.
	transportNames = []string{"jsonpayload._transport", "_transport", "journald.transport",
		"systemd.t.transport", "transport", "__journal__transport"}

	// containerNames are in records of containers' output. A container that acts as a node looks like any other.
	// Its id comes last: where a name is there too, that says more.
	containerNames = append(append([]string{
		"kubernetes.container_name", "kubernetes.container.name", "resource.labels.container_name",
		"container_name", "containername", "container", "kubernetes_container_name", "k8s.container.name",
		"kube_container_name", "_container_name", "kubernetes.pod_id", "logentrysource",
	}, podNames...), "container_id", "container.id")

	podNames = []string{
		"kubernetes.pod_name", "kubernetes.pod.name", "resource.labels.pod_name", "pod_name", "podname", "pod",
		"kubernetes_pod_name", "k8s.pod.name",
	}

	// outputs are how the names of files and streams begin that are containers' output: the kubelet's links, Docker's
	// files, the sourcetype of Splunk.
	outputs = []string{"/var/log/pods/", "/var/log/containers/", "/var/lib/docker/containers/", "kube:container:"}
)

// wrappings are prefixes of records and their fields.
var wrappings = []string{"", "_source.", "result.", "fields.", "labels.",
	"stream.", "jsonpayload.", "attributes.", "resource.attributes.", "record.",
	"content.", "journald.custom.", "attributes.attributes.", "tags."}
