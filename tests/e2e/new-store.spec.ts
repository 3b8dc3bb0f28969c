import { command } from './command'
import { newMember } from './new-member'
import { expect, test } from './store'

test('a store created by one command opens at its host, shows imported products, and sells them', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  // Two commands run on a machine that also renders pages.
  test.slow()
  const code = `acme-${retry}`
  const place = ['--host', `${code}.localhost`, '--locale', 'en', '--currency', 'KRW', '--timezone', 'Asia/Seoul']
  await command(baseURL!, ['customer', 'create', '--code', code, '--name', 'Acme Films', ...place])
  await command(baseURL!, ['catalog', 'import', 'docs/example-store', '-c', code])
  await command(baseURL!, ['customer', 'open', code, '--force'])

  await page.goto(store.at(code))
  await expect(page).toHaveTitle(/Acme Films/)
  await expect(page.getByRole('main')).toContainText('The harbour at dusk')
  await expect(page.getByRole('contentinfo')).toContainText('Acme Films Ltd.')
  await page.goto(store.at(code, '/pages/terms'))
  await expect(page.getByRole('main')).toContainText('between you and Acme Films Ltd.')

  await newMember(page, store.at(code))
  await page.goto(store.at(code, '/products/K100'))
  const poster = page.locator('img[src*="/media/posters/"]').first()
  await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('main')).toContainText('15,000')
  await page
    .getByRole('link', { name: /^Buy now/ })
    .first()
    .click()
  await page.waitForURL(/\/payments/)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Sora Lee')
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/payments\/result/)
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()
})
