import type { Page } from 'playwright/test'
import { axeViolations } from './axe'
import { enter, newMember } from './new-member'
import { moveTo, playing, plays, watch } from './player'
import { expect, secondsPlayed, test } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Free for members, in one piece. */
const film = '/products/and-so-on/watch'

/**
 * Pauses, and waits for the answer to the report of this position, not of an earlier one.
 */
const pauseAndReport = async (page: Page) => {
  const report = page.waitForRequest((request) => request.postData()?.includes('positionSeconds') ?? false)
  await page.keyboard.press('k')
  await (await report).response()
}

test('a film resumes at its position, and asks when another device has a later one', async ({ page, store }) => {
  const aurora = store.at('aurora', '')
  const email = await newMember(page, aurora)
  await watch(page, film)
  // Far enough from each other, and from the end, for a busy machine to pause late.
  await moveTo(page, 3)
  await page.keyboard.press('k')
  await plays(page, 'time').toBeGreaterThan(3)
  await pauseAndReport(page)
  const pausedAt = Date.now()

  const context = await page.context().browser()!.newContext()
  const tablet = await context.newPage()
  await enter(tablet, aurora, email)
  await watch(tablet, aurora + film)
  expect((await playing(tablet)).time).toBeGreaterThan(2.5)
  await moveTo(tablet, 15)
  await tablet.keyboard.press('k')
  await plays(tablet, 'time').toBeGreaterThan(15)
  await pauseAndReport(tablet)
  await context.close()

  // After a shorter rest, a player does not ask where others are.
  await expect.poll(() => Date.now() - pausedAt).toBeGreaterThan(4_200)
  await page.keyboard.press('k')
  await expect(page.getByText(/^You watched up to 0:(1[5-9]|2\d) on another device\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Resume there' }).click()
  await plays(page, 'time').toBeGreaterThanOrEqual(15)
})

test('the next lesson starts after a countdown that can be cancelled', async ({ page, store }) => {
  // A paused stream is released: requests to it are refused and repeated with a new address.
  store.expected.push(/403 \(Forbidden\) \(.*\/m\//)
  await newMember(page, store.at('aurora', ''))
  await watch(page, '/products/shapes-that-behave/watch')
  await moveTo(page, -0.6)
  await page.keyboard.press('k')
  const counting = page.getByText(/^Up next in \d seconds?$/)
  await expect(counting).toBeVisible()
  const first = await counting.textContent()
  await expect(counting).not.toHaveText(first!)
  await page.getByRole('button', { name: 'Play now' }).click()
  await expect(page).toHaveURL(/lesson=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Triangle Decides')
  await plays(page, 'time').toBeGreaterThan(0.3)

  await moveTo(page, -0.6)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(counting).toBeHidden()
  await expect(page.getByRole('button', { name: 'Watch again' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Triangle Decides')
})

test('a started film is on the home page and my pages, and can be removed and restored on both', async ({
  page,
  store,
}) => {
  await newMember(page, store.at('aurora', ''))
  await watch(page, film)
  await moveTo(page, 10)
  await page.keyboard.press('k')
  await plays(page, 'time').toBeGreaterThan(10.2)
  await page.keyboard.press('k')
  const rail = page.getByRole('region', { name: 'Continue watching' })
  const card = rail.getByRole('article').filter({ hasText: 'And So On' })
  const progress = card.getByRole('img', { name: /^[45]\d% watched$/ })
  // The player reports its position by itself, and an earlier report may be in progress.
  await expect(async () => {
    await page.goto('/mypages')
    await expect(progress).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const takeOff = card.getByRole('button', { name: 'Remove And So On from this list' })
  const saveOfDismissal = () =>
    page.waitForResponse((response) => response.request().postData()?.includes('dismissed') ?? false)
  const undo = async () => {
    const saved = saveOfDismissal()
    await page.getByRole('button', { name: 'Undo' }).click()
    await saved
  }
  const removeByPointer = async () => {
    const saved = saveOfDismissal()
    await card.hover()
    await takeOff.click()
    await expect(card).toBeHidden()
    await saved
  }
  const removeByKeyboard = async () => {
    const saved = saveOfDismissal()
    await card.hover()
    await takeOff.focus()
    await page.keyboard.press('Enter')
    await saved
  }

  const removeInBothWays = async () => {
    await removeByPointer()
    await undo()
    await page.reload()
    await expect(card).toBeVisible()
    await removeByKeyboard()
    await expect(card).toHaveCount(0)
  }

  await removeInBothWays()
  await expect(page.getByText('You have nothing in progress.')).toBeVisible()
  await undo()
  await expect(card).toBeVisible()
  await store.navigate('/')
  await expect(progress).toBeVisible()
  await removeInBothWays()
  await store.navigate('/mypages')
  await expect(page.getByText('You have nothing in progress.')).toBeVisible()
  await expect(card).toHaveCount(0)
})

test('from the home page to a watched film by keyboard alone', async ({ page }) => {
  await page.goto('/')
  const search = page.getByRole('combobox').first()
  for (let i = 0; i < 40 && !(await search.evaluate((element) => element === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await expect(search).toBeFocused()
  await page.keyboard.type('For Everyone We Miss')
  // The first results are those of the first letters.
  await expect(page.getByRole('option').first()).toContainText('For Everyone We Miss')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/products\/for-everyone-we-miss$/)
  const watchNow = page.getByRole('link', { name: 'Watch now' })
  await watchNow.waitFor()
  for (let i = 0; i < 40 && !(await watchNow.evaluate((element) => element === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/watch/)
  await plays(page, 'time').toBeGreaterThan(0.5)
  await page.keyboard.press('9')
  await expect(page.getByText('You finished For Everyone We Miss.')).toBeVisible()
})

for (const [tenant, code, label, way] of [
  ['aurora', 'the-last-light', /Available (from|for) \$\d/, /^(Choose a purchase option|Buy for \$)/],
  ['aurora', 'and-so-on', /Sign in to watch for free/, /^Sign in$/],
  ['hangang', 'team-onboarding-pass', /[₩₩]|\d,\d{3}/, undefined],
] as const) {
  test(`the preview of ${code} ends with a link to the rest`, async ({ page, store }) => {
    await page.goto(store.at(tenant, `/products/${code}`))
    await page
      .getByRole('button', { name: /Preview|미리보기/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => secondsPlayed(dialog)).toBeGreaterThan(0)
    await moveTo(dialog, -0.5)
    const end = dialog.locator('[data-player]')
    await expect(end).toContainText(label)
    if (way) {
      const action = end.getByRole('link', { name: way })
      await action.click()
      await expect(dialog).toBeHidden()
      await expect(page).toHaveURL(code === 'and-so-on' ? /\/login\?redirect=/ : /#buy$/)
    } else {
      await end.getByRole('link').first().click()
      await expect(page).toHaveURL(/\/plans\//)
    }
  })
}

test('a free part of a series ends with a link to the others', async ({ page }) => {
  await watch(page, '/products/night-shift/watch')
  await moveTo(page, -0.5)
  await page.keyboard.press('k')
  const end = page.locator('[data-player]')
  await expect(end).toContainText('You finished 0.10 · The Crane.')
  await expect(end).toContainText(/Available (from|for) \$\d/)
  await end.getByRole('link', { name: /^(Choose a purchase option|Buy for \$)/ }).click()
  await expect(page).toHaveURL(/\/products\/night-shift.*#buy$/)
})

test.describe('on touch screens', () => {
  test.use({ hasTouch: true, viewport: { width: 375, height: 740 } })

  test('a tap toggles the controls, a double tap at a side skips ten seconds', async ({ page }) => {
    await watch(page, '/products/for-everyone-we-miss/watch')
    const player = page.locator('[data-player]')
    const { x, y, width, height } = (await player.boundingBox())!
    const tap = (part: number) => page.touchscreen.tap(x + width * part, y + height * 0.3)
    // Sent together: a busy machine must not make two taps of one.
    const twice = (part: number) => Promise.all([tap(part), tap(part)])
    await moveTo(page, 3)
    await twice(0.9)
    await plays(page, 'time').toBeCloseTo(13, 0)
    expect(await playing(page)).toMatchObject({ paused: true })
    await twice(0.1)
    await plays(page, 'time').toBeCloseTo(3, 0)

    await player.getByRole('button', { name: 'Play', exact: true }).first().tap()
    await plays(page, 'paused').toBe(false)
    await tap(0.5)
    await expect(player).toHaveAttribute('data-idle')
    await tap(0.5)
    await expect(player).not.toHaveAttribute('data-idle')
    expect(await playing(page)).toMatchObject({ paused: false })
  })

  test('the offer to start over can be undone', async ({ page, store }) => {
    await newMember(page, store.at('aurora', ''))
    await watch(page, film)
    await moveTo(page, 9)
    await page.keyboard.press('k')
    await plays(page, 'time').toBeGreaterThan(9.1)
    await pauseAndReport(page)
    // The offer lasts eight seconds, and may be gone when the film is held.
    const offer = page.getByRole('status').filter({ hasText: /^Resuming from 0:\d\d/ })
    const place = offer.evaluate((chip) => {
      const player = document.querySelector('[data-player]')!.getBoundingClientRect()
      return { end: chip.getBoundingClientRect().bottom, third: player.top + player.height / 3 }
    })
    await watch(page, film)
    const { end, third } = await place
    expect(end).toBeLessThan(third)
    await page.getByRole('button', { name: 'Start over' }).tap()
    await plays(page, 'time').toBeLessThan(1)
    await page.getByRole('button', { name: /^Back to 0:(09|1\d)$/ }).tap()
    await plays(page, 'time').toBeGreaterThanOrEqual(9)
    await expect(page.getByRole('button', { name: /^(Start over|Back to)/ })).toHaveCount(0)
  })
})

interface Shift {
  value: number
  moved: string[]
}

/** An entry of the Layout Instability API, which TypeScript's library does not have. */
interface LayoutShift {
  value: number
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

for (const tenant of ['aurora', 'hangang'] as const) {
  test(`the player of ${tenant} has no axe violations and does not shift while it opens`, async ({ page, store }) => {
    await page.addInitScript(() => {
      const shifts: { value: number; moved: string[] }[] = []
      Object.assign(window, { shifts })
      const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as LayoutShift[])
          shifts.push({
            value: entry.value,
            moved: entry.sources.map(
              ({ node, previousRect, currentRect }) =>
                `${(node as Element | null)?.outerHTML?.slice(0, 160) ?? node?.textContent}: ${box(previousRect)} to ${box(currentRect)}`,
            ),
          })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const path = tenant === 'aurora' ? '/products/for-everyone-we-miss/watch' : '/products/hangul-story/watch'
    await watch(page, store.at(tenant, path))
    await expect(page.locator('[data-player] button').nth(3)).toBeVisible()
    // The store's font and a header that is drawn in two steps move texts by a few pixels, which
    // is less than 0.01. A late player would move the title by its height: more than 0.2.
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    expect(total, JSON.stringify(shifts, null, 2)).toBeLessThan(0.02)

    const finds = async () => expect(await axeViolations(page)).toEqual([])
    await finds()
    await page.locator('main h1 ~ div button').first().click()
    await expect(page.getByRole('searchbox').last()).toBeVisible()
    await finds()
    await page.keyboard.press('Escape')
    await page.locator('[data-player] [aria-haspopup=menu]').last().click()
    await finds()
    await page.keyboard.press('Escape')
    await page.locator('main').click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('?')
    await expect(page.locator('[data-player] [role=dialog]')).toBeVisible()
    await finds()
  })
}
