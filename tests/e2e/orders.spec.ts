import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright/test'
import { axeViolations } from './axe'
import { expect, secondsPlayed, test } from './store'

// These tests share one member, whose orders they follow.
test.describe.configure({ mode: 'serial' })

/** A retry owns what the first try bought, so each try buys another product. */
const titles = {
  exact: ['basics-of-broth', 'colour-in-six', 'phone-filming'],
  wrong: ['bamboo-in-ink', 'night-coloring', 'plant-drawing'],
  late: ['slides-that-breathe', 'hangul-lettering', 'body-text-setting'],
  card: ['cutting-on-rhythm', 'sound-first', 'ten-sentences'],
  unopened: ['python-for-office', 'web-from-zero', 'layout-with-css'],
  plain: ['first-salary', 'korean-history-in-night', 'joseon-day'],
  opened: ['excel-that-talks', 'honest-charts', 'draw-your-data'],
} as const

const main = (page: Page) => page.getByRole('main')

async function checkout(page: Page, product: string, method: 'Card' | 'Bank transfer') {
  await page.goto(`/payments?product=${product}`)
  await page.getByRole('radio', { name: method }).check()
  await expect(main(page)).toContainText('refund within 7 days')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay ₩[\d,]+$/ }).click()
}

async function payByCard(page: Page) {
  await enterCard(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()
}

async function enterCard(page: Page, number: string) {
  await page.waitForURL(/\/sandbox\//)
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Alex Moreau')
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(/\/payments\/result/)
}

interface Deposit {
  result: string
  account: string
  code: string
}

/** Orders by bank transfer and reads where to pay. */
async function orderByBank(page: Page, product: string): Promise<Deposit> {
  await checkout(page, product, 'Bank transfer')
  await page.waitForURL(/\/payments\/result/)
  await expect(page.getByRole('heading', { name: /^Transfer ₩[\d,]+ to complete your order\.$/ })).toBeVisible()
  const account = await page
    .getByRole('definition')
    .filter({ hasText: /^\d{4}-\d{4}-\d+$/ })
    .innerText()
  const code = new URL(page.url()).searchParams.get('order')!
  return { result: page.url(), account, code }
}

/** Pays at the sandbox's bank, as anyone could at any bank. */
async function transfer(page: Page, account: string, { amount, late }: { amount?: string; late?: boolean } = {}) {
  await page.goto(`/sandbox/bank?account=${account}`)
  if (amount) await page.locator('input[name=amount]').fill(amount)
  if (late) await page.locator('input[name=when][value=late]').check()
  await page.locator('button[value=deposit]').click()
  await expect(page.locator('.deposit')).toHaveCount(1)
}

const orderPage = (code: string) => `/mypages/order-histories/${code}`

/** Nothing of it is found by axe, in either colours. */
async function isAccessible(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeViolations(page)).toEqual([])
  }
}

/** Reloads an order until it shows the text: the bank's webhook arrives a moment later. */
const orderSays = (page: Page, code: string, words: string) =>
  expect(async () => {
    await page.goto(orderPage(code))
    await expect(main(page)).toContainText(words, { timeout: 1000 })
  }).toPass({ timeout: 180_000 })

test.beforeEach(async ({ page, store, context }) => {
  await context.addCookies([{ name: 'locale', value: 'en', url: store.at('hangang') }])
  const goto = page.goto.bind(page)
  page.goto = (url, options) => goto(url.startsWith('/') ? store.at('hangang', url) : url, options)
  await store.signIn('second@example.com', 'hangang')
})

