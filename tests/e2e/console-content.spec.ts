import { axeViolationsInBoth } from './axe'
import { command } from './command'
import { createStore, enterAsOwner, signedOut } from './console'
import { expect, test } from './store'

/** A picture of 32 × 32 pixels. */
const picture = () =>
  import('sharp').then(({ default: sharp }) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background: '#226644' } })
      .png()
      .toBuffer(),
  )

/** A store of its own: what it shows changes while other tests look at the demo's. */
const openStore = async (baseURL: string, code: string) => {
  await createStore(baseURL, code, 'Harbour')
  await command(baseURL, ['settings', 'set', 'base.locales', 'en,ko', '-c', code])
  await command(baseURL, ['customer', 'open', code, '--force'])
}

test('a notice, a question, a banner and a page are written, ordered, shown to visitors and deleted', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(signedOut)
  const code = `content-${retry}`
  await openStore(baseURL!, code)
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/content' })
  const main = page.getByRole('main')
  const name = 'Harbour festival'
  await expect(page.getByRole('heading', { level: 1, name: 'Content' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // Plain paragraphs become HTML, and the preview shows what visitors will see.
  await page.getByRole('link', { name: 'New notice' }).click()
  await page.getByLabel('Title').fill(name)
  await page.getByLabel('Text', { exact: true }).fill('Closed on Friday & Saturday.\n\nBack on Sunday.')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.locator('p')).toHaveText(['Closed on Friday & Saturday.', 'Back on Sunday.'])
  await page.getByLabel('Important: above all others').check()
  await page.getByRole('button', { name: 'Create notice' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(main.getByText('Published')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  const body = page.getByLabel('Text', { exact: true }).first()
  await body.fill('<p>Safe</p><script>window.injected = 1</script>')
  await expect(preview.first()).toHaveText(/Safe$/)
  await page.getByLabel('Title').nth(1).fill('항구')
  await page.getByRole('button', { name: 'Save' }).nth(1).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'title.ko: – → 항구' })).toBeVisible()
  // What was typed in the other form is still there.
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(main.getByRole('listitem').filter({ hasText: 'body: <p>Closed on' })).toBeVisible()
  const address = await page.getByRole('link', { name: 'View in the store' }).getAttribute('href')
  await page.goto(store.at(code, `/ko${address}`))
  await expect(page.getByRole('heading', { level: 1, name: '항구' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Safe')

  await page.goto(store.at(code, '/admin/content'))
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(main.getByText('News of the store for visitors.')).toBeVisible()

  await page.getByRole('link', { name: 'FAQ' }).click()
  for (const question of ['Where is the harbour?', name]) {
    await page.getByRole('link', { name: 'New question' }).click()
    await page.getByLabel('Group').fill('Harbours')
    await page.getByLabel('Question', { exact: true }).fill(question)
    await page.getByLabel('Answer', { exact: true }).fill('In the west.')
    await page.getByRole('button', { name: 'Create question' }).click()
    await expect(page.getByRole('heading', { level: 1, name: question })).toBeVisible()
    await page.getByRole('link', { name: 'Content', exact: true }).click()
    await page.getByRole('link', { name: 'FAQ' }).click()
  }
  const questions = main.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move up/ }) })
  await expect(questions.last()).toContainText(name)
  await page.getByRole('button', { name: `Move up: ${name}` }).press('Enter')
  await expect(questions.first()).toContainText(name)
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByRole('link', { name: 'Banners' }).click()
  await page.getByRole('link', { name: 'New banner' }).click()
  await page.getByLabel('Title', { exact: true }).fill(name)
  await page.getByLabel('Leads to').selectOption({ label: 'Another address' })
  await page.getByLabel('Address', { exact: true }).fill('/plans')
  await page.getByRole('button', { name: 'Create banner' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page
    .getByLabel('Upload a picture')
    .first()
    .setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: await picture() })
  await expect(page.getByRole('img', { name: 'The banner' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.goto(store.at(code))
  await expect(page.getByRole('heading', { name })).toBeAttached()

  await page.goto(store.at(code, '/admin/content/pages'))
  await expect(main.getByText('Draft').first()).toBeVisible()
  await page.getByRole('link', { name: 'New page' }).click()
  await page.getByLabel('End of its address').fill('press')
  await page.getByLabel('Title').fill('Press')
  await page.getByLabel('Text', { exact: true }).fill('[FILL IN: contact]')
  await page.getByRole('button', { name: 'Create page' }).click()
  await expect(main.getByText('Visitors do not see this page')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByLabel('Text', { exact: true }).first().fill('press@example.com')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('link', { name: 'View in the store' }).click()
  await expect(page.getByRole('main')).toContainText('press@example.com')
})
