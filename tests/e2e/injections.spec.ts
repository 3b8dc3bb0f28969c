import type { Page } from 'playwright/test'
import { newMember } from './new-member'
import { foreignScripts } from './script-policy'
import { expect, test } from './store'

declare global {
  interface Window {
    injected?: string
  }
}

/**
 * Each would run a script somewhere: in markup, in an attribute, in a script's own text, in an
 * address, or in a template.
 */
const corpus = [
  '<script>window.injected="script"</script>',
  '</script><script>window.injected="end of script"</script>',
  '<!--<script>window.injected="comment"</script>-->',
  '</textarea></title></style><script>window.injected="raw text"</script>',
  '<img src=x onerror="window.injected=\'image\'">',
  '<svg/onload=window.injected="svg">',
  '<iframe srcdoc="<script>parent.injected=1</script>"></iframe>',
  '<details open ontoggle=window.injected="toggle">',
  '"><b autofocus onfocus=window.injected="attribute" tabindex=1>',
  "' onmouseover='window.injected=1' x='",
  '");window.injected="call";//',
  "';window.injected='string';//",
  '`;window.injected="template";`${window.injected="interpolation"}',
  '{{constructor.constructor("window.injected=1")()}}',
  '\u2028window.injected="line separator"\u2029',
  '\\u003c/script\\u003e\\u003cscript\\u003ewindow.injected="escape"\\u003c/script\\u003e',
  '&lt;script&gt;window.injected="entity"&lt;/script&gt;',
  '[link](javascript:window.injected=1) javascript:window.injected=1',
  '<base href="//elsewhere.example/"><meta http-equiv=refresh content="0;url=javascript:window.injected=1">',
  '$_TSR.h();self.$_TSR={};window.injected="hydration"',
  '__proto__ constructor [object Object] %3Cscript%3Ewindow.injected=1%3C/script%3E',
]

/** A call of the API from the page; a `file` is sent as one with that name. */
async function call(page: Page, method: string, path: string, data?: Record<string, unknown>, token?: string) {
  return page.evaluate(
    async (input) => {
      const form = new FormData()
      const isFile = typeof input.data?.file === 'string'
      if (isFile) form.set('file', new File(['x'], String(input.data?.file), { type: 'text/plain' }))
      const headers: Record<string, string> = isFile || !input.data ? {} : { 'content-type': 'application/json' }
      if (input.token) headers.authorization = `Bearer ${input.token}`
      const body = isFile ? form : input.data && JSON.stringify(input.data)
      const response = await fetch(`/api/v1/customers/aurora${input.path}`, {
        method: input.method,
        headers,
        ...(body && { body }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${input.path} answered ${response.status}: ${text}`)
      return JSON.parse(text)
    },
    { method, path, data, token },
  )
}

/**
 * Opens a page and waits for its hydration. The texts are shown as text, and none of them was run
 * as a script.
 */
async function openSafely(page: Page, path: string, texts: readonly string[]) {
  const answer = await page.goto(path)
  const html = await answer!.text()
  // A start tag the browser reads as a script is one of ours.
  expect(html).toContain('<script')
  expect(foreignScripts(html, answer!.headers()['content-security-policy'] ?? '')).toEqual([])
  for (const text of texts)
    await expect
      .poll(() => page.evaluate(() => document.body.innerText.replace(/\s+/g, ' ')))
      .toContain(text.replace(/\s+/g, ' ').trim())
  const result = await page.evaluate(() => ({
    injected: window.injected,
    foreign: document.querySelectorAll(
      '[onerror],[onload],[onfocus],[ontoggle],[onmouseover],iframe[srcdoc],base,meta[http-equiv=refresh],a[href^="javascript:"]',
    ).length,
  }))
  expect(result).toEqual({ injected: undefined, foreign: 0 })
}

test('scripts in what members write are shown as text and never run', async ({ page, baseURL }) => {
  const email = await newMember(page, baseURL!)
  await page.goto('/faq')
  const { token } = await call(page, 'POST', '/login', { email, password: 'a lamp beside the river' })

  const { items } = await call(page, 'GET', '/new-search?size=48')
  const product = items.at(-1) as { id: string; code: string }
  // Latest first: the page shows those that were written last.
  const shown = corpus.slice(0, 8)
  for (const body of shown.toReversed()) await call(page, 'POST', `/products/${product.id}/comments`, { body }, token)
  await openSafely(page, `/products/${product.code}`, shown)

  const name = '"><img src=x onerror=window.injected=1>.txt'
  const file = await call(page, 'POST', '/inquiries/files', { file: name }, token)
  const types = await call(page, 'GET', '/inquiries/types', undefined, token)
  const body = corpus.join('\n')
  const input = { type: types.items[0].code, title: corpus[1], body, files: [file.id] }
  const inquiry = await call(page, 'POST', '/inquiries', input, token)
  await openSafely(page, `/mypages/inquiries/${inquiry.code}`, [...corpus.slice(0, 13), file.name as string])

  await call(page, 'PATCH', '/me', { name: '<img src=x onerror=window.injected=1>' }, token)
  await openSafely(page, '/mypages/profile', [])
})

test('scripts in addresses are shown as text and never run', async ({ page, store }) => {
  store.expected.push(/status of 404/)
  for (const text of corpus.slice(0, 12)) {
    const query = encodeURIComponent(text)
    await openSafely(page, `/products?q=${query}`, [text])
  }
  await openSafely(page, `/login?redirect=${encodeURIComponent('javascript:window.injected=1')}`, [])
  await openSafely(page, `/${encodeURIComponent(corpus[1]!)}`, [])
})
