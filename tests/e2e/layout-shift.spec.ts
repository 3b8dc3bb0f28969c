import type { Locator, Page } from 'playwright/test'
import { newMember } from './new-member'
import { expect, test } from './store'

/**
 * Where these lie in the page before script runs, and once it does and every request is answered.
 */
async function boxes(page: Page, address: string, what: (main: Locator) => Locator[]) {
  const main = page.getByRole('main')
  const tops = async () => {
    const boxes = await Promise.all(what(main).map((each) => each.boundingBox()))
    return boxes.map((box) => box && { y: Math.round(box.y), height: Math.round(box.height) })
  }
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await gate
    await route.continue()
  })
  await page.evaluate((to) => location.assign(to), address)
  await page.waitForURL(address, { waitUntil: 'commit' })
  await what(main)[0]!.waitFor()
  // Letters of the page's own font are as high as they will be.
  await page.evaluate(() => document.fonts.ready)
  const before = await tops()
  release()
  await page.waitForLoadState('networkidle')
  await page.unroute('**/assets/*.js')
  return { before, after: await tops() }
}

for (const width of [375, 1440])
  test(`at ${width} px, the order page does not shift at hydration`, async ({ page, store, context }) => {
    await context.addCookies([{ name: 'locale', value: 'en', url: store.at('hangang') }])
    await page.setViewportSize({ width, height: 900 })
    await newMember(page, store.at('hangang', ''))
    await page.goto(store.at('hangang', '/payments?product=cutting-on-rhythm'))
    await page.getByRole('radio', { name: 'Bank transfer' }).check()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: /^Pay ₩/ }).click()
    await page.waitForURL(/\/payments\/result/)
    const code = new URL(page.url()).searchParams.get('order')!

    const waiting = await boxes(page, page.url(), (main) => [
      main.getByRole('button', { name: /by card instead/ }),
      main.getByRole('link', { name: 'View order' }),
    ])
    expect(waiting.after).toEqual(waiting.before)
    const list = await boxes(page, store.at('hangang', '/mypages/order-histories'), (main) => [
      main.locator(`a[href*="${code}"]`).first(),
      main.getByRole('listitem').first(),
    ])
    expect(list.after).toEqual(list.before)
  })
