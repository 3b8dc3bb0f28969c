import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { VideoJob } from '#contract/media.ts'
import styles from './media.module.css'

/** What is wrong, and what to do, by the code of the reason. */
const reasons = {
  NOT_A_VIDEO: msg`The file is not a video. Upload an MP4, MOV, MKV or WebM file.`,
  DAMAGED: msg`The file is damaged or incomplete. Export it again and check that it plays to its end, then upload it.`,
  NO_PICTURE: msg`The file has no picture. Export it with its video track, then upload it.`,
  UNREADABLE_CODEC: msg`The format of the video or audio cannot be read. Export it as H.264 with AAC, then upload it.`,
  TOO_LARGE: msg`The picture is too large. Export it with a smaller size, then upload it.`,
  TOO_SMALL: msg`The picture is too small. Export it with a larger size, then upload it.`,
  TOO_LONG: msg`The video is too long. Divide it into parts, then upload them.`,
  BAD_CAPTIONS: msg`A caption file cannot be read. Correct the line that is named below, then add the video again.`,
  BAD_AUDIO: msg`An audio file cannot be used. Replace it, then add the video again.`,
  BAD_CHAPTERS: msg`The chapters do not fit the video. Correct their times, then add the video again.`,
  BAD_PREVIEW: msg`The preview does not fit the video. Correct its start and length, then add the video again.`,
  ENCODER_MISSING: msg`This server cannot encode videos because ffmpeg is not installed. Ask the person who runs it, then try again.`,
  ENCODER_FAILED: msg`The encoder stopped. Try again. If it stops again, export the video as H.264 with AAC and upload it.`,
  DISK_FULL: msg`The disk of the server is full. Ask the person who runs it to free space, then try again.`,
  STORAGE: msg`The media storage did not answer. Try again later.`,
  WORKER_LOST: msg`The encoder stopped several times, possibly for lack of memory. Try again, or upload a smaller file.`,
  UNEXPECTED: msg`Encoding failed unexpectedly. Try again. If it fails again, ask the person who runs the server.`,
  TARGET_GONE: msg`The product or lesson was deleted during encoding.`,
  CANCELLED: msg`Encoding was canceled.`,
  SUPERSEDED: msg`A later file replaced this one.`,
  NO_SUCH_POSTER: msg`The video is ready, but the poster was not changed. Choose it on the page of the product.`,
} as const

const isKnown = (code: string): code is keyof typeof reasons => Object.hasOwn(reasons, code)

/** Codes whose sentence has nothing that the reason does not say, or lists other formats. */
const isComplete = new Set(['SUPERSEDED', 'ENCODER_MISSING', 'NOT_A_VIDEO', 'NO_PICTURE', 'UNREADABLE_CODEC'])

/**
 * Why a job failed, was canceled or waits, and what to do. The details are those of the encoder, in
 * English.
 */
export function JobReason({ job: { why, status } }: { job: VideoJob }) {
  const { i18n } = useLingui()
  if (!why) return null
  const { code, sentence } = why
  const details = (
    <bdi lang="en" className={styles.uses}>
      {sentence}
    </bdi>
  )
  // A temporary failure is retried without staff, so the advice would be wrong.
  if (status === 'QUEUED')
    return (
      <>
        <p>
          <Trans>Encoding failed and is tried again automatically.</Trans>
        </p>
        {details}
      </>
    )
  if (!isKnown(code)) return details
  return (
    <>
      <p>{i18n._(reasons[code])}</p>
      {!isComplete.has(code) && details}
    </>
  )
}
