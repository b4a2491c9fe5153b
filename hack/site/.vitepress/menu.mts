// The menu: what a newcomer looks for first stands first. A page of docs/ that is not here fails the build.
type Group = {
  text: string
  collapsed?: boolean
  pages: (string | [page: string, text: string])[]
  families?: Record<string, string> // folder of analyzer/internal/causes -> its name in the menu
}

export const groups: Group[] = [
  {
    text: 'Start here',
    pages: [['README.md', 'Why did it restart?'], 'INSTALL.md', ['SCREENS.md', 'The viewer in pictures'], 'KEYS.md'],
  },
  {
    text: 'Exit codes and words',
    collapsed: false,
    pages: [
      ['words/README.md', 'All words'],
      ...['exit-1', 'exit-127', 'exit-137', 'exit-139', 'exit-143', 'exit-255', 'oomkilled', 'error', 'completed',
        'crashloopbackoff', 'imagepullbackoff', 'errimagepull', 'createcontainerconfigerror', 'containerstatusunknown',
        'evicted', 'unhealthy', 'failedcreatepodsandbox', 'sandboxchanged', 'nodenotready', 'definition-changed',
      ].map(word => `words/${word}.md`),
    ],
  },
  {
    text: 'Causes',
    collapsed: false,
    pages: [],
    families: {
      app: 'The program itself',
      probe: 'Probes',
      oom: 'Memory',
      hook: 'Hooks',
      definition: 'Spec and upgrades',
      resize: 'Resize and restart rules',
      staticpod: 'Static pods',
      node: 'Node and runtime',
      kubelet: 'The kubelet',
      sandbox: 'The sandbox',
      podend: 'The end of a pod',
      external: 'From outside',
      state: 'States that mislead',
      catalogue: 'Not known',
    },
  },
  {
    text: 'How to',
    collapsed: false,
    pages: [
      ['PREFLIGHT.md', 'Upgrade kubelets in place'], ['INPUTS.md', 'Read logs and bundles'],
      ['METRICS.md', 'Ask a Prometheus'], ['WEBHOOK.md', 'Post to Slack or Alertmanager'],
      ['MCP.md', 'Let an agent ask'], ['MANAGED.md', 'EKS, GKE, AKS, OpenShift, k3s'],
      ['RBAC.md', 'Give the rights'], ['SCALE.md', 'Large clusters'], ['HASH.md', 'Read a stored hash'],
    ],
  },
  {
    text: 'Reference',
    collapsed: true,
    pages: [
      ['REPORT.md', 'The report'], ['LIMITS.md', 'What it cannot do'], 'SUPPORT.md', ['SECURITY.md', 'Threat model'],
      ['COMPARISON.md', 'Beside other tools'], ['INCIDENTS.md', 'Public incidents'], ['RECALL.md', 'What is found of a log'],
      'BENCHMARKS.md',
    ],
  },
  {
    text: 'For developers',
    collapsed: true,
    pages: [
      'CODEBASE.md', 'DECISIONS.md', ['adr/0001-what-proven-rests-on.md', 'What proven rests on'],
      ['adr/0002-causes-are-ordered-by-likelihood.md', 'How causes are ordered'], 'DEPENDENCIES.md', 'RELEASING.md',
    ],
  },
]
