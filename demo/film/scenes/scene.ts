import type { SKRSContext2D } from '@napi-rs/canvas'

/** Every film is drawn at this size; smaller renditions are scaled from it. */
export const WIDTH = 1280
export const HEIGHT = 720

export const FRAMES_PER_SECOND = 24
export const FILM_SECONDS = 24

/** A cut between segments; also the length that previews are a multiple of. */
export const SEGMENT_SECONDS = 4
export const PREVIEW_SECONDS = 8

export type Context = SKRSContext2D

/**
 * Draws the whole frame at a moment, in seconds from the start. Depends on nothing drawn before it.
 */
export type Painter = (context: Context, seconds: number) => void

/**
 * Prepares what stays the same for a whole film (stars, windows, tiles) and returns its painter.
 */
export type Scene = () => Painter
