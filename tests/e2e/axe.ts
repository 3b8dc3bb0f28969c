import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'

/** What axe finds against WCAG 2.2 AA on a page, or in a part of it; nothing is right. */
export async function axeFinds(page: Page, within?: string): Promise<string[]> {
  const builder = new AxeBuilder({ page: page as never }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
  const { violations } = await (within ? builder.include(within) : builder).analyze()
  return inWords(violations)
}

const everyTag = ['wcag2a', 'wcag21a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds on a whole page against WCAG 2.2 A and AA and its own best practices. */
export async function axeFindsOfPage(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: page as never }).withTags(everyTag).analyze()
  return inWords(violations)
}

/** What axe finds of the colours alone, where the rest was looked at in others. */
export async function axeFindsOfColours(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: page as never }).withRules('color-contrast').analyze()
  return inWords(violations)
}

const inWords = (violations: Awaited<ReturnType<AxeBuilder['analyze']>>['violations']) =>
  violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(' '))
        .join(', ')}`,
  )
