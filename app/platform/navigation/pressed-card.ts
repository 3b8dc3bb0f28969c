import type { MouseEvent } from 'react'

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
}

/** The view transition name of a product's poster. A list sets it on the pressed card only. */
export const posterTransition = 'product-poster'

let pressed: PressedCard | null = null

/** Returns the card that was pressed last if it is the product's. */
export const pressedCardOf = (code: string): PressedCard | null => (pressed?.code === code ? pressed : null)

/**
 * Remembers the card that contains the pressed link, and names its poster for the view transition.
 * The name is unique, so others lose it.
 */
export function rememberPressedCard({ target }: MouseEvent<HTMLElement>): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  const card = link?.closest('article')
  const frame = card?.querySelector('picture')?.parentElement
  pressed = null
  if (!link || !card || !frame) return
  for (const previous of document.querySelectorAll<HTMLElement>(`[style*='${posterTransition}']`)) {
    previous.style.viewTransitionName = 'none'
  }
  frame.style.viewTransitionName = posterTransition
  pressed = {
    code: decodeURIComponent(link.pathname.split('/').at(-1) ?? ''),
    title: link.textContent,
    titleLang: link.lang || undefined,
    picture: frame.innerHTML,
    color: frame.style.getPropertyValue('--picture-color'),
    price: card.querySelector('[data-price]')?.innerHTML ?? '',
  }
}
