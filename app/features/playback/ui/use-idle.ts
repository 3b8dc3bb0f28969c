import { type RefObject, useEffect, useState } from 'react'

const idleAfter = 2_600

/**
 * Whether nobody has moved over, touched or tabbed into `root` for a while, and how to have it so at once. Never while `hold` is set.
 */
export function useIdle(root: RefObject<HTMLElement | null>, hold: boolean): [boolean, () => void] {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const element = root.current
    if (!element || hold) {
      setIdle(false)
      return
    }
    let timer: ReturnType<typeof setTimeout>
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), idleAfter)
    }
    const leave = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return
      clearTimeout(timer)
      setIdle(true)
    }
    wake()
    const waking = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const event of waking) element.addEventListener(event, wake)
    element.addEventListener('pointerleave', leave)
    return () => {
      clearTimeout(timer)
      for (const event of waking) element.removeEventListener(event, wake)
      element.removeEventListener('pointerleave', leave)
    }
  }, [root, hold])
  return [idle, () => setIdle(!hold)]
}
