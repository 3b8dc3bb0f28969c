import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { isNewVisitor } from '~/platform/cookies'
import { whenIdle } from '~/platform/hydration-boundary'
import { withoutPrefix } from '~/platform/i18n/locales'
import { savesData } from '~/platform/navigation/use-links-in-html'
import { meQuery } from '~/platform/shell/shell.functions'
import { productPageQuery, unopenedPageQuery } from './product.functions'

/** Cards of a view whose data is loaded before one is pressed: some 4 kB each. */
const cardsOfView = 6
/** Those of all views until a document is loaded. */
const cardLimit = 24

let loadedCards = 0

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

/**
 * Loads the data of the cards in view, now, on each later page and after each scroll, of the page
 * or of a row, so that a press on one waits for nothing. Only for guests, who share that data with
 * all other guests.
 */
export function loadCards(router: AnyRouter): void {
  if (savesData()) return
  const { queryClient }: { queryClient: QueryClient } = router.options.context
  const load = () => void whenIdle(() => loadCardsInView(queryClient))
  load()
  router.subscribe('onRendered', load)
  window.addEventListener('scrollend', load, { capture: true, passive: true })
  whenIdle(prepareFormats)
}

/** The codes of the products whose cards are in view, in the order of the page. */
function codesInView(): string[] {
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>('main li article a[href*="/products/"]'))
  const inView = links.filter((link) => {
    const { top, bottom, left, right } = link.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight && left >= 0 && right <= window.innerWidth
  })
  const codes = inView.map(({ pathname }) => /^\/products\/([^/]+)$/.exec(withoutPrefix(pathname))?.[1] ?? [])
  return [...new Set(codes.flat())].map(decodeURIComponent)
}

function loadCardsInView(queryClient: QueryClient): void {
  if (!isNewVisitor() || queryClient.getQueryData(meQuery.queryKey)) return
  const missing = codesInView().filter((code) => !queryClient.getQueryState(productPageQuery(code).queryKey))
  for (const code of missing.slice(0, Math.min(cardsOfView, cardLimit - loadedCards))) {
    loadedCards++
    queryClient.fetchQuery(unopenedPageQuery(code)).catch(() => {
      // A store that is busy or out of reach gets no more of these calls.
      loadedCards = cardLimit
    })
  }
}
