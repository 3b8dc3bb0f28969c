import { useState } from 'react'
import { createIdempotencyKey } from '#contract/http.ts'

/** The key of one write that moves money: a form sends the same key with each retry. */
export const useIdempotencyKey = (): string => useState(createIdempotencyKey)[0]
