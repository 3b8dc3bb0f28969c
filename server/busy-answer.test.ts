import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefusals } from './busy-answer.ts'

class Response extends EventEmitter {
  status = 0
  writeHead(status: number) {
    this.status = status
  }
  end() {
    this.emit('close')
  }
}

const request = { url: '/products', headers: {} } as IncomingMessage
const refuseAll = (count: number) => {
  const refuse = createRefusals()
  const responses = Array.from({ length: count }, () => new Response())
  for (const response of responses) refuse(request, response as unknown as ServerResponse)
  return { responses, answered: () => responses.filter(({ status }) => status === 503).length }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a single refusal is sent at once', () => {
  expect(refuseAll(1).answered()).toBe(1)
})

test('refusals that come together are spread over time and all are sent', () => {
  const { answered } = refuseAll(200)
  expect(answered()).toBe(1)
  vi.advanceTimersByTime(100)
  expect(answered()).toBeLessThanOrEqual(50)
  vi.advanceTimersByTime(1_000)
  expect(answered()).toBe(200)
  expect(vi.getTimerCount()).toBe(0)
})

test('more refusals are sent together when more wait', () => {
  const { answered } = refuseAll(20_000)
  vi.advanceTimersByTime(3_000)
  expect(answered()).toBeGreaterThan(12_000)
})

test('a client that left is not answered and does not take the place of another', () => {
  const { responses, answered } = refuseAll(100)
  for (const response of responses.slice(1, 90)) response.emit('close')
  vi.advanceTimersByTime(30)
  expect(answered()).toBe(11)
})