test('a deposit paid exactly makes the order paid, and what was bought can be watched', async ({ page }, { retry }) => {
  const { result, account, code } = await orderByBank(page, titles.exact[retry]!)
  await expect(main(page)).toContainText('Next steps')
  await isAccessible(page)
  await expect(page.getByRole('timer')).toHaveText(/6 days and 23 hours left|7 days and 0 hours left/)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy account number' }).click()
  await expect(page.getByRole('button', { name: 'Copy account number' })).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(account)

  await page.goto('/mypages/order-histories?status=DEPOSIT_WAITING')
  await main(page).getByRole('button', { name: 'View bank details' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Pay by bank transfer' })).toContainText(account)
  await page.goto(`/products/${titles.exact[retry]}`)
  await expect(page.getByRole('link', { name: /^Buy now/ })).toHaveCount(0)
  await expect(main(page).getByRole('link', { name: 'Watch a free lesson' })).toBeVisible()
  await page.goto(`/payments?product=${titles.exact[retry]}`)
  await expect(page.getByRole('heading', { name: 'Awaiting your transfer' })).toBeVisible()
  await isAccessible(page)
  await page.goto(`/products/${titles.exact[retry]}`)
  await main(page).getByRole('link', { name: 'View order' }).first().click()
  await page.waitForURL((url) => url.pathname.endsWith(orderPage(code)))
  await expect(main(page)).toContainText('Awaiting transfer')
  await transfer(page, account)
  await page.goto(result)
  await expect(page.getByRole('heading', { name: 'Payment complete. Enjoy!' })).toBeVisible()
  await expect(main(page)).toContainText(account)
  await expect(page.getByRole('link', { name: 'Watch now' })).toBeVisible()
  await page.goto(orderPage(code))
  await expect(main(page).getByRole('list').filter({ hasText: 'Bank account issued' })).toContainText('Paid')
})

test('a deposit of another amount is refunded, and the exact one still pays', async ({ page }, { retry }) => {
  const { result, account, code } = await orderByBank(page, titles.wrong[retry]!)
  await expect(
    main(page).getByRole('status').filter({ hasText: 'We haven’t received your transfer yet.' }),
  ).toBeVisible()
  await transfer(page, account, { amount: '1000' })
  await page.goto(result)
  await expect(async () => {
    await main(page).getByRole('button', { name: 'Check again' }).click()
    await expect(main(page)).toContainText('We received ₩1,000 but couldn’t accept it', { timeout: 1000 })
  }).toPass({ timeout: 180_000 })
  await orderSays(page, code, 'We received ₩1,000 but couldn’t accept it')
  await expect(main(page)).toContainText('Awaiting transfer')

  await page.getByRole('button', { name: 'Send the refund to this account' }).click()
  await expect(main(page)).toContainText('Enter the bank name.')
  await isAccessible(page)
  await page.getByLabel('Bank', { exact: true }).fill('Hanbit Bank')
  await page.getByRole('textbox', { name: 'Account number' }).fill('110-222-333444')
  await page.getByRole('textbox', { name: 'Account holder' }).fill('Alex Moreau')
  await page.getByRole('button', { name: 'Send the refund to this account' }).click()
  await expect(page.getByRole('button', { name: 'Send the refund to this account' })).toHaveCount(0)

  await page.goto(`/sandbox/bank?account=${account}`)
  await page.locator('button[value=deposit]').click()
  await expect(page.locator('.deposit')).toHaveCount(2)
  await orderSays(page, code, 'Not opened yet')
  await expect(page.getByRole('link', { name: 'Watch now' })).toBeVisible()
})

test('a late deposit is refunded, and the order stays closed', async ({ page }, { retry }) => {
  const { account, code } = await orderByBank(page, titles.late[retry]!)
  await transfer(page, account, { late: true })
  await orderSays(page, code, 'but couldn’t accept it')
  // The order is closed in a step of its own, for which the page may be a moment too early.
  await orderSays(page, code, 'Your transfer didn’t arrive before the deadline.')
  await expect(page.getByRole('link', { name: 'Watch now' })).toHaveCount(0)

  await page.goto('/mypages/order-histories?status=PAYMENT_FAIL')
  await main(page).getByRole('button', { name: 'View details' }).first().click()
  const modal = page.getByRole('dialog', { name: 'Payment details' })
  await expect(modal).toContainText('place a new order at the current price')
  await modal.getByRole('link', { name: 'Place a new order' }).click()
  await expect(page).toHaveURL(/\/payments/)
})

test('an order awaiting a transfer can be paid by card, and after a declined card by both methods', async ({ page }, {
  retry,
}) => {
  await orderByBank(page, titles.card[retry]!)
  const byCard = page.getByRole('button', { name: /^Pay ₩[\d,]+ by card instead$/ })
  await byCard.click()
  await enterCard(page, '4000 0000 0000 0002')
  await expect(
    page.getByRole('heading', { name: 'Your card payment didn’t go through. Your order is still open.' }),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Pay ₩[\d,]+ by bank transfer$/ }).click()
  await expect(page.getByRole('heading', { name: /^Transfer ₩[\d,]+ to complete your order\.$/ })).toBeVisible()
  await byCard.click()
  await payByCard(page)
})

test('an unopened title is refunded at once, and the receipt shows it', async ({ page }, { retry }) => {
  await checkout(page, titles.unopened[retry]!, 'Card')
  await payByCard(page)
  const code = new URL(page.url()).searchParams.get('order')!
  await page.goto(orderPage(code))
  await page.getByRole('link', { name: 'Request a refund' }).click()
  const modal = page.getByRole('dialog', { name: 'Cancel or refund' })
  await expect(modal).toContainText('The refund goes to your card right away.')
  await modal.getByRole('button', { name: /^Refund ₩[\d,]+ now$/ }).click()
  await expect(modal).toContainText('to your card ending in 4242.')
  await modal.getByRole('button', { name: 'Close' }).last().click()
  await expect(main(page)).toContainText('Refunded')
  await expect(page.getByRole('link', { name: 'Watch now' })).toHaveCount(0)

  await page.getByRole('link', { name: 'View receipt' }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expect(main(page)).toContainText('Net amount paid')
  await expect(main(page)).toContainText('RefundRefunded')
  await isAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.pdf$/)
})

test('a refund of an opened title is requested, withdrawn, requested again and decided by an operator', async ({
  page,
  baseURL,
}, { retry }) => {
  const product = titles.opened[retry]!
  await checkout(page, product, 'Card')
  await payByCard(page)
  const code = new URL(page.url()).searchParams.get('order')!
  await page.goto(`/products/${product}/watch`)
  await page
    .getByRole('button', { name: /^(Start watching|Play)/ })
    .first()
    .click()
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(1)

  const ask = async () => {
    await page.getByRole('link', { name: 'Request a refund' }).click()
    const modal = page.getByRole('dialog', { name: 'Cancel or refund' })
    await expect(modal).toContainText('our team will review your request')
    await modal.getByRole('button', { name: /^Request refund of ₩[\d,]+$/ }).click()
    await expect(modal).toContainText('You requested a refund of')
    await modal.getByRole('button', { name: 'Close' }).last().click()
  }
  await page.goto(orderPage(code))
  await ask()
  await expect(main(page)).toContainText('Refund requested')
  await expect(page.getByRole('link', { name: 'Watch now' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Withdraw refund request' }).click()
  await expect(page.getByRole('link', { name: 'Watch now' })).toBeVisible()

  await ask()
  await decideCancel(baseURL!, code, '--reject', 'You have seen it to its end.')
  await page.goto(orderPage(code))
  await expect(main(page)).toContainText('You have seen it to its end.')
  await expect(page.getByRole('link', { name: 'Watch now' })).toBeVisible()

  await ask()
  await decideCancel(baseURL!, code, '--accept')
  await page.goto('/mypages/order-histories?status=CANCEL_COMPLETE')
  await main(page)
    .getByRole('listitem')
    .filter({ hasText: code })
    .getByRole('button', { name: 'Refund details' })
    .click()
  await expect(page.getByRole('dialog', { name: 'Refund details' })).toContainText('to your card ending in')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a transfer is ordered, counted down and cancelled by plain forms', async ({ page }, { retry }) => {
    const { code } = await orderByBank(page, titles.plain[retry]!)
    await expect(page.getByRole('timer')).toHaveText(/days? and \d+ hours? left/)
    await page.goto(orderPage(code))
    await page.getByRole('link', { name: 'Cancel order' }).click()
    await expect(main(page)).toContainText('You haven’t paid yet.')
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await expect(main(page)).toContainText('Your order is canceled. You haven’t been charged.')
  })
})

const run = promisify(execFile)

/** Decides a refund as an operator of the store under test. */
async function decideCancel(baseURL: string, code: string, ...verdict: ['--accept'] | ['--reject', string]) {
  const folder = process.env.MARQUEE_DATA ?? join(tmpdir(), `marquee-e2e-${new URL(baseURL).port}`)
  await run('node', ['server/launch.js', 'cli', 'cancel', code, ...verdict, '--customer', 'hangang', '--by', 'e2e'], {
    env: { ...process.env, MARQUEE_DATA: folder },
  })
}
