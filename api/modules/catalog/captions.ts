import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, VideoId } from '#contract/ids.ts'
import { type NewPassage, replacePassages } from './captions.queries.ts'
import { spokenText, tokensOf } from './spoken-text.ts'

export interface CaptionCues {
  language: string
  cues: readonly { startSeconds: number; endSeconds: number; text: string }[]
}

/**
 * The captions that belong to a passage alone, besides those it shares with the next one: a little
 * over a minute.
 */
const ownCues = 16
const sharedCues = 2
/**
 * Limits against malformed tracks: a longer text is not a caption, and no track has more captions
 * than a day allows.
 */
const longestText = 500
const maxCues = 50_000
/** Characters with markup. Later characters are ignored. */
const longestMarkup = 4_000

/**
 * Removes markup (`<i>`, `<v Anna>`, `<00:01.000>`) and line breaks, which only matter on screen.
 * Half-width kana become full-width.
 */
const plain = (text: string) =>
  text
    .slice(0, longestMarkup)
    .normalize('NFC')
    .replace(/<[^<>]{0,2000}>/g, '')
    .replace(/[\uFF61-\uFF9F]+/g, (narrow) => narrow.normalize('NFKC'))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestText)
    .toWellFormed()

/**
 * Replaces the searchable captions of a video. Without tracks, the video is no longer found. Call
 * it in the transaction that makes the video ready.
 */
export const saveCaptionCues = (
  db: TenantDb,
  customerId: CustomerId,
  videoId: VideoId,
  tracks: readonly CaptionCues[],
): Promise<void> =>
  replacePassages(
    db,
    customerId,
    videoId,
    tracks.flatMap((track) => passagesOf(customerId, track)),
    null,
  )

/** Replaces the searchable captions of a video in one language. Without cues there are none. */
export const saveCaptionsIn = (
  db: TenantDb,
  customerId: CustomerId,
  videoId: VideoId,
  track: CaptionCues,
): Promise<void> => replacePassages(db, customerId, videoId, passagesOf(customerId, track), track.language)

const passagesOf = (customerId: CustomerId, { language, cues }: CaptionCues): NewPassage[] => {
  const texts = cues
    .slice(0, maxCues)
    .map(
      ({ startSeconds, endSeconds, text }) =>
        [startSeconds, endSeconds, plain(text)] satisfies [number, number, string],
    )
    .filter(([, , text]) => text !== '')
    .sort(([a], [b]) => a - b)
  const passages: NewPassage[] = []
  for (let from = 0; from < texts.length; from += ownCues) {
    const passageCues = texts.slice(from, from + ownCues + sharedCues)
    const { folded } = spokenText(passageCues.map(([, , text]) => text))
    passages.push({
      language,
      place: passages.length,
      cues: passageCues,
      shared: Math.max(0, passageCues.length - ownCues),
      folded,
      tokens: tokensOf(customerId, folded),
    })
  }
  return passages
}
