import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { customerBase, headers } from '#contract/http.ts'
import { type LessonId, type ProductCode, type UploadId, uploadId } from '#contract/ids.ts'
import { problem } from '#contract/problem.ts'
import { failureOf } from './failure'
import { i18n } from './i18n'

/** What becomes of a file. Without a product, it is a video of the library. */
interface Target {
  product?: ProductCode | undefined
  lesson?: LessonId | undefined
  /** A file for the buyers of a product. `add` adds it once it is uploaded. */
  attachment?: { code: ProductCode; add: (upload: UploadId) => Promise<unknown> } | undefined
}

/** A file that is sent in parts. */
export interface Upload extends Target {
  id: number
  file: File
  state: 'WAITING' | 'SENDING' | 'PAUSED' | 'FAILED' | 'DONE'
  sentBytes: number
  /** Null while it is unknown. */
  secondsLeft: number | null
  /** What the API says about a refused upload; null if it did not answer. */
  reason: string | null
  /** An attachment that has arrived: only the step that adds it to its product is left. */
  arrived?: UploadId | undefined
}

interface Sending {
  abort: (shouldTerminate?: boolean) => Promise<void>
}

const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000]
/** How many that have ended are remembered. */
const maxEnded = 20
/** Milliseconds before a rate is worth to be told. */
const measured = 2_000

let uploads: readonly Upload[] = []
let lastId = 0
let owner: { store: string; person: string } | undefined
let isSuspended = true
const sendings = new Map<number, Sending>()
const listeners = new Set<() => void>()

const publish = (changed: readonly Upload[]) => {
  uploads = changed
  for (const listener of listeners) listener()
}

const change = (id: number, part: Partial<Upload>) =>
  publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))

const reasonOf = (body: string | undefined): string | null => {
  try {
    const { data } = problem.safeParse(JSON.parse(body ?? ''))
    return data ? (Object.values(data.errors)[0]?.[0] ?? data.message) : null
  } catch {
    return null
  }
}

const stateOf = (id: number) => uploads.find((upload) => upload.id === id)?.state

const isSameTarget = (one: Target, other: Target) =>
  one.product === other.product && one.lesson === other.lesson && one.attachment?.code === other.attachment?.code

const isSameFile = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

const end = (id: number, part: Partial<Upload>) => {
  sendings.delete(id)
  change(id, { secondsLeft: null, ...part })
  const done = uploads.find((upload) => upload.id === id && upload.state === 'DONE')
  // One that failed before, of the same place, is of no use any more.
  if (done?.product) publish(uploads.filter((upload) => upload.state !== 'FAILED' || !isSameTarget(upload, done)))
  const ended = uploads.filter(({ state }) => state === 'DONE')
  const old = new Set(ended.slice(0, Math.max(0, ended.length - maxEnded)))
  if (old.size > 0) publish(uploads.filter((upload) => !old.has(upload)))
  void next()
}

/** Lets an upload wait for the connection. It then goes on by itself. */
const hold = (id: number) => {
  sendings.delete(id)
  change(id, { state: 'WAITING', secondsLeft: null })
}

/** What a proxy answers that does not wait for the API, which goes on. */
const proxyStatuses = [502, 504]
const retryAfterProxy = 2_000

/** Adds an attachment. Where a proxy answers first, the API is asked again, which has gone on. */
const addUntilAnswered = async (add: () => Promise<unknown>, retries = 10): Promise<void> => {
  try {
    await add()
  } catch (error) {
    if (retries === 0 || !proxyStatuses.includes(failureOf(error).status)) throw error
    await new Promise((resolve) => setTimeout(resolve, retryAfterProxy))
    await addUntilAnswered(add, retries - 1)
  }
}

/** Adds an attachment that has arrived to its product. If that fails, it is not sent again. */
const attach = async ({ id, file, attachment }: Upload, arrived: UploadId) => {
  sendings.delete(id)
  change(id, { arrived, sentBytes: file.size, secondsLeft: null })
  try {
    if (attachment) await addUntilAnswered(() => attachment.add(arrived))
    end(id, { state: 'DONE' })
  } catch (error) {
    const { fields, message } = failureOf(error)
    if (!navigator.onLine) return hold(id)
    // The API cannot use this upload, such as one that has expired.
    end(id, {
      state: 'FAILED',
      reason: fields.upload ?? (message || null),
      ...(fields.upload && { arrived: undefined }),
    })
  }
}

