import { createHmac, timingSafeEqual } from 'node:crypto'

/** A webhook is refused when its signature is older, or further ahead, than this. */
export const signatureSeconds = 300

export const signatureHeader = 'x-webhook-signature'

const seal = (secret: string, timestamp: string, body: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** `t=1764000000,v1=<hmac>`: the time is inside the signature, so that an overheard message cannot be sent again later. */
export const signWebhook = (secret: string, body: string, now: Date) => {
  const timestamp = Math.floor(now.getTime() / 1000).toString()
  return `t=${timestamp},v1=${seal(secret, timestamp, body)}`
}

export const checkWebhook = (
  secret: string,
  header: string | null,
  body: string,
  now: Date,
): 'VALID' | 'SIGNATURE_INVALID' | 'SIGNATURE_TOO_OLD' => {
  const match = header?.match(/^t=(\d{1,12}),v1=([0-9a-f]{64})$/)
  const [, timestamp, given] = match ?? []
  if (!timestamp || !given) return 'SIGNATURE_INVALID'
  const due = seal(secret, timestamp, body)
  if (!timingSafeEqual(Buffer.from(due, 'hex'), Buffer.from(given, 'hex'))) return 'SIGNATURE_INVALID'
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) > signatureSeconds ? 'SIGNATURE_TOO_OLD' : 'VALID'
}
