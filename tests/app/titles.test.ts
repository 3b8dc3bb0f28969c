import { expect, test } from 'vitest'
import { headContext } from '#tests/support/head-context.ts'
import { homeHead, pageHead, siteHead } from '~/platform/document/head'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'

test.each([
  ['Acme', 'Films by Acme', 'Films by Acme', 'Acme'],
  ['Acme', null, 'Acme', 'Acme'],
  ['Acme', '', 'Acme', 'Acme'],
  [null, 'Films by Acme', 'Films by Acme', 'Marquee'],
  ['', '', 'Marquee', 'Marquee'],
])(
  'store with the name %j and the title %j: home page is titled “%s”, other titles end with “%s”',
  (name, title, home, suffix) => {
    const context = headContext(name, title)
    expect(homeHead(context).meta).toContainEqual({ title: home })
    expect(pageHead(context, { title: 'Notices' }).meta).toContainEqual({ title: `Notices · ${suffix}` })
    const { meta } = siteHead(context, { route: '/customer/site-disabled', content: null })
    expect(meta).toContainEqual({ title: suffix })
    expect(meta).toContainEqual({ property: 'og:site_name', content: suffix })
    expect(siteHead(context, null).meta).toContainEqual({ title: `Page not found · ${suffix}` })
  },
)

const stored = { url: '/media/posters/x/one-1280.webp?v=2', width: 1280, height: 720, alt: 'A boat' }
const tagsOf = (meta: readonly Record<string, unknown>[]) =>
  Object.fromEntries(
    meta
      .map((tag) => [tag.property ?? tag.name, tag.content])
      .filter(([name]) => /^(og:image|twitter:)/.test(`${name}`)),
  )
const jpegOf = (address: string, alt: string) => ({
  'og:image': address,
  'og:image:type': 'image/jpeg',
  'og:image:width': '1200',
  'og:image:height': '630',
  'og:image:alt': alt,
  'twitter:card': 'summary_large_image',
  'twitter:image': address,
  'twitter:image:alt': alt,
})

test('a stored picture is shared as JPEG with its size and alternative text', () => {
  const { meta } = pageHead(headContext('Acme', null), { title: 'Boats', image: stored })
  expect(tagsOf(meta)).toEqual(
    jpegOf('http://store.test/media/variants/posters/x/one-1280.webp/share.jpg?v=2', 'A boat'),
  )
  const withoutAlternative = pageHead(headContext('Acme', null), { title: 'Boats', image: { ...stored, alt: '' } })
  expect(tagsOf(withoutAlternative.meta)['og:image:alt']).toBe('Boats')
})

test.each([
  ['https://img.example.com/one.png?w=2', 'image/png'],
  ['https://img.example.com/one', undefined],
])('a picture of another site (%s) is shared unchanged, without an alternative text of the store', (url, type) => {
  const { meta } = pageHead(headContext('Acme', null), { title: 'Boats', image: { ...stored, url } })
  expect(tagsOf(meta)).toMatchObject({ 'og:image': url, 'og:image:width': '1280', 'og:image:height': '720' })
  expect(tagsOf(meta)).toHaveProperty('og:image:type', type)
})

test('pages share the picture of the settings, and the home page without one shares its first picture', () => {
  const context = headContext('Acme', null)
  expect(tagsOf(siteHead(context, { route: '/faq', content: null }).meta)).toMatchObject({ 'twitter:card': 'summary' })
  const home = jpegOf('http://store.test/media/variants/posters/x/one-1280.webp/share.jpg?v=2', 'Acme')
  expect(tagsOf(homeHead(context, stored).meta)).toEqual(home)

  const settings = context.queryClient.getQueryData(siteSettingsQuery.queryKey)!
  settings.seo.ogImagePublicUrl = '/media/brand/acme/share.jpg'
  const ownPicture = jpegOf('http://store.test/media/variants/brand/acme/share.jpg/share.jpg', 'Acme')
  expect(tagsOf(siteHead(context, { route: '/faq', content: null }).meta)).toEqual(ownPicture)
  expect(tagsOf(homeHead(context, stored).meta)).toEqual({})
})
