import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { axeViolations } from './axe'
import { expect, test } from './store'

const run = promisify(execFile)

/** Answers an inquiry as an operator of the store under test. */
async function answer(baseURL: string, code: string, text: string) {
  const folder = process.env.MARQUEE_DATA ?? join(tmpdir(), `marquee-e2e-${new URL(baseURL).port}`)
  await run(
    'node',
    ['server/launch.js', 'cli', 'inquiry', code, '--answer', text, '--customer', 'aurora', '--by', 'e2e'],
    {
      env: { ...process.env, MARQUEE_DATA: folder },
    },
  )
}

const picture = { name: 'the picture <b>stops</b>.png', mimeType: 'image/png', buffer: Buffer.alloc(200_000, 7) }
/** The name under which it is stored: without characters that systems refuse in names of files. */
const storedName = 'the picture _b_stops__b_.png'
const nothing = { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) }

test('a member reports a problem with a file, is answered, and writes again', async ({ page, store, baseURL }) => {
  await store.signIn('second@example.com')
  await page.goto('/products/the-last-light')
  await page.getByRole('link', { name: 'Report a problem' }).click()
  await expect(page).toHaveURL(/\/mypages\/inquiries\/input/)
  const main = page.getByRole('main')
  await expect(page.getByLabel('Subject')).toHaveValue('The Last Light')
  await expect(page.getByLabel('Topic')).toHaveValue('PRODUCT')

  // A missing value is reported at its field, which gets the focus.
  await page.getByRole('button', { name: 'Send inquiry' }).click()
  const body = page.getByLabel('How can we help?')
  await expect(body).toBeFocused()
  await expect(main).toContainText('Enter your message.')

  const title = `The picture stops ${Date.now()}`
  await page.getByLabel('Subject').fill(title)
  await body.fill('It stops at the same place each time.')
  await page.getByLabel('Add files').setInputFiles([picture, nothing])
  await expect(main).toContainText('This file is empty.')
  await page.getByRole('button', { name: 'Remove empty.txt' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: picture.name })).toHaveAttribute('data-state', 'sent')
  await page.getByRole('button', { name: 'Send inquiry' }).click()

  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(main).toContainText('Awaiting answer')
  const code = new URL(page.url()).pathname.split('/').at(-1)!
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: storedName }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.png$/)

  await answer(baseURL!, code, 'We have mended the film. Thank you for telling us.')
  await page.goto('/mypages/inquiries?status=COMPLETE')
  await page.getByRole('link', { name: title }).click()
  await expect(main).toContainText('We have mended the film.')
  await expect(main).toContainText('Answered')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeViolations(page)).toEqual([])
  }

  await page.getByLabel('Need more help?').fill('It works now, thank you.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'It works now, thank you.' })).toBeVisible()
  await expect(main).toContainText('Awaiting answer')
})

test('a problem in the player is reported with its title and its second', async ({ page, store }) => {
  store.expected.push(/404|Failed to load resource/)
  await store.signIn('member@example.com')
  await page.goto('/products/blue-hour')
  await page.route(/\/m\//, (route) => route.fulfill({ status: 404 }))
  await page.goto('/products/blue-hour/watch?t=7')
  await page
    .getByRole('button', { name: /^(Start watching|Play)/ })
    .first()
    .click()
  await page.getByRole('alert').getByRole('link', { name: 'Report a problem' }).click()
  await expect(page).toHaveURL(/product=blue-hour/)
  await expect(page.getByRole('main')).toContainText('Blue Hour')
  await expect(page.getByRole('main')).toContainText('at 0:07')
})

test('an inquiry takes its order and its second from the URL, and ignores invalid ones', async ({ page, store }) => {
  await store.signIn('member@example.com')
  await page.goto('/mypages/inquiries/input?product=the-last-light&t=93')
  await expect(page.getByRole('main')).toContainText('at 1:33')
  await page.goto('/mypages/inquiries/input?product=no%20such%20thing&t=soon&order=1&type=')
  await expect(page.getByLabel('Subject')).toHaveValue('')
  await expect(page.getByRole('main')).not.toContainText(/Order [\u2066\d]/)
})

test('a store without inquiries redirects their pages with a notice', async ({ page, store }) => {
  await store.signIn('member@example.com', 'salon')
  await page.goto(store.at('salon', '/mypages'))
  await expect(page.getByRole('link', { name: /inquir|Support|Contact support/i })).toHaveCount(0)
  await page.goto(store.at('salon', '/mypages/inquiries/input'))
  await expect(page).toHaveURL(/\/mypages\?notice=INQUIRY_DISABLED/)
  await expect(page.getByRole('main')).toContainText('doesn’t accept inquiries here')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an inquiry is asked with a file and a reply is sent by plain forms', async ({ page, store }) => {
    store.expected.push(/422/)
    await store.signIn('second@example.com')
    await page.goto('/mypages/inquiries/input')
    await page.getByLabel('Subject').fill('By hand')
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await expect(page.getByRole('main')).toContainText('Enter your message.')
    await expect(page.getByLabel('Subject')).toHaveValue('By hand')

    await page.getByLabel('How can we help?').fill('Does it work without script?')
    await page.getByLabel('Add files').setInputFiles(picture)
    await page.getByRole('button', { name: 'Send inquiry' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'By hand' })).toBeVisible()
    await expect(page.getByRole('link', { name: storedName })).toBeVisible()

    await page.getByLabel('Your message').fill('It does.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('main')).toContainText('It does.')
  })
})
