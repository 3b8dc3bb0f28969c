import type { VideoJob } from '#contract/videos.ts'

/** Formats a duration: `1 h 04 min`, `2 min 10 s`, `12 s`. */
const timeInWords = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  if (whole >= 3600)
    return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`
  return whole >= 60 ? `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s` : `${whole} s`
}

const steps: Record<string, string> = {
  PROBE: 'inspecting',
  ENCODE: 'encoding',
  PACKAGE: 'packaging',
  STORE: 'storing',
}

/** Returns the target of a video: `K100`, `K100 lesson 3`. */
export const placeOf = ({ productCode, lesson }: Pick<VideoJob, 'productCode' | 'lesson'>) =>
  lesson === null ? productCode : `${productCode} lesson ${lesson}`

/** Returns the progress of a job in one line. */
export const jobInWords = (job: VideoJob): string => {
  const head = `${job.file.name} → ${placeOf(job)}`
  if (job.status === 'READY') return `${head}: ready${job.why ? `. ${job.why.sentence}` : ''}`
  if (job.status === 'QUEUED') return `${head}: ${job.why ? `waiting to retry. ${job.why.sentence}` : 'queued'}`
  if (job.status !== 'RUNNING') return `${head}: ${job.status.toLowerCase()}. ${job.why?.sentence ?? ''}`
  const left = job.secondsLeft === null ? '' : `, about ${timeInWords(job.secondsLeft)} left`
  return `${head}: ${steps[job.step ?? ''] ?? 'at work'}, ${Math.floor(job.percent)} %${left}`
}
