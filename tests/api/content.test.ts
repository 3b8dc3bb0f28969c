import { describe, expect, test } from 'vitest'
import { banners, faq, notices, pages } from '#api/modules/content/content.schema.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { BannerId, FaqId, NoticeId } from '#contract/ids.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

describe('Notices', () => {
  test('notices are listed pinned first, then latest, within their period', async () => {
    const tenant = await createTenant(api)
    const rows = [
      { title: 'Old', createdAt: inDays(-9) },
      { title: 'New', createdAt: inDays(-1) },
      { title: 'Pinned', createdAt: inDays(-20), pinned: true },
      { title: 'Not yet', createdAt: inDays(-1), startsAt: inDays(1) },
      { title: 'Over', createdAt: inDays(-1), endsAt: inDays(-0.5) },
    ]
    await tenant.within((db) =>
      db
        .insert(notices)
        .values(rows.map((row) => ({ customerId: tenant.id, id: newId<NoticeId>(), body: '<p>Words</p>', ...row }))),
    )
    const list = await tenant.guest.content.notices({})
    expect(list.items.map((notice) => notice.title)).toEqual(['Pinned', 'New', 'Old'])
    expect(list.total).toBe(3)
    const fresh = await tenant.guest.content.notice({ id: list.items[1]!.id })
    expect([fresh.previous?.title, fresh.next]).toEqual(['Old', null])
  })

  test('an expired or unknown notice answers 404', async () => {
    const tenant = await createTenant(api)
    const id = newId<NoticeId>()
    await tenant.within((db) =>
      db.insert(notices).values({ customerId: tenant.id, id, title: 'Over', body: '', endsAt: inDays(-1) }),
    )
    expect(await failureOf(tenant.guest.content.notice({ id }))).toMatchObject({ status: 404 })
    expect(await failureOf(tenant.guest.content.notice({ id: newId<NoticeId>() }))).toMatchObject({ status: 404 })
  })
})

/** Unsafe HTML: each of these has executed scripts in a browser. */
const injections = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<iframe src="https://evil.example"></iframe>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<form action="https://evil.example"><input name=q></form>',
  '<base href="https://evil.example/">',
  '<a href="//evil.example">x</a>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
]

describe('Rich text', () => {
  test.each(injections)('rich text is sanitized: %s', async (html) => {
    const tenant = await createTenant(api)
    await tenant.within(async (db) => {
      const at = { customerId: tenant.id }
      await db.insert(pages).values({ ...at, type: 'about', title: 'About', body: `<p>Kept</p>${html}` })
      await db.insert(faq).values({ ...at, id: newId(), group: 'Any', question: 'Why?', answer: `<p>Kept</p>${html}` })
      await db.insert(notices).values({ ...at, id: newId(), title: 'News', body: `<p>Kept</p>${html}` })
      await db.insert(banners).values({ ...at, id: newId(), type: 'CUSTOM', title: '', html: `<p>Kept</p>${html}` })
    })
    const product = await tenant.createProduct({ description: `<p>Kept</p>${html}` })
    const [notice] = (await tenant.guest.content.notices({})).items
    const shown = [
      (await tenant.guest.content.page({ type: 'about' })).body,
      (await tenant.guest.content.faq({})).items[0]?.answer,
      (await tenant.guest.content.notice({ id: notice!.id })).body,
      (await tenant.guest.content.banners()).items[0]?.html,
      (await tenant.guest.catalog.product({ id: product.id })).description,
    ]
    for (const text of shown) {
      expect(text).toContain('<p>Kept</p>')
      expect(text).not.toMatch(
        /<(?:script|iframe|svg|math|style|form|input|base|object)|\son\w+=|javascript:|href="\/\/|style=/i,
      )
    }
  })

  test('rich text keeps headings, lists, emphasis and links', async () => {
    const tenant = await createTenant(api)
    const body = '<h2>Terms</h2><ol><li><strong>One</strong></li></ol><p><a href="/faq">FAQ</a></p>'
    await tenant.within((db) => db.insert(pages).values({ customerId: tenant.id, type: 'terms', title: 'Terms', body }))
    expect((await tenant.guest.content.page({ type: 'terms' })).body).toBe(body)
  })
})

describe('FAQ, pages and banners', () => {
  test('FAQ entries are found by all words of a query, in Korean too', async () => {
    const tenant = await createTenant(api)
    const entries = [
      { group: '결제', question: '환불은 어떻게 하나요?', answer: '<p>주문 내역에서 신청하세요.</p>' },
      { group: 'Watching', question: 'On how many devices?', answer: '<p>Two at once.</p>' },
    ]
    await tenant.within((db) =>
      db
        .insert(faq)
        .values(entries.map((entry, sort) => ({ customerId: tenant.id, id: newId<FaqId>(), sort, ...entry }))),
    )
    const search = async (q: string) => (await tenant.guest.content.faq({ q })).items.map((entry) => entry.group)
    expect(await search('환불')).toEqual(['결제'])
    expect(await search('devices TWO')).toEqual(['Watching'])
    expect(await search('nothing')).toEqual([])
    expect((await tenant.guest.content.faq({})).items).toHaveLength(2)
  })

  test('a changed page is served to the next reader', async () => {
    const tenant = await createTenant(api)
    const at = { customerId: tenant.id, type: 'about' }
    await tenant.within((db) => db.insert(pages).values({ ...at, title: 'About', body: '<p>Before</p>' }))
    expect((await tenant.guest.content.page({ type: 'about' })).body).toBe('<p>Before</p>')
    await tenant.within((db) =>
      db.$client.query(`UPDATE pages SET body = '<p>After</p>' WHERE customer_id = $1`, [tenant.id]),
    )
    expect((await tenant.guest.content.page({ type: 'about' })).body).toBe('<p>After</p>')
  })

  test('a banner links to http, https or a page of the store, and any other link is removed', async () => {
    const tenant = await createTenant(api)
    const followed = ['https://example.com/autumn', 'http://www.example.com', '/products?sort=createdAt,DESC']
    const refused = [
      'javascript:alert(1)',
      'JavaScript:alert(1)//https://example.com',
      'data:text/html,<script>alert(1)</script>',
      '//evil.example',
      '/\\evil.example',
      'ftp://example.com',
      'https://localhost',
    ]
    await tenant.within((db) =>
      db.insert(banners).values(
        [...followed, ...refused].map((url, sort) => ({
          customerId: tenant.id,
          id: newId<BannerId>(),
          type: 'BANNER' as const,
          title: url,
          sort,
          link: { target: 'URL' as const, url },
        })),
      ),
    )
    const { items } = await tenant.guest.content.banners()
    expect(items.map(({ link }) => link)).toEqual([
      ...followed.map((url) => ({ target: 'URL', url })),
      ...refused.map(() => null),
    ])
  })

  test('a page that does not exist answers 404', async () => {
    const tenant = await createTenant(api)
    expect(await failureOf(tenant.guest.content.page({ type: 'terms' }))).toMatchObject({ status: 404 })
  })
})
