import type { VideoJob, VideoJobStep } from '#contract/media.ts'

/** Formats a duration: `1 h 04 min`, `2 min 10 s`, `12 s`. */
const formatRemaining = (seconds: number): string => {
  const total = Math.max(0, Math.round(seconds))
  if (total >= 3600)
    return `${Math.floor(total / 3600)} h ${String(Math.floor((total % 3600) / 60)).padStart(2, '0')} min`
  return total >= 60 ? `${Math.floor(total / 60)} min ${String(total % 60).padStart(2, '0')} s` : `${total} s`
}

const steps: Record<VideoJobStep, string> = {
  PROBE: 'inspecting',
  ENCODE: 'encoding',
  PACKAGE: 'packaging',
  STORE: 'storing',
}

/** Returns the target of a video: `K100`, `K100 lesson 3`, `library`. */
export const targetOf = ({ productCode, lesson }: Pick<VideoJob, 'productCode' | 'lesson'>) =>
  lesson === null ? (productCode ?? 'library') : `${productCode} lesson ${lesson}`

/** Returns the progress of a job in one line. */
export const describeJob = (job: VideoJob): string => {
  const head = `${job.file.name} → ${targetOf(job)}`
  if (job.status === 'READY') return `${head}: ready${job.why ? `. ${job.why.sentence}` : ''}`
  if (job.status === 'QUEUED') return `${head}: ${job.why ? `waiting to retry. ${job.why.sentence}` : 'queued'}`
  if (job.status !== 'RUNNING') return `${head}: ${job.status.toLowerCase()}. ${job.why?.sentence ?? ''}`
  const timeLeft = job.secondsLeft === null ? '' : `, about ${formatRemaining(job.secondsLeft)} left`
  return `${head}: ${job.step ? steps[job.step] : 'at work'}, ${Math.floor(job.percent)} %${timeLeft}`
}
