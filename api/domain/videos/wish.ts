import type { VideoWish } from '#api/db/schema/videos.ts'
import { MOST_CHAPTERS } from '#api/media/package/chapters.ts'
import { mostPosters } from '#contract/videos.ts'

export const mostTracks = 30
export const longestPreviewSeconds = 600

const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/
const isLanguage = (language: string) => {
  try {
    return languageTag.test(language) && Intl.getCanonicalLocales(language).length === 1
  } catch {
    return false
  }
}

const languageErrors = (tracks: readonly { language: string }[]) => {
  const said: string[] = []
  if (tracks.length > mostTracks) said.push(`Use at most ${mostTracks}.`)
  const seen = new Set<string>()
  for (const { language } of tracks) {
    if (!isLanguage(language)) said.push(`${language} is not a language: use its tag, for example ko, en or pt-BR.`)
    else if (seen.has(language.toLowerCase())) said.push(`${language} is given twice: use one track per language.`)
    seen.add(language.toLowerCase())
  }
  return said
}

/** What is wrong with a wish before any file is looked into: sentences by field, or null. */
export const checkWish = (wish: VideoWish): Record<string, string[]> | null => {
  const errors: Record<string, string[]> = {}
  const say = (field: string, sentences: string[]) => {
    if (sentences.length > 0) errors[field] = sentences
  }
  say('captions', languageErrors(wish.captions))
  say('audio', languageErrors(wish.audio))
  say('chapters', chapterErrors(wish))
  if (wish.language !== undefined && !isLanguage(wish.language))
    say('language', [`${wish.language} is not a language: use its tag, for example ko, en or pt-BR.`])
  const { previewSeconds, previewStartSeconds, poster } = wish
  if (previewSeconds !== undefined && !(previewSeconds >= 0 && previewSeconds <= longestPreviewSeconds))
    say('previewSeconds', [`A preview must be between 0 (no preview) and ${longestPreviewSeconds} seconds long.`])
  if (previewStartSeconds !== undefined && !(previewStartSeconds >= 0))
    say('previewStartSeconds', ['The preview must start at second 0 or later.'])
  if (poster !== undefined && !(Number.isInteger(poster) && poster >= 1 && poster <= mostPosters))
    say('poster', [`The poster must be a number from 1 to ${mostPosters}.`])
  return Object.keys(errors).length > 0 ? errors : null
}

const chapterErrors = ({ chapters }: VideoWish) => {
  if (chapters.length > MOST_CHAPTERS) return [`Use at most ${MOST_CHAPTERS} chapters.`]
  const late = chapters.findIndex((chapter, at) => at > 0 && chapter.startSeconds <= chapters[at - 1]!.startSeconds)
  if (late > 0) return [`Chapter ${late + 1} must start after the one before it.`]
  const empty = chapters.findIndex(({ title }) => title.trim() === '' || title.length > 200)
  return empty >= 0 ? [`Chapter ${empty + 1} needs a title of 1 to 200 characters.`] : []
}
