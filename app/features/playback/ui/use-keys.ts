import { type RefObject, useEffect, useRef } from 'react'
import { actionOf, type PlayerAction } from '../shortcuts'

/** Hands what the keyboard means for the player to `act`. Inside fields, and below a dialog, keys are not the player's. */
export function useKeys(root: RefObject<HTMLElement | null>, act: (action: PlayerAction) => void) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const dialog = document.querySelector('[aria-modal=true]')
      // A dialog above the player has the keys.
      if (!root.current || (dialog && !dialog.contains(root.current))) return
      const action = actionOf(event)
      if (!action || (scrolls(event) && !root.current.contains(event.target as Node))) return
      event.preventDefault()
      event.stopPropagation()
      latest.current(action)
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [root])
}

/** Up and down move the page, unless the player itself holds the focus. */
const scrolls = ({ key }: KeyboardEvent) => key === 'ArrowUp' || key === 'ArrowDown'
