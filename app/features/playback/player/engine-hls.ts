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
import { createReset, createStallTimer, isStarved, networkFailure } from './stream-errors'

/**
 * A loader that reports a file shorter than its `Content-Length` as a failed request and calls
 * `onShort` with its URL. Chromium returns such files: it resumes a broken download from its cache,
 * and after a second break it caches the partial file as complete.
 */
export const completeLoader = (
  Base: new (config: HlsConfig) => Loader<LoaderContext>,
  onShort: (url: string) => void,
) =>
  // hls.js types its default loader for every context; as a fragment loader it gets these.
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
  // A compressed file is shorter in transit than in memory.
  if (xhr.getResponseHeader('content-encoding')) return false
  return data.byteLength < Number(xhr.getResponseHeader('content-length') ?? 0)
}

/**
 * Milliseconds. Several requests are refused together when a URL expires; one renewal serves them
 * all.
 */
const refusalPause = 2_000
/** Milliseconds before a restart after hls.js has given up on a request. */
const restartDelay = 1_000
/** Milliseconds without a byte after which a request is aborted and repeated. */
const silenceTimeout = 8_000
/**
 * Milliseconds without a request during a stall. The pauses of hls.js are shorter, so it is stuck.
 */
const idleLimit = 6_000
const stallCheckInterval = 1_000
/** Milliseconds for a file that arrives steadily but too slowly to watch. */
const longestLoad = 60_000

const folderOf = (url: string) => new URL('.', new URL(url, location.href)).href

/** Whether a status is temporary: no connection, rate limit, or server error. */
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

/**
 * The URLs of a stream, which change when it is renewed. Playlists use relative URLs. A renewed URL
 * therefore only changes the folder, and the buffer stays.
 */
function createStreamUrls({ manifestUrl, drm = null }: StreamSource) {
  const firstFolder = folderOf(manifestUrl)
  let folder = firstFolder
  let manifest = manifestUrl
  /** Returns the latest form of a URL of the stream; other URLs as they are. */
  const latest = (url: string) => (url.startsWith(firstFolder) ? folder + url.slice(firstFolder.length) : url)
  const absolute = (url: string) => latest(new URL(url, location.href).href)
  return {
    latest,
    manifest: () => manifest,
    /** Licence URLs are below the stream's URL and are renewed with it. */
    licences: () =>
      Object.fromEntries(
        Object.entries(drm ?? {}).map(([keySystem, { licenceUrl, certificateUrl }]) => [
          keySystem,
          {
            licenseUrl: absolute(licenceUrl),
            ...(certificateUrl ? { serverCertificateUrl: absolute(certificateUrl) } : {}),
          },
        ]),
      ),
    renew: (fresh: StreamSource) => {
      folder = folderOf(fresh.manifestUrl)
      manifest = fresh.manifestUrl
    },
  }
}

/** Reports the qualities and audio tracks that hls.js finds and chooses. */
function reportTracks(hls: Hls, names: typeof Hls.Events, events: EngineEvents) {
  hls.on(names.MANIFEST_PARSED, (_, { levels }) => {
    events.onLevels(levels.map(({ height }, index) => ({ index, height })).sort((a, b) => b.height - a.height))
  })
  hls.on(names.LEVEL_SWITCHED, (_, { level }) => events.onLevel(level))
  hls.on(names.AUDIO_TRACKS_UPDATED, (_, { audioTracks }) => {
    events.onSounds(audioTracks.map(({ lang, name }, index) => ({ index, language: lang ?? '', label: name })))
  })
  hls.on(names.AUDIO_TRACK_SWITCHED, () => events.onSound(hls.audioTrack))
}

