import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole, signedOut } from './console'
import { newMember, password } from './new-member'
import { callAs } from './requests'
import { expect, hydrated, test } from './store'

const base = '/api/v1/customers/aurora'

test('a member is found, noted and signed out; their inquiry is answered and their reported comment is decided', async ({
  page,
  store,
}, { retry }) => {
  // A blocked member is refused. The session of the operator ends at last.
  store.expected.push(signedOut, /403|422.*(?:blocked-phrases|orders\/paid)/)
  // The trace of a retry is recorded by a script, which the frame of an email refuses.
  if (retry > 0) store.expected.push(/Blocked script execution in '\S+\/admin\/mails\//)
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await page.goto(`${at}/faq`)
  const { token } = await callAs(page, null, '/login', { email, password })
  const text = `I waited for this film ${Date.now()}`
  const product = await page.evaluate(
    async (url) => (await (await fetch(url)).json()).id,
    `${base}/new-products/blue-hour`,
  )
  const { id } = await callAs(page, token, `/products/${product}/comments`, { body: text })
  await callAs(page, token, '/inquiries', { type: 'ETC', title: `Question ${email}`, body: 'When is the next one?' })
  const other = await newMember(page, at)
  const { token: otherToken } = await callAs(page, null, '/login', { email: other, password })
  await callAs(page, otherToken, `/products/${product}/comments/${id}/report`, { reason: 'SPOILER' })

  // On a phone: from what waits to the comment, and an answer to it.
  const size = page.viewportSize()!
  await enterConsole(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const main = page.getByRole('main')
  await expect(main).toContainText('Waiting for you')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('link', { name: 'Comments to review' }).click()
  const comment = main.locator('div').filter({ hasText: text }).last()
  await expect(comment).toContainText(text)
  expect(await axeViolationsInBoth(page)).toEqual([])
  // The queue around the cards counts them.
  const card = main.locator('div:has(> p)').filter({ hasText: text, hasNotText: 'reported:' })
  await card.getByRole('button', { name: 'Reply' }).click()
  await card.getByLabel('Reply').fill('Thank you for waiting.')
  await card.getByRole('button', { name: 'Publish reply' }).click()
  await expect(card.getByLabel('Reply')).toBeHidden()
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(main.getByText(text)).toBeHidden()
  await page.setViewportSize(size)

  const word = `quibble${Date.now()}`
  await main.getByRole('button', { name: 'Blocked words' }).click()
  const dialog = page.getByRole('dialog', { name: 'Blocked words' })
  await dialog.getByLabel('Words and phrases').fill(`${word}\n${'x'.repeat(61)}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('60')
  await dialog.getByLabel('Words and phrases').fill(`${word}\n`)
  // On a telephone, notifications of the steps before would cover the dialog.
  await expect(page.locator('[data-scope="toast"][data-part="root"]')).toHaveCount(0)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await callAs(page, token, `/products/${product}/comments`, { body: `Such a ${word.toUpperCase()}!` })
  await page.reload()
  await expect(main.getByText(`Blocked word: ${word}`)).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const held = main.locator('div:has(> p)').filter({ hasText: word.toUpperCase(), hasNotText: 'reported:' })
  await held.getByRole('button', { name: 'Hide' }).click()
  await expect(held).toBeHidden()

  const menu = page.getByRole('navigation', { name: 'Console' })
  await menu.getByRole('link', { name: 'Inquiries' }).click()
  await main.getByRole('link', { name: `Question ${email}` }).click()
  await expect(main).toContainText('When is the next one?')
  await page.getByLabel('Answer').fill('In spring.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(main.getByText('Answered', { exact: true })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'In spring.' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await menu.getByRole('link', { name: 'Emails' }).click()
  await page.getByLabel('Recipient’s address').fill(email)
  await expect(
    page
      .getByRole('table', { name: 'Emails' })
      .getByRole('row', { name: /inquir/i })
      .first(),
  ).toBeVisible()
  await page
    .getByRole('row', { name: /inquir/i })
    .first()
    .getByRole('link')
    .click()
  await expect(main.getByRole('heading', { name: 'Inquiry answered' })).toBeVisible()
  const asSent = main.locator('iframe').contentFrame()
  await expect(asSent.getByText('In spring.')).toBeVisible()
  // Its styles are its own, and it runs no scripts.
  await expect(asSent.locator('body')).toHaveCSS('background-color', 'rgb(243, 244, 246)')
  expect(await main.locator('iframe').getAttribute('sandbox')).not.toContain('allow-scripts')
  await main.getByRole('button', { name: 'Text', exact: true }).click()
  await expect(main).toContainText('> In spring.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await menu.getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  const testMail = page.getByRole('dialog', { name: 'Send a test email' })
  await expect(testMail.getByLabel('Email')).toHaveValue('operator@example.com')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await testMail.getByLabel('Email').fill(`test-${email}`)
  await testMail.getByRole('button', { name: 'Send' }).click()
  await expect(testMail).toBeHidden()
  await page.getByLabel('Recipient’s address').fill(`test-${email}`)
  // The demo has no mail server.
  await expect(page.getByRole('row', { name: `test-${email}` })).toContainText('Not sent')
  // A search begins only when one has stopped typing: not once another page was opened.
  await page.route(/assets\/suppressed-addresses/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.getByLabel('Recipient’s address').fill('nobody')
  await main.getByRole('link', { name: 'Suppressed addresses' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Suppressed addresses' })).toBeVisible()
  await main.getByRole('button', { name: 'Suppress an address' }).click()
  const suppressing = page.getByRole('dialog', { name: 'Suppress an address' })
  await suppressing.getByLabel('Email').fill(`never-${email}`)
  await suppressing.getByLabel('Reason').fill('Asked by phone')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await suppressing.getByRole('button', { name: 'Suppress' }).click()
  await expect(suppressing).toBeHidden()
  const suppressed = page.getByRole('table', { name: 'Suppressed addresses' }).getByRole('row', { name: email })
  await expect(suppressed).toContainText('Asked by phone')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await suppressed.getByRole('button', { name: /^Release/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
  await expect(suppressed).toBeHidden()
  await menu.getByRole('link', { name: 'Cases' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Cases' })).toBeVisible()

  await menu.getByRole('link', { name: 'Members' }).click()
  const members = page.getByRole('table', { name: 'Members' })
  const busy = main.locator('[aria-busy]', { has: members })
  await expect(members).toBeVisible()
  await expect(busy).toHaveCount(0)
  // The list before a search is dimmed while it lasts.
  const search = Promise.withResolvers<void>()
  const isSearch = /admin\/members\?.*q=/
  await page.route(isSearch, async (route) => {
    await search.promise
    await route.continue()
  })
  await page.getByLabel('Name or email').fill(email)
  await expect(busy).toHaveCount(1)
  await expect(members.locator('..')).toHaveCSS('opacity', '0.55')
  search.resolve()
  await expect(members.getByRole('row')).toHaveCount(2)
  await expect(busy).toHaveCount(0)
  await page.unroute(isSearch)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await expect(page.getByLabel('Name or email')).toBeFocused()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  // Also pages and parts of pages that the menu lacks.
  for (const [text, found] of [
    ['saved repl', 'Saved replies'],
    ['redirects', 'Redirects'],
    ['import', 'Import and export'],
    ['notice', 'Notices'],
  ] as const) {
    await palette.getByRole('combobox').fill(text)
    await expect(palette.getByRole('option', { name: found })).toBeVisible()
  }
  await palette.getByRole('combobox').fill(email)
  await expect(palette.getByRole('option', { selected: true })).toContainText(email)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByLabel('Note').fill('Asks about spring')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Asks about spring' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Complimentary order' }).click()
  const giving = page.getByRole('dialog', { name: 'Complimentary order' })
  await giving.getByLabel('Add a product').fill('the-last-light')
  await giving.getByRole('button', { name: 'Add The Last Light' }).click()
  await giving.getByLabel('Reason').fill('Won the quiz')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await giving.getByRole('button', { name: 'Create the order' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'The Last Light' })).toBeVisible()
  await main.getByRole('link', { name: 'All orders of this member' }).click()
  await expect(page.getByRole('table', { name: 'Orders' }).getByRole('row').nth(1)).toContainText('Complimentary')
  const exported = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  const revokingOrder = page.getByRole('dialog', { name: /^Revoke \d{8}-/ })
  await revokingOrder.getByLabel('Reason').fill('By mistake')
  await revokingOrder.getByRole('button', { name: 'Revoke' }).click()
  await expect(main.getByText('Revoked', { exact: true }).first()).toBeVisible()
  await page.goBack()
  await page.goBack()
  await page.getByRole('button', { name: 'Grant a title' }).click()
  const grant = page.getByRole('dialog', { name: 'Grant a title' })
  await grant.getByLabel('Product code').fill('blue-hour')
  await grant.getByLabel('Reason').fill('Won a prize')
  await grant.getByRole('button', { name: 'Grant', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  const revoking = page.getByRole('dialog', { name: /^Revoke / })
  await revoking.getByLabel('Reason').fill('By mistake')
  await revoking.getByRole('button', { name: 'Revoke' }).click()
  await expect(main.getByText('Owns and rents nothing.')).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'By mistake' })).toContainText('Title revoked')
  await page.getByRole('button', { name: 'Record a sale' }).click()
  const sale = page.getByRole('dialog', { name: 'Record a sale' })
  await sale.getByLabel('Add a product').fill('Blue Hour')
  await sale.getByRole('button', { name: 'Add Blue Hour', exact: true }).click()
  await expect(sale.getByText(/^Price of the titles: \$\d/)).toBeVisible()
  await sale.getByLabel('Amount received').fill('90000000')
  await sale.getByLabel('Reference').fill(`Receipt ${email}`)
  await sale.getByLabel('Reason').fill('Sold at the festival')
  await sale.getByRole('button', { name: 'Record the sale' }).click()
  await expect(sale.getByText(/^These titles cost/)).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await sale.getByLabel('Amount received').fill('3')
  await sale.getByLabel('Way of payment').selectOption({ label: 'Cash' })
  await sale.getByRole('button', { name: 'Record the sale' }).click()
  await expect(sale).toBeHidden()
  await expect(main.getByRole('listitem').filter({ hasText: 'Blue Hour' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Export the data' }).click()
  const exporting = page.getByRole('dialog', { name: 'Export all data of this member?' })
  await exporting.getByLabel('Reason').fill('Asked by phone')
  const data = page.waitForEvent('download')
  await exporting.getByRole('button', { name: 'Export', exact: true }).click()
  expect((await data).suggestedFilename()).toMatch(/^member-.+\.json$/)
  await expect(exporting).toBeHidden()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = page.getByRole('alertdialog', { name: 'Sign this member out everywhere?' })
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(main.getByText('Not signed in.')).toBeVisible()
  await page.getByRole('button', { name: 'Block' }).click()
  const blocking = page.getByRole('dialog', { name: 'Block this member?' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await blocking.getByLabel('Reason').fill('Shares the password')
  await blocking.getByRole('button', { name: 'Block' }).click()
  await expect(main.getByText('Blocked', { exact: true }).first()).toBeVisible()

  await menu.getByRole('link', { name: 'Audit log' }).click()
  await page.getByLabel('Action').selectOption({ label: 'Member signed out' })
  const entry = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1)
  await expect(entry).toContainText('Member signed out')
  expect(await axeViolationsInBoth(page)).toEqual([])
  // An entry leads to the others about its object, and to the object's page.
  await entry.getByRole('link', { name: /^All entries about / }).click()
  await expect(page).toHaveURL(/subject=member/)
  await expect(entry.getByRole('link')).toHaveCount(1)
  await entry.getByRole('link').click()
  await expect(page).toHaveURL(/\/admin\/members\/[\da-f-]+$/)
  await expect(main.getByText('Blocked', { exact: true }).first()).toBeVisible()

  await page.context().clearCookies()
  await page.goto(store.at('aurora', '/login'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This account is blocked.')
})

test('a role is made, a person is invited with it, and a token is created and revoked', async ({ page }) => {
  await enterConsole(page, '/staff')
  const main = page.getByRole('main')
  const name = `Moderator ${Date.now()}`
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('checkbox', { name: 'See comments' }).check()
  // Who changes something sees its pages.
  const [see, upload] = ['See videos', 'Upload videos'].map((label) => page.getByRole('checkbox', { name: label }))
  await upload!.check()
  await expect(see!).toBeChecked()
  await see!.uncheck()
  await expect(upload!).not.toBeChecked()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: name })).toContainText('See comments')

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Staff' }).click()
  const email = `staff-${Date.now()}@example.com`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Role', { exact: true }).selectOption({ label: name })
  await page.getByRole('button', { name: 'Invite' }).click()
  const invitation = main.getByRole('listitem').filter({ hasText: email })
  await expect(invitation).toContainText(name)
  await invitation.getByRole('button', { name: 'Revoke' }).click()
  await expect(invitation).toHaveCount(0)

  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('checkbox', { name: 'Upload videos' }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(main.getByRole('button', { name: 'Copy the token' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const token = main.getByRole('listitem').filter({ hasText: name })
  await token.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(token).toContainText('Revoked')
})

test('staff see the store as a member, cannot change anything, and come back to the console', async ({
  page,
  store,
  context,
}, { retry }) => {
  store.expected.push(/403/)
  const reason = `Cannot find film ${retry + 1}`
  await enterConsole(page, '/members?q=member@example.com')
  await page.getByRole('main').getByRole('table').getByRole('link').first().click()
  await page.getByRole('button', { name: 'See the store as this member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  const opening = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Open the store' }).click()
  const shop = await opening
  await hydrated(shop)
  const strip = shop.getByText('You see the store as')
  await expect(strip).toContainText('You can’t change anything.')
  expect(await axeViolationsInBoth(shop)).toEqual([])
  await shop.goto('/mypages/order-histories')
  await expect(
    shop
      .getByRole('main')
      .getByText(/\d{8}-[A-Z0-9]{6}/)
      .first(),
  ).toBeVisible()
  await shop.goto('/mypages/profile')
  await shop.getByRole('textbox', { name: 'Name' }).fill('Somebody else')
  await shop.getByRole('button', { name: 'Save' }).first().click()
  await expect(shop.getByRole('main').getByText('You don’t have permission to do this.')).toBeVisible()
  await shop.getByRole('link', { name: 'Leave' }).click()
  await expect(shop.getByText('Store seen as the member').first()).toBeVisible()
  await expect(shop.getByText(reason)).toBeVisible()
  await shop.goto('/')
  await expect(shop.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
})
