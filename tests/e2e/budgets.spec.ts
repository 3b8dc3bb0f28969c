import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from './store'

/** What a page may cost a first visit. Sizes are in kB, compressed with gzip except the state. */
interface Budget {
  html: number
  /** The data that React takes over, as text. */
  state: number
  /** Scripts before the page can be used. */
  script: number
  scriptFiles: number
  style: number
  styleFiles: number
}

const budgets: Record<string, Budget> = {
  'aurora /': { html: 18, state: 16, script: 228, scriptFiles: 10, style: 20, styleFiles: 4 },
  'hangang /': { html: 21, state: 17, script: 228, scriptFiles: 10, style: 20, styleFiles: 4 },
  'aurora /products': { html: 14.5, state: 15, script: 230, scriptFiles: 10, style: 20, styleFiles: 4 },
  'aurora /products/the-last-light': { html: 17, state: 20, script: 236, scriptFiles: 13, style: 21, styleFiles: 6 },
  'aurora /plans': { html: 10, state: 14, script: 228, scriptFiles: 11, style: 20, styleFiles: 5 },
  'aurora /faq': { html: 11.5, state: 13.5, script: 226, scriptFiles: 9, style: 19, styleFiles: 4 },
  'aurora /login': { html: 9, state: 9, script: 242, scriptFiles: 13, style: 19, styleFiles: 5 },
}

const client = join(import.meta.dirname, '../../dist/client')
const kilobytes = (content: string | Buffer) => gzipSync(content, { level: 9 }).byteLength / 1024
const sum = (files: ReadonlySet<string>) =>
  [...files].reduce((total, file) => total + kilobytes(readFileSync(join(client, file))), 0)

for (const [name, budget] of Object.entries(budgets))
  test(`${name} stays within its budget of bytes and files`, async ({ page, store }) => {
    const [tenant = '', path = ''] = name.split(' ')
    const answer = await page.goto(store.at(tenant, path))
    const html = (await answer?.text()) ?? ''
    const filesOf = (ending: 'js' | 'css') =>
      new Set(
        Array.from(
          html.matchAll(new RegExp(`(?:href|src)="(/assets/[^"]+\\.${ending})"`, 'g')),
          ([, file = '']) => file,
        ),
      )
    const [scripts, styles] = [filesOf('js'), filesOf('css')]
    const state = /<script[^>]*>([^<]*\$_TSR\.router=.*?)<\/script>/s.exec(html)?.[1] ?? ''
    const costs: Budget = {
      html: kilobytes(html),
      state: Buffer.byteLength(state) / 1024,
      script: sum(scripts),
      scriptFiles: scripts.size,
      style: sum(styles),
      styleFiles: styles.size,
    }
    expect(scripts.size).toBeGreaterThan(0)
    expect(costs.state).toBeGreaterThan(0)
    const exceeded = Object.entries(costs).filter(([what, cost]) => cost > budget[what as keyof Budget])
    expect(exceeded).toEqual([])
  })
