import { useEffect, useRef, useState } from 'react'
import type { InquiryFileId } from '#contract/ids.ts'
import { filesOfInquiry, type InquiryFile, largestInquiryFile, longestFileName } from '#contract/support.ts'
import { reportSignedOut } from '~/platform/api/call'
import { unknownError } from '~/platform/api/problem'

interface Sending {
  /** The stored file, or the problem's code. */
  done: Promise<{ file: InquiryFile } | { code: string }>
  stop: () => void
}

/** Milliseconds. A slow connection needs minutes for ten megabytes. */
const uploadTimeout = 120_000

/** Uploads one file. `onProgress` gets the progress, 0 to 1. */
function sendFile(file: File, onProgress: (fraction: number) => void): Sending {
  const request = new XMLHttpRequest()
  const done = new Promise<{ file: InquiryFile } | { code: string }>((resolve) => {
    request.open('POST', '/api/inquiry-files')
    request.responseType = 'json'
    request.timeout = uploadTimeout
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const answer: InquiryFile | { code?: string } | null = request.response
      if (request.status === 201 && answer && 'id' in answer) return resolve({ file: answer })
      resolve({ code: (answer && 'code' in answer && answer.code) || unknownError })
    }
    request.onerror = () => resolve({ code: 'UNREACHABLE' })
    request.ontimeout = () => resolve({ code: 'TIMEOUT' })
    request.onabort = () => resolve({ code: 'STOPPED' })
  })
  const body = new FormData()
  body.append('file', file)
  request.send(body)
  return { done, stop: () => request.abort() }
}

/** A file of a message. `fraction` is the progress of its upload, 0 to 1. */
export interface Upload {
  key: number
  name: string
  bytes: number
  state: { name: 'sending'; fraction: number } | { name: 'sent'; id: InquiryFileId } | { name: 'failed'; code: string }
}

/** Uploads files as soon as they are chosen, before the form is submitted. */
export function useUploads() {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [tooMany, setTooMany] = useState(false)
  const stops = useRef(new Map<number, () => void>())
  const counter = useRef(0)

  useEffect(() => {
    const running = stops.current
    return () => {
      for (const stop of running.values()) stop()
    }
  }, [])

  const change = (key: number, state: Upload['state']) =>
    setUploads((before) => before.map((upload) => (upload.key === key ? { ...upload, state } : upload)))

  const start = (file: File): Upload => {
    const key = counter.current++
    const upload = { key, name: file.name, bytes: file.size }
    if (file.size === 0) return { ...upload, state: { name: 'failed', code: 'EMPTY' } }
    if (file.name.length > longestFileName) return { ...upload, state: { name: 'failed', code: 'NAME_TOO_LONG' } }
    if (file.size > largestInquiryFile) return { ...upload, state: { name: 'failed', code: 'PAYLOAD_TOO_LARGE' } }
    const { done, stop } = sendFile(file, (fraction) => change(key, { name: 'sending', fraction }))
    stops.current.set(key, stop)
    void done.then((answer) => {
      stops.current.delete(key)
      if ('code' in answer) reportSignedOut(answer.code)
      change(key, 'file' in answer ? { name: 'sent', id: answer.file.id } : { name: 'failed', code: answer.code })
    })
    return { ...upload, state: { name: 'sending', fraction: 0 } }
  }

  const add = (files: readonly File[]) => {
    const freeSlots = filesOfInquiry - uploads.length
    setTooMany(files.length > freeSlots)
    const started = files.slice(0, freeSlots).map(start)
    setUploads((before) => [...before, ...started])
  }

  const remove = (key: number) => {
    stops.current.get(key)?.()
    setTooMany(false)
    setUploads((before) => before.filter((upload) => upload.key !== key))
  }

  const ids = uploads.flatMap(({ state }) => (state.name === 'sent' ? state.id : []))
  return {
    uploads,
    tooMany,
    ids,
    sending: uploads.some(({ state }) => state.name === 'sending'),
    add,
    remove,
    clear: () => setUploads([]),
  }
}
export type Uploads = ReturnType<typeof useUploads>
