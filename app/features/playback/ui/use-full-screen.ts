import { type RefObject, useEffect, useState } from 'react'

/** iPhones give full screen to the video element alone, under a name of their own. */
type AppleVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

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
    ;(video as AppleVideo | null)?.webkitEnterFullscreen?.()
  }
  return { active, toggle }
}
