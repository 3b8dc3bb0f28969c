import { expect, test } from './store'

test.use({ javaScriptEnabled: false })

test('a guest’s cart is shown at the sign-in and becomes the member’s', async ({ page, store }) => {
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

test('without script a visitor browses, searches, signs in, fills the cart, pays and sees the receipt', async ({
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

test('without script the share button opens the link and ways to send it, and the preview has a page', async ({
  page,
  store,
}) => {
  const address = store.at('aurora', '/products/the-last-light')
  await page.goto(address)
  const share = page.locator('summary', { hasText: 'Share' })
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  await expect(page.getByLabel('Copy this link')).toBeHidden()
  await share.click()
  await expect(page.getByLabel('Copy this link')).toHaveValue(address)
  const way = page.getByRole('main').getByRole('link', { name: 'Email', exact: true })
  expect(await way.getAttribute('href')).toBe(
    `mailto:?subject=${encodeURIComponent('The Last Light')}&body=${encodeURIComponent(address)}`,
  )
  await expect(page.getByRole('main').getByRole('link', { name: 'Facebook' })).toBeVisible()

  await expect(page.getByRole('button', { name: /preview/i })).toBeHidden()
  await page.getByRole('link', { name: /^Preview, \d+ seconds$/ }).click()
  await expect(page).toHaveURL(`${address}/preview`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Last Light')
  const video = page.locator('video[controls] source')
  await expect(video).toHaveAttribute('src', /^\/p\/.+\/master\.m3u8$/)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  await page.getByRole('link', { name: 'See options and prices' }).click()
  await expect(page).toHaveURL(address)
})

test('on a phone without script a list can be sorted, and no control needs script', async ({ page, store }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(store.at('aurora', '/en'))
  for (const name of ['Pause slideshow', 'Play slideshow', 'Previous', 'Next'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  // All slides are reached by scrolling and by keyboard.
  await expect(
    page.getByRole('main').locator('section').first().locator('li:not([inert])').getByRole('link'),
  ).toHaveCount(4)
  await page.goto(store.at('aurora', '/en/products'))
  await page.getByLabel('Sort by').selectOption('createdAt,ASC')
  await page.getByRole('button', { name: 'Apply' }).filter({ visible: true }).first().click()
  await expect(page).toHaveURL(/sort=createdAt(%2C|,)ASC/)
})
