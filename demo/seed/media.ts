import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Picture } from '#contract/picture.ts'
import type { ArtIndex } from '../art/art-index.ts'
import type { VideoName } from '../content/model/types.ts'
import type { FileName } from '../files/files.ts'

const read = <Answer>(file: string): Answer =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../media', file), 'utf8')) as Answer

export interface ClipFacts {
  readonly durationSeconds: number
  readonly hasPreview: boolean
  readonly previewSeconds: number
  readonly captions: readonly { readonly language: string; readonly label: string }[]
  /** Empty: one sound, of no stated language. */
  readonly audio: readonly { readonly language: string; readonly label: string }[]
  /** The thumbnails' WebVTT below the film's folder. */
  readonly storyboard: string
}

export interface FileFacts {
  /** Its place below the media root. */
  readonly asset: string
  readonly contentType: string
  readonly bytes: number
}

const art = read<ArtIndex>('art/index.json')

export const CLIPS = read<Record<VideoName, ClipFacts>>('video/index.json')
export const FILES = read<Record<FileName, FileFacts>>('file/index.json')

/** A drawn picture as the stores show it; null when there is none of that name. */
export function findPicture(name: string, alt: string): Picture | null {
  const drawn = art[name]
  const largest = drawn?.sources.at(-1)
  if (!drawn || !largest) return null
  // Six digits tell the versions of one picture apart; pages name dozens of pictures.
  const url = (file: string) => `/media/${file}?v=${drawn.hash.slice(0, 6)}`
  return {
    url: url(largest.file),
    width: drawn.width,
    height: drawn.height,
    alt,
    color: drawn.color,
    sources: drawn.sources.map(({ file, width }) => ({ url: url(file), width })),
  }
}

/** The same for a picture that has to be there. */
export function picture(name: string, alt: string): Picture {
  const picture = findPicture(name, alt)
  if (!picture) throw new Error(`There is no picture ${name}: draw it with npm run node -- demo/pictures/generate.ts`)
  return picture
}
