import { type PointerEvent as ReactPointerEvent, useRef } from 'react'
import { skipSeconds } from './shortcuts'
import type { PlayerControls } from './use-player'

/** Milliseconds within which taps count as one gesture. */
const doubleTapWindow = 300

/**
 * Gestures on the picture. Mouse: click plays or pauses, double click toggles full screen. Touch:
 * tap toggles the controls, double tap at a side skips ten seconds, as does each further tap, and
 * double tap in the middle toggles full screen.
 */
export function usePictureGestures(
  { toggle, perform, fullScreen, media }: PlayerControls,
  idle: boolean,
  hide: () => void,
) {
  const press = useRef({ byFinger: false, wasIdle: false })
  const tap = useRef({ at: 0, side: 0, row: 0 })
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const onTap = (fraction: number, now: number) => {
    const side = fraction < 1 / 3 ? -1 : fraction > 2 / 3 ? 1 : 0
    const { current: last } = tap
    // A tap on the other side starts a new gesture.
    const row = now - last.at < doubleTapWindow && side === last.side ? last.row + 1 : 1
    tap.current = { at: now, side, row }
    clearTimeout(hideTimer.current)
    if (row > 1) {
      if (side !== 0) perform({ do: 'seek by', seconds: side * skipSeconds })
      else if (row === 2) fullScreen.toggle()
    } else if (!press.current.wasIdle && !media.paused) hideTimer.current = setTimeout(hide, doubleTapWindow)
  }
  return {
    // Captured before the controls become visible.
    onPointerDownCapture: ({ pointerType }: ReactPointerEvent) => {
      press.current = { byFinger: pointerType === 'touch', wasIdle: idle }
    },
    onClick: (event: { clientX: number; timeStamp: number; currentTarget: Element }) => {
      if (!press.current.byFinger) return toggle()
      const { left, width } = event.currentTarget.getBoundingClientRect()
      onTap((event.clientX - left) / width, event.timeStamp)
    },
    onDoubleClick: () => {
      if (!press.current.byFinger) fullScreen.toggle()
    },
  }
}
