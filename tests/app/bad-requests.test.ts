import { afterEach, describe, expect, it, vi } from 'vitest'
import { bufferBody } from '#contract/request-body.ts'
import { call } from '~/platform/api/call'
import { succeeded } from '~/platform/api/problem'
import { markClientAbort } from '~/platform/request/security-middleware'
import { isReadableServerFnRequest } from '~/platform/request/server-fn-guard'

const address = 'http://store.test/_serverFn/a-function'
const read = (payload: string) =>
  isReadableServerFnRequest(new Request(`${address}?payload=${encodeURIComponent(payload)}`))
const post = (body: string, type = 'application/json') =>
  isReadableServerFnRequest(new Request(address, { method: 'POST', headers: { 'content-type': type }, body }))

/** `{ data: { q: 'tide' } }` in the wire format. */
const written = JSON.stringify({ t: { t: 10, i: 0, p: { k: ['data'], v: [{ t: 1, s: 'tide' }] }, o: 0 }, f: 63, m: [] })

describe('a server function’s input', () => {
  it('is parsed as the wire format writes it, and may be missing', async () => {
    expect([await read(written), await post(written), await read('')]).toEqual([true, true, true])
    expect(await isReadableServerFnRequest(new Request(address, { method: 'POST' }))).toBe(true)
    expect(await post('--x--', 'multipart/form-data; boundary=x')).toBe(true)
  })

  it.each(['{broken', '[]', 'null', '7', '{}', '{"t":7}', '{"t":{}}', '{"t":{"t":"10"}}'])(
    'is refused as %s, before the framework reports it with a stack',
    async (nonsense) => expect([await read(nonsense), await post(nonsense)]).toEqual([false, false]),
  )

  it('can be read again by the function', async () => {
    const request = await bufferBody(
      new Request(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: written }),
    )
    await isReadableServerFnRequest(request)
    expect(await request.json()).toEqual(JSON.parse(written))
  })
})

describe('a call that a busy store refuses', () => {
  const busy = () => {
    const body = { code: 'OVERLOADED', message: 'Busy.', errors: {}, requestId: 'a-test-id' }
    return Promise.reject(Response.json(body, { status: 503 }))
  }
  const browser = () => {
    vi.stubGlobal('window', {})
    vi.useFakeTimers()
  }
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is retried, and the result of the retry is returned', async () => {
    browser()
    const answers = [busy, busy]
    const send = vi.fn(() => answers.pop()?.() ?? Promise.resolve(succeeded('the answer')))
    const answer = call(send)
    await vi.advanceTimersByTimeAsync(10)
    expect(send).toHaveBeenCalledTimes(1)
    await vi.runAllTimersAsync()
    expect(await answer).toBe('the answer')
    expect(send).toHaveBeenCalledTimes(3)
  })

  it('fails with 503 when the store stays busy', async () => {
    browser()
    const send = vi.fn(busy)
    const failure = call(send).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    expect(await failure).toMatchObject({ problem: { status: 503, code: 'OVERLOADED' } })
    expect(send).toHaveBeenCalledTimes(3)
  })

  it('is not retried after another refusal', async () => {
    browser()
    const send = vi.fn(() => Promise.reject(Response.json({ code: 'UNAVAILABLE' }, { status: 503 })))
    const failure = call(send).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    expect(await failure).toMatchObject({ problem: { status: 503, code: 'UNAVAILABLE' } })
    expect(send).toHaveBeenCalledTimes(1)
  })
})

describe('a request whose client disconnects', () => {
  it('gets a status, so that the framework does not report it', () => {
    const leaving = new AbortController()
    markClientAbort(leaving.signal)
    leaving.abort(new Error('aborted'))
    expect(leaving.signal.reason).toMatchObject({ message: 'aborted', status: 499 })
    const gone = AbortSignal.abort()
    markClientAbort(gone)
    expect(gone.reason).toMatchObject({ name: 'AbortError', status: 499 })
  })
})