/** Plays a stream with hls.js, with a choice of quality and audio track. */
export function openHls(
  HlsEngine: typeof Hls,
  video: HTMLVideoElement,
  source: StreamSource,
  startSeconds: number,
  events: EngineEvents,
): Engine {
  const urls = createStreamUrls(source)
  let refusedAt = 0
  /** Loading is stopped: while paused, or until the URL is renewed. */
  let isStopped = false
  const requests = { open: 0, lastAt: performance.now() }
  let pause: ReturnType<typeof setTimeout> | undefined
  /** Files that the browser has cached only in part: requested again, bypassing the cache. */
  const short = new Set<string>()
  const end = new AbortController()
  const stallTimer = createStallTimer(video, end.signal)

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
    emeEnabled: Boolean(source.drm),
    drmSystems: urls.licences(),
    xhrSetup: (xhr, url) => {
      watchRequest(xhr, stallTimer.arrived, requests)
      const latest = urls.latest(url)
      if (latest !== url || short.has(url)) xhr.open('GET', latest)
      if (short.has(url)) xhr.setRequestHeader('Cache-Control', 'no-cache')
    },
    licenseXhrSetup: (xhr) => watchRequest(xhr, stallTimer.arrived, requests),
    fLoader: completeLoader(HlsEngine.DefaultConfig.loader, (url) => short.add(url)),
  })

  const isLicenceRefused = watchLicence(hls, HlsEngine)
  const load = () => {
    isStopped = false
    requests.lastAt = performance.now()
    if (hls.levels.length > 0) hls.startLoad(video.currentTime)
    else hls.loadSource(urls.manifest())
  }
  const restart = () => {
    clearTimeout(pause)
    pause = setTimeout(load, restartDelay)
  }
  // hls.js 1.7 may wait for a fragment whose request it aborted itself, when fragments and init
  // segments fail together.
  const isStuck = () => isStarved(video) && requests.open === 0 && performance.now() - requests.lastAt > idleLimit
  const stallCheck = setInterval(() => {
    if (isStopped) return
    // hls.js may not retry a refused licence, even after its URL was renewed.
    if (isStuck() && isLicenceRefused()) return events.onFailure('UNAVAILABLE')
    if (stallTimer.hasTimedOut()) return events.onFailure(networkFailure())
    if (!isStuck()) return
    hls.stopLoad()
    load()
  }, stallCheckInterval)

  const reset = createReset(hls, HlsEngine.Events, video, end.signal)
  reportTracks(hls, HlsEngine.Events, events)
  hls.on(HlsEngine.Events.ERROR, (_, error) => {
    const status = error.response?.code
    if (isRefusal(status)) {
      // Reported at once: trying every level first would only cost the viewer time.
      const isLate = Date.now() - refusedAt < refusalPause
      refusedAt = Date.now()
      if (isLate && !error.fatal) return
      isStopped = true
      return events.onRefused()
    }
    const isNetwork = error.type === HlsEngine.ErrorTypes.NETWORK_ERROR
    if (error.fatal && (status === 404 || status === 410)) return events.onFailure('GONE')
    // The retries of hls.js are short; the stall timer decides how long they are repeated.
    if (isNetwork && stallTimer.hasTimedOut()) return events.onFailure(networkFailure())
    // A part that the element has taken but cannot play blocks all later ones.
    const isBlocked = error.details === HlsEngine.ErrorDetails.BUFFER_APPEND_NO_PROGRESS && isStarved(video)
    if (isBlocked && reset()) return
    if (!error.fatal) return
    if (isNetwork) return restart()
    if (error.type === HlsEngine.ErrorTypes.KEY_SYSTEM_ERROR) return events.onFailure('PROTECTED')
    if (error.type !== HlsEngine.ErrorTypes.MEDIA_ERROR || !reset()) events.onFailure('DECODE')
  })

  hls.attachMedia(video)
  hls.loadSource(source.manifestUrl)
  return {
    setLevel: (index) => {
      // A chosen quality applies at once; automatic quality changes with the next fragment.
      if (index === automaticLevel) hls.nextLevel = index
      else hls.currentLevel = index
    },
    setSound: (index) => {
      hls.audioTrack = index
    },
    renew: (fresh) => {
      urls.renew(fresh)
      hls.config.drmSystems = urls.licences()
      stallTimer.restart()
      load()
      return fresh.expiresAt
    },
    stopLoading: () => {
      clearTimeout(pause)
      isStopped = true
      hls.stopLoad()
    },
    destroy: () => {
      clearTimeout(pause)
      clearInterval(stallCheck)
      end.abort()
      hls.destroy()
    },
  }
}

const isRefusal = (status: number | undefined) => status === 401 || status === 403

/** Returns a function that tells whether a licence was refused and no key has been loaded since. */
function watchLicence(hls: Hls, { Events, ErrorTypes }: typeof Hls) {
  let isRefused = false
  hls.on(Events.ERROR, (_, { type, response }) => {
    isRefused ||= type === ErrorTypes.KEY_SYSTEM_ERROR && isRefusal(response?.code)
  })
  hls.on(Events.KEY_LOADED, () => {
    isRefused = false
  })
  return () => isRefused
}

/** Reports received bytes, aborts a stalled request, and counts open requests. */
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
