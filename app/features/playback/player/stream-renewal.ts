import { type RefusalAnswer, renewalFailure, retryUntilAnswered } from './stream-errors'

/** Milliseconds before expiry at which the URL is renewed. */
const renewBeforeExpiry = 45_000
const minRenewalDelay = 5_000
/** The longest delay of a timer. */
const maxRenewalDelay = 2 ** 31 - 1
/** Refusals without progress after which renewing is useless. */
const refusalsAllowed = 3

interface RenewalOptions<Stream> {
  load: (answer?: RefusalAnswer) => Promise<Stream>
  /** Uses a new URL. Returns when it expires; null for never. */
  apply: (fresh: Stream) => string | null
  /** Called when renewing has failed for good. */
  onFailure: (error: unknown, failure: ReturnType<typeof renewalFailure>) => void
}

export interface Renewal {
  /** Renews the URL before it expires; null for never. */
  schedule: (expiresAt: string | null) => void
  /** Renews the URL now. */
  renew: () => Promise<void>
  /** Renews a refused URL, unless it is refused again without progress. */
  onRefused: () => void
  /** Stops renewing until `resume` or `reopen`. */
  release: () => void
  /** Renews the URL of a released stream. */
  resume: () => void
  /** Renews the URL, released or not. */
  reopen: () => Promise<void>
}

/** Renews the URL of one open stream until `end` aborts. */
export function createRenewal<Stream>(
  video: HTMLVideoElement,
  { load, apply, onFailure }: RenewalOptions<Stream>,
  end: AbortSignal,
): Renewal {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  let isReleased = false
  let refusals = 0
  /** The end of the buffer at the last refusal, in seconds. */
  let refusedAt = 0
  end.addEventListener('abort', () => clearTimeout(timer))
  video.addEventListener(
    'timeupdate',
    () => {
      if (!video.seeking && video.currentTime > refusedAt) refusals = 0
    },
    { signal: end },
  )

  const schedule = (expiresAt: string | null) => {
    clearTimeout(timer)
    if (expiresAt === null) return
    const wait = Math.max(minRenewalDelay, Date.parse(expiresAt) - Date.now() - renewBeforeExpiry)
    // A released stream is renewed when it resumes.
    timer = setTimeout(() => !isReleased && void renew(), Math.min(wait, maxRenewalDelay))
  }
  const renew = async () => {
    if (running) return
    const controller = new AbortController()
    running = controller
    const signal = AbortSignal.any([controller.signal, end])
    try {
      const fresh = await retryUntilAnswered(load, signal)
      if (!signal.aborted) schedule(apply(fresh))
    } catch (error) {
      if (!signal.aborted) onFailure(error, renewalFailure(error))
    } finally {
      if (running === controller) running = undefined
    }
  }
  const reopen = () => {
    isReleased = false
    return renew()
  }
  return {
    schedule,
    renew,
    reopen,
    onRefused: () => {
      // A released stream is refused as expected, and a running renewal knows already.
      if (isReleased || running) return
      refusedAt = bufferedTo(video)
      if (refusals++ < refusalsAllowed) void renew()
      else onFailure(null, 'UNAVAILABLE')
    },
    release: () => {
      isReleased = true
      running?.abort()
      running = undefined
    },
    resume: () => {
      if (isReleased) void reopen()
    },
  }
}

/** The end of the buffered range at the current position, in seconds. */
function bufferedTo({ buffered, currentTime }: HTMLVideoElement): number {
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= currentTime && currentTime <= buffered.end(i)) return buffered.end(i)
  }
  return currentTime
}
