/** Milliseconds a picture may stand while not a byte arrives. */
const withoutByte = 30_000
/** The same while bytes arrive, but never enough of them. */
const withoutPicture = 120_000

export interface Patience {
  /** Something of the stream has arrived. */
  arrived: () => void
  /** Whether somebody has looked at a picture that stands for too long. Nobody waits while it is paused, or while something is left to play. */
  isOver: () => boolean
}

/** How long a stream is hoped for that does not come, until `signal` ends it. */
export function createPatience(video: HTMLVideoElement, signal: AbortSignal): Patience {
  let movedAt = performance.now()
  let arrivedAt = movedAt
  const onMove = () => {
    movedAt = performance.now()
  }
  for (const event of ['play', 'timeupdate', 'seeking']) video.addEventListener(event, onMove, { signal })
  return {
    arrived: () => {
      arrivedAt = performance.now()
    },
    isOver: () => {
      if (video.paused || video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) return false
      const now = performance.now()
      return now - movedAt > withoutPicture || now - Math.max(movedAt, arrivedAt) > withoutByte
    },
  }
}

/** Why nothing comes, as far as the browser knows. */
export const unreached = () => (navigator.onLine ? 'NETWORK' : 'OFFLINE')
