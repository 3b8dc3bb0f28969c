import { axeViolationsInBoth } from './axe'
import { expect, secondsPlayed, test } from './store'

const guestPages = [
  '/',
  '/products',
  '/videos',
  '/products/the-last-light',
  '/notices',
  '/faq',
  '/pages/terms',
  '/login',
  '/join/input',
  '/reset-password',
  '/carts',
  '/plans',
  '/plans/plan-products',
  '/plans/aurora-pass/products',
  '/products?q=zzzzqqqq',
  '/no/such/page',
  '/products/no-such-product',
]
const memberPages = [
  '/carts',
  '/mypages',
  '/mypages/paid-products',
  '/mypages/liked-products',
  '/mypages/order-histories',
  '/mypages/cards',
  '/mypages/subscription',
  '/mypages/subscription/histories',
  '/plans/payment',
  '/plans/aurora-pass/payment',
  '/plans/payment-result',
  '/mypages/inquiries',
  '/mypages/inquiries/input?product=the-last-light&t=93',
  '/payments?product=the-last-light',
  '/mypages/profile',
  '/products/night-shift/watch',
]

for (const reader of ['guest', 'member'] as const) {
  test(`every page of a ${reader} has one title and no axe violations, in light and dark, wide and at 375 px`, async ({
    page,
    store,
  }) => {
    store.expected.push(/404/)
    const faults: string[] = []
    const check = async (path: string) => {
      await page.waitForLoadState('networkidle')
      if ((await page.locator('head > title').count()) !== 1) faults.push(`${path}: not exactly one title`)
      faults.push(...(await axeViolationsInBoth(page)).map((fault) => `${path}, ${fault}`))
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    if (reader === 'member') await store.signIn('member@example.com', 'aurora')
    const [first, ...others] = reader === 'guest' ? guestPages : memberPages
    await page.goto(store.at('aurora', first))
    await check(first!)
    for (const path of others) {
      await store.navigate(path)
      await check(path)
    }
    if (reader === 'member') {
      await store.navigate('/mypages/order-histories')
      const order = await page.getByRole('main').locator('a[href*="/order-histories/"]').first().getAttribute('href')
      for (const path of [order!, `${order}/receipt`]) {
        await store.navigate(path)
        await check(path)
      }
    }
    if (reader === 'guest') {
      await page.goto(store.at('hangang', '/'))
      await check('/ of hangang')
      await store.navigate('/products')
      await check('/products of hangang')
    }
    expect(faults).toEqual([])
  })
}

test('from the home page to a playing film by keyboard alone', async ({ page, store }) => {
  await store.signIn('member@example.com')
  await page.goto('/mypages/paid-products')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: /Skip/ })
  await expect(skip).toBeFocused()
  await page.keyboard.press('Enter')
  const film = page.getByRole('main').getByRole('article').first().getByRole('link').first()
  for (let i = 0; i < 40 && !(await film.evaluate((element) => element === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await expect(film).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/watch/)
  await page
    .getByRole('button', { name: /^(Start watching|Play)/ })
    .first()
    .waitFor()
  // A film that has begun before plays by itself, and the key pauses it.
  const isPaused = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)
  const played = async () => {
    if (await isPaused()) await page.keyboard.press('k')
    return secondsPlayed(page)
  }
  await expect.poll(played, { intervals: [2_000] }).toBeGreaterThan(0.5)
})
