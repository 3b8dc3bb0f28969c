/** A name for one attempt to pay: 128 random bits. Made once, when the form is shown, and sent however often it is sent. */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
