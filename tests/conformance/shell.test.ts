import { setupI18n } from '@lingui/core'
import type { AnyRouter } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Category } from '#contract/catalog.ts'
import type { CategoryId } from '#contract/ids.ts'
import { headContext } from '#tests/support/head-context.ts'
import { layer } from '~/platform/constants'
import { siteHead } from '~/platform/document/head'
import { onLocaleSwitch, switchLocale } from '~/platform/i18n/i18n'
import type { Locale } from '~/platform/i18n/locales'
import { labels } from '~/platform/labels'
import { categoryTree } from '~/platform/shell/categories'
import { themeCss } from '~/site/document-head'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The head of a page of a store that has configured neither name, nor title, nor favicon. */
const plainHead = () => siteHead(headContext(null, null), { route: '/', content: null })

test('§1 The site title defaults to a default product name when no configured name exists', () => {
  expect(plainHead().meta).toContainEqual({ title: 'Marquee' })
})

test('§2 with a default favicon path and title', () => {
  const { links, meta } = plainHead()
  expect(links).toContainEqual({ rel: 'icon', href: '/favicon.svg' })
  expect(meta).toContainEqual({ property: 'og:site_name', content: 'Marquee' })
})

test("§3 Category: isChild is derived when the category's id is the parentId of another category", () => {
  const category = (id: string, parentId: string | null, level: number, path: string) =>
    ({ id: id as CategoryId, parentId, level, name: id, slug: id, path, sort: 0 }) as Category
  const [films] = categoryTree([
    category('films', null, 1, 'films'),
    category('short', 'films', 2, 'films/short'),
  ]).roots
  expect(films).toMatchObject({
    id: 'films',
    parentId: null,
    isChild: true,
    children: [{ id: 'short', parentId: 'films', isChild: false }],
  })
})

/** Switches the language of a page that stands at /products; what it does is told in `steps`. */
const switchTo = async (to: Locale) => {
  vi.stubGlobal('window', { location: { pathname: '/products', search: '', hash: '' } })
  vi.stubGlobal('location', { protocol: 'http:' })
  vi.stubGlobal('document', { documentElement: {}, cookie: '' })
  const steps: string[] = []
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  const load = vi.spyOn(i18n, 'load')
  i18n.on('change', () => steps.push(`speaks ${i18n.locale}`))
  const stops = (['before', 'after'] as const).map((when) =>
    onLocaleSwitch(when, ({ from, to: next }) => void steps.push(`${when} ${from} → ${next}`)),
  )
  const router = { invalidate: async () => void steps.push('drawn anew') } as unknown as AnyRouter
  await switchLocale(to, { i18n, state: { locale: 'en', prefixed: false }, router })
  for (const stop of stops) stop()
  return { steps, loaded: load.mock.calls.map(([messages]) => Object.keys(messages).sort()) }
}

test('§4 A locale switch runs before and after hooks', async () => {
  const { steps } = await switchTo('ko')
  expect(steps[0]).toBe('before en → ko')
  expect(steps.at(-1)).toBe('after en → ko')
  expect(steps).toContain('speaks ko')
})

test('§4 A locale switch loads fallback and new locale messages', async () => {
  expect((await switchTo('ko')).loaded).toEqual([['en', 'ko']])
})

test("§8 Locale load failure logs 'Failed locale loading'", async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { steps } = await switchTo('xx' as Locale)
  expect(logged.mock.calls[0]?.[0]).toBe('Failed locale loading')
  expect(steps).toEqual(['before en → xx'])
})

test("§9 UI defaults: English labels 'Yes', 'No', 'Weak', 'Medium', 'Strong'", () => {
  const { yes, no, weak, medium, strong } = labels
  expect([yes, no, weak, medium, strong].map(({ message }) => message)).toEqual([
    ...['Yes', 'No', 'Weak', 'Medium', 'Strong'],
  ])
})

test('§9 Layering: menu 1000', () => {
  expect(layer.menu).toBe(1000)
  expect(themeCss(undefined)).toContain('--z-menu:1000')
})
