import type Hls from 'hls.js'
import type {
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
  LoadPolicy,
  RetryConfig,
} from 'hls.js'
import { automaticLevel, type Engine, type EngineEvents, type StreamSource } from './engine'
import { createStallTimer, networkFailure } from './stream-errors'

/**
 * A loader that reports a file shorter than its `Content-Length` as a failed request, and calls `onShort` with its address.
 * Chromium answers such files: it resumes a broken download from its cache, and when the connection breaks a second time it
 * takes what it has for the whole file, and keeps it.
 */
export const completeLoader = (
  Base: new (config: HlsConfig) => Loader<LoaderContext>,
  onShort: (url: string) => void,
) =>
  class extends (Base as new (config: HlsConfig) => Loader<FragmentLoaderContext>) {
    override load(
      context: FragmentLoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<FragmentLoaderContext>,
    ) {
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, stats, answered, xhr) => {
          if (!isShort(response.data, xhr)) return callbacks.onSuccess(response, stats, answered, xhr)
          onShort(context.url)
          callbacks.onError({ code: 0, text: 'The file is shorter than announced.' }, context, xhr, stats)
        },
      })
    }
  }

function isShort(data: unknown, xhr: unknown) {
  if (!(data instanceof ArrayBuffer && xhr instanceof XMLHttpRequest)) return false
  // A compressed file is shorter on its way than in memory.
  if (xhr.getResponseHeader('content-encoding')) return false
  return data.byteLength < Number(xhr.getResponseHeader('content-length') ?? 0)
}

/** Several parts are refused together when an address ends; one fresh address serves them all. */
const refusalPause = 2_000
/** Milliseconds before a new beginning, where the engine has given up on what it asked for. */
const pauseBefore = 1_000
/** A line that went silent, at the beginning of a file or within it, is given up after this long, and asked again. */
const silenceTimeout = 8_000
/** Milliseconds without a request, while the picture stands: the engine's own pauses are shorter, so it waits for nothing. */
const idleLimit = 6_000
const stallCheckInterval = 1_000
/** A file that comes all the time, but slower than anybody can watch. */
const longestLoad = 60_000

const folderOf = (url: string) => new URL('.', new URL(url, location.href)).href

/** What may be answered in a moment: no connection, too many calls, or a server in trouble. */
const isTransient = (status: number | undefined) =>
  status !== undefined && (status === 0 || status === 408 || status === 429 || status >= 500)

const shouldRetry: RetryConfig['shouldRetry'] = (config, count, isTimeout, response) =>
  count < (config?.maxNumRetry ?? 0) && (isTimeout || isTransient(response?.code))

const policy: LoadPolicy = {
  default: {
    maxTimeToFirstByteMs: silenceTimeout,
    maxLoadTimeMs: longestLoad,
    timeoutRetry: { maxNumRetry: 3, retryDelayMs: 0, maxRetryDelayMs: 0, shouldRetry },
    errorRetry: { maxNumRetry: 4, retryDelayMs: 500, maxRetryDelayMs: 4_000, shouldRetry },
  },
}

