import type { Page } from 'playwright/test'
import type { ProductOption } from '#contract/catalog.ts'
import { newMember } from './new-member'
import { callApi } from './requests'
import { expect, hydrated, secondsPlayed, test } from './store'

// These tests share one member, whose cart and rights they change.
test.describe.configure({ mode: 'serial' })

/** A retry owns what the first try bought, so each try buys another product. */
const films = [
  { code: 'turning-tiles', title: 'Turning Tiles' },
  { code: 'festival-of-small-fires', title: 'Festival of Small Fires' },
  { code: 'the-empty-paper', title: 'The Empty Paper' },
]

const cards = { success: '4242 4242 4242 4242', declined: '4000 0000 0000 0002' }

async function addToCart(page: Page, code: string) {
  await page.goto(`/products/${code}`)
  // The page shows it at once; what comes next begins when the server has it.
  const saved = page.waitForResponse((response) => /optionId/.test(response.request().postData() ?? ''))
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  expect((await saved).ok()).toBe(true)
}

async function pay(page: Page, card: string) {
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry date').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Alex Moreau')
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/payments\/result/)
}

test('a guest fills the cart, signs in, is declined, pays again, watches, and finds the film in purchases', async ({
  page,
  store,
}, { retry }) => {
  const { code, title } = films[retry] ?? films[0]!
  await addToCart(page, code)
  await store.signInByForm('second@example.com')
  await page.goto('/carts')
  await expect(page.getByRole('button', { name: `Remove ${title} from cart` })).toBeVisible()

  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await pay(page, cards.declined)
  await expect(page.getByRole('heading', { name: 'Your payment didn’t go through.' })).toBeVisible()

  await page.getByRole('link', { name: 'Try another card' }).click()
  await pay(page, cards.success)
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()
  await page.waitForLoadState()
  await hydrated(page)
  await expect(page.getByRole('main')).toContainText('ending in 4242')

  await page.getByRole('link', { name: 'Watch now' }).click()
  await expect(page).toHaveURL(new RegExp(`/products/${code}/watch`))
  await page
    .getByRole('button', { name: /^(Start watching|Play)/ })
    .first()
    .click()
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(2)

  await page.goto('/mypages/paid-products')
  await expect(page.getByRole('main')).toContainText(title)
  await page.goto('/carts')
  await expect(page.getByRole('button', { name: `Remove ${title} from cart` })).toHaveCount(0)
  await page.goto('/mypages/order-histories')
  await page.getByRole('main').getByRole('link', { name: title }).first().click()
  await expect(page.getByRole('main')).toContainText('$')
})

test('Back from the payment page never pays twice', async ({ page, store }) => {
  // The used payment page has expired.
  store.expected.push(/410/)
  await newMember(page, store.at('aurora', ''))
  await addToCart(page, 'a-boat-under-the-moon')
  await page.goto('/payments')
  await pay(page, cards.success)
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()
  await page.goBack()
  await page.goto('/payments')
  await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0)
  await page.goto('/mypages/order-histories')
  const orders = page.getByRole('main').locator('a[href*="/order-histories/"]')
  expect(new Set(await orders.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).size).toBe(1)
})

