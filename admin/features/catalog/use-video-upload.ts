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

/**
 * Sends a file in parts. One that was interrupted, even by closing the page, continues where it
 * ended. `fraction` is null while nothing is sent.
 */
export const useVideoUpload = (product: ProductCode, onDone: () => void) => {
  const { t } = useLingui()
  const store = useStoreCode()
  const [fraction, setFraction] = useState<number | null>(null)
  const [failure, setFailure] = useState<string>()
  const sending = useRef<Sending>(undefined)
  useEffect(() => () => void sending.current?.abort(), [])

  const begin = async (file: File, lesson?: LessonId) => {
    setFailure(undefined)
    setFraction(0)
    const { DetailedError, Upload } = await import('tus-js-client')
    const upload = new Upload(file, {
      endpoint: `${customerBase(store)}/uploads`,
      headers: { [headers.console]: '1' },
      metadata: { filename: file.name, product, ...(lesson && { lessonId: lesson }) },
      retryDelays,
      removeFingerprintOnSuccess: true,
      onProgress: (sent, all) => setFraction(all > 0 ? sent / all : 0),
      onSuccess: () => {
        setFraction(null)
        onDone()
      },
      onError: (error) => {
        setFraction(null)
        const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined
        setFailure(reasonOf(body) ?? t`The upload stopped. Choose the same file again to continue.`)
      },
    })
    sending.current = upload
    const [earlier] = await upload.findPreviousUploads()
    if (earlier) upload.resumeFromPreviousUpload(earlier)
    upload.start()
  }
  return {
    fraction,
    failure,
    begin: (file: File, lesson?: LessonId) => void begin(file, lesson),
    cancel: () => {
      void sending.current?.abort(true)
      setFraction(null)
    },
  }
}
