import type { Page } from 'playwright/test'
import { DEMO_OPERATOR, DEMO_PASSWORD } from '#demo/seed/accounts.ts'
import { axeViolationsInBoth, inDialog } from './axe'
import { command } from './command'
import { createStore, enterAsOwner, signedOut } from './console'
import { expect, test, textShown } from './store'

/** How many drafts the browser keeps. */
const draftsIn = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('console-draft ')).length)

/** Keeps requests waiting until `release`. `sent` resolves with the first. */
const holdRequests = async (page: Page, method: string, address: RegExp) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const sent = page.waitForRequest((request) => request.method() === method && address.test(request.url()))
  await page.route(address, async (route) => {
    if (route.request().method() === method) await released
    await route.continue()
  })
  return { sent, release }
}

test('unsaved changes outlive a reload and a session, and are offered to the person who made them alone', async ({
  page,
  store,
  baseURL,
  context,
}, { retry }) => {
  store.expected.push(signedOut, /412.*notices/)
  const code = `drafts-${retry}`
  await createStore(baseURL!, code, 'Harbour')
  await command(baseURL!, ['settings', 'set', 'base.locales', 'en,ko', '-c', code])
  await command(baseURL!, ['customer', 'open', code, '--force'])
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/content/notices/new' })
  const main = page.getByRole('main')
  const offer = main.getByRole('status').filter({ hasText: 'You have unsaved changes of' })
  // Leaving is asked about, and confirmed.
  page.on('dialog', (dialog) => void dialog.accept())

  // A notice that does not exist yet: its line, its rich text, its checkbox.
  const title = page.getByLabel('Title')
  const text = page.getByRole('textbox', { name: 'Text', exact: true }).first()
  await title.fill('Low tide')
  await text.click()
  await page.keyboard.type('Closed on Friday.')
  await page.getByLabel('Important: above all others').check()
  await page.reload()
  await expect(offer).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(title).toHaveValue('Low tide')
  await expect(text).toHaveText('Closed on Friday.')
  await expect(page.getByLabel('Important: above all others')).toBeChecked()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Low tide' })).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)
  const address = page.url()

  // A session that ends while one types.
  await title.first().fill('Low tide at noon')
  await expect.poll(() => draftsIn(page)).toBe(1)
  await context.clearCookies()
  await main.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sign in to/ })).toBeVisible()

  // Another person of the store is not offered it.
  const { stdout } = await command(baseURL!, [
    'staff',
    'invite',
    `other-${code}@example.com`,
    '-c',
    code,
    '--role',
    'OWNER',
  ])
  const link = new URL(/https?:\S+/.exec(stdout)?.[0] ?? '')
  await page.goto(store.at(code, link.pathname + link.search))
  await page.getByLabel('Name').fill('Kim')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  // Who accepts is signed in.
  await expect(page.getByRole('button', { name: 'Kim' })).toBeVisible()
  await page.goto(address)
  await expect(title.first()).toHaveValue('Low tide')
  await expect(offer).toHaveCount(0)
  // Meanwhile they change it.
  await title.first().fill('Spring tide')
  await main.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Spring tide' })).toBeVisible()
  await page.getByRole('button', { name: 'Kim' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sign in to/ })).toBeVisible()

  // The first one is, with what has changed since.
  await page.getByLabel('Email').fill(DEMO_OPERATOR)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(offer).toContainText('It has changed since then.')
  await expect(offer.getByRole('listitem')).toHaveText([/other-.*Spring tide/s])
  expect(await axeViolationsInBoth(page)).toEqual([])
  await offer.getByRole('button', { name: 'Discard' }).click()
  await expect(offer).toHaveCount(0)
  await expect(title.first()).toHaveValue('Spring tide')
  await expect.poll(() => draftsIn(page)).toBe(0)

  // Whoever signs out decides what becomes of them.
  await title.first().fill('Neap tide')
  await page.waitForTimeout(700)
  await page.locator('header').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Keep your unsaved changes?' })
  await expect(question).toContainText('1 form has unsaved changes.')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByRole('button', { name: 'Delete and sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sign in to/ })).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)
})

test('unsaved lessons, prices and settings are restored; a secret is never kept', async ({ page, store, baseURL }, {
  retry,
}) => {
  store.expected.push(signedOut)
  const code = `draft-forms-${retry}`
  await createStore(baseURL!, code, 'Quay')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/products/new' })
  const main = page.getByRole('main')
  page.on('dialog', (dialog) => void dialog.accept())
  const offer = main.getByRole('status').filter({ hasText: 'You have unsaved changes of' })
  await page.getByLabel('Title').fill('Tides')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tides' })).toBeVisible()
  await main.getByRole('button', { name: 'Add lesson' }).click()
  const lesson = main.getByRole('group', { name: /^1\./ })
  await lesson.getByLabel('Title', { exact: true }).fill('Ebb')
  await main.getByRole('button', { name: 'Add option' }).click()
  await main.getByLabel('Name', { exact: true }).fill('Own it')
  await page.waitForTimeout(700)
  await page.reload()
  await expect(offer).toHaveCount(2)
  await offer.first().getByRole('button', { name: 'Restore' }).click()
  await offer.first().getByRole('button', { name: 'Restore' }).click()
  await expect(lesson.getByLabel('Title', { exact: true })).toHaveValue('Ebb')
  await expect(main.getByLabel('Name', { exact: true })).toHaveValue('Own it')
  const saved = textShown(page, 'Lessons saved')
  await main.getByRole('button', { name: 'Save lessons' }).click()
  await saved
  // The other form keeps its changes, and its draft.
  await expect(main.getByLabel('Name', { exact: true })).toHaveValue('Own it')
  await expect.poll(() => draftsIn(page)).toBe(1)

  await page.goto(store.at(code, '/admin/store/payments'))
  const secret = main.getByLabel(/secret key/i).first()
  await secret.fill('sk_test_of_nobody')
  await page.waitForTimeout(700)
  expect(await draftsIn(page)).toBe(1)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('sk_test_of_nobody')

  // What no draft keeps is asked about at the sign-out as well.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('console-draft ')) localStorage.removeItem(key)
  })
  const signOut = async () => {
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const question = page.getByRole('alertdialog', { name: 'Sign out without saving?' })
  await signOut()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(secret).toHaveValue('sk_test_of_nobody')
  await signOut()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sign in to/ })).toBeVisible()
})

