import AxeBuilder from '@axe-core/playwright'
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
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page has one title and nothing that axe finds, in ${colorScheme} colours`, async ({ page, store }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const faults: string[] = []
    const check = async (url: string) => {
      await page.goto(url)
      await page.waitForLoadState('networkidle')
      if ((await page.locator('head > title').count()) !== 1) faults.push(`${url}: not exactly one title`)
      const { violations } = await new AxeBuilder({ page: page as never })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze()
      faults.push(
        ...violations.map(
          ({ id, nodes }) =>
            `${url}: ${id}: ${nodes
              .slice(0, 3)
              .map((node) => node.target.join(' '))
              .join(', ')}`,
        ),
      )
    }
    for (const path of guestPages) await check(store.at('aurora', path))
    for (const path of ['/', '/products']) await check(store.at('hangang', path))
    await store.signIn('member@example.com', store.at('aurora', '/login'))
    for (const path of memberPages) await check(store.at('aurora', path))
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
