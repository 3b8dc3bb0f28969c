import { globSync, readFileSync } from 'node:fs'
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
  'aurora /': { html: 12.9, state: 5.4, script: 145, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  // What is played meanwhile changes its rows.
  'hangang /': { html: 14.4, state: 6.8, script: 145, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /products': { html: 11.3, state: 6.9, script: 148, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /products/the-last-light': {
    html: 13.1,
    state: 8.5,
    script: 146,
    scriptFiles: 6,
    style: 19.4,
    styleFiles: 1,
  },
  'aurora /plans': { html: 7.9, state: 6.4, script: 150.1, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /faq': { html: 9.2, state: 8.9, script: 145, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /notices': { html: 7.2, state: 6.2, script: 150, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /login': { html: 6.7, state: 4.8, script: 145.5, scriptFiles: 6, style: 19.4, styleFiles: 1 },
}

/** What pages may cost that a visitor without an account does not see. */
const budgetsOfMembers: Record<string, Budget> = {
  // 14.7 kB of HTML, and the titles that other tests watch meanwhile.
  'aurora /': { html: 15.5, state: 7.5, script: 145, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /carts': { html: 8.7, state: 5.4, script: 146, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /mypages/profile': { html: 9.6, state: 6.1, script: 146, scriptFiles: 6, style: 19.4, styleFiles: 1 },
  'aurora /mypages/order-histories': {
    html: 9.8,
    state: 8,
    script: 146,
    scriptFiles: 6,
    style: 19.4,
    styleFiles: 1,
  },
  'aurora /products/the-last-light/watch': {
    html: 9.9,
    state: 9.3,
    script: 190,
    scriptFiles: 21,
    style: 22.9,
    styleFiles: 3,
  },
}

/** Requests of a page that nobody scrolls, with what follows when it is quiet. */
const maxRequests = 35

const client = join(import.meta.dirname, '../../dist/client')
const kilobytes = (content: string | Buffer) => gzipSync(content, { level: 9 }).byteLength / 1024
const read = (file: string) => readFileSync(join(client, file))

/** The pages share their files: each is compressed, and searched for classes, once. */
const oncePerFile = <Value>(of: (file: string) => Value) => {
  const known = new Map<string, Value>()
  return (file: string): Value => {
    const value = known.get(file) ?? of(file)
    known.set(file, value)
    return value
  }
}
const sizeOf = oncePerFile((file) => kilobytes(read(file)))
const classesOf = oncePerFile(
  (file) =>
    read(file)
      .toString()
      .match(/(?<=\.)_\w+/g) ?? [],
)
const sum = (files: ReadonlySet<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0)
const classesIn = (files: Iterable<string>) => new Set([...files].flatMap(classesOf))

for (const [reader, of] of [
  ['a guest', budgets],
  ['a member', budgetsOfMembers],
] as const)
  for (const [name, budget] of Object.entries(of))
    test(`${name} of ${reader} stays within its budget of bytes and files`, async ({ page, store }) => {
      if (of === budgetsOfMembers) await store.signIn()
      const [tenant = '', path = ''] = name.split(' ')
      const requests: string[] = []
      page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
      // A pointer that rests in the corner, which some browsers report, is on no link.
      await page.addInitScript(() => {
        for (const event of ['pointerover', 'mouseover'])
          addEventListener(event, (over) => over.stopImmediatePropagation(), { capture: true })
      })
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
      await page.waitForLoadState('networkidle')
      expect(requests.slice(maxRequests), `requests beyond ${maxRequests}`).toEqual([])
      // The first page of a new visitor brings all of its data along.
      if (of === budgets) expect(requests.filter((request) => /^GET .*_serverFn/.test(request))).toEqual([])

      // A component that leaves the scripts must not take its styles with it.
      const linked = classesIn(styles)
      const styled = classesIn(globSync('assets/*.css', { cwd: client }))
      const used = new Set(Array.from(html.matchAll(/ class="([^"]*)"/g), ([, names = '']) => names.split(' ')).flat())
      expect([...used].filter((name) => styled.has(name) && !linked.has(name))).toEqual([])
    })
