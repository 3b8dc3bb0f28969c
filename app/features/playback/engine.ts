import type { Playback } from '#contract/playback.ts'
import { openNative } from './engine-native'
import { loadEngine, playsNatively } from './load-engine'

export interface QualityLevel {
  index: number
  /** Lines of the picture: 1080, 720, … */
  height: number
}

/** A sound track of the stream. */
export interface SoundTrack {
  index: number
  /** BCP 47; empty where the stream states none. */
  language: string
  label: string
}

/** Why a stream does not play. */
export type StreamFailure = 'OFFLINE' | 'NETWORK' | 'GONE' | 'DECODE' | 'UNSUPPORTED' | 'PROTECTED'

export interface EngineEvents {
  onLevels: (levels: QualityLevel[]) => void
  /** The level that plays now; while quality is automatic it changes by itself. */
  onLevel: (index: number) => void
  onSounds: (sounds: SoundTrack[]) => void
  /** The sound track that plays now. */
  onSound: (index: number) => void
  /** The address is no longer good: hand a fresh one to `renew`. */
  onRefused: () => void
  onFailure: (failure: StreamFailure) => void
}

/** What moves a stream into a video element. */
export interface Engine {
  /** A level's index, or -1 for automatic. */
  setLevel: (index: number) => void
  setSound: (index: number) => void
  /** Goes on with a fresh address of the same stream, without a gap where that is possible. Answers when the one it uses ends. */
  renew: (fresh: StreamSource) => string | null
  /** Asks for nothing more until it is renewed. */
  rest: () => void
  destroy: () => void
}

export const automaticLevel = -1

/** A stream, and where the licences of an encrypted one are. */
export interface StreamSource {
  manifestUrl: string
  /** When the address stops being good; null when it does not. */
  expiresAt: string | null
  /** What the address ends with, whatever its time; null or absent where nobody counts. */
  playId?: string | null
  drm?: Playback['drm']
}

/** Opens a stream in `video`, starting at `startSeconds`. */
export async function openEngine(
  video: HTMLVideoElement,
  source: StreamSource,
  startSeconds: number,
  events: EngineEvents,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  // Licences are fetched by the engine everywhere: the element alone would not know where.
  if (!source.drm && playsNatively(video)) return openNative(video, source, startSeconds, events)
  const [{ default: HlsEngine }, { openHls }] = await loadEngine()
  if (signal.aborted) return undefined
  if (!HlsEngine.isSupported()) {
    events.onFailure('UNSUPPORTED')
    return undefined
  }
  return openHls(HlsEngine, video, source, startSeconds, events)
}
