import type { Request } from 'playwright/test'
import { newMember } from './new-member'
import { playing, plays, watch } from './player'
import { expect, test } from './store'

const givesBack = (request: Request) => request.postData()?.includes('LEFT') ?? false
const asksForPlace = (request: Request) => {
  const sent = request.postData() ?? ''
  return sent.includes('playId') && !sent.includes('positionSeconds')
}

test('who pauses and plays again at once goes on: a place is asked for when the server knows that it was given back', async ({
  page,
  store,
}) => {
  await newMember(page, store.at('aurora', ''))
  await watch(page, '/products/and-so-on/watch')
  const resumed = page.waitForResponse((response) => asksForPlace(response.request()))
  await page.keyboard.press('k')
  await resumed

  const told = Promise.withResolvers<void>()
  await page.route(/_serverFn/, async (route) => {
    if (givesBack(route.request())) await told.promise
    await route.continue()
  })
  const order: string[] = []
  page.on('response', (response) => givesBack(response.request()) && order.push('given back'))
  page.on('request', (request) => asksForPlace(request) && order.push('asked for'))
  await page.keyboard.press('k')
  await expect.poll(async () => (await playing(page)).paused).toBe(true)
  const asked = page.waitForRequest(asksForPlace)
  await page.keyboard.press('k')
  await expect.poll(async () => (await playing(page)).paused).toBe(false)
  told.resolve()
  await asked
  const { time } = await playing(page)
  await plays(page, 'time').toBeGreaterThan(time + 1)
  expect(order.slice(0, 2)).toEqual(['given back', 'asked for'])
})
