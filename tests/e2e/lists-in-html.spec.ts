import type { Page } from 'playwright/test'
import { expect, test } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const rail = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name })
const firstCard = (page: Page, name: string) => rail(page, name).getByRole('article').first()

test('a card of the first page navigates without loading the document, and back shows the list before any answer', async ({
  page,
}) => {
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  const card = firstCard(page, 'Films').getByRole('link')
  const title = (await card.textContent()) ?? ''
  await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
  await card.click()
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Add to cart' }).first()).toBeVisible()
  // Nothing that the list needs may be loaded again.
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/_serverFn/, async (route) => {
    await promise
    await route.continue()
  })
  await page.goBack()
  await expect(firstCard(page, 'Films').getByRole('link', { name: title })).toBeVisible()
  await expect(rail(page, 'Films').getByRole('article')).toHaveCount(10)
  expect(await page.evaluate(() => document.body.hasAttribute('data-same-document'))).toBe(true)
  resolve()
  await page.unrouteAll({ behavior: 'wait' })
  await test.step('slides out of view are not reached by keyboard, also after a change of language', () =>
    reachSlides(page))
})

async function reachSlides(page: Page) {
  const slider = page.getByRole('main').locator('section').first()
  const reached = slider.locator('li:not([inert])').getByRole('link')
  const all = slider.locator('li')
  await expect(reached).toHaveText(['Watch the preview'])
  await slider.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(reached).toHaveText(['Go there'])
  await page.getByRole('contentinfo').getByRole('link', { name: '한국어' }).click()
  await expect(all.first()).toHaveText(/[가-힣]/)
  await expect(all).toHaveCount(4)
  await expect(reached).toHaveCount(1)
  await slider.getByRole('button', { name: '다음', exact: true }).click()
  await expect(all.nth(2)).not.toHaveAttribute('inert', '')
  await expect(reached).toHaveCount(1)
}

test('cards of a list open by keyboard and in a new tab, more of them follow, and a language changes them all', async ({
  page,
}) => {
  await page.goto('/products')
  await page.waitForLoadState('networkidle')
  await test.step('a card can be opened in a new tab', () => openInTab(page))
  await test.step('more pages of a list follow the cards of the first page', () => loadMore(page))
  await test.step('a card can be opened with the keyboard', () => openByKeyboard(page))
  await page.goBack()
  await expect(page).toHaveURL(/\/products(\?|$)/)
  await test.step('a change of language loads the cards in the new language', () => changeLanguage(page))
})

const cards = (page: Page) => page.getByRole('main').getByRole('article')

async function openInTab(page: Page) {
  const card = cards(page).first().getByRole('link')
  const [tab] = await Promise.all([page.context().waitForEvent('page'), card.click({ modifiers: ['ControlOrMeta'] })])
  await expect.poll(() => new URL(tab.url()).pathname).toBe(await card.getAttribute('href'))
  await tab.close()
  await expect(page).toHaveURL(/\/products$/)
}

async function loadMore(page: Page) {
  const links = cards(page).getByRole('link')
  const before = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  await page.getByRole('main').getByRole('link', { name: 'Load more' }).click()
  await expect(links).toHaveCount(48)
  const after = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(after.slice(0, before.length)).toEqual(before)
  expect(new Set(after).size).toBe(after.length)
}

async function openByKeyboard(page: Page) {
  const card = cards(page).first().getByRole('link')
  const title = (await card.textContent()) ?? ''
  await card.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible()
}

async function changeLanguage(page: Page) {
  const titles = cards(page).getByRole('heading')
  await expect(titles).not.toHaveCount(0)
  const before = await titles.allTextContents()
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: '한국어' })
    .or(page.getByRole('contentinfo').getByRole('button', { name: '한국어' }))
    .click()
  await expect(titles.first()).toHaveText(/[가-힣]/)
  await expect(titles).toHaveCount(before.length)
}

test('a card pressed before the scripts have loaded leads to its product', async ({ page }) => {
  const { promise: pressed, resolve: letScriptsRun } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await pressed
    // The requests of the page that was left have ended.
    await route.continue().catch(() => {})
  })
  // The press interrupts the loading of the page.
  const left = page.goto('/').catch(() => null)
  const card = firstCard(page, 'Films').getByRole('link')
  const title = (await card.textContent()) ?? ''
  await card.click({ noWaitAfter: true })
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible()
  letScriptsRun()
  await left
  await expect(page.getByRole('main').getByRole('button', { name: 'Add to cart' }).first()).toBeVisible()
})
