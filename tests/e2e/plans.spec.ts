import { axeViolations } from './axe'
import { newMember } from './new-member'
import { leaveCard, storedTestCards, subscribe } from './plan-pages'
import { expect, secondsPlayed, test } from './store'

const onlyByPlan = 'rooftop-weather'

test('a member subscribes with a new card, watches a film of the plan, cancels and resumes', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '')
  await newMember(page, at)
  await page.goto(`${at}/plans/subscription-products`)
  await expect(page).toHaveURL(/\/plans\?notice=PLAN_NEEDED/)
  await expect(page.getByRole('main')).toContainText('You need a plan to view that page.')

  await page.goto(`${at}/products/${onlyByPlan}`)
  await page.getByRole('link', { name: /Aurora Pass, \$5\.99 a month/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Subscribe to Aurora Pass')
  const main = page.getByRole('main')
  await expect(main).toContainText(/First payment on \d{4}\/\d\d\/\d\d, when your free trial ends/)

  await page.getByRole('button', { name: 'Start free trial, $0.00 today' }).click()
  await expect(page.getByText('Agree to this to continue.')).toBeVisible()
  await expect(page.getByRole('checkbox')).toBeFocused()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Start free trial, $0.00 today' }).click()
  await leaveCard(page, storedTestCards.good)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your free trial has started. Enjoy!')

  await page.getByRole('link', { name: 'Start watching' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Included in your plan')
  // The heading states it once for all of them.
  await expect(page.getByRole('article').first()).not.toContainText('In your plan')
  await page.goto(`${at}/products/${onlyByPlan}`)
  await expect(main).toContainText('Included in your plan.')
  await page.getByRole('link', { name: 'Watch now' }).click()
  await expect.poll(() => secondsPlayed(page)).toBeGreaterThan(1)

  await page.goto(`${at}/mypages/subscription`)
  await expect(main).toContainText(/\$5\.99 on \d{4}\/\d\d\/\d\d/)
  await expect(main).toContainText('Visa ending in 4242')
  await page.getByRole('link', { name: 'Cancel plan' }).click()
  await expect(page.getByRole('heading', { name: 'Cancel Aurora Pass?' })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(main).toContainText(/Your plan ends on \d{4}/)
  await expect(main).toContainText('You won’t be charged again.')
  await page.getByRole('button', { name: 'Keep my plan' }).click()
  await expect(main).toContainText('Your plan will keep renewing as before.')
  await expect(main).toContainText(/\$5\.99 on \d{4}\/\d\d\/\d\d/)
})

test('an upgrade is paid at once at its quoted price, a downgrade waits for the renewal and can be undone', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '')
  const main = page.getByRole('main')
  await newMember(page, at)
  await subscribe(page, at, 'Ambient', storedTestCards.good)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed. Enjoy!')

  await page.goto(`${at}/plans`)
  await page.getByRole('link', { name: 'Upgrade: Aurora House' }).click()
  await expect(page.getByRole('heading', { name: 'Switch to Aurora House?' })).toBeVisible()
  await expect(main).toContainText('Credit for unused time')
  await expect(page.getByRole('timer')).toContainText(/1[45]:\d\d/)
  const pay = page.getByRole('button', { name: /^Pay \$\d+\.\d\d and upgrade$/ })
  const amount = /\$\d+\.\d\d/.exec((await pay.textContent()) ?? '')![0]
  await page.getByRole('checkbox').check()
  await pay.click()
  await expect(main).toContainText('Your new plan is now active.')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText('Aurora House')

  await page.getByRole('link', { name: 'Change plan' }).click()
  await page.getByRole('link', { name: 'Change at renewal: Ambient' }).click()
  await page.getByRole('button', { name: /^Switch on / }).click()
  await expect(main).toContainText(/On \d{4}\/\d\d\/\d\d, your plan changes to Ambient\./)
  await page.getByRole('button', { name: 'Keep Aurora House' }).click()
  await expect(main).toContainText('You’re keeping your current plan.')
  await expect(main).toContainText(/\$9\.99 on \d{4}/)

  await page.getByRole('link', { name: 'Billing history' }).click()
  const events = page.getByRole('main').locator('ol').last().getByRole('listitem')
  await expect(events.filter({ hasText: 'Upgraded' })).toHaveCount(1)
  await expect(events.filter({ hasText: amount })).not.toHaveCount(0)
  await expect(events.filter({ hasText: 'Subscription started' })).toHaveCount(1)
})

test('a declined card starts no subscription and shows the reason, and another card starts one', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '')
  await newMember(page, at)
  await subscribe(page, at, 'Aurora House', storedTestCards.declined)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your subscription didn’t start.')
  await expect(page.getByRole('main')).toContainText('Your card was declined.')
  await page.goto(`${at}/mypages/subscription`)
  await expect(page.getByRole('main')).toContainText('You don’t have a plan yet.')

  await subscribe(page, at, 'Aurora House', storedTestCards.refused)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your subscription didn’t start.')
  await page.getByRole('link', { name: 'Try another card' }).click()
  await page.getByRole('radio').last().check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Pay $9.99 and subscribe' }).click()
  await leaveCard(page, storedTestCards.good)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed. Enjoy!')

  // One regular plan at a time: the payment pages lead to it.
  await page.goto(`${at}/plans/payment`)
  await expect(page).toHaveURL(/\/mypages\/subscription$/)
})

