import { type RefObject, useEffect } from 'react'

/** Milliseconds that the watermark rests in a place, and that it moves to the next. */
const moveIntervalMilliseconds = 20_000
const moveMilliseconds = 6_000
/** Percent of the picture. Captions are below this. */
const topRange = 58
const leftRange = 70

/** Styles that the page's own rules must not override. */
const lockedStyle: Record<string, string> = {
  all: 'initial',
  position: 'absolute',
  'z-index': '1',
  display: 'block',
  visibility: 'visible',
  opacity: '0.4',
  color: '#fff',
  font: '600 clamp(0.75rem, 1.7cqi, 1.375rem) / 1.2 system-ui, sans-serif',
  'letter-spacing': '0.04em',
  'white-space': 'pre',
  'text-shadow': '0 0 3px #000, 0 0 1px #000',
  'pointer-events': 'none',
  'user-select': 'none',
}

/**
 * Shows the viewer's identification within `root`, also in full screen. It moves, so that it cannot
 * be cropped, stays above the captions, and is restored when removed or changed.
 */
export function Watermark({ text, root }: { text: string; root: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const player = root.current
    if (!player) return
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
    let mark: HTMLElement | undefined
    let place = { top: 6 + Math.random() * topRange, left: 4 + Math.random() * leftRange }

    const position = () => {
      mark?.style.setProperty('inset', `${place.top}% auto auto ${place.left}%`, 'important')
    }
    const insertMark = () => {
      watching.disconnect()
      mark?.remove()
      const fresh = document.createElement('div')
      fresh.ariaHidden = 'true'
      fresh.dataset.watermark = ''
      // In a shadow root, out of reach of the page's styles.
      fresh.attachShadow({ mode: 'open' }).append(text)
      for (const [name, value] of Object.entries(lockedStyle)) fresh.style.setProperty(name, value, 'important')
      if (!reducedMotion) fresh.style.setProperty('transition', `inset ${moveMilliseconds}ms ease-in-out`, 'important')
      mark = fresh
      position()
      player.append(fresh)
      watching.observe(player, { childList: true })
      watching.observe(fresh, { attributes: true })
    }
    const watching = new MutationObserver((changes) => {
      if (mark?.parentElement !== player || changes.some(({ type }) => type === 'attributes')) insertMark()
    })
    const move = () => {
      place = { top: 6 + Math.random() * topRange, left: 4 + Math.random() * leftRange }
      watching.disconnect()
      position()
      watching.observe(player, { childList: true })
      if (mark) watching.observe(mark, { attributes: true })
    }
    insertMark()
    const timer = setInterval(move, moveIntervalMilliseconds)
    return () => {
      clearInterval(timer)
      watching.disconnect()
      mark?.remove()
    }
  }, [text, root])
  return null
}
