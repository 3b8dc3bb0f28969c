import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openStoreServer } from '#tests/support/store-server.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const tenant = await (async () => {
  const api = createTestApi()
  const tenant = await createTenant(api)
  await tenant.createProduct({ price: 900 })
  return { ...tenant, server: await openStoreServer(api, `${tenant.code}.test`) }
})()

/** Pages of several kinds; a guest's cookie keeps them out of the cache of pages. */
const paths = ['/login', '/faq', '/no-such-page', '/products', '/plans', '/notices']
const languages = ['en', 'ko', 'ja', 'ar']
const atOnce = 8

const render = async (count: number) => {
  let begun = 0
  const work = async () => {
    while (begun < count) {
      const at = begun++
      const language = languages[Math.floor(at / paths.length) % languages.length]!
      const headers = { cookie: 'guest=of-the-test', 'accept-language': language }
      const { status } = await tenant.server.request(paths[at % paths.length]!, { headers })
      expect(status).toBeLessThan(500)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** The heap after garbage collection: the lowest of several measurements. */
const heapMegabytes = async () => {
  let lowest = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < 4; sample++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
    lowest = Math.min(lowest, process.memoryUsage().heapUsed / 1_000_000)
  }
  return lowest
}

test('the heap stops growing by 0.5 MB in 300 drawn pages', async () => {
  await render(200)
  // Caches and compiled code grow at first only, a leak grows with every page.
  let growth = Number.POSITIVE_INFINITY
  for (let part = 0; part < 10 && growth >= 0.5; part++) {
    const before = await heapMegabytes()
    await render(300)
    growth = (await heapMegabytes()) - before
  }
  expect(growth).toBeLessThan(0.5)
}, 180_000)
