import type Hls from 'hls.js'

export interface QualityLevel {
  index: number
  /** Lines of the picture: 1080, 720, … */
  height: number
}

/** Why a stream does not play. */
export type StreamFailure = 'OFFLINE' | 'NETWORK' | 'GONE' | 'DECODE' | 'UNSUPPORTED'

export interface EngineEvents {
  onLevels: (levels: QualityLevel[]) => void
  /** The level that plays now; while quality is automatic it changes by itself. */
  onLevel: (index: number) => void
  /** The address is no longer good: hand a fresh one to `renew`. */
  onRefused: () => void
  onFailure: (failure: StreamFailure) => void
}

/** What moves a stream into a video element. */
export interface Engine {
  /** A level's index, or -1 for automatic. */
  setLevel: (index: number) => void
  /** Goes on with a fresh address of the same stream, without a gap where that is possible. */
  renew: (manifestUrl: string) => void
  destroy: () => void
}

export const automaticLevel = -1

/** The engine is the browser's alone: the server's bundle goes without its megabyte. */
const loadHls = () => {
  if (import.meta.env.SSR) throw new Error('Video plays in a browser, not on the server.')
  return import('hls.js')
}

/** Begins to fetch the player's engine, so that it is there when it is wanted. */
export const preloadEngine = () => void loadHls()

/** Safari says "maybe" for HLS and means it; so does Chromium, which then fails on encrypted streams. */
const playsNatively = (video: HTMLVideoElement) =>
  'ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Opens a stream in `video`, starting at `startSeconds`. */
export async function openEngine(
  video: HTMLVideoElement,
  manifestUrl: string,
  startSeconds: number,
  events: EngineEvents,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  if (playsNatively(video)) return openNative(video, manifestUrl, startSeconds, events)
  const { default: HlsEngine } = await loadHls()
  if (signal.aborted) return undefined
  if (!HlsEngine.isSupported()) {
    events.onFailure('UNSUPPORTED')
    return undefined
  }
  return openHls(HlsEngine, video, manifestUrl, startSeconds, events)
}

function openNative(video: HTMLVideoElement, manifestUrl: string, startSeconds: number, events: EngineEvents): Engine {
  const startAt = (seconds: number) => {
    const seek = () => {
      video.currentTime = seconds
    }
    video.addEventListener('loadedmetadata', seek, { once: true })
  }
  const onError = () => {
    // The element does not tell a refused address from a broken one: a fresh one settles it.
    if (video.error?.code === MediaError.MEDIA_ERR_NETWORK) events.onRefused()
    else events.onFailure(video.error?.code === MediaError.MEDIA_ERR_DECODE ? 'DECODE' : 'NETWORK')
  }
  startAt(startSeconds)
  video.src = manifestUrl
  video.addEventListener('error', onError)
  return {
    setLevel: () => {},
    renew: (fresh) => {
      const wasPlaying = !video.paused
      startAt(video.currentTime)
      video.src = fresh
      if (wasPlaying) void video.play().catch(() => {})
    },
    destroy: () => {
      video.removeEventListener('error', onError)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** Several parts are refused together when an address ends; one fresh address serves them all. */
const refusalPause = 2_000

const folderOf = (url: string) => new URL('.', new URL(url, location.href)).href

function openHls(
  HlsEngine: typeof Hls,
  video: HTMLVideoElement,
  manifestUrl: string,
  startSeconds: number,
  events: EngineEvents,
): Engine {
  // Playlists name their parts relative to themselves. A renewed address therefore only moves the folder, and what is
  // buffered stays.
  const firstFolder = folderOf(manifestUrl)
  let folder = firstFolder
  let recoveries = 0
  let refusedAt = 0

  const hls = new HlsEngine({
    startPosition: startSeconds,
    fragLoadingMaxRetry: 3,
    backBufferLength: 60,
    maxBufferLength: 40,
    capLevelToPlayerSize: true,
    renderTextTracksNatively: false,
    xhrSetup: (xhr, url) => {
      if (folder !== firstFolder && url.startsWith(firstFolder)) xhr.open('GET', folder + url.slice(firstFolder.length))
    },
  })

  hls.on(HlsEngine.Events.MANIFEST_PARSED, (_, { levels }) => {
    events.onLevels(levels.map(({ height }, index) => ({ index, height })).sort((a, b) => b.height - a.height))
  })
  hls.on(HlsEngine.Events.LEVEL_SWITCHED, (_, { level }) => events.onLevel(level))
  hls.on(HlsEngine.Events.ERROR, (_, error) => {
    const status = error.response?.code
    if (status === 401 || status === 403) {
      // Said at once: waiting until every level was tried would only cost the person time.
      if (error.fatal || Date.now() - refusedAt > refusalPause) events.onRefused()
      refusedAt = Date.now()
      return
    }
    if (!error.fatal) return
    if (status === 404 || status === 410) return events.onFailure('GONE')
    if (error.type === HlsEngine.ErrorTypes.NETWORK_ERROR)
      return events.onFailure(navigator.onLine ? 'NETWORK' : 'OFFLINE')
    if (error.type === HlsEngine.ErrorTypes.MEDIA_ERROR && recoveries++ < 2) return hls.recoverMediaError()
    events.onFailure('DECODE')
  })

  hls.attachMedia(video)
  hls.loadSource(manifestUrl)
  return {
    setLevel: (index) => {
      hls.nextLevel = index
    },
    renew: (fresh) => {
      folder = folderOf(fresh)
      if (hls.levels.length > 0) hls.startLoad(video.currentTime)
      else hls.loadSource(fresh)
    },
    destroy: () => hls.destroy(),
  }
}
