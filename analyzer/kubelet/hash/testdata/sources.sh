# The API types of each minor up to 1.15, one MINOR=FILE a line; the last patch that the Go module proxy serves, as
# no patch ever changed them. To be sourced.
source_of() { echo "$1=$(GOSUMDB=off go mod download -json "$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/$3"; }
struct_sources() {
	staged=staging/src/k8s.io/api/core/v1/types.go
	source_of 5 k8s.io/kubernetes@v1.5.8 pkg/api/types.go
	source_of 6 k8s.io/kubernetes@v1.6.13 pkg/api/v1/types.go
	source_of 7 k8s.io/kubernetes@v1.7.0 pkg/api/v1/types.go
	source_of 8 k8s.io/kubernetes@v1.8.15 $staged
	source_of 9 k8s.io/kubernetes@v1.9.11 $staged
	source_of 10 k8s.io/kubernetes@v1.10.13 $staged
	source_of 11 k8s.io/kubernetes@v1.11.10 $staged
	source_of 12 k8s.io/kubernetes@v1.12.10 $staged
	source_of 13 k8s.io/kubernetes@v1.13.12 $staged
	source_of 14 k8s.io/kubernetes@v1.14.10 $staged
	source_of 15 k8s.io/api@v0.0.0-20190620084959-7cf5895f2711 core/v1/types.go
}

# The same for the minors that encode the container as JSON.
json_sources() {
	for version in 16.15 17.17 18.19 19.16 20.15 21.14 22.17 23.17 24.17 25.16 26.15 27.16 28.15 29.14 30.14; do
		source_of "${version%.*}" "k8s.io/api@v0.$version" core/v1/types.go
	done
}
