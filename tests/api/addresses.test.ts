import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createNationalBook } from '#api/platform/addresses/address-book.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const search = async (q: string) => {
  const tenant = await createTenant(api)
  return (await tenant.guest.accounts.searchAddress({ q })).items
}

describe('An address is found', () => {
  test('by its road and number, exactly that one first', async () => {
    const [first] = await search('세종대로 110')
    expect(first).toEqual({
      postcode: expect.stringMatching(/^\d{5}$/),
      road: '서울특별시 중구 세종대로 110',
      lot: expect.stringMatching(/^서울특별시 중구 태평로1가 \d+(-\d+)?$/),
      building: '서울시청',
    })
  })

  test.each([
    ['its road without the space', '세종대로110', '서울특별시 중구 세종대로 110'],
    ['the beginning of its road', '해운대해', '부산광역시 해운대구 해운대해변로 264'],
    ['its building', '롯데월드타워', '서울특별시 송파구 올림픽로 300'],
    ['a part of its building', '파이낸스', '서울특별시 강남구 테헤란로 152'],
    ['city and road', '부산 센텀중앙로 97', '부산광역시 해운대구 센텀중앙로 97'],
    ['a road with a number in its name', '테헤란로25길 15', '서울특별시 강남구 테헤란로25길 15'],
    ['initials alone', 'ㅁㄷㄱ 74', '서울특별시 중구 명동길 74'],
    ['decomposed letters', '명동길 74'.normalize('NFD'), '서울특별시 중구 명동길 74'],
  ])('by %s', async (_, q, road) => {
    expect((await search(q)).map((item) => item.road)).toContain(road)
  })

  test('by its lot and by its postcode', async () => {
    const [one] = await search('연무장길 28')
    const [, , quarter, lot] = one!.lot!.split(' ')
    expect((await search(`${quarter} ${lot}`)).map((item) => item.road)).toContain(one!.road)
    expect((await search(one!.postcode)).map((item) => item.road)).toContain(one!.road)
  })
})

test('every word has to fit, and what fits nothing is answered with nothing', async () => {
  expect(await search('세종대로 부산')).toEqual([])
  expect(await search('Baker Street 221b')).toEqual([])
  expect(await search("' OR 1=1 --")).toEqual([])
  expect((await search('서울')).length).toBe(50)
})

test('there is something to ask for', async () => {
  const tenant = await createTenant(api)
  expect(await failureOf(tenant.guest.accounts.searchAddress({ q: '  ' }))).toMatchObject({ status: 422 })
})

describe('The national service', () => {
  const opened: (() => unknown)[] = []
  afterEach(() => {
    for (const close of opened.splice(0)) close()
  })

  /** Answers as the service is documented to, and remembers what it was asked. */
  const service = async (status: number, body: unknown) => {
    const asked: URLSearchParams[] = []
    const server = createServer(async (request, response) => {
      let form = ''
      for await (const chunk of request) form += chunk
      asked.push(new URLSearchParams(form))
      response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    opened.push(() => server.close())
    const { port } = server.address() as AddressInfo
    return { asked, book: createNationalBook({ key: 'the-key', url: `http://127.0.0.1:${port}/` }) }
  }
  const common = (errorCode: string) => ({
    errorCode,
    errorMessage: '…',
    totalCount: '1',
    countPerPage: '50',
    currentPage: '1',
  })

  test('is asked with the operator’s key, and its answers are addresses like any other', async () => {
    const juso = {
      ...{
        zipNo: '30128',
        roadAddr: '세종특별자치시 정부2청사로 13 (나성동)',
        roadAddrPart1: '세종특별자치시 정부2청사로 13',
      },
      ...{ roadAddrPart2: ' (나성동)', jibunAddr: '세종특별자치시 나성동 772', bdNm: '정부세종2청사', engAddr: '…' },
    }
    const { asked, book } = await service(200, {
      results: { common: common('0'), juso: [juso, { ...juso, bdNm: '' }] },
    })
    const found = await book.search('정부2청사로 13', 50)
    expect(Object.fromEntries(asked[0]!)).toMatchObject({
      confmKey: 'the-key',
      keyword: '정부2청사로 13',
      countPerPage: '50',
    })
    const address = { postcode: '30128', road: '세종특별자치시 정부2청사로 13', lot: '세종특별자치시 나성동 772' }
    expect(found).toEqual([
      { ...address, building: '정부세종2청사' },
      { ...address, building: null },
    ])
  })

  test('that finds the words too few has found nothing', async () => {
    const { book } = await service(200, { results: { common: common('E0008'), juso: null } })
    expect(await book.search('가', 50)).toEqual([])
  })

  test.each([
    ['refuses the key', 200, { results: { common: common('E0001'), juso: null } }],
    ['is down', 503, {}],
    ['answers something else', 200, { hello: 'there' }],
  ])('that %s is said to be unavailable', async (_, status, body) => {
    const tenant = await createTenant(api)
    const { book } = await service(status, body)
    const answer = await createApi({ ...api.deps, addresses: book }).fetch(
      new Request(`http://x.test/api/v1/customers/${tenant.code}/addresses?q=110`),
    )
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'UNAVAILABLE'])
  })
})