/** Feeds the stream to the browser piece by piece, with a choice of quality and sound. */
export function openHls(
  HlsEngine: typeof Hls,
  video: HTMLVideoElement,
  { manifestUrl, drm = null }: StreamSource,
  startSeconds: number,
  events: EngineEvents,
): Engine {
  // Playlists name their parts relative to themselves. A renewed address therefore only moves the folder, and what is
  // buffered stays.
  const firstFolder = folderOf(manifestUrl)
  let folder = firstFolder
  let manifest = manifestUrl
  let recoveries = 0
  let refusedAt = 0
  /** Nothing is to be loaded: by wish, or until there is a fresh address. */
  let isResting = false
  const requests = { open: 0, lastAt: performance.now() }
  let pause: ReturnType<typeof setTimeout> | undefined
  /** Files that the browser's cache holds only in part: asked for anew, past the cache. */
  const short = new Set<string>()
  const end = new AbortController()
  const patience = createStallTimer(video, end.signal)
  const moved = (url: string) => {
    const absolute = new URL(url, location.href).href
    return absolute.startsWith(firstFolder) ? folder + absolute.slice(firstFolder.length) : absolute
  }
  /** Licences lie below the stream's own address, and move with it. */
  const licences = () =>
    Object.fromEntries(
      Object.entries(drm ?? {}).map(([keySystem, { licenceUrl, certificateUrl }]) => [
        keySystem,
        {
          licenseUrl: moved(licenceUrl),
          ...(certificateUrl ? { serverCertificateUrl: moved(certificateUrl) } : {}),
        },
      ]),
    )

  const hls = new HlsEngine({
    startPosition: startSeconds,
    manifestLoadPolicy: policy,
    playlistLoadPolicy: policy,
    fragLoadPolicy: policy,
    keyLoadPolicy: policy,
    backBufferLength: 60,
    maxBufferLength: 40,
    capLevelToPlayerSize: true,
    renderTextTracksNatively: false,
    emeEnabled: drm !== null,
    drmSystems: licences(),
    xhrSetup: (xhr, url) => {
      watchRequest(xhr, patience.arrived, requests)
      const isMoved = folder !== firstFolder && url.startsWith(firstFolder)
      if (isMoved || short.has(url)) xhr.open('GET', isMoved ? folder + url.slice(firstFolder.length) : url)
      if (short.has(url)) xhr.setRequestHeader('Cache-Control', 'no-cache')
    },
    fLoader: completeLoader(HlsEngine.DefaultConfig.loader, (url) => short.add(url)),
  })

  const load = () => {
    isResting = false
    requests.lastAt = performance.now()
    if (hls.levels.length > 0) hls.startLoad(video.currentTime)
    else hls.loadSource(manifest)
  }
  const beginAgain = () => {
    clearTimeout(pause)
    pause = setTimeout(load, pauseBefore)
  }
  // hls.js 1.7 may wait for a part whose request it has aborted itself, when parts and their beginnings fail together.
  const isStuck = () =>
    !isResting &&
    !video.ended &&
    video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA &&
    requests.open === 0 &&
    performance.now() - requests.lastAt > idleLimit
  const checks = setInterval(() => {
    if (!isStuck()) return
    if (patience.isOver()) return events.onFailure(networkFailure())
    hls.stopLoad()
    load()
  }, stallCheckInterval)

  hls.on(HlsEngine.Events.MANIFEST_PARSED, (_, { levels }) => {
    events.onLevels(levels.map(({ height }, index) => ({ index, height })).sort((a, b) => b.height - a.height))
  })
  hls.on(HlsEngine.Events.LEVEL_SWITCHED, (_, { level }) => events.onLevel(level))
  hls.on(HlsEngine.Events.AUDIO_TRACKS_UPDATED, (_, { audioTracks }) => {
    events.onSounds(audioTracks.map(({ lang, name }, index) => ({ index, language: lang ?? '', label: name })))
  })
  hls.on(HlsEngine.Events.AUDIO_TRACK_SWITCHED, () => events.onSound(hls.audioTrack))
  hls.on(HlsEngine.Events.ERROR, (_, error) => {
    const status = error.response?.code
    if (status === 401 || status === 403) {
      // Said at once: waiting until every level was tried would only cost the person time.
      if (error.fatal || Date.now() - refusedAt > refusalPause) events.onRefused()
      refusedAt = Date.now()
      isResting = true
      return
    }
    const isNetwork = error.type === HlsEngine.ErrorTypes.NETWORK_ERROR
    if (error.fatal && (status === 404 || status === 410)) return events.onFailure('GONE')
    // The engine's own tries are short; how long they are repeated is a matter of who waits.
    if (isNetwork && patience.isOver()) return events.onFailure(networkFailure())
    if (!error.fatal) return
    if (isNetwork) return beginAgain()
    if (error.type === HlsEngine.ErrorTypes.KEY_SYSTEM_ERROR) return events.onFailure('PROTECTED')
    if (error.type === HlsEngine.ErrorTypes.MEDIA_ERROR && recoveries++ < 2) return hls.recoverMediaError()
    events.onFailure('DECODE')
  })

  hls.attachMedia(video)
  hls.loadSource(manifestUrl)
  return {
    setLevel: (index) => {
      // Who chooses a quality wants to see it; what changes by itself waits for what is loaded.
      if (index === automaticLevel) hls.nextLevel = index
      else hls.currentLevel = index
    },
    setSound: (index) => {
      hls.audioTrack = index
    },
    renew: (fresh) => {
      folder = folderOf(fresh.manifestUrl)
      manifest = fresh.manifestUrl
      hls.config.drmSystems = licences()
      load()
      return fresh.expiresAt
    },
    rest: () => {
      clearTimeout(pause)
      isResting = true
      hls.stopLoad()
    },
    destroy: () => {
      clearTimeout(pause)
      clearInterval(checks)
      end.abort()
      hls.destroy()
    },
  }
}

/** Tells of each byte, breaks off what goes silent in the middle of a file, and counts what is open. */
function watchRequest(xhr: XMLHttpRequest, onArrived: () => void, requests: { open: number; lastAt: number }) {
  xhr.addEventListener('loadstart', () => requests.open++)
  xhr.addEventListener('loadend', () => {
    requests.open--
    requests.lastAt = performance.now()
  })
  let silent: ReturnType<typeof setTimeout> | undefined
  xhr.addEventListener('progress', () => {
    clearTimeout(silent)
    if (xhr.status >= 300) return
    onArrived()
    silent = setTimeout(() => xhr.abort(), silenceTimeout)
  })
  xhr.addEventListener('loadend', () => clearTimeout(silent))
}
