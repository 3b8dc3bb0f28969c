import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'

const tags = ['wcag2a', 'wcag21a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds against WCAG 2.2 A and AA and its own best practices on a page, or in a part of
 * it; nothing is right.
 */
export async function axeViolations(page: Page, within?: string): Promise<string[]> {
  // Outcomes of rules that are met need not be described. No page holds a frame of another origin,
  // for which axe would open a page of its own each time.
  const builder = new AxeBuilder({ page: page as never })
    .options({ resultTypes: ['violations'] })
    .withTags(tags)
    .setLegacyMode()
  const { violations } = await (within ? builder.include(within) : builder).analyze()
  return describeViolations(violations)
}

/**
 * The same in both themes, also where the store has settled on one of them: light as the window is,
 * dark as narrow as a telephone.
 */
export async function axeViolationsInBoth(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  await drawIn(page, 'light')
  const inLight = await axeViolations(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await drawIn(page, 'dark')
  const inDark = await axeViolations(page)
  if (size) await page.setViewportSize(size)
  return [...inLight.map((fault) => `light: ${fault}`), ...inDark.map((fault) => `dark, 375 px: ${fault}`)]
}

async function drawIn(page: Page, theme: 'light' | 'dark') {
  await page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen
  }, theme)
  // Colours glide to those of the theme.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  )
}

const describeViolations = (violations: Awaited<ReturnType<AxeBuilder['analyze']>>['violations']) =>
  violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(' '))
        .join(', ')}`,
  )
