export type RefusalCode =
  | 'NOT_A_VIDEO'
  | 'DAMAGED'
  | 'NO_PICTURE'
  | 'UNREADABLE_CODEC'
  | 'TOO_LARGE'
  | 'TOO_SMALL'
  | 'TOO_LONG'
  | 'BAD_CAPTIONS'
  | 'BAD_AUDIO'
  | 'BAD_CHAPTERS'
  | 'BAD_PREVIEW'

/** The file or its options cannot become a stream. The message is shown to operators. */
export class VideoRefused extends Error {
  override readonly name = 'VideoRefused'
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** This machine has no ffmpeg. The file may be valid. */
export class EncoderMissing extends Error {
  override readonly name = 'EncoderMissing'
}

/** ffmpeg failed for a reason outside the file, such as a full disk or a missing encoder. */
export class EncoderFailed extends Error {
  override readonly name = 'EncoderFailed'
}

/** Bibliographic codes of ISO 639-2, which occur in files and which browsers do not support. */
const bibliographic: Record<string, string> = {
  alb: 'sq',
  arm: 'hy',
  baq: 'eu',
  bur: 'my',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  fre: 'fr',
  geo: 'ka',
  ger: 'de',
  gre: 'el',
  ice: 'is',
  mac: 'mk',
  may: 'ms',
  mao: 'mi',
  per: 'fa',
  rum: 'ro',
  slo: 'sk',
  tib: 'bo',
  wel: 'cy',
}

export const unknownLanguage = 'und'

/**
 * Returns the tag in the form of HLS and browsers (`ko`, `pt-BR`), or null if it is invalid. The
 * tag is safe in a file name.
 */
export function languageTag(label: string | undefined): string | null {
  if (!label) return null
  const lower = label.trim().replaceAll('_', '-')
  try {
    const [tag] = Intl.getCanonicalLocales(bibliographic[lower.toLowerCase()] ?? lower)
    return tag && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && tag !== unknownLanguage ? tag : null
  } catch {
    return null
  }
}

/** Returns the name of the language in that language: 한국어, English, 日本語. */
export const languageLabel = (tag: string) =>
  tag === unknownLanguage ? 'Original' : (new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag)
