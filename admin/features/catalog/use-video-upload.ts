import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { customerBase, headers } from '#contract/http.ts'
import type { LessonId, ProductCode } from '#contract/ids.ts'
import { problem } from '#contract/problem.ts'
import { useStoreCode } from '../../platform/client'

/** What the API says about a refused upload; undefined if it did not answer. */
const reasonOf = (body: string | undefined): string | undefined => {
  try {
    const { data } = problem.safeParse(JSON.parse(body ?? ''))
    return data && (Object.values(data.errors)[0]?.[0] ?? data.message)
  } catch {
    return undefined
  }
}

const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000]

interface Sending {
  abort: (shouldTerminate?: boolean) => Promise<void>
}

interface VideoFile {
  file: File
  lesson?: LessonId
}

/** How the uploads of a page go. */
export interface VideoUploads {
  /** The file that is sent; null while nothing is. */
  current: { name: string; fraction: number } | null
  /** How many files wait for it. */
  waiting: number
  /** The files that were not sent, and why. */
  failures: readonly { name: string; reason: string }[]
  begin: (files: readonly VideoFile[]) => void
  cancel: () => void
}

/**
 * Sends files in parts, one after the other. One that was interrupted, even by closing the page,
 * continues where it ended.
 */
export const useVideoUploads = (product: ProductCode, onDone: () => void): VideoUploads => {
  const { t } = useLingui()
  const store = useStoreCode()
  const [current, setCurrent] = useState<VideoUploads['current']>(null)
  const [waiting, setWaiting] = useState(0)
  const [failures, setFailures] = useState<VideoUploads['failures']>([])
  const queue = useRef<VideoFile[]>([])
  const sending = useRef<Sending>(undefined)
  useEffect(() => () => void sending.current?.abort(), [])

  const next = async () => {
    const video = queue.current.shift()
    setWaiting(queue.current.length)
    sending.current = undefined
    if (!video) return setCurrent(null)
    const { file, lesson } = video
    const { name } = file
    setCurrent({ name, fraction: 0 })
    const { DetailedError, Upload } = await import('tus-js-client')
    const upload = new Upload(file, {
      endpoint: `${customerBase(store)}/uploads`,
      headers: { [headers.console]: '1' },
      metadata: { filename: name, product, ...(lesson && { lessonId: lesson }) },
      retryDelays,
      removeFingerprintOnSuccess: true,
      onProgress: (sent, all) => setCurrent({ name, fraction: all > 0 ? sent / all : 0 }),
      onSuccess: () => {
        onDone()
        void next()
      },
      onError: (error) => {
        const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined
        const reason = reasonOf(body) ?? t`The upload stopped. Choose the same file again to continue.`
        setFailures((before) => [...before, { name, reason }])
        void next()
      },
    })
    sending.current = upload
    const [earlier] = await upload.findPreviousUploads()
    if (earlier) upload.resumeFromPreviousUpload(earlier)
    upload.start()
  }
  return {
    current,
    waiting,
    failures,
    begin: (files) => {
      setFailures([])
      queue.current.push(...files)
      setWaiting(queue.current.length)
      if (current === null) void next()
    },
    cancel: () => {
      queue.current = []
      setWaiting(0)
      void sending.current?.abort(true)
      setCurrent(null)
    },
  }
}
