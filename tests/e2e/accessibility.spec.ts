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
    test.setTimeout(300_000)
    store.expected.push(/404/)
    const faults: string[] = []
    const check = async (url: string) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(url)
      await page.waitForLoadState('networkidle')
      if ((await page.locator('head > title').count()) !== 1) faults.push(`${url}: not exactly one title`)
      faults.push(...(await axeViolationsInBoth(page)).map((fault) => `${url}, ${fault}`))
    }
    if (reader === 'member') await store.signIn('member@example.com', 'aurora')
    for (const path of reader === 'guest' ? guestPages : memberPages) await check(store.at('aurora', path))
    if (reader === 'member') {
      await page.goto(store.at('aurora', '/mypages/order-histories'))
      const order = await page.getByRole('main').locator('a[href*="/order-histories/"]').first().getAttribute('href')
      for (const path of [order!, `${order}/receipt`]) await check(store.at('aurora', path))
    }
    if (reader === 'guest') for (const path of ['/', '/products']) await check(store.at('hangang', path))
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
  await page.keyboard.press('k')
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(0.5)
})
