import type { Drawing } from './drawing.ts'

/** The place for text on a scene, and its background. */
export interface Ground {
  readonly place: 'top' | 'bottom'
  readonly shade: 'dark' | 'light'
  /** The scene is empty there, so the text needs no veil. */
  readonly clear?: boolean
}

/** Draws the whole picture in any shape and returns the place for text. */
export type Scene = (drawing: Drawing) => Ground
