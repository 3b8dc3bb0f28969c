import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatDate, formatDateTime, formatDuration } from '#contract/dates.ts'
import { minorDigits } from '#contract/money.ts'
import { createCustomerApi } from '~/platform/api/client'
import { consequenceOf, failureCatalogue } from '~/platform/api/failures'
import * as constants from '~/platform/constants'
import { formatAmount, formatMoney } from '~/platform/format/use-format'
import { negotiateLocale, prefixOf, withoutPrefix, withPrefix } from '~/platform/i18n/locales'

describe('failures', () => {
  it('have a row for each status of the specification', () =>
    expect(Object.keys(failureCatalogue)).toEqual(['400', '401', '403', '422', '500']))
  it.each([400, 401, 403])('with status %i show the code', (status) =>
    expect(consequenceOf(status)).toEqual({ show: 'code' }),
  )
  it('with status 422 show at the fields', () => expect(consequenceOf(422)).toEqual({ show: 'field errors' }))
  it('with status 500 have their own message', () =>
    expect(consequenceOf(500)).toMatchObject({ show: 'message', message: { message: 'A server error has occurred.' } }))
  it.each([0, 404, 409, 429, 502, 504])('with status %i have no row', (status) =>
    expect(consequenceOf(status)).toMatchObject({ message: { message: 'An undefined error occurred.' } }),
  )
})

describe('constants', () => {
  it('are those of the specification', () =>
    expect(constants).toMatchObject({
      requestTimeout: 10_000,
      toastLife: 3_000,
      toastWidth: '25rem',
      exposureLimit: 24,
      modalResetDelay: 1_000,
      modalWidth: { narrow: 440, wide: 720 },
      localeCookieDays: 365,
      layer: { modal: 1100, overlay: 1000, menu: 1000, tooltip: 1100 },
      tooltip: { maxWidth: '12.5rem', fadeIn: 250 },
      firstDayOfWeek: 0,
      dateFieldFormat: 'mm/dd/yy',
    }))
})

describe('API calls', () => {
  const agentNamed = async (userAgent?: string) => {
    const sent: Request[] = []
    const api = createCustomerApi('aurora' as never, {
      origin: 'http://store.test',
      requestId: 'r-1',
      clientAddress: undefined,
      userAgent,
      token: undefined,
      guestToken: undefined,
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
    return sent[0]?.headers.get('user-agent')
  }
  it('send the browser’s user agent, which names the session', async () =>
    expect(await agentNamed('Mozilla/5.0 Firefox/140.0')).toBe('Mozilla/5.0 Firefox/140.0'))
  it('send no user agent if the request has none', async () => expect(await agentNamed()).toBeNull())
})

describe('formats', () => {
  it('group digits in threes, with a minus sign for negatives', () =>
    expect([0, 999, 1000, -1234567].map(formatAmount)).toEqual(['0', '999', '1,000', '-1,234,567']))
  it('know the minor unit of a currency', () => expect([minorDigits('USD'), minorDigits('KRW')]).toEqual([2, 0]))
  it('write money as the language does', () => {
    expect(formatMoney({ amount: 1250, currency: 'USD' }, 'en')).toBe('$12.50')
    expect(formatMoney({ amount: 12000, currency: 'KRW' }, 'en')).toBe('₩12,000')
    expect(formatMoney({ amount: 12000, currency: 'KRW' }, 'ko')).toBe('12,000원')
    expect(formatMoney({ amount: -12000, currency: 'KRW' }, 'ko')).toBe('-12,000원')
    expect(formatMoney({ amount: 1250, currency: 'USD' }, 'ko')).toBe('$12.50')
    expect(formatMoney({ amount: -500, currency: 'USD' }, 'en')).toBe('-$5.00')
    // The number to the right and the currency to its left, as a line in Arabic has it, with and
    // without a minus sign.
    expect(formatMoney({ amount: 500, currency: 'USD' }, 'ar')).toBe('\u200f5.00\u00a0US$\u200e')
    expect(formatMoney({ amount: -500, currency: 'USD' }, 'ar')).toBe('\u200f\u2066-5.00\u2069\u00a0US$\u200e')
  })
  it('write dates as year/month/day in the time zone of the tenant', () => {
    expect(formatDate('2026-11-20T20:00:00Z', 'Asia/Seoul')).toBe('2026/11/21')
    expect(formatDate('2026-11-20T20:00:00Z', 'UTC', 'dd.mm.yy')).toBe('20.11.26')
    expect(formatDateTime('2026-11-20T15:05:00Z', 'Asia/Seoul')).toBe('2026/11/21 00:05')
  })
  it('write durations', () => expect([5, 245, 3729].map(formatDuration)).toEqual(['0:05', '4:05', '1:02:09']))
})

describe('languages', () => {
  const preferences = (prefix?: 'ko', cookie?: string, acceptLanguage: string | null = null) => ({
    prefix,
    cookie,
    acceptLanguage,
  })
  it('are negotiated by address, cookie, browser and tenant, in this order', () => {
    const all = ['en', 'ko', 'ja', 'ar'] as const
    expect(negotiateLocale(preferences('ko', 'ja', 'ar'), all, 'en')).toBe('ko')
    expect(negotiateLocale(preferences(undefined, 'ja', 'ar'), all, 'en')).toBe('ja')
    expect(negotiateLocale(preferences(undefined, undefined, 'fr, ar;q=0.3, ko-KR;q=0.8'), all, 'en')).toBe('ko')
    expect(negotiateLocale(preferences(undefined, 'xx', 'fr'), all, 'ja')).toBe('ja')
  })
  it('are chosen among the tenant’s only', () =>
    expect(negotiateLocale(preferences(undefined, 'ar', 'ja'), ['ko', 'en'], 'ko')).toBe('ko'))
  it('are read from and written to the prefix of an address', () => {
    expect([prefixOf('/ko'), prefixOf('/korea'), prefixOf('/')]).toEqual(['ko', undefined, undefined])
    expect(withoutPrefix('/ko/products')).toBe('/products')
    expect(withoutPrefix('/ko')).toBe('/')
    expect([withPrefix('/', 'ja'), withPrefix('/faq', 'ja')]).toEqual(['/ja', '/ja/faq'])
  })
})

describe('the check for a newer build', () => {
  // A page that is outdated stays so: each test loads the module anew and leaves none to others.
  beforeEach(() => vi.resetModules())
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it.each([
    [200, 'test', false],
    [404, 'newer', false],
    [403, 'newer', false],
    [200, 'newer', true],
  ])('reads %i with %s as newer: %s', async (status, id, newer) => {
    const { checkBuild, isOutdated } = await import('~/platform/builds')
    const fetched = vi.fn(async (_address: string) => Response.json({ id }, { status }))
    vi.stubGlobal('fetch', fetched)
    await checkBuild()
    expect(isOutdated()).toBe(newer)
    expect(fetched.mock.calls[0]?.[0]).toMatch(/^\/builds\/latest\.json\?\d+$/)
  })

  it('throws any other response for the manifest', async () => {
    const { checkBuild } = await import('~/platform/builds')
    vi.stubGlobal('fetch', async () => new Response(null, { status: 500 }))
    await expect(checkBuild()).rejects.toThrow('500')
  })
})
