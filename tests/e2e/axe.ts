import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright/test'

const tags = ['wcag2a', 'wcag21a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/**
 * The rules whose results depend on the theme, and those on the width: controls have another size,
 * or others are shown.
 */
export const rulesOfThemeAndWidth = [
  ...['color-contrast', 'link-in-text-block'],
  ...[
    'target-size',
    'scrollable-region-focusable',
    'button-name',
    'link-name',
    'label',
    'select-name',
    'list',
    'listitem',
  ],
  ...['aria-hidden-focus', 'aria-required-children', 'aria-required-parent', 'td-headers-attr', 'empty-table-header'],
  ...['heading-order', 'page-has-heading-one', 'landmark-unique', 'region'],
]

export interface AxeOptions {
  /** A selector of the part of the page, or its parts, that are looked at. */
  within?: string
  /** These rules alone. */
  rules?: readonly string[]
}

/** The modal dialog that is open. Assistive technology does not see the page below it. */
export const inDialog = { within: '[role=dialog], [role=alertdialog]' } as const satisfies AxeOptions

/**
 * What axe finds against WCAG 2.2 A and AA and its own best practices on a page, or in a part of
 * it; nothing is right. Each document receives axe once, when it is complete. No page holds a
 * frame.
 */
export async function axeViolations(page: Page, { within, rules }: AxeOptions = {}): Promise<string[]> {
  await page.waitForLoadState()
  // A dialog's code is loaded when it is first opened.
  if (within) await page.locator(within).first().waitFor()
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(
    async ([selector, only]) => {
      // Colours and opacities change by transitions, also to those of another theme. A cancelled
      // one is replaced by another.
      const finite = () =>
        document
          .getAnimations()
          .filter(
            ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
          )
      const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      // A control that has been scrolled below the sticky header would be one that is too small.
      scrollTo({ top: 0, behavior: 'instant' })
      // A changed theme or width may begin transitions only when the page is drawn next.
      await drawn()
      // A list is dimmed while another search or page of it loads.
      const busy = () => document.querySelector('main [aria-busy=true]') !== null
      for (let running = finite(); running.length > 0 || busy(); running = finite()) {
        await Promise.all(running.map(({ finished }) => finished.catch(() => {})))
        await drawn()
      }
      if (document.querySelector('iframe, frame')) throw new Error('axe is not run in frames.')
      const part = selector ? document.querySelectorAll(selector) : document
      const { violations } = await window.axe!.run(part, { runOnly: only, reporter: 'no-passes' })
      return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) }))
    },
    [within, rules ? { type: 'rule' as const, values: [...rules] } : { type: 'tag' as const, values: tags }] as const,
  )
  return violations.map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(', ')}`)
}

/**
 * The same in both themes, also where the store has settled on one of them: light as the window is,
 * dark as narrow as a telephone. The second run has only the rules that theme or width can change:
 * all of them again would double the time.
 */
export async function axeViolationsInBoth(page: Page, part: Pick<AxeOptions, 'within'> = {}): Promise<string[]> {
  const size = page.viewportSize()
  await drawIn(page, 'light')
  const inLight = await axeViolations(page, part)
  await page.setViewportSize({ width: 375, height: 800 })
  await drawIn(page, 'dark')
  const inDark = await axeViolations(page, { ...part, rules: rulesOfThemeAndWidth })
  if (size) await page.setViewportSize(size)
  return [...inLight.map((fault) => `light: ${fault}`), ...inDark.map((fault) => `dark, 375 px: ${fault}`)]
}

async function drawIn(page: Page, theme: 'light' | 'dark') {
  await page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen
  }, theme)
}
