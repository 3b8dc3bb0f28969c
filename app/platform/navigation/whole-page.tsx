import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

const Whole = createContext(false)

let takeOver = () => {}

/**
 * React takes a page over in parts, the frame first and the page within it when there is time. What that page shows must not
 * change before it is React's: it would be compared with another route, or another language, and thrown away. Whoever changes
 * it calls this first; it answers when the whole page is React's, and costs nothing from then on.
 */
export const takeOverWholePage = () => takeOver()

/** Stands around all that a page shows. No navigation begins within it before the page is whole. */
export function WholePage({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [whole, setWhole] = useState(false)

  useLayoutEffect(() => {
    takeOver = () => {
      takeOver = () => {}
      // A context that changes reaches into the parts still waiting, and React takes those over before it goes on.
      flushSync(() => setWhole(true))
    }
    return router.subscribe('onBeforeNavigate', takeOverWholePage)
  }, [router])

  return <Whole value={whole}>{children}</Whole>
}