test('cards are registered, made the default, replaced and removed', async ({ page, store }) => {
  const at = store.at('aurora', '')
  const main = page.getByRole('main')
  await newMember(page, at)
  await page.goto(`${at}/mypages/cards`)
  await expect(main).toContainText('You haven’t added a card yet.')
  await page.getByRole('button', { name: 'Add a card' }).click()
  await leaveCard(page, storedTestCards.refused)
  await page.waitForURL(/\/mypages\/cards/)
  await expect(main.getByRole('alert')).toContainText('The card wasn’t added.')

  await page.getByRole('button', { name: 'Add a card' }).click()
  await leaveCard(page, storedTestCards.good)
  await expect(main).toContainText('Visa ending in 4242 was added.')
  await page.getByRole('button', { name: 'Add another card' }).click()
  await leaveCard(page, storedTestCards.recovers)
  await expect(main).toContainText('Visa ending in 0804 was added.')

  await page.getByRole('button', { name: 'Set as default: Visa ending in 0804' }).click()
  const rows = main.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) })
  await expect(rows.filter({ hasText: '0804' })).toContainText('Default')
  await expect(rows.filter({ hasText: '4242' })).not.toContainText('Default')

  await page.getByRole('button', { name: 'Replace Visa ending in 0804' }).click()
  await leaveCard(page, storedTestCards.declined)
  await expect(main).toContainText('Visa ending in 0341 was added.')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: '0341' })).toContainText('Default')

  await page.getByRole('link', { name: 'Remove Visa ending in 4242' }).click()
  await expect(main).toContainText('Remove Visa ending in 4242?')
  await page.getByRole('link', { name: 'Keep it' }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('link', { name: 'Remove Visa ending in 4242' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(rows).toHaveCount(1)
})

test('in a store that sells only plans, a product links to its plan, and the plan unlocks it', async ({
  page,
  store,
}) => {
  const at = store.at('studio', '')
  await newMember(page, at)
  await page.goto(`${at}/products/grid-gym`)
  await expect(page.getByRole('banner').getByRole('link', { name: 'View plans' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to cart' })).toHaveCount(0)
  await page.getByRole('link', { name: /^Make, \$4\.00 a month$/ }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Pay $4.00 and subscribe' }).click()
  await leaveCard(page, storedTestCards.good)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed. Enjoy!')
  await expect(page.getByRole('banner').getByRole('link', { name: 'View plans' })).toHaveCount(0)
  await page.goto(`${at}/products/grid-gym`)
  await expect(page.getByRole('main')).toContainText('Included in your plan.')
  await expect(page.getByRole('link', { name: 'Watch now' })).toBeVisible()
})

test('a banner of a plan links to its products, and a store without plans redirects their pages home', async ({
  page,
  store,
}) => {
  await page.goto(store.at('studio', '/'))
  await page.getByRole('link', { name: 'See the plan', exact: true }).first().click()
  await expect(page).toHaveURL(/\/plans\/loop\/products/)
  await expect(page.getByRole('article').first()).toBeVisible()

  await store.signIn('member@example.com', 'salon')
  await page.goto(store.at('salon', '/plans'))
  await expect(page).toHaveURL(/\/\?notice=PLANS_CLOSED$/)
  await expect(page.getByRole('main')).toContainText('This store doesn’t offer plans right now.')
})

test('a subscriber’s pages have no axe violations, in light and dark themes', async ({ page, store }) => {
  const at = store.at('studio', '')
  await newMember(page, at)
  await subscribe(page, at, 'Make', storedTestCards.good)
  const ownPages = ['', '?step=cancel', '?step=change', '/histories'].map((rest) => `/mypages/subscription${rest}`)
  const faults: string[] = []
  await page.goto(`${at}/faq`)
  for (const path of ['/plans', '/mypages/cards', ...ownPages, '/plans/subscription-products']) {
    await store.navigate(path)
    await page.waitForLoadState('networkidle')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      faults.push(...(await axeViolations(page)).map((fault) => `${path} ${colorScheme}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a member subscribes, cancels and resumes', async ({ page, store, browser }) => {
    const at = store.at('hangang', '/en')
    const scripted = await browser.newContext()
    await newMember(await scripted.newPage(), store.at('hangang', ''))
    await page.context().addCookies(await scripted.cookies())
    await scripted.close()

    await page.goto(`${at}/plans`)
    await page
      .getByRole('link', { name: /^Subscribe: / })
      .first()
      .click()
    await page.getByRole('button', { name: /^Pay .* and subscribe/ }).click()
    await expect(page.getByRole('alert')).toContainText('Agree to the recurring charge to continue.')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: /^Pay .* and subscribe/ }).click()
    await leaveCard(page, storedTestCards.good)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed. Enjoy!')
    await page.goto(`${at}/mypages/subscription?step=cancel`)
    await page.getByRole('button', { name: 'Cancel plan' }).click()
    await expect(page.getByRole('main')).toContainText('Your plan won’t renew.')
    await page.getByRole('button', { name: 'Keep my plan' }).click()
    await expect(page.getByRole('main')).toContainText('Your plan will keep renewing as before.')
  })
})
