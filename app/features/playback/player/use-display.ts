import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { skipSeconds } from './shortcuts'
import type { PlayerControls } from './use-player'

/** iPhones give full screen to the video element alone, under a name of their own. */
type FullScreenVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

/** Whether the player fills the screen, and how to change that. */
export function useFullScreen(root: RefObject<HTMLElement | null>, video: HTMLVideoElement | null) {
  const [active, setActive] = useState(false)
  useEffect(() => {
    const read = () => setActive(document.fullscreenElement !== null && document.fullscreenElement === root.current)
    document.addEventListener('fullscreenchange', read)
    return () => document.removeEventListener('fullscreenchange', read)
  }, [root])

  const toggle = () => {
    if (document.fullscreenElement) return void document.exitFullscreen().catch(() => {})
    if (document.fullscreenEnabled) return void root.current?.requestFullscreen().catch(() => {})
    ;(video as FullScreenVideo | null)?.webkitEnterFullscreen?.()
  }
  return { active, toggle }
}

/** Safari's own way to another screen, by AirPlay. */
interface AppleVideo extends HTMLVideoElement {
  webkitShowPlaybackTargetPicker?: () => void
}

/**
 * Whether the video can be sent to another screen just now, whether it plays there, and how to choose one. Nothing is offered
 * where no such screen is near.
 */
export function useRemote(video: HTMLVideoElement | null) {
  const [available, setAvailable] = useState(false)
  const [connected, setConnected] = useState(false)
  useEffect(() => {
    if (!video) return
    const apple = 'webkitShowPlaybackTargetPicker' in video
    if (apple) return followApple(video, setAvailable)
    return video.remote ? followRemote(video.remote, setAvailable, setConnected) : undefined
  }, [video])

  const choose = () => {
    const apple = video as AppleVideo | null
    if (apple?.webkitShowPlaybackTargetPicker) apple.webkitShowPlaybackTargetPicker()
    // Closing the list of screens is no failure.
    else void video?.remote.prompt().catch(() => {})
  }
  return { available, connected, choose }
}

function followApple(video: HTMLVideoElement, onAvailable: (available: boolean) => void) {
  const event = 'webkitplaybacktargetavailabilitychanged'
  const read = (changed: Event) => onAvailable('availability' in changed && changed.availability === 'available')
  video.addEventListener(event, read)
  return () => video.removeEventListener(event, read)
}

function followRemote(
  remote: RemotePlayback,
  onAvailable: (available: boolean) => void,
  onConnected: (connected: boolean) => void,
) {
  const watching = remote.watchAvailability(onAvailable).catch(() => undefined)
  const read = () => onConnected(remote.state === 'connected')
  for (const event of ['connecting', 'connect', 'disconnect']) remote.addEventListener(event, read)
  return () => {
    for (const event of ['connecting', 'connect', 'disconnect']) remote.removeEventListener(event, read)
    void watching.then((id) => (id === undefined ? undefined : remote.cancelWatchAvailability(id))).catch(() => {})
  }
}

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

/** Milliseconds within which another tap belongs to the one before. */
const doubleTapWindow = 300

/**
 * What a press on the picture does. The mouse plays and pauses, twice it fills the screen. A finger shows the controls or puts them
 * away; twice at a side it goes ten seconds back or on, and once more with each further tap; twice in the middle it fills the screen.
 */
export function usePictureGestures(
  { toggle, act, fullScreen, media }: PlayerControls,
  idle: boolean,
  hide: () => void,
) {
  const pressed = useRef({ byFinger: false, wasIdle: false })
  const tap = useRef({ at: 0, side: 0, row: 0 })
  const putAway = useRef<ReturnType<typeof setTimeout>>(undefined)

  const onTap = (part: number, now: number) => {
    const side = part < 1 / 3 ? -1 : part > 2 / 3 ? 1 : 0
    const { current: last } = tap
    // Who goes on, and back at once on the other side, begins anew there.
    const row = now - last.at < doubleTapWindow && side === last.side ? last.row + 1 : 1
    tap.current = { at: now, side, row }
    clearTimeout(putAway.current)
    if (row > 1) {
      if (side !== 0) act({ do: 'seek by', seconds: side * skipSeconds })
      else if (row === 2) fullScreen.toggle()
    } else if (!pressed.current.wasIdle && !media.paused) putAway.current = setTimeout(hide, doubleTapWindow)
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