test('what is typed while a form is saved is asked about and kept', async ({ page, store, baseURL }, { retry }) => {
  const code = `draft-late-${retry}`
  await createStore(baseURL!, code, 'Mole')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/products/new' })
  const main = page.getByRole('main')
  const title = page.getByLabel('Title', { exact: true }).first()
  await title.fill('Tides')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tides' })).toBeVisible()

  const change = await holdRequests(page, 'PATCH', /\/admin\/products\//)
  await title.fill('Tides at noon')
  await main.getByRole('button', { name: 'Save', exact: true }).first().click()
  await change.sent
  await title.fill('Tides at noon and at night')
  change.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Tides at noon', exact: true })).toBeVisible()
  await expect(title).toHaveValue('Tides at noon and at night')
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Orders' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(title).toHaveValue('Tides at noon and at night')
  expect(await draftsIn(page)).toBe(1)
  await main.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tides at noon and at night' })).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)
})

test('what is typed while a form creates something does not hold the page', async ({ page, store, baseURL }, {
  retry,
}) => {
  const code = `draft-new-${retry}`
  await createStore(baseURL!, code, 'Jetty')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/content/notices/new' })
  const title = page.getByLabel('Title', { exact: true }).first()
  await title.fill('Low tide')
  await page.getByRole('textbox', { name: 'Text', exact: true }).first().click()
  await page.keyboard.type('Closed on Friday.')
  const creation = await holdRequests(page, 'POST', /\/admin\/notices$/)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await creation.sent
  await title.fill('Low tides')
  creation.release()
  // Who stayed and saved again would have two.
  await expect(page.getByRole('heading', { level: 1, name: 'Low tide', exact: true })).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)
})

test('a note, a role and a dialog are kept and asked about, and two tabs keep their own', async ({
  page,
  store,
  baseURL,
  context,
}, { retry }) => {
  const code = `draft-dialogs-${retry}`
  await createStore(baseURL!, code, 'Wharf')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/saved-replies' })
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const offer = page.getByRole('status').filter({ hasText: 'You have unsaved changes of' })
  const menu = page.getByRole('navigation', { name: 'Console' })

  // A dialog that Escape would close.
  const openReply = () => page.getByRole('button', { name: 'New saved reply' }).click()
  const dialog = page.getByRole('dialog', { name: 'New saved reply' })
  const text = dialog.getByLabel('Text', { exact: true })
  await openReply()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await openReply()
  await dialog.getByLabel('Title').fill('Tides')
  await text.fill('The tide table is on the page of the harbour.')
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(text).toHaveValue('The tide table is on the page of the harbour.')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(dialog).toBeHidden()
  await openReply()
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(text).toHaveValue('The tide table is on the page of the harbour.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main').getByText('The tide table is on the page of the harbour.')).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)

  // A form in its place on the page, with what it holds beside its fields.
  await menu.getByRole('link', { name: 'Staff' }).click()
  await page.goto(store.at(code, '/admin/staff/roles'))
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill('Harbour master')
  await page
    .getByRole('checkbox', { name: /orders/i })
    .first()
    .check()
  await menu.getByRole('link', { name: 'Orders' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'New role' }).click()
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Harbour master')
  await expect(page.getByRole('checkbox', { name: /orders/i }).first()).toBeChecked()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('main').getByText('Harbour master')).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)

  // A page that creates something leads away without a question.
  await page.goto(store.at(code, '/admin/products/new'))
  await page.getByLabel('Title').fill('Tides')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tides' })).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(0)

  // The same product in two tabs: what one saves takes nothing from the other.
  const other = await context.newPage()
  other.on('dialog', (leaving) => void leaving.accept())
  await other.goto(page.url())
  await other.getByLabel('Summary').first().fill('Of the other tab')
  await expect.poll(() => draftsIn(page)).toBe(1)
  await page.getByLabel('Title', { exact: true }).first().fill('Tides at noon')
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tides at noon' })).toBeVisible()
  await expect.poll(() => draftsIn(page)).toBe(1)
  await other.close({ runBeforeUnload: true })
  await page.reload()
  await offer.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByLabel('Summary').first()).toHaveValue('Of the other tab')
})
