import { type RefObject, useEffect, useState } from 'react'

/** Methods of Safari: full screen on iPhones, and AirPlay. */
declare global {
  interface HTMLVideoElement {
    webkitEnterFullscreen?: () => void
    webkitShowPlaybackTargetPicker?: () => void
  }
}

/** Full screen state and toggle. */
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
    // iPhones allow full screen for the video element only.
    video?.webkitEnterFullscreen?.()
  }
  return { active, toggle }
}

/** Remote playback: availability, connection, and the device picker. */
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
    if (video?.webkitShowPlaybackTargetPicker) video.webkitShowPlaybackTargetPicker()
    // Closing the picker is not a failure.
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
 * Whether `root` has had no pointer, key or focus activity for a while, and a function that makes
 * it idle at once. Never idle while `keepActive` is set.
 */
export function useIdle(root: RefObject<HTMLElement | null>, keepActive: boolean): [boolean, () => void] {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const element = root.current
    if (!element || keepActive) {
      setIdle(false)
      return
    }
    let timer: ReturnType<typeof setTimeout>
    const resetIdleTimer = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), idleAfter)
    }
    const onPointerLeave = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return
      clearTimeout(timer)
      setIdle(true)
    }
    resetIdleTimer()
    const activityEvents = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const event of activityEvents) element.addEventListener(event, resetIdleTimer)
    element.addEventListener('pointerleave', onPointerLeave)
    return () => {
      clearTimeout(timer)
      for (const event of activityEvents) element.removeEventListener(event, resetIdleTimer)
      element.removeEventListener('pointerleave', onPointerLeave)
    }
  }, [root, keepActive])
  return [idle, () => setIdle(!keepActive)]
}
