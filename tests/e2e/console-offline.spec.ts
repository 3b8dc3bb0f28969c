import type { Page } from 'playwright/test'
import { makeFilm } from '#tests/support/video-files.ts'
import { enterConsole } from './console'
import { expect, test } from './store'

/** What shows notifications is loaded after the first page. */
const notificationsLoaded = (page: Page) => expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached()

test('without a connection the console keeps what was typed, says so, and sends nothing later', async ({
  page,
  store,
  context,
}) => {
  test.slow()
  // What is asked for without a connection.
  store.expected.push(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/, /preload CSS/)
  await enterConsole(page, '/content/faq/new')
  await notificationsLoaded(page)
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation', { name: 'Console' })
  const question = main.getByLabel('Question').first()
  await question.fill('Is it kept?')
  await main.getByLabel('Group').first().fill('Offline')
  await main.getByRole('textbox', { name: 'Answer', exact: true }).first().fill('It is.')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))

  await context.setOffline(true)
  await expect(main.getByText('You are offline.')).toBeVisible()
  await main.getByRole('button', { name: 'Save draft' }).click()
  await expect(main.getByText('The store does not answer. Check your connection and try again.')).toBeVisible()
  await menu.getByRole('link', { name: 'Webhooks' }).click()
  const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await leave.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toHaveValue('Is it kept?')

  const attempts = sent.length
  await context.setOffline(false)
  await expect(main.getByText('You are offline.')).toHaveCount(0)
  await expect(question).toHaveValue('Is it kept?')
  expect(sent).toHaveLength(attempts)

  // A page whose code was not loaded yet leaves the menu where it is.
  await context.setOffline(true)
  await menu.getByRole('link', { name: 'Plans' }).click()
  await leave.getByRole('button', { name: 'Leave' }).click()
  await expect(main.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  await expect(menu).toBeVisible()
  // A dialog that cannot be loaded closes with a notification.
  await page.keyboard.press('Control+k')
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('The store does not answer.'),
  ).toBeVisible()
  await context.setOffline(false)
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toBeVisible()
})

test('an upload says that it waits for the connection, and goes on by itself', async ({ page, store, context }) => {
  test.slow()
  store.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_ABORTED|Failed to fetch/)
  await enterConsole(page, '/videos/library')
  let isHeld = true
  const held: (() => void)[] = []
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && isHeld) await new Promise<void>((go) => held.push(go))
    await route.continue().catch(() => {})
  })
  const chosen = `tide-${Date.now()}.mp4`
  await page
    .getByRole('main')
    .getByLabel('Upload videos')
    .setInputFiles([makeFilm(chosen)])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await expect(tray.getByRole('progressbar', { name: `Upload of ${chosen}` })).toBeVisible()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  await context.setOffline(true)
  await expect(tray).toContainText('You are offline. The upload goes on by itself when the connection is back.')
  await expect(tray).not.toContainText(/left|Uploading/)
  isHeld = false
  for (const go of held) go()
  await context.setOffline(false)
  await expect(page.getByRole('main').getByText(chosen).first()).toBeVisible({ timeout: 60_000 })
  await expect(tray).toHaveCount(0)
})

test('a dialog whose code a newer build has replaced says to reload, and the page stays', async ({ page, store }) => {
  store.expected.push(/404/, /Failed to (?:load|fetch)/)
  await enterConsole(page, '/members')
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible()
  await notificationsLoaded(page)
  await page.route(/\/admin\/assets\/.*\.js/, (route) => route.fulfill({ status: 404 }))
  await page.keyboard.press('Control+k')
  await expect(
    page.getByRole('region', { name: 'Notifications' }).getByText('Reload the page and try again.'),
  ).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible()
})
