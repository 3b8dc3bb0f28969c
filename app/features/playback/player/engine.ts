import type { PlayId } from '#contract/ids.ts'
import type { Playback } from '#contract/playback.ts'

/**
 * Whether the element has failed. Safari then pauses it by itself, which is not the viewer's pause.
 */
export const hasFailed = (video: HTMLVideoElement): boolean => video.error !== null

export interface QualityLevel {
  index: number
  /** Lines of the video: 1080, 720, … */
  height: number
}

/** An audio track of the stream. */
export interface SoundTrack {
  index: number
  /** BCP 47; empty if the stream names none. */
  language: string
  label: string
}

/** Why a stream does not play. */
export type StreamFailure =
  | 'OFFLINE'
  | 'NETWORK'
  | 'GONE'
  | 'DECODE'
  | 'UNSUPPORTED'
  | 'PROTECTED'
  | 'READ_ONLY'
  | 'UNAVAILABLE'

export interface EngineEvents {
  onLevels: (levels: QualityLevel[]) => void
  /** The level that plays now. It changes while quality is automatic. */
  onLevel: (index: number) => void
  onSounds: (sounds: SoundTrack[]) => void
  /** The audio track that plays now. */
  onSound: (index: number) => void
  /** The URL was refused: pass a new one to `renew`. */
  onRefused: () => void
  onFailure: (failure: StreamFailure) => void
}

/** Plays a stream in a video element. */
export interface Engine {
  /** A level's index, or `automaticLevel`. */
  setLevel: (index: number) => void
  setSound: (index: number) => void
  /**
   * Continues with a new URL of the same stream, without a gap where possible.
   * @returns when the URL in use expires
   */
  renew: (fresh: StreamSource) => string | null
  /** Stops loading until it is renewed. */
  stopLoading: () => void
  destroy: () => void
}

export const automaticLevel = -1

/** A stream, with the licence servers of an encrypted one. */
export interface StreamSource {
  manifestUrl: string
  /** When the URL expires; null for never. */
  expiresAt: string | null
  /** The play that the URL belongs to; null or absent if plays are not limited. */
  playId?: PlayId | null
  drm?: Playback['drm']
}
