import type Hls from 'hls.js'
import { automaticLevel, type Engine, type EngineEvents, type StreamFailure, type StreamSource } from './engine'

/** Several parts are refused together when an address ends; one fresh address serves them all. */
const refusalPause = 2_000
/** Milliseconds before each new beginning after the network broke; the last one's failure is the person's to hear of. */
const pauses = [500, 1_000, 2_000, 4_000, 8_000, 8_000]
/** A line that went silent is given up after this long, and asked again. */
const silence = 8_000
const longestLoad = 25_000

const folderOf = (url: string) => new URL('.', new URL(url, location.href)).href

const policy = (maxNumRetry: number) => ({
  default: {
    maxTimeToFirstByteMs: silence,
    maxLoadTimeMs: longestLoad,
    timeoutRetry: { maxNumRetry, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry, retryDelayMs: 500, maxRetryDelayMs: 4_000 },
  },
})

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
  let beginnings = 0
  let pause: ReturnType<typeof setTimeout> | undefined
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
    manifestLoadPolicy: policy(3),
    playlistLoadPolicy: policy(3),
    fragLoadPolicy: policy(4),
    backBufferLength: 60,
    maxBufferLength: 40,
    capLevelToPlayerSize: true,
    renderTextTracksNatively: false,
    emeEnabled: drm !== null,
    drmSystems: licences(),
    xhrSetup: (xhr, url) => {
      if (folder !== firstFolder && url.startsWith(firstFolder)) xhr.open('GET', folder + url.slice(firstFolder.length))
    },
  })

  const load = () => (hls.levels.length > 0 ? hls.startLoad(video.currentTime) : hls.loadSource(manifest))
  const beginAgain = (failure: StreamFailure) => {
    const wait = pauses[beginnings++]
    if (wait === undefined) return events.onFailure(failure)
    clearTimeout(pause)
    pause = setTimeout(load, wait)
  }

  hls.on(HlsEngine.Events.MANIFEST_PARSED, (_, { levels }) => {
    events.onLevels(levels.map(({ height }, index) => ({ index, height })).sort((a, b) => b.height - a.height))
  })
  hls.on(HlsEngine.Events.LEVEL_SWITCHED, (_, { level }) => events.onLevel(level))
  hls.on(HlsEngine.Events.AUDIO_TRACKS_UPDATED, (_, { audioTracks }) => {
    events.onSounds(audioTracks.map(({ lang, name }, index) => ({ index, language: lang ?? '', label: name })))
  })
  hls.on(HlsEngine.Events.AUDIO_TRACK_SWITCHED, () => events.onSound(hls.audioTrack))
  hls.on(HlsEngine.Events.FRAG_BUFFERED, () => {
    beginnings = 0
  })
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
    if (error.type === HlsEngine.ErrorTypes.NETWORK_ERROR) return beginAgain(navigator.onLine ? 'NETWORK' : 'OFFLINE')
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
      folder = folderOf(fresh)
      manifest = fresh
      hls.config.drmSystems = licences()
      load()
    },
    rest: () => {
      clearTimeout(pause)
      hls.stopLoad()
    },
    destroy: () => {
      clearTimeout(pause)
      hls.destroy()
    },
  }
}
