import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { categories, products } from '#api/modules/catalog/catalog.schema.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { BannerType } from '#contract/enumerations.ts'
import type { BannerId, CategoryId, EntitlementId, MemberId } from '#contract/ids.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { openStoreServer } from '#tests/support/store-server.ts'
import { createTenant, type Tenant, type TestProduct } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

interface Store {
  tenant: Tenant
  /** The words that only this store's pages have. */
  word: string
  films: { id: CategoryId }
  lantern: TestProduct
  request: Awaited<ReturnType<typeof openStoreServer>>['request']
}

interface Reader {
  store: Store
  /** Undefined is a guest with a cart. */
  member?: { id: MemberId; name: string; token: string }
  language: 'ja' | 'ko'
  theme: 'light' | 'dark'
}

const stores: Store[] = []
const readers: Reader[] = []

/** The types of banners whose HTML the browser leaves as it is. */
const bannersBelow: readonly BannerType[] = ['GRID', 'BANNER', 'CUSTOM']

const openStore = async (word: string) => {
  const settings = plainSettings()
  settings.base.locales = ['en', 'ja', 'ko']
  settings.business.company = `${word} Company`
  settings.order.useSubscribe = word === 'Birch'
  const tenant = await createTenant(api, { settings })
  const films = await tenant.createCategory(`${word} films`, undefined, 'films')
  await tenant.createCategory(`${word} shorts`, films, 'shorts')
  const lantern = await tenant.createProduct({
    title: `${word} lantern`,
    code: 'lantern',
    categoryIds: [films.id],
    price: 4_300,
  })
  await tenant.createProduct({ title: `${word} kite`, code: 'kite', categoryIds: [films.id], price: 5_100 })
  await tenant.within(async (db) => {
    const banner = (type: BannerType, title: string, html: string | null = null) => ({
      customerId: tenant.id,
      id: newId<BannerId>(),
      type,
      title,
      html,
      translations: Object.fromEntries(
        ['ja', 'ko'].map((language) => [
          language,
          { title: `${title} ${language}`, ...(html && { html: `<p>${title} ${language}</p>` }) },
        ]),
      ),
    })
    await db
      .insert(banners)
      .values([
        banner('MAIN_SLIDER_BANNER', `${word} banner`),
        ...bannersBelow.map((type) => banner(type, `${word} ${type}`, type === 'CUSTOM' ? `<p>${word}</p>` : null)),
      ])
    await db
      .update(products)
      .set({
        description: `<p>${word} about</p>`,
        translations: {
          ja: { description: `<p>${word} about ja</p>` },
          ko: { description: `<p>${word} about ko</p>` },
        },
      })
      .where(eq(products.id, lantern.id))
  })
  const store: Store = { tenant, word, films, lantern, ...(await openStoreServer(api, `${tenant.code}.test`)) }
  stores.push(store)
  for (const [name, language, theme] of [
    ['Alma', 'ja', 'light'],
    ['Bruno', 'ko', 'dark'],
    ['Carla', 'ja', 'dark'],
  ] as const) {
    const { id, token } = await tenant.createMember()
    const ownName = `${name} of ${word}`
    await tenant.within((db) => db.update(members).set({ name: ownName }).where(eq(members.id, id)))
    readers.push({ store, member: { id, name: ownName, token }, language, theme })
  }
  readers.push({ store, language: 'ko', theme: 'light' }, { store, language: 'ja', theme: 'dark' })
}

beforeAll(async () => {
  for (const word of ['Aspen', 'Birch']) await openStore(word)
}, 180_000)

/** The paths of the links that are marked as the current page's, in header and footer. */
const pages: Record<string, string[]> = {
  '/': ['/'],
  '/products': ['/products'],
  '/products?category=films': ['/products', '/products?category=films'],
  '/products?category=films/shorts': ['/products', '/products?category=films/shorts'],
  '/products?q=lantern': ['/products'],
  '/products/lantern': ['/products'],
  '/products/lantern?category=films': ['/products', '/products?category=films'],
  '/videos': ['/videos'],
  '/faq': ['/faq'],
  '/notices': ['/notices'],
  '/videos/nothing': ['/videos'],
}

