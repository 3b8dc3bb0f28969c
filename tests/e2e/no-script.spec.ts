import { expect, test } from './store'

test.use({ javaScriptEnabled: false })

test('what a guest puts in the cart shows where they are asked to sign in, and is theirs afterwards', async ({
  page,
  store,
}) => {
  const at = (path: string) => store.at('aurora', path)
  await page.goto(at('/products/the-last-light'))
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  await page.goto(at('/carts'))
  await expect(page).toHaveURL(/\/login\?redirect=/)
  const cart = page.getByRole('region', { name: 'In your cart' })
  await expect(cart).toContainText(title)
  const total =
    (await cart
      .getByText(/^\$[\d.]+$/)
      .last()
      .textContent()) ?? ''
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await expect(cart).toContainText(title)
  await page.goto(at('/login'))
  await expect(cart).toHaveCount(0)
  await page.goto(at('/login?redirect=%2Fcarts'))
  await page.getByLabel('Email', { exact: true }).fill('second@example.com')
  await page.getByLabel('Password', { exact: true }).fill('marquee-demo')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(at('/carts'))
  await expect(page.getByRole('main')).toContainText(title)
  await expect(page.getByRole('main')).toContainText(total)
  await page.getByRole('button', { name: `Remove ${title} from cart` }).click()
})

test('without script one browses, searches, signs in, fills the cart, pays and sees the receipt', async ({
  page,
  store,
}) => {
  const at = (path: string) => store.at('hangang', path)
  await page.goto(at('/'))
  await page.getByRole('searchbox').or(page.getByRole('combobox')).first().fill('드로잉')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=/)
  await expect(page.getByRole('main')).toContainText('드로잉')

  await page.goto(at('/login'))
  await page.getByLabel('Email', { exact: true }).fill('second@example.com')
  await page.getByLabel('Password', { exact: true }).fill('marquee-demo')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).not.toHaveURL(/login/)

  await page.goto(at('/products/first-line-drawing'))
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  await page.goto(at('/carts'))
  await expect(page.getByRole('main')).toContainText(title)

  await page.goto(at('/payments'))
  const [toCard, toBank] = ['Refunds go to your card', 'sends the money to your bank account']
  await expect(page.getByText(toCard)).toBeVisible()
  await page.getByRole('radio', { name: 'Bank transfer' }).check()
  await expect(page.getByText(toBank)).toBeVisible()
  await expect(page.getByText(toCard)).toBeHidden()
  await page.getByRole('radio', { name: 'Card' }).check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page).toHaveURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry date').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Kim Seoyeon')
  await page.getByRole('button', { name: /^Pay / }).click()
  await expect(page).toHaveURL(/\/payments\/result/)
  await expect(page.getByRole('main')).toContainText('ending in 4242')
})
