import { type Failure, failure } from '#api/domain/failure.ts'

const line = /^(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:[.,](\d{1,3}))?\s+(?:[-–—]\s+)?(\S.*)$/

/** Chapters as people write them under a video: `00:00 Opening`, one a line. */
export const readChapters = (text: string): { startSeconds: number; title: string }[] | Failure => {
  const chapters: { startSeconds: number; title: string }[] = []
  for (const [at, given] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (given.trim() === '') continue
    const [, hours = '0', minutes = '', seconds = '', fraction = '0', title = ''] = line.exec(given.trim()) ?? []
    if (title === '' || Number(seconds) > 59)
      return failure('VALIDATION_FAILED', {
        errors: {
          chapters: [`Line ${at + 1} of the chapters must be a time and a title, for example 01:30 The second part.`],
        },
      })
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    chapters.push({ startSeconds: whole + Number(`0.${fraction}`), title: title.trim() })
  }
  return chapters
}
