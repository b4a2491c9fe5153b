// Package redact removes from evidence what must never be stored: environment values, commands, mounted secrets' names,
// headers, and secrets that slipped into free text.
//
// Objects are rebuilt field by field from what is needed, so a field that a later API version adds is left out until
// someone decides to keep it. Free text is searched with patterns; those catch only the obvious, which is why a field's
// text is kept only if it helps to explain restarts.
//
// It may import the Kubernetes API types, diag/internal/secrets and the standard library. It does no I/O and keeps no
// state. It does not make text safe to print: safetext does that.
package redact

// Policy says in plain words what is removed, for the manifest of a bundle.
func Policy() []string {
	return []string{
		"environment variables, envFrom, commands, arguments and working directories of containers",
		"volumes, mounts, ports, security contexts, image pull secrets and service accounts of pods",
		"annotations except kubernetes.io/config.*",
		"commands, headers, hosts and query strings of probes and hooks",
		"managed fields except who wrote which field names of the containers",
		"addresses, images, labels and annotations of nodes; machine ids, of which a digest is kept",
		"private keys, JSON web tokens, headers with credentials, cookies, cloud keys, signatures and user names in URLs, " +
			"and values called password, token, secret or key in messages",
	}
}
