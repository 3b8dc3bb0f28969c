import type { MouseEvent } from 'react'

/** The name a product's poster bears on its page; a list gives it to the one card that was chosen. */
const posterTransition = 'product-poster'

/** Lets the chosen card's poster grow into the product's page. Names are unique, so any other bearer gives it up. */
export function carryPoster(event: MouseEvent<HTMLElement>): void {
  for (const bearer of document.querySelectorAll<HTMLElement>(`[style*='${posterTransition}']`)) {
    bearer.style.viewTransitionName = 'none'
  }
  const frame = event.currentTarget.closest('article')?.querySelector('img')?.parentElement
  if (frame) frame.style.viewTransitionName = posterTransition
}