/** Sends the next file that waits, one after the other. */
const next = async (): Promise<void> => {
  if (isSuspended || !owner || !navigator.onLine || uploads.some(({ state }) => state === 'SENDING')) return
  const upload = uploads.find(({ state }) => state === 'WAITING')
  if (!upload) return
  const { id, file, product, lesson, attachment, arrived } = upload
  change(id, { state: 'SENDING', reason: null })
  if (arrived) return attach(upload, arrived)
  try {
    const { DetailedError, Upload: Transfer } = await import('tus-js-client')
    let began: { at: number; bytes: number } | undefined
    const transfer = new Transfer(file, {
      endpoint: `${customerBase(owner.store)}/uploads`,
      headers: { [headers.console]: '1', 'accept-language': i18n.locale },
      metadata: {
        filename: file.name,
        ...(product ? { product } : !attachment && { library: 'true' }),
        ...(lesson && { lessonId: lesson }),
      },
      retryDelays,
      removeFingerprintOnSuccess: true,
      onProgress: (sentBytes, all) => {
        if (stateOf(id) !== 'SENDING') return
        began ??= { at: Date.now(), bytes: sentBytes }
        const [elapsed, sent] = [Date.now() - began.at, sentBytes - began.bytes]
        const secondsLeft = elapsed > measured && sent > 0 ? ((all - sentBytes) * elapsed) / sent / 1000 : null
        change(id, { sentBytes, secondsLeft: secondsLeft === null ? null : Math.ceil(secondsLeft) })
      },
      onSuccess: async () => {
        if (attachment) await attach(upload, z.parse(uploadId, transfer.url?.split('/').at(-1)))
        else end(id, { state: 'DONE', sentBytes: file.size })
      },
      onError: (error) => {
        if (!navigator.onLine) return hold(id)
        const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined
        end(id, { state: 'FAILED', reason: reasonOf(body) })
      },
    })
    const [earlier] = await transfer.findPreviousUploads()
    if (earlier) transfer.resumeFromPreviousUpload(earlier)
    if (isSuspended || !navigator.onLine) return hold(id)
    // It was paused or canceled meanwhile.
    if (stateOf(id) !== 'SENDING') return
    sendings.set(id, transfer)
    transfer.start()
  } catch {
    if (navigator.onLine) end(id, { state: 'FAILED' })
    else hold(id)
  }
}

interface ChosenFile extends Target {
  file: File
}

/** Adds files to the uploads. One that was interrupted, even by a reload, continues. */
export const addUploads = (files: readonly ChosenFile[]): void => {
  const added = files.map((given): Upload => {
    const stopped = uploads.find(
      ({ state, file, ...target }) => state === 'FAILED' && isSameFile(file, given.file) && isSameTarget(target, given),
    )
    const unsent = { sentBytes: 0, secondsLeft: null, reason: null, arrived: stopped?.arrived }
    return { ...given, ...unsent, id: ++lastId, state: 'WAITING' }
  })
  // The same file again takes the place of the one that stopped.
  const isAgain = ({ state, file, ...target }: Upload) =>
    state === 'FAILED' && added.some((one) => one.file.name === file.name && isSameTarget(one, target))
  publish([...uploads.filter((upload) => !isAgain(upload)), ...added])
  void next()
}

/** Stops an upload for now; the next one that waits begins. */
export const pauseUpload = (id: number): void => {
  const sending = sendings.get(id)
  sendings.delete(id)
  change(id, { state: 'PAUSED', secondsLeft: null })
  void sending?.abort().catch(() => {})
  void next()
}

/** Continues an upload that was paused, or tries one again that stopped. */
export const resumeUpload = (id: number): void => {
  change(id, { state: 'WAITING', reason: null })
  void next()
}

/** Ends an upload for good, or removes one that has ended from the list. */
export const removeUpload = (id: number): void => {
  const sending = sendings.get(id)
  sendings.delete(id)
  publish(uploads.filter((upload) => upload.id !== id))
  void sending?.abort(true).catch(() => {})
  void next()
}

/** Stops what is sent, until it goes on. */
const suspend = () => {
  for (const [id, sending] of sendings) {
    void sending.abort().catch(() => {})
    hold(id)
  }
}

/**
 * Lets the uploads go on while a person is signed in and there is a connection. What somebody
 * else has begun is given up.
 *
 * @returns stops them for now
 */
export const runUploads = (of: { store: string; person: string }): (() => void) => {
  if (owner && (owner.store !== of.store || owner.person !== of.person)) publish([])
  owner = of
  isSuspended = false
  const running = new AbortController()
  window.addEventListener('offline', suspend, running)
  window.addEventListener('online', () => void next(), running)
  void next()
  return () => {
    running.abort()
    isSuspended = true
    suspend()
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether an upload has not ended. */
export const isUploading = ({ state }: Upload): boolean => state === 'WAITING' || state === 'SENDING'

/** The uploads of this tab, in their order. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads)
