package prometheus

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Access is how to authenticate to an address. The files are read once; their content is never printed.
type Access struct {
	// TokenFile holds a bearer token, BasicFile "user:password", CAFile the certificates to trust (PEM); "" for none.
	TokenFile, BasicFile, CAFile string
}

// Direct makes the client for a URL: http or https, with the prefix of the API's path, if any.
func Direct(address string, a Access) (v1.API, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("want a URL such as https://prometheus.example:9090")
	case u.User != nil:
		return nil, errors.New(
			"a URL with a password ends up in the shell's history: give the name and the password in a file",
		)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if a.CAFile != "" {
		pem, err := os.ReadFile(a.CAFile)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s holds no certificate", a.CAFile)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	token, err := secretOf(a.TokenFile)
	if err != nil {
		return nil, err
	}
	basic, err := secretOf(a.BasicFile)
	if err != nil {
		return nil, err
	}
	user, password, _ := strings.Cut(basic, ":")
	return newAPI(address, &caller{next: transport, sign: func(r *http.Request) {
		switch {
		case token != "":
			r.Header.Set("Authorization", "Bearer "+token)
		case basic != "":
			r.SetBasicAuth(user, password)
		}
	}})
}

// Proxied makes the client for a service through the API server, over the transport that client-go makes for it. The
// service is "namespace/name:port" or, for TLS, "namespace/https:name:port".
func Proxied(server string, transport http.RoundTripper, service string) (v1.API, error) {
	namespace, name, ok := strings.Cut(service, "/")
	if !ok || namespace == "" || !strings.Contains(name, ":") || strings.ContainsAny(name, "/?#") {
		return nil, errors.New("want a URL, NAMESPACE/SERVICE:PORT or auto")
	}
	address, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	address.Path = path.Join("/", address.Path, "api/v1/namespaces", namespace, "services", name, "proxy")
	return newAPI(address.String(), &caller{next: transport, onlyGet: true})
}

func newAPI(address string, c *caller) (v1.API, error) {
	client, err := api.NewClient(
		api.Config{
			Address: address,
			Client: &http.Client{Transport: c, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
				return fmt.Errorf("it redirects to %s, which may be a login: give the address of the API, and a token",
					safetext.Ident(r.URL.Host))
			}},
		},
	)
	if err != nil {
		return nil, err
	}
	return v1.NewAPI(client), nil
}

func secretOf(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	return strings.TrimSpace(string(data)), err
}

// caller sends requests within the byte limit, and turns answers that are not from the API into errors.
type caller struct {
	next http.RoundTripper
	sign func(*http.Request)
	// onlyGet: the API server's proxy requires a write permission for POST (create services/proxy).
	onlyGet bool
	read    atomic.Int64
}

// status is an answer not from the API but from something in front of it.
type status struct {
	code int
	why  string
}

func (s *status) Error() string { return fmt.Sprintf("%d: %s", s.code, s.why) }

// RoundTrip implements http.RoundTripper. Its errors repeat nothing from an answer.
func (c *caller) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if c.onlyGet && r.Method == http.MethodPost {
		form, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Method, r.Body, r.ContentLength, r.URL.RawQuery = http.MethodGet, nil, 0, string(form)
		r.Header.Del("Content-Type")
	}
	if c.sign != nil {
		c.sign(r)
	}
	resp, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if redirected := resp.StatusCode/100 == 3; kind != "application/json" && !redirected {
		_ = resp.Body.Close()
		return nil, &status{resp.StatusCode, words(resp.StatusCode, kind)}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes-c.read.Load()+1))
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	if c.read.Add(int64(len(data))) > maxBytes {
		return nil, fmt.Errorf("the answers are longer than %d MiB", maxBytes>>20)
	}
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden ||
		resp.StatusCode == http.StatusNotFound {
		return nil, &status{resp.StatusCode, words(resp.StatusCode, "")} // the API server's own Status
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, nil
}

// words describes an answer that is not from the API.
func words(code int, kind string) string {
	switch code {
	case http.StatusUnauthorized,
		http.StatusForbidden,
		http.StatusNotFound,
		http.StatusServiceUnavailable,
		http.StatusBadGateway,
		http.StatusRequestURITooLong:
		return strings.ToLower(http.StatusText(code))
	}
	return "it answers with " + safetext.Ident(kind) + " and not as the API of Prometheus does"
}

// failure returns the reason and remedy of an error, for a gap.
func failure(err error) (why, hint string) {
	var answer *v1.Error
	var sent *url.Error
	var other *status
	switch {
	case errors.As(err, &other):
		switch other.code {
		case http.StatusUnauthorized:
			hint = "--prometheus-token-file or --prometheus-basic-file signs the requests"
		case http.StatusForbidden:
			hint = "through the API server this needs the right to get services/proxy"
		case http.StatusNotFound, http.StatusOK:
			hint = "the address must be that of the API, with its prefix: Thanos' query, Mimir's /prometheus, " +
				"VictoriaMetrics' vmselect path"
		}
		return other.Error(), hint
	case errors.As(err, &answer):
		return string(answer.Type) + ": " + answer.Msg, ""
	case errors.As(err, &sent): // without the URL, which contains the whole query
		return sent.Err.Error(), ""
	}
	return err.Error(), ""
}