const read = async ({ store, member, language, theme }: Reader, path: string) => {
  const cookie = `surface=${theme}; ${member ? `token=${member.token}` : 'guest=of-the-test'}`
  const { body } = await store.request(path, { headers: { cookie, 'accept-language': language } })
  const frame = /<header id="site-header".*?<\/header>|<footer.*?<\/footer>/gs
  const frames: string[] = body.match(frame) ?? []
  const tags = frames.flatMap((html) => html.match(/<a [^>#]*>/g) ?? [])
  const pathOf = (tag: string) => /href="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const pathsOf = (pattern: RegExp) => new Set(tags.filter((tag) => pattern.test(tag)).map(pathOf))
  return {
    page: /^<!DOCTYPE html><html lang="(\w+)"[^>]* data-theme="(\w+)"/.exec(body)?.slice(1),
    names: readers.flatMap((reader) =>
      reader.member && body.includes(reader.member.name) ? [reader.member.name] : [],
    ),
    stores: stores
      .map(({ word }) => word)
      .filter((word) => body.includes(`${word} films`) || body.includes(`${word} Company`)),
    hasPlans: tags.some((tag) => pathOf(tag) === '/plans'),
    signsOut: tags.some((tag) => pathOf(tag) === '/api/cancel-approval'),
    signsIn: tags.some((tag) => pathOf(tag).startsWith('/login')),
    current: [...pathsOf(/aria-current="page"/)].sort(),
    languages: [...pathsOf(/hrefLang="ko"/i)],
    isMarked: body.includes('<!--'.concat('undefined')) || /<!--\S{20,} \d+-->/.test(body),
    videos: [
      ...new Set(Array.from(frames.join('').matchAll(/<a [^>]*href="\/videos"[^>]*>([^<]*)/g), ([, text]) => text)),
    ],
  }
}

test('readers of two stores in two languages and themes each get their own page', async () => {
  const asks = readers.flatMap((reader) => Object.entries(pages).map(([path, current]) => ({ reader, path, current })))
  // Each page once from the first readers' cache and once from the last ones'.
  for (const round of [asks, asks.toReversed()])
    for (let at = 0; at < round.length; at += 8)
      await Promise.all(
        round.slice(at, at + 8).map(async ({ reader, path, current }) => {
          const { store, member, language, theme } = reader
          const about = `${path} for ${member?.name ?? 'a guest'} of ${store.word} in ${language}`
          expect(await read(reader, path), about).toEqual({
            page: [language, theme],
            names: member ? [member.name] : [],
            stores: [store.word],
            hasPlans: store.word === 'Birch',
            signsOut: member !== undefined,
            signsIn: member === undefined,
            current,
            languages: [path === '/' ? '/ko' : `/ko${path}`],
            isMarked: false,
            videos: [language === 'ko' ? '영상' : '動画'],
          })
        }),
      )
}, 180_000)

test('a renamed category and banner are on the next page of a member', async () => {
  const reader = readers[0]!
  const { store, member } = reader
  const home = async () => {
    const { body } = await store.request('/', { headers: { cookie: `token=${member?.token}` } })
    return ['Aspen films', 'Cinema', 'Aspen banner', 'New banner'].filter((text) => body.includes(text))
  }
  expect(await home()).toEqual(['Aspen films', 'Aspen banner'])
  await store.tenant.within(async (db) => {
    await db.update(categories).set({ name: 'Cinema' }).where(eq(categories.id, store.films.id))
    await db.update(banners).set({ title: 'New banner' }).where(eq(banners.customerId, store.tenant.id))
  })
  expect(await home()).toEqual(['Cinema', 'New banner'])
})

test('banners and descriptions are those of the reader’s store and language, and in the HTML alone', async () => {
  const asks = readers.flatMap((reader) => ['/', '/products/lantern'].map((path) => ({ reader, path })))
  for (const round of [asks, asks.toReversed()])
    await Promise.all(
      round.map(async ({ reader, path }) => {
        const { store, member, language } = reader
        const cookie = member ? `token=${member.token}` : 'guest=of-the-test'
        const { body } = await store.request(path, { headers: { cookie, 'accept-language': language } })
        const shown = body.match(/(?:Aspen|Birch) (?:GRID|BANNER|CUSTOM|about)(?: ja| ko)?/g) ?? []
        const texts = path === '/' ? bannersBelow : ['about']
        const about = `${path} for ${member?.name ?? 'a guest'} of ${store.word} in ${language}`
        expect([...new Set(shown)].sort(), about).toEqual(
          texts.map((text) => `${store.word} ${text} ${language}`).sort(),
        )
        const stateAt = body.indexOf('$_TSR.router=')
        const state = body.slice(stateAt, body.indexOf('</script>', stateAt))
        expect(state.includes(`${store.word} ${texts[0]}`), about).toBe(false)
      }),
    )
})

const owned = { ja: '購入済み', ko: '구매함' }

/** The cards of a page that say that the reader owns the product, and their prices. */
const cardsOf = async ({ store, member, language }: Reader, path: string) => {
  const cookie = member ? `token=${member.token}` : 'guest=of-the-test'
  const { body } = await store.request(path, { headers: { cookie, 'accept-language': language } })
  const cards = body.match(/<article\b.*?<\/article>/gs)?.filter((card) => card.includes('/products/')) ?? []
  const ofProduct = (code: string) => cards.filter((card) => new RegExp(`href="[^"]*/products/${code}"`).test(card))
  return {
    lanterns: new Set(ofProduct('lantern').map((card) => card.includes(owned[language]))),
    kites: new Set(ofProduct('kite').map((card) => card.includes(owned[language]))),
    text: cards.join(''),
  }
}

test('each member sees the own titles marked on cards that all share', async () => {
  const owners = new Set<Reader>()
  for (const reader of readers) {
    const { store, member } = reader
    // Of two members of a store in the same language, one owns a title.
    if (!member?.name.startsWith('Alma')) continue
    owners.add(reader)
    await store.tenant.within((db) =>
      db.insert(entitlements).values({
        customerId: store.tenant.id,
        id: newId<EntitlementId>(),
        memberId: member.id,
        productId: store.lantern.id,
        source: 'GRANT',
        createdAt: api.clock.now().toISOString(),
      }),
    )
  }
  const asks = readers.flatMap((reader) =>
    ['/', '/products', '/products?sort=createdAt,DESC'].map((path) => ({ reader, path })),
  )
  for (const round of [asks, asks.toReversed(), asks])
    for (let at = 0; at < round.length; at += 8)
      await Promise.all(
        round.slice(at, at + 8).map(async ({ reader, path }) => {
          const { lanterns, kites } = await cardsOf(reader, path)
          const about = `${path} for ${reader.member?.name ?? 'a guest'}`
          expect({ lanterns: [...lanterns], kites: [...kites] }, about).toEqual({
            lanterns: [owners.has(reader)],
            kites: [false],
          })
        }),
      )
}, 180_000)

test('a new name and a new price are on the next page of each reader', async () => {
  const ofStore = readers.filter(({ store }) => store === stores[0])
  const { tenant } = stores[0]!
  const shown = async () => {
    const found = new Set<string>()
    for (const reader of ofStore)
      for (const path of ['/', '/products']) {
        const { text } = await cardsOf(reader, path)
        for (const word of ['Aspen kite', 'Paper kite', '51.00', '62.00']) if (text.includes(word)) found.add(word)
      }
    return found
  }
  expect(await shown()).toEqual(new Set(['Aspen kite', '51.00']))
  await tenant.within(async (db) => {
    const values = { title: 'Paper kite', priceAmount: 6_200 }
    await db.update(products).set(values).where(eq(products.title, 'Aspen kite'))
  })
  expect(await shown()).toEqual(new Set(['Paper kite', '62.00']))
}, 60_000)

/** The comments of a product's page: their number, those of the reader, and those with a menu. */
const commentsOf = async ({ store, member, language }: Reader) => {
  const cookie = member ? `token=${member.token}` : 'guest=of-the-test'
  const { body } = await store.request('/products/kite', { headers: { cookie, 'accept-language': language } })
  const comments = body.match(/<article [^>]*id="comment-.*?<\/article>/gs) ?? []
  const count = (pattern: RegExp) => comments.filter((comment) => pattern.test(comment)).length
  return {
    all: count(/Seen by/),
    own: comments
      .filter((comment) => comment.includes(`>${yours[language]}<`))
      .map((html) => /Seen by \w+/.exec(html)?.[0]),
    menus: count(/aria-haspopup="menu"/),
  }
}

const yours = { ja: 'あなた', ko: '나' }

test('of comments that all share, each member sees the own one marked, and only members have menus', async () => {
  const ofStore = readers.filter(({ store }) => store === stores[0])
  const { tenant } = stores[0]!
  const kite = await tenant.guest.catalog.product({ id: 'kite' as never, view: false })
  const authors = ofStore.flatMap(({ member }) => (member ? [member] : []))
  for (const { name, token } of authors)
    await api
      .client(tenant.code, { token })
      .engagement.addComment({ id: kite.id, body: `Seen by ${name.split(' ')[0]}` })
  for (const round of [ofStore, ofStore.toReversed(), ofStore])
    await Promise.all(
      round.map(async (reader) => {
        const { member } = reader
        expect(await commentsOf(reader), member?.name ?? 'a guest').toEqual({
          all: authors.length,
          own: member ? [`Seen by ${member.name.split(' ')[0]}`] : [],
          menus: member ? authors.length : 0,
        })
      }),
    )
}, 60_000)

test('a tag that one visitor’s address names is not marked as current for the next', async () => {
  const { tenant, request } = stores[0]!
  await tenant.within((db) =>
    db
      .update(products)
      .set({ tags: ['night'] })
      .where(eq(products.customerId, tenant.id)),
  )
  const currentTags = async (path: string) => {
    const { body } = await request(path, { headers: { cookie: 'guest=of-the-test' } })
    return (body.match(/<a [^>]*href="\/products\?tag=night"[^>]*>/g) ?? []).map((tag) =>
      tag.includes('aria-current="page"'),
    )
  }
  expect(await currentTags('/products/kite?tag=night')).toEqual([true])
  expect(await currentTags('/products/kite')).toEqual([false])
})
