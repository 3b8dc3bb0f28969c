import { vi } from 'vitest'

/**
 * Repeats a check until it passes, also on a busy machine. Returns its value; after 20 seconds its
 * last error is thrown.
 */
export const eventually = <Value>(check: () => Value | Promise<Value>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 })
