import { useState } from 'react'

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * The key of one write that moves money: a form sends the same one however often it is sent, so
 * that the API does it once. `crypto.randomUUID` needs a secure context, which a store on a local
 * network lacks.
 */
export const useIdempotencyKey = (): string => useState(randomKey)[0]
