import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PosterCard } from '~/ui/poster-card'

it('a product in another language than the page has its own text direction', () => {
  const html = renderToStaticMarkup(
    createElement(PosterCard, {
      render: createElement('a', { href: '/products/tide' }),
      picture: { url: '/media/tide.webp', width: 1280, height: 720, alt: '', color: '#123456', sources: [] },
      title: 'A quiet tide (2026)',
      meta: 'Snow, and silence.',
    }),
  )
  expect(html).toMatch(/<a [^>]*dir="auto"[^>]*>A quiet tide \(2026\)<\/a>/)
  expect(html).toMatch(/<div [^>]*dir="auto"[^>]*>Snow, and silence\.<\/div>/)
})
