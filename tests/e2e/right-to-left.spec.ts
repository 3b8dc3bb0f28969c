import type { Locator, Page } from 'playwright/test'
import { watch } from './player'
import { expect, test } from './store'

/** The distances of a text's first and last letters from the left. */
const ends = (text: Locator) =>
  text.evaluate((element) => {
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
    const leftOf = (at: number) => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().left
    }
    return { first: leftOf(0), last: leftOf(node.data.length - 1) }
  })

const readsFromTheLeft = async (text: Locator) => {
  const { first, last } = await ends(text)
  expect(first, await text.innerText()).toBeLessThan(last)
}

test('English text of a store keeps its order in Arabic lines, which are aligned to their start', async ({
  page,
  store,
}) => {
  store.expected.push(/404/)
  await page.goto('/ar/faq')
  await readsFromTheLeft(page.getByText('Are the films really that short?'))
  await store.navigate('/ar/products/night-shift')
  await readsFromTheLeft(page.getByText('0.10 · The Crane'))
  await store.navigate('/ar/plans')
  const benefit = page.getByText('New loops on the first of the month')
  const { first, last } = await ends(benefit)
  const box = (await benefit.boundingBox())!
  expect(first).toBeLessThan(last)
  expect(box.x + box.width - last).toBeLessThan(30)
  expect(first - box.x).toBeGreaterThan(20)
  await page.goto('/ar/no/such/page')
  await readsFromTheLeft(page.getByText('/no/such/page', { exact: true }))
})

test("a choice in the player's menus follows its check mark from the right", async ({ page }) => {
  await watch(page, '/ar/products/for-everyone-we-miss/watch')
  await page.locator('[data-player]').hover()
  await page.locator('[data-player] button[aria-haspopup=menu]').first().click()
  const chosen = page.getByRole('menuitemradio', { checked: true }).first()
  const mark = (await chosen.locator('svg').boundingBox())!
  const menu = (await page.getByRole('menu').boundingBox())!
  expect(menu.x + menu.width - mark.x).toBeLessThan(60)
})

/**
 * Words in Latin letters outside of elements marked with such a language. The language of members'
 * texts is unknown, and the title that is announced after a navigation is one text.
 */
const unmarkedLatin = (page: Page) =>
  page.locator('body').evaluate((body) => {
    const faults: string[] = []
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!
      const language = element.closest('[lang]')?.getAttribute('lang')
      const words = (node.textContent ?? '').replace(/\S+@\S+/g, '').match(/[a-z]{3,}/g) ?? []
      if (
        words.length === 0 ||
        language !== 'ar' ||
        element.closest('script, style, noscript, section[aria-labelledby=comments], [aria-live][aria-atomic]')
      )
        continue
      faults.push(`${element.tagName} ${element.className}: ${node.textContent}`)
    }
    return faults
  })

test('content without an Arabic translation is marked as English on Arabic pages', async ({ page, store }) => {
  await page.goto('/ar')
  for (const path of [
    '',
    '/products?category=films/landscape&tag=sea',
    '/products/the-last-light',
    '/products/the-last-light/watch',
    '/plans',
    '/plans/payment',
    '/plans/aurora-pass/products',
    '/faq',
    '/notices',
    '/pages/terms',
    '/products/night-shift',
  ]) {
    if (path) await store.navigate(`/ar${path}`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    expect.soft(await unmarkedLatin(page), path).toEqual([])
  }
  await expect(page.getByRole('heading', { level: 1 }).locator('[lang=en]')).toHaveText('Night Shift')
})

test('English caption matches keep their direction in Arabic results and suggestions', async ({ page, store }) => {
  await page.goto('/ar/products?q=no+larger+than+a+snowball')
  const snippet = page.locator('mark').first().locator('..')
  await expect(snippet).toHaveCSS('direction', 'ltr')
  await expect(snippet).toHaveCSS('display', 'flow-root')
  await expect(snippet).toHaveCSS('text-align', 'right')
  await store.navigate('/ar')
  const field = page.getByRole('combobox').first()
  await field.click()
  await field.pressSequentially('eleven years to get here')
  const line = page.getByRole('option').locator('mark').first().locator('..')
  await expect(line).toHaveCSS('direction', 'ltr')
  await expect(line).toHaveCSS('text-overflow', 'ellipsis')
})
