import { useEffect } from 'react'

/** Milliseconds in which a dialog that closes, or a list that is drawn anew, sets the focus. */
const pause = 800

const controls = 'a[href], button, input, select, textarea'

/** What a control is called, as far as its element says. */
const nameOf = (control: Element) =>
  `${control.tagName} ${control.getAttribute('aria-label') ?? control.getAttribute('name') ?? control.textContent}`

/** Where a control was: its ancestors, and at which place of each. */
const placesOf = (control: Element) => {
  const places: { parent: Element; at: number }[] = []
  for (let child = control, parent = child.parentElement; parent; child = parent, parent = child.parentElement)
    places.push({ parent, at: [...parent.children].indexOf(child) })
  return places
}

/**
 * Keeps the focus when the element that had it is removed: on the same control where a form is
 * drawn anew, such as one that is saved, or else on the page. Browsers would focus no element, and
 * screen readers would begin at the top.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let last: { control: Element; name: string; places: ReturnType<typeof placesOf>; isOfForm: boolean } | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const isLost = () => document.activeElement === document.body
    const focusSame = () => {
      // A removed row gives the focus to the next one, whose controls have the same names.
      if (!last?.isOfForm) return
      const place = last.places.find(({ parent }) => parent.isConnected)
      const part = place?.parent.children[place.at]
      const same = [...(part?.querySelectorAll<HTMLElement>(controls) ?? [])].find(
        (each) => nameOf(each) === last?.name,
      )
      same?.focus({ preventScroll: true })
    }
    const onFocus = ({ target }: Event) => {
      clearTimeout(timer)
      timer = undefined
      if (!(target instanceof Element)) return
      const isOfForm = target.closest('form') !== null && target.closest('li, tr') === null
      last = { control: target, name: nameOf(target), places: placesOf(target), isOfForm }
    }
    document.addEventListener('focusin', onFocus)
    const onBlur = ({ target }: Event) => {
      // Somebody left it for no other control. A disabled one has not been left.
      setTimeout(() => {
        const isLeft = last?.control === target && last.control.isConnected && !last.control.matches(':disabled')
        if (isLeft && isLost()) last = undefined
      })
    }
    document.addEventListener('focusout', onBlur)
    const observer = new MutationObserver(() => {
      if (!last || last.control.isConnected || !isLost()) return
      focusSame()
      timer ??= setTimeout(() => {
        timer = undefined
        if (isLost()) focusSame()
        if (isLost()) document.getElementById('main')?.focus({ preventScroll: true })
      }, pause)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onBlur)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
