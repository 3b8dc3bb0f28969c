import { createHash } from 'node:crypto'

/**
 * The start tags of a page's scripts that its content security policy names neither by a nonce nor
 * by a hash. Blocks of data are no scripts.
 */
export function foreignScripts(html: string, policy: string): string[] {
  const [sources = ''] = /script-src [^;]+/.exec(policy) ?? []
  const nonce = /'nonce-([^']+)'/.exec(sources)?.[1]
  const isNamed = (attributes: string, text: string) => {
    if (nonce) return attributes.includes(` nonce="${nonce}"`)
    if (/ src="\/assets\//.test(attributes)) return /\/assets\/ /.test(sources)
    return sources.includes(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  }
  return [...html.matchAll(/<script\b([^>]*)>(.*?)(?:<\/script>|$)/gs)]
    .filter(([, attributes = '']) => attributes !== ' type="application/ld+json"')
    .filter(([, attributes = '', text = '']) => !isNamed(attributes, text))
    .map(([, attributes = '']) => `<script${attributes}>`)
}
