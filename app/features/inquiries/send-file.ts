import type { InquiryFile } from '#contract/inquiries.ts'

interface Sending {
  /** The refusal's code, where it is none of the file's. */
  done: Promise<{ file: InquiryFile } | { code: string }>
  stop: () => void
}

/** A slow line may need minutes for ten megabytes; one that stands still is given up, in milliseconds. */
const patience = 120_000

/** Sends one file and says how far it has come, 0 to 1. */
export function sendFile(file: File, onPart: (part: number) => void): Sending {
  const request = new XMLHttpRequest()
  const done = new Promise<{ file: InquiryFile } | { code: string }>((resolve) => {
    request.open('POST', '/api/inquiry-files')
    request.responseType = 'json'
    request.timeout = patience
    request.upload.onprogress = ({ loaded, total }) => onPart(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const answer = request.response as InquiryFile | { code?: string } | null
      if (request.status === 201 && answer && 'id' in answer) return resolve({ file: answer })
      resolve({ code: (answer && 'code' in answer && answer.code) || 'ERROR' })
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
