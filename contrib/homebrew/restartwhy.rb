# The formula of a Homebrew tap, as a template: `make dist` fills in the tag and the digests of its archives and writes
# it beside them. A tap is a repository called homebrew-NAME with this file in Formula/.
class Restartwhy < Formula
  desc "Name the root cause of every container restart in Kubernetes"
  homepage "https://github.com/restartwhy/kubectl-restartwhy"
  version "{{ .Version }}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/restartwhy/kubectl-restartwhy/releases/download/{{ .TagName }}/kubectl-restartwhy_{{ .TagName }}_darwin_arm64.tar.gz"
      sha256 "{{ digest "kubectl-restartwhy_{{ .TagName }}_darwin_arm64.tar.gz" }}"
    end
    on_intel do
      url "https://github.com/restartwhy/kubectl-restartwhy/releases/download/{{ .TagName }}/kubectl-restartwhy_{{ .TagName }}_darwin_amd64.tar.gz"
      sha256 "{{ digest "kubectl-restartwhy_{{ .TagName }}_darwin_amd64.tar.gz" }}"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/restartwhy/kubectl-restartwhy/releases/download/{{ .TagName }}/kubectl-restartwhy_{{ .TagName }}_linux_arm64.tar.gz"
      sha256 "{{ digest "kubectl-restartwhy_{{ .TagName }}_linux_arm64.tar.gz" }}"
    end
    on_intel do
      url "https://github.com/restartwhy/kubectl-restartwhy/releases/download/{{ .TagName }}/kubectl-restartwhy_{{ .TagName }}_linux_amd64.tar.gz"
      sha256 "{{ digest "kubectl-restartwhy_{{ .TagName }}_linux_amd64.tar.gz" }}"
    end
  end

  def install
    bin.install "kubectl-restartwhy"
  end

  test do
    assert_match "restarts", shell_output("#{bin}/kubectl-restartwhy demo --no-tui")
  end
end
