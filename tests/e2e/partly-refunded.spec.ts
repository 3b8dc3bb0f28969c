import { addToCart } from './buy-film'
import { newMember } from './new-member'
import { expect, test } from './store'

test('one of two titles is refunded, the other can still be watched, and the receipt adds up', async ({
  page,
  store,
  context,
}) => {
  const at = (path: string) => store.at('hangang', path)
  await context.addCookies([{ name: 'locale', value: 'en', url: at('/') }])
  await newMember(page, at('').replace(/\/$/, ''))
  const main = page.getByRole('main')
  for (const product of ['portrait-in-planes', 'modern-seoul-nights']) {
    await page.goto(at(`/products/${product}`))
    await addToCart(page)
  }
  await page.goto(at('/payments'))
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Sora Lee')
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()

  const code = new URL(page.url()).searchParams.get('order')!
  await page.goto(at(`/mypages/order-histories/${code}`))
  await page.getByRole('link', { name: 'Request a refund' }).click()
  const modal = page.getByRole('dialog', { name: 'Cancel or refund' })
  const whole = await modal.getByRole('status').first().innerText()
  await modal.getByRole('checkbox').first().uncheck()
  await expect(modal.getByRole('status').first()).not.toHaveText(whole)
  const refund = await modal.getByRole('status').first().innerText()
  await modal.getByRole('button', { name: `Refund ${refund} now` }).click()
  await expect(modal).toContainText(`We refunded ${refund} to your card ending in 4242.`)
  await modal.getByRole('button', { name: 'Close' }).last().click()

  await expect(main).toContainText('Refunded')
  await expect(main.getByRole('link', { name: 'Watch now' })).toHaveCount(1)
  await page.getByRole('link', { name: 'View receipt' }).click()
  const won = (text: string) => Number(text.replace(/\D/g, ''))
  const rest = won(whole) - won(refund)
  await expect(main).toContainText('Net amount paid')
  await expect(main).toContainText(`₩${rest.toLocaleString('en')}`)
})
