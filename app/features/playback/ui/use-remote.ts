import { useEffect, useState } from 'react'

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
