import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createNationalAddressBook } from '#api/platform/addresses/address-book.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const search = async (q: string) => {
  const tenant = await createTenant(api)
  return (await tenant.guest.identity.searchAddress({ q })).items
}

describe('Address search', () => {
  test('address search by road and number lists the exact match first', async () => {
    const [first] = await search('세종대로 110')
    expect(first).toEqual({
      postcode: expect.stringMatching(/^\d{5}$/),
      road: '서울특별시 중구 세종대로 110',
      lot: expect.stringMatching(/^서울특별시 중구 태평로1가 \d+(-\d+)?$/),
      building: '서울시청',
    })
  })

  test.each([
    ['road and number without a space', '세종대로110', '서울특별시 중구 세종대로 110'],
    ['the beginning of the road', '해운대해', '부산광역시 해운대구 해운대해변로 264'],
    ['the building’s name', '롯데월드타워', '서울특별시 송파구 올림픽로 300'],
    ['a part of the building’s name', '파이낸스', '서울특별시 강남구 테헤란로 152'],
    ['city and road', '부산 센텀중앙로 97', '부산광역시 해운대구 센텀중앙로 97'],
    ['a road with a number in its name', '테헤란로25길 15', '서울특별시 강남구 테헤란로25길 15'],
    ['initial consonants', 'ㅁㄷㄱ 74', '서울특별시 중구 명동길 74'],
    ['decomposed letters', '명동길 74'.normalize('NFD'), '서울특별시 중구 명동길 74'],
  ])('address search finds an address by %s', async (_, q, road) => {
    expect((await search(q)).map((item) => item.road)).toContain(road)
  })

  test('address search finds an address by its lot and by its postcode', async () => {
    const [one] = await search('연무장길 28')
    const [, , quarter, lot] = one!.lot!.split(' ')
    expect((await search(`${quarter} ${lot}`)).map((item) => item.road)).toContain(one!.road)
    expect((await search(one!.postcode)).map((item) => item.road)).toContain(one!.road)
  })
})

test('address search requires every word to match and returns at most 50 addresses', async () => {
  expect(await search('세종대로 부산')).toEqual([])
  expect(await search('Baker Street 221b')).toEqual([])
  expect(await search("' OR 1=1 --")).toEqual([])
  expect((await search('서울')).length).toBe(50)
})

test('address search with a blank query is refused with 422', async () => {
  const tenant = await createTenant(api)
  expect(await failureOf(tenant.guest.identity.searchAddress({ q: '  ' }))).toMatchObject({ status: 422 })
})

describe('The national service', () => {
  const cleanups: (() => unknown)[] = []
  afterEach(() => {
    for (const close of cleanups.splice(0)) close()
  })

  /** Starts a server that responds as the service is documented to, and records the requests. */
  const startService = async (status: number, body: unknown) => {
    const requests: URLSearchParams[] = []
    const server = createServer(async (request, response) => {
      let form = ''
      for await (const chunk of request) form += chunk
      requests.push(new URLSearchParams(form))
      response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(() => server.close())
    const { port } = server.address() as AddressInfo
    return { requests, book: createNationalAddressBook({ key: 'the-key', url: `http://127.0.0.1:${port}/` }) }
  }
  const common = (errorCode: string) => ({
    errorCode,
    errorMessage: '…',
    totalCount: '1',
    countPerPage: '50',
    currentPage: '1',
  })

  test('the national service is queried with the operator’s key, and its results are mapped to addresses', async () => {
    const juso = {
      zipNo: '30128',
      roadAddr: '세종특별자치시 정부2청사로 13 (나성동)',
      roadAddrPart1: '세종특별자치시 정부2청사로 13',
      roadAddrPart2: ' (나성동)',
      jibunAddr: '세종특별자치시 나성동 772',
      bdNm: '정부세종2청사',
      engAddr: '…',
    }
    const { requests, book } = await startService(200, {
      results: { common: common('0'), juso: [juso, { ...juso, bdNm: '' }] },
    })
    const results = await book.search('정부2청사로 13', 50)
    expect(Object.fromEntries(requests[0]!)).toMatchObject({
      confmKey: 'the-key',
      keyword: '정부2청사로 13',
      countPerPage: '50',
    })
    const address = { postcode: '30128', road: '세종특별자치시 정부2청사로 13', lot: '세종특별자치시 나성동 772' }
    expect(results).toEqual([
      { ...address, building: '정부세종2청사' },
      { ...address, building: null },
    ])
  })

  test('a query that is too short for the national service finds nothing', async () => {
    const { book } = await startService(200, { results: { common: common('E0008'), juso: null } })
    expect(await book.search('가', 50)).toEqual([])
  })

  test.each([
    ['refuses the key', 200, { results: { common: common('E0001'), juso: null } }],
    ['is down', 503, {}],
    ['returns an unknown body', 200, { hello: 'there' }],
  ])('address search answers 503 UNAVAILABLE when the national service %s', async (_, status, body) => {
    const tenant = await createTenant(api)
    const { book } = await startService(status, body)
    const answer = await createApi({ ...api.deps, addresses: book }).fetch(
      new Request(`http://x.test/api/v1/customers/${tenant.code}/addresses?q=110`),
    )
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'UNAVAILABLE'])
  })
})
