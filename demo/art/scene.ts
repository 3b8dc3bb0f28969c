import type { Drawing } from './drawing.ts'

/** Where words lie best on a scene, and on what ground. */
export interface Ground {
  readonly place: 'top' | 'bottom'
  readonly shade: 'dark' | 'light'
  /** The scene has left the room empty: nothing has to be veiled there. */
  readonly clear?: boolean
}

/** Draws the whole picture, whatever its shape, and says where there is room for words. */
export type Scene = (drawing: Drawing) => Ground
