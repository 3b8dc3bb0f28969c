import type { MouseEvent, RefCallback } from 'react'

/** What a product's page shows while it loads: the content of the card that was pressed. */
export interface PressedCard {
  code: string
  title: string
  titleLang: string | undefined
  /** HTML of the card's picture. */
  picture: string
  /** The colour behind the picture. */
  color: string
  /** HTML of the card's price; empty if it shows none. */
  price: string
  /** Where the picture was in the window when the card was pressed. */
  place: DOMRect
}

let pressed: PressedCard | null = null
/** When its poster began to move to the product's page. */
let movement: { begun: number } | undefined

/** Returns the card that was pressed last if it is the product's. */
export const pressedCardOf = (code: string | undefined): PressedCard | null => (pressed?.code === code ? pressed : null)

/** Remembers the card that contains the pressed link. */
export function rememberPressedCard({ target }: MouseEvent<HTMLElement>): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  const card = link?.closest('article')
  const frame = card?.querySelector('picture')?.parentElement
  pressed = null
  movement = undefined
  if (!link || !card || !frame) return
  pressed = {
    code: decodeURIComponent(link.pathname.split('/').at(-1) ?? ''),
    title: link.textContent,
    titleLang: link.lang || undefined,
    picture: frame.innerHTML,
    color: frame.style.getPropertyValue('--picture-color'),
    price: card.querySelector('[data-price]')?.innerHTML ?? '',
    place: frame.getBoundingClientRect(),
  }
}

/** Milliseconds for which a poster moves. */
const moving = 250

/**
 * The `ref` of a product's poster: it moves from the pressed card to its place on the page. The
 * poster of the placeholder and the one of the page, which follows, share one movement.
 */
export const posterOf =
  (code: string): RefCallback<HTMLElement> =>
  (poster) => {
    const from = poster && pressedCardOf(code)?.place
    if (!from || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const now = performance.now()
    movement ??= { begun: now }
    if (now - movement.begun >= moving) return
    const to = poster.getBoundingClientRect()
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width}, ${from.height / to.height})`
    const animation = poster.animate(
      { transform: [start, 'none'], transformOrigin: ['0 0', '0 0'] },
      { duration: moving, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
    )
    animation.currentTime = now - movement.begun
  }