test('a member likes, comments, replies and deletes', async ({ page, store }) => {
  await store.signIn('second@example.com')
  await page.goto('/products/blue-hour')
  const like = page.getByRole('button', { name: /wish list/i })
  const before = await like.getAttribute('aria-pressed')
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true')

  const comment = `Every window is somebody. ${Date.now()}`
  const box = page.getByLabel('Your comment')
  await box.fill(comment)
  await page.getByRole('button', { name: 'Post comment' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: comment })).toBeVisible()
  const posted = page.getByRole('listitem').filter({ hasText: comment })
  await posted.getByRole('button', { name: 'Reply' }).click()
  const answer = `And every somebody a window. ${Date.now()}`
  await posted.getByLabel(/^Your reply to/).fill(answer)
  await posted.getByRole('button', { name: 'Reply' }).last().click()
  await expect(posted.getByRole('listitem').filter({ hasText: answer })).toBeVisible()
  await page.reload()
  await posted.getByRole('button', { name: '1 reply' }).click()
  const replied = posted.getByRole('listitem').filter({ hasText: answer })
  await replied.getByRole('button', { name: 'Comment options' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(replied).toHaveCount(0)
  await expect(page.getByText(comment)).toBeVisible()
})

test('the wish list shows the lowest price, and the product page names captions in the page’s language', async ({
  page,
  store,
}) => {
  await newMember(page, store.at('aurora', ''))
  await page.goto('/products/north-train')
  await expect(page.getByRole('main').getByText(/^Captions: English/)).toBeVisible()
  const like = page.getByRole('button', { name: /wish list/i })
  // The page shows it at once; a page that is loaded next shows it when the server has it.
  const saved = page.waitForResponse((response) => /\bliked\b/.test(response.request().postData() ?? ''))
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await saved
  await page.goto('/mypages/liked-products')
  await expect(page.getByRole('listitem').filter({ hasText: 'North Train' })).toContainText(/From \$\d/)
  await page.goto('/ko/products/north-train')
  await expect(page.getByRole('main').getByText(/^자막: 영어/)).toBeVisible()
})

test('a comment’s menu opens by keyboard, restores the focus, and deletes', async ({ page, store }) => {
  await store.signIn('second@example.com')
  await page.goto('/products/blue-hour')
  const body = `Said too soon. ${Date.now()}`
  await page.getByLabel('Your comment').fill(body)
  await page.getByRole('button', { name: 'Post comment' }).click()
  const comment = page.getByRole('listitem').filter({ hasText: body })
  const button = comment.getByRole('button', { name: 'Comment options' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('data-highlighted')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(comment).toHaveCount(0)
})

test('the home page continues a half-watched film at its position', async ({ page, store }) => {
  await store.signIn('member@example.com')
  await page.goto('/')
  const watching = page.getByRole('region', { name: 'Continue watching' })
  // Other tests may have played another film of this member.
  await watching
    .getByRole('link', { name: /Eleven Years to Saturn/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/eleven-years-to-saturn\/watch/)
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(0)
  // It has not played for so long yet.
  expect(await secondsPlayed(page)).toBeGreaterThan(3)
})

test('the checkout of a free title shows that it is free, and links to it', async ({ page, store }) => {
  await store.signIn('second@example.com')
  await page.goto('/products?access=FREE')
  const link = page.getByRole('main').getByRole('article').getByRole('link').first()
  const code = (await link.getAttribute('href'))!.split('/').pop()!
  await page.goto(`/payments?product=${code}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This title is free.')
  await expect(page.getByRole('main').getByRole('link', { name: 'Watch' })).toHaveAttribute('href', new RegExp(code))
})

test('only Korean stores have an address search, and the hint of a price is a price', async ({ page, store }) => {
  await page.goto('/products')
  await expect(page.getByPlaceholder('0.99').first()).toBeAttached()
  await store.signIn('second@example.com')
  await page.goto('/mypages/profile')
  await expect(page.getByLabel('Postal code')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Find address' })).toHaveCount(0)
  await page.getByLabel('Apartment, floor, unit').fill('3')
  await page.locator('#details').getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#details')).toContainText('Enter your postal code.')
  await expect(page.locator('#details')).toContainText('Enter your street address.')
})

test('the checkout says that a title is in the plan of the member, or that the member rents it', async ({
  page,
  store,
}) => {
  await store.signIn()
  const main = page.getByRole('main')
  await page.goto(store.at('aurora', '/payments?product=deep-focus'))
  await expect(main.getByRole('heading', { level: 1, name: 'Included in your plan' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Watch now' })).toHaveAttribute('href', /\/products\/deep-focus\/watch/)
  const answer = await callApi(page, store.at('aurora'), '/api/v1/customers/aurora/new-products/north-train')
  const { options }: { options: ProductOption[] } = JSON.parse(answer.text)
  const rental = options.find(({ type }) => type === 'RENT')
  await store.navigate(`/payments?product=north-train&option=${rental?.id}`)
  await expect(main.getByRole('heading', { level: 1, name: 'You’re already renting this.' })).toBeVisible()
  await main.getByRole('link', { name: /^Buy for / }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
})
