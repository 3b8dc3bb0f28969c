import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openFrontDoor } from '#tests/support/front-door.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

// React's development build keeps what its messages need, and draws at half the speed.
process.env.NODE_ENV = 'production'
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const tenant = await (async () => {
  const api = createTestApi()
  const tenant = await createTenant(api)
  await tenant.createProduct({ price: 900 })
  return { ...tenant, door: await openFrontDoor(api, `${tenant.code}.test`) }
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
      const { status } = await tenant.door.ask(paths[at % paths.length]!, { headers })
      expect(status).toBeLessThan(500)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** What is held once everything that may go has gone: the least of several collections. */
const heldMegabytes = async () => {
  let least = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < 4; sample++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
    least = Math.min(least, process.memoryUsage().heapUsed / 1_000_000)
  }
  return least
}

test('the heap grows by less than 5 MB over 3,000 drawn pages', async () => {
  await render(300)
  const before = await heldMegabytes()
  await render(3_000)
  expect((await heldMegabytes()) - before).toBeLessThan(5)
}, 180_000)
