/**
 * The languages of an `Accept-Language` header, most preferred first: `fr, ko-KR;q=0.8, en;q=0` →
 * `fr`, `ko`.
 */
export function acceptedLanguages(header: string | null | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const [language = ''] = tag.toLowerCase().split('-')
      return { language, quality: qualityOf(parameters) }
    })
    .filter(({ language, quality }) => /^[a-z]{2,8}$/.test(language) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ language }) => language)
}

/** The offered language that the header prefers, else the fallback. */
export function negotiateLanguage<Language extends string>(
  header: string | null | undefined,
  offered: readonly Language[],
  fallback: Language,
): Language {
  for (const accepted of acceptedLanguages(header)) {
    const match = offered.find((language) => language === accepted)
    if (match) return match
  }
  return fallback
}

/** The weight of a range, by default 1. Returns 0 for a weight that is no number from 0 to 1. */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  if (weight === undefined) return 1
  const value = weight.replace(/^q\s*=\s*/i, '')
  return /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(value) ? Number(value) : 0
}
