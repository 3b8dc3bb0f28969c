import { expect, test } from 'vitest'
import { headContext } from '#tests/support/head-context.ts'
import { homeHead, pageHead, siteHead } from '~/platform/document/head'

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
