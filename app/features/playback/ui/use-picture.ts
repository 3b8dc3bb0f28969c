import { type PointerEvent as ReactPointerEvent, useRef } from 'react'
import { skipSeconds } from '../shortcuts'
import type { PlayerControls } from './use-player'

/** Milliseconds within which another tap belongs to the one before. */
const tapsTogether = 300

/**
 * What a press on the picture does. The mouse plays and pauses, twice it fills the screen. A finger shows the controls or puts them
 * away; twice at a side it goes ten seconds back or on, and once more with each further tap; twice in the middle it fills the screen.
 */
export function usePicture({ toggle, act, fullScreen, media }: PlayerControls, idle: boolean, hide: () => void) {
  const pressed = useRef({ byFinger: false, wasIdle: false })
  const tap = useRef({ at: 0, side: 0, row: 0 })
  const putAway = useRef<ReturnType<typeof setTimeout>>(undefined)

  const onTap = (part: number, now: number) => {
    const side = part < 1 / 3 ? -1 : part > 2 / 3 ? 1 : 0
    const { current: last } = tap
    // Who goes on, and back at once on the other side, begins anew there.
    const row = now - last.at < tapsTogether && side === last.side ? last.row + 1 : 1
    tap.current = { at: now, side, row }
    clearTimeout(putAway.current)
    if (row > 1) {
      if (side !== 0) act({ do: 'seek by', seconds: side * skipSeconds })
      else if (row === 2) fullScreen.toggle()
    } else if (!pressed.current.wasIdle && !media.paused) putAway.current = setTimeout(hide, tapsTogether)
  }
  return {
    // Before anything else hears of it and wakes the controls.
    onPointerDownCapture: ({ pointerType }: ReactPointerEvent) => {
      pressed.current = { byFinger: pointerType === 'touch', wasIdle: idle }
    },
    onClick: (event: { clientX: number; timeStamp: number; currentTarget: Element }) => {
      if (!pressed.current.byFinger) return toggle()
      const { left, width } = event.currentTarget.getBoundingClientRect()
      onTap((event.clientX - left) / width, event.timeStamp)
    },
    onDoubleClick: () => {
      if (!pressed.current.byFinger) fullScreen.toggle()
    },
  }
}
