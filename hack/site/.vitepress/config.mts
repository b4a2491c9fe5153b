// The site is docs/ as it is: what a page is called, where it stands in the menu and what its links mean is said here,
// and everything else by VitePress. It is built in .cache/site, from a copy of docs/ that stands beside the generator's
// modules (`make site`).
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { groups } from './menu.mts'

const source = resolve(process.env.RESTARTWHY_SOURCE!)
const docs = resolve('docs')
const repository = 'https://github.com/restartwhy/kubectl-restartwhy'

// address is where a page of docs/ is found, without its file name: causes/oom-node.md is causes/oom-node/. These
// addresses are promised: other pages on the web lead to them.
function address(page: string): string {
  const name = page.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '/')
  return name.toLowerCase()
}

function title(page: string): string {
  const first = /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8'))
  if (!first) throw new Error(`${page} has no title`)
  return first[1].replaceAll('`', '')
}

const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(p => p.endsWith('.md')).sort()

// entry is a line of the menu. A cause is found by its id, of which its title begins.
const entry = (page: string, text?: string): DefaultTheme.SidebarItem => {
  return { text: text ?? title(page).split(': ')[0], link: '/' + address(page) }
}

// families are the causes by what they have to do with: the folder that a rule stands in.
function families(names: Record<string, string>): DefaultTheme.SidebarItem[] {
  const rules = join(source, 'analyzer', 'internal', 'causes')
  const all = Object.entries(names).map(([folder, text]) => ({
    text, collapsed: true,
    items: readdirSync(join(rules, folder)).filter(p => p.endsWith('.md')).sort().map(p => entry('causes/' + p)),
  }))
  return [entry('causes/README.md', 'All causes'), ...all]
}

const sidebar: DefaultTheme.SidebarItem[] = groups.map(g => ({
  text: g.text, collapsed: g.collapsed,
  items: g.families ? families(g.families) : g.pages.map(p => Array.isArray(p) ? entry(...p) : entry(p)),
}))

// Nobody finds a page that the menu does not have.
const linked = new Set(sidebar.flatMap(g => g.items!).flatMap(i => i.items ?? [i]).map(i => i.link))
const lost = pages.filter(p => !linked.has('/' + address(p)))
if (lost.length) throw new Error(`no place in the menu (menu.mts): ${lost.join(', ')}`)

// target is what a link of a page leads to on the site: to a page, or to a file in the repository.
function target(page: string, href: string): string {
  if (/^[a-z]+:|^#/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = resolve(source, 'docs', dirname(page), path)
  const inside = relative(join(source, 'docs'), file)
  if (pages.includes(inside)) return '/' + address(inside) + (anchor ? '#' + anchor : '')
  if (!existsSync(file)) throw new Error(`${page} leads to ${href}, which is not there`)
  const kind = statSync(file).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${relative(source, file)}${anchor ? '#' + anchor : ''}`
}

export default defineConfig({
  title: 'restartwhy',
  description: 'Why did this container restart? The root cause, with proof, or an honest unknown.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]], // none: browsers would ask for one
  base: '/kubectl-restartwhy/',
  srcDir: './docs',
  outDir: './public',
  cleanUrls: true,
  rewrites: page => address(page) + 'index.md',
  sitemap: { hostname: 'https://restartwhy.github.io/kubectl-restartwhy/' },
  markdown: {
    html: false, // the documents are Markdown alone: <POD> is a word
    anchor: { slugify: slug },
    config: md => md.core.ruler.push('links', state => {
      const page = relative(docs, state.env.realPath ?? state.env.path)
      for (const token of state.tokens.flatMap(t => t.children ?? [])) {
        if (token.type === 'text' && token.content.includes('{{')) throw new Error(`${page}: {{ }} outside of code`)
        if (token.type === 'link_open') token.attrSet('href', target(page, token.attrGet('href')!))
      }
    }),
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Install', link: '/install/' }, { text: 'What you saw', link: '/words/' },
      { text: 'Causes', link: '/causes/' }, { text: 'Upgrades', link: '/preflight/' },
    ],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    outline: [2, 3],
  },
})

// slug makes the anchors that GitHub makes, which the documents' links are written for.
function slug(text: string): string {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
}
