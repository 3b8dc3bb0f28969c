/**
 * A drawn picture as `demo/media/art/index.json` lists it: its largest size, its colour, and its
 * files by width.
 */
export interface ArtPicture {
  readonly width: number
  readonly height: number
  readonly color: string
  readonly sources: readonly { readonly file: string; readonly width: number; readonly bytes: number }[]
  /** Moves when the drawing changes. */
  readonly hash: string
}

/** By name: `aurora/the-last-light`, `aurora/the-last-light-tall`, `aurora/banner-1-wide`. */
export type ArtIndex = Readonly<Record<string, ArtPicture>>
