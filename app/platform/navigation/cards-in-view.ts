import type { AnyRouter } from '@tanstack/react-router'
import { isNewVisitor } from '~/platform/cookies'
import { whenIdle } from '~/platform/hydration-boundary'
import { withoutPrefix } from '~/platform/i18n/locales'

/** Cards of a view whose data is loaded before one is pressed: some 4 kB each. */
const cardsOfView = 6
/** Those of all views until a document is loaded. */
const cardLimit = 24

/** Paths of the cards whose pages were loaded, or are being loaded. */
const loadedCards = new Set<string>()

/**
 * Uses what formats a product's page before it is shown: the first use of each kind takes a quick
 * browser a millisecond, and a slow one five.
 */
function prepareFormats(): void {
  const { lang } = document.documentElement
  new Intl.DisplayNames(lang, { type: 'language' }).of('en')
  new Intl.NumberFormat(lang, { style: 'unit', unit: 'megabyte', unitDisplay: 'short' }).format(1)
  new Intl.ListFormat(lang).format([])
  new Intl.PluralRules(lang).select(1)
}

let isWatching = false

/**
 * Loads the pages of the cards in view now and after each scroll, of the page or of a row, so that
 * a press on one waits for nothing. Only guests' pages: all guests share their data, so they cost
 * the server next to nothing.
 */
export function loadCards(router: AnyRouter): void {
  whenIdle(() => loadCardsInView(router))
  if (isWatching) return
  isWatching = true
  whenIdle(prepareFormats)
  const onScroll = () => whenIdle(() => loadCardsInView(router))
  window.addEventListener('scrollend', onScroll, { capture: true, passive: true })
}

function loadCardsInView(router: AnyRouter): void {
  if (!isNewVisitor()) return
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>('main article a[href*="/products/"]'))
  const inView = links.filter((link) => {
    const { top, bottom, left, right } = link.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight && left >= 0 && right <= window.innerWidth
  })
  for (const { pathname } of inView.slice(0, cardsOfView)) {
    const to = withoutPrefix(pathname)
    if (loadedCards.has(to) || loadedCards.size >= cardLimit) continue
    loadedCards.add(to)
    router.preloadRoute({ to }).catch(() => loadedCards.delete(to))
  }
}
