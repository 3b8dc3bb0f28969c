/** Bibliographic codes of ISO 639-2, which files carry and browsers do not know. */
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

export const UNKNOWN_LANGUAGE = 'und'

/** A tag as HLS and browsers want it (`ko`, `pt-BR`), or null where it is none. It is safe as a part of a file's name. */
export function languageTag(given: string | undefined): string | null {
  if (!given) return null
  const lower = given.trim().replaceAll('_', '-')
  try {
    const [tag] = Intl.getCanonicalLocales(bibliographic[lower.toLowerCase()] ?? lower)
    return tag && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && tag !== UNKNOWN_LANGUAGE ? tag : null
  } catch {
    return null
  }
}

/** The language's name in itself: 한국어, English, 日本語. */
export const languageLabel = (tag: string) =>
  tag === UNKNOWN_LANGUAGE ? 'Original' : (new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag)
