import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isDomain } from '#contract/web-addresses.ts'
import { call } from '~/platform/api/call'
import { createCustomerApi } from '~/platform/api/client'
import { reportFailure } from '~/platform/api/failures'
import { ApiError, failed, type Problem, succeeded } from '~/platform/api/problem'
import { onToast, showToast, type Toast } from '~/platform/toasts/toasts'
import { validationErrors } from '../../app/platform/api/validation-errors'

// In the browser: on the server nothing is shown and nothing is stored.
beforeEach(() => {
  vi.stubGlobal('window', {})
  validationErrors.clear()
  // What was shown while nobody listened would be handed to the next listener.
  onToast(() => {})()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const problem = (status: number, more: Partial<Problem> = {}): Problem => ({
  status,
  code: 'SOME_CODE',
  message: 'Some words.',
  errors: {},
  requestId: 'r-1',
  ...more,
})
const faulty = problem(422, { errors: { email: ['Enter an e-mail address.'] } })

/** The toasts shown while something is done. */
const toastsOf = (act: () => void): Toast[] => {
  const shown: Toast[] = []
  const stop = onToast((toast) => shown.push(toast))
  act()
  stop()
  return shown
}
const toastsAt = (status: number) => toastsOf(() => reportFailure(problem(status)))
/**
 * The code below a sentence that says what it means, as a message to translate: the API's own words
 * are English.
 */
const codeShown = [
  expect.objectContaining({
    severity: 'error',
    code: 'SOME_CODE',
    summary: expect.objectContaining({ message: expect.stringMatching(/^[A-Z].+\.$/) }),
  }),
]
const toastOf = (message: string) => [
  expect.objectContaining({ severity: 'error', summary: expect.objectContaining({ message }) }),
]
const callFailing = (status: number) => call(async () => failed(problem(status)))

test('§3 Toast message: severity, summary, detail, life, closable', () => {
  const [toast] = toastsOf(() =>
    showToast({ severity: 'warn', summary: 'One', detail: 'Two', life: 9, closable: false }),
  )
  expect(toast).toEqual({ severity: 'warn', summary: 'One', detail: 'Two', life: 9, closable: false })
})

test('§3 Error object: statusCode, message', async () => {
  const error = await callFailing(404).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ statusCode: 404, message: 'The call failed: 404 SOME_CODE' })
})

test('§5 A 422 response puts field errors into a validation-error store', async () => {
  await call(async () => failed(faulty)).catch(() => {})
  expect(validationErrors.get()).toEqual({ email: ['Enter an e-mail address.'] })
})

test('§5 The validation-error store is cleared before each request', async () => {
  validationErrors.store(faulty.errors)
  await call(async () => {
    expect(validationErrors.get()).toEqual({})
    return succeeded(null)
  })
})

test('§5 Domain check: begins with http or https, optional www, a host whose top-level part has at least 2 letters, optional path', () => {
  const right = ['http://example.com', 'https://example.com', 'https://www.example.com', 'https://example.co/a/path']
  const wrong = ['ftp://example.com', 'www.example.com', 'https://example.c', 'https://example', ' https://example.com']
  expect(right.filter((text) => !isDomain(text))).toEqual([])
  expect(wrong.filter(isDomain)).toEqual([])
})

/** What the API is sent for one call of a member. */
const sentFor = async () => {
  const sent: Request[] = []
  const api = createCustomerApi('aurora' as never, {
    origin: 'http://store.test',
    requestId: 'r-1',
    clientAddress: undefined,
    guestToken: undefined,
    token: 'the-token',
    api: async (request) => {
      sent.push(request)
      return Response.json({
        useCustomer: true,
        useSite: true,
        opened: true,
        preview: false,
        hostCustomerCode: null,
        version: 1,
      })
    },
  })
  await api.tenancy.contract()
  return sent[0]!
}

test('§7 All calls go to the customer-scoped API', async () => {
  expect(new URL((await sentFor()).url).pathname).toBe('/api/v1/customers/aurora/contract')
})

test('§7 with a bearer header when the token cookie is set', async () => {
  expect((await sentFor()).headers.get('authorization')).toBe('Bearer the-token')
})

test('§7 with credentials included', async () => {
  expect((await sentFor()).credentials).toBe('include')
})

test('§7 with a JSON accept header', async () => {
  expect((await sentFor()).headers.get('accept')).toBe('application/json')
})

test('§7 with an ajax marker', async () => {
  expect((await sentFor()).headers.get('x-requested-with')).toBe('XMLHttpRequest')
})

/** Calls an API that never answers, and says when the call gave up. */
const silence = () => {
  vi.useFakeTimers()
  const ended = vi.fn()
  const api = createCustomerApi('aurora' as never, {
    origin: 'http://store.test',
    requestId: 'r-1',
    clientAddress: undefined,
    token: undefined,
    guestToken: undefined,
    api: () => new Promise(() => {}),
  })
  api.tenancy.contract().catch(ended)
  return ended
}

test('§7 with a timeout of 10 seconds', async () => {
  const ended = silence()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'TIMEOUT', status: 504 }))
})

test('§7 Responses are read from data', async () => {
  expect(await call(async () => ({ ok: true, data: { useSite: true } }))).toEqual({ useSite: true })
})

test('§8 HTTP 400: toast showing the error code from the response', () => {
  expect(toastsAt(400)).toEqual(codeShown)
})

test('§8 HTTP 401: toast showing the error code from the response', () => {
  expect(toastsAt(401)).toEqual(codeShown)
})

test('§8 HTTP 403: toast showing the error code from the response', () => {
  expect(toastsAt(403)).toEqual(codeShown)
})

test('§8 422: validation errors stored', () => {
  expect(toastsOf(() => reportFailure(faulty))).toEqual([])
  expect(validationErrors.get()).toEqual(faulty.errors)
})

test("§8 500: toast 'A server error has occurred.'", () => {
  expect(toastsAt(500)).toEqual(toastOf('A server error has occurred.'))
})

test("§8 Any other status: toast 'An undefined error occurred.'", () => {
  for (const status of [0, 404, 409, 418, 429, 502, 503, 504])
    expect(toastsAt(status), String(status)).toEqual(toastOf('An undefined error occurred.'))
})

test('§8 A failed API call throws a generic error', async () => {
  for (const status of [400, 401, 403, 404, 422, 500])
    await expect(callFailing(status), String(status)).rejects.toThrow(ApiError)
})

test('§9 Request timeout 10000 ms', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  await call(async () => succeeded(null))
  expect(timeout).toHaveBeenCalledWith(10_000)
})

test('§9 Toast life 3000 ms', () => {
  expect(toastsOf(() => showToast({ severity: 'info', summary: 'One' }))[0]?.life).toBe(3000)
})
