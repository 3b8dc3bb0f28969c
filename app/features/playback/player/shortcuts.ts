import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef } from 'react'

export type PlayerAction =
  | { do: 'toggle play' }
  | { do: 'seek by'; seconds: number }
  | { do: 'seek to part'; fraction: number }
  | { do: 'step chapter'; by: 1 | -1 }
  | { do: 'change volume'; by: number }
  | { do: 'toggle mute' }
  | { do: 'toggle full screen' }
  | { do: 'toggle captions' }
  | { do: 'change speed'; steps: 1 | -1 }
  | { do: 'toggle help' }

/** Seconds that J, L, their buttons and a double tap skip. */
export const skipSeconds = 10

const actions: Readonly<Record<string, PlayerAction>> = {
  ' ': { do: 'toggle play' },
  k: { do: 'toggle play' },
  j: { do: 'seek by', seconds: -skipSeconds },
  l: { do: 'seek by', seconds: skipSeconds },
  ArrowLeft: { do: 'seek by', seconds: -5 },
  ArrowRight: { do: 'seek by', seconds: 5 },
  ArrowUp: { do: 'change volume', by: 0.05 },
  ArrowDown: { do: 'change volume', by: -0.05 },
  n: { do: 'step chapter', by: 1 },
  p: { do: 'step chapter', by: -1 },
  m: { do: 'toggle mute' },
  f: { do: 'toggle full screen' },
  c: { do: 'toggle captions' },
  '<': { do: 'change speed', steps: -1 },
  '>': { do: 'change speed', steps: 1 },
  '?': { do: 'toggle help' },
}

/** Controls that use space and the arrow keys themselves while focused. */
const ownKeys = 'button, a[href], [role=slider], [role^=menuitem], summary, [role=tab], [role=option]'
const typing = 'input, textarea, select, [contenteditable], [role=textbox], [role=combobox]'

/** The player action of a key press, if any. */
function actionOf(event: KeyboardEvent): PlayerAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return undefined
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(typing)) return undefined
  if ((event.key === ' ' || event.key.startsWith('Arrow')) && target?.closest(ownKeys)) {
    const onTimeline = target.closest('[data-timeline]') !== null
    if (!onTimeline || event.key === 'ArrowUp' || event.key === 'ArrowDown') return undefined
  }
  if (/^[0-9]$/.test(event.key)) return { do: 'seek to part', fraction: Number(event.key) / 10 }
  return actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
}

/** The shortcuts as listed in the help. */
export const shortcutList: readonly { keys: readonly string[]; label: MessageDescriptor }[] = [
  { keys: ['Space', 'K'], label: msg`Play or pause` },
  { keys: ['J', 'L'], label: msg`Skip back or forward 10 seconds` },
  { keys: ['←', '→'], label: msg`Skip back or forward 5 seconds` },
  { keys: ['↑', '↓'], label: msg`Volume up or down` },
  { keys: ['M'], label: msg`Mute or unmute` },
  { keys: ['C'], label: msg`Turn captions on or off` },
  { keys: ['F'], label: msg`Full screen` },
  { keys: ['<', '>'], label: msg`Slower or faster` },
  { keys: ['0', '–', '9'], label: msg`Jump to 0–90% of the video` },
  { keys: ['P', 'N'], label: msg`Previous or next chapter` },
  { keys: ['?'], label: msg`Show or hide shortcuts` },
]

/** Calls `perform` for the player's shortcuts. Ignores keys in fields and below a dialog. */
export function useKeys(root: RefObject<HTMLElement | null>, perform: (action: PlayerAction) => void) {
  const latest = useRef(perform)
  latest.current = perform
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const dialog = document.querySelector('[aria-modal=true]')
      // A dialog above the player gets the keys.
      if (!root.current || (dialog && !dialog.contains(root.current))) return
      const action = actionOf(event)
      const isInside = event.target instanceof Node && root.current.contains(event.target)
      if (!action || (scrolls(event) && !isInside)) return
      event.preventDefault()
      event.stopPropagation()
      latest.current(action)
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [root])
}

/** Up and down scroll the page, unless the focus is in the player. */
const scrolls = ({ key }: KeyboardEvent) => key === 'ArrowUp' || key === 'ArrowDown'

/** Milliseconds within which taps count as one gesture. */
const doubleTapWindow = 300

/** What gestures do, of the controls of a player. */
interface GestureControls {
  toggle: () => void
  perform: (action: PlayerAction) => void
  fullScreen: { toggle: () => void }
  media: { paused: boolean }
}

/**
 * Gestures on the picture. Mouse: click plays or pauses, double click toggles full screen. Touch:
 * tap toggles the controls, double tap at a side skips ten seconds, as does each further tap, and
 * double tap in the middle toggles full screen.
 */
export function usePictureGestures(
  { toggle, perform, fullScreen, media }: GestureControls,
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
