import { makeFilm } from '#tests/support/video-files.ts'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { drag } from './drag'
import { expect, test, textShown } from './store'

test('a product is created, priced, given a video and a poster, put on sale, hidden and duplicated', async ({
  page,
  store,
  context,
}) => {
  // The second of two people is told that the product has changed, and a video on sale stays.
  store.expected.push(/412/, /409/)
  await enterConsole(page, '/products')
  const main = page.getByRole('main')
  await expect(page.getByRole('table', { name: 'Products' })).toBeVisible()
  await page.getByRole('link', { name: 'New product' }).click()
  const name = `Harbour ${Date.now()}`
  await expect(page.getByRole('heading', { level: 1, name: 'New product' })).toBeVisible()
  // A long text that is pasted stays whole, and says what is too much.
  await page.getByLabel('Title').focus()
  await page.keyboard.insertText('x'.repeat(301))
  await expect(page.getByLabel('Title')).toHaveValue('x'.repeat(301))
  const limit = 'Enter no more than 300 characters. The text has 301.'
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription(limit)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.getByLabel('Title').fill('x'.repeat(280))
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription('280 of 300 characters')
  await page.getByLabel('Title').fill(name)
  await expect(page.getByLabel('Code')).toHaveValue(name.toLowerCase().replace(' ', '-'))
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  // A file that is not a video says what to do, and cannot be tried again.
  const notes = { name: 'notes.mp4', mimeType: 'video/mp4', buffer: Buffer.from('These are only words. '.repeat(500)) }
  await page.getByLabel('Upload a video').setInputFiles(notes)
  const rejected = main.getByRole('listitem').filter({ hasText: 'notes.mp4' })
  await expect(rejected).toContainText('Upload an MP4, MOV, MKV or WebM file.', { timeout: 30_000 })
  await expect(rejected).not.toContainText('Supported formats')
  await expect(rejected.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await rejected.getByRole('button', { name: 'Dismiss notes.mp4' }).click()
  await expect(rejected).toHaveCount(0)

  await page.getByLabel('Upload a video').setInputFiles(makeFilm('harbour.mp4'))
  const isReady = textShown(page, '“harbour.mp4” is ready to watch.')
  const job = main.getByRole('listitem').filter({ hasText: 'harbour.mp4' })
  await expect(job).toBeVisible()

  // What is typed is asked about, and survives the encoding.
  await page.getByLabel('Summary').first().fill('Boats come home.')
  await page.getByRole('link', { name: 'Orders' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(question).toBeVisible()
  // The page below is hidden from assistive technology.
  await expect(main).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await question.getByRole('button', { name: 'Stay' }).click()
  // Whoever looks at another page is told as well.
  await isReady
  await expect(main.getByText(/^Length: 0:0[12]$/)).toBeVisible()
  await expect(page.getByLabel('Summary').first()).toHaveValue('Boats come home.')
  await page.getByRole('button', { name: 'Add option' }).click()
  const option = page.getByRole('group', { name: 'New option' })
  await option.getByLabel('Price', { exact: true }).fill('4.5')
  await option.getByLabel('Name', { exact: true }).fill('Own')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(main.getByRole('listitem').filter({ hasText: 'summary' })).toBeVisible()
  // A sale that begins later is shown as scheduled.
  await page.getByLabel('Status').selectOption({ label: 'On sale' })
  await page.getByLabel('From').fill('2199-01-31T09:00')
  await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click()
  await expect(main.getByText('Scheduled', { exact: true })).toBeVisible()
  await page.getByLabel('From').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click()
  await expect(page.getByRole('link', { name: 'View in the store' })).toBeVisible()

  await expect(page.getByRole('heading', { name: 'No poster yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Use picture 1' }).click()
  await expect(page.getByAltText('The poster')).toBeVisible()

  // Saving the texts has kept what was typed about prices.
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('4.5')
  await page.getByRole('button', { name: 'Save prices' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Own: Price: $4.50' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Videos' }).click()
  // Other tests add videos of the store too.
  const video = page.getByRole('table', { name: 'Videos' }).getByRole('row').filter({ hasText: 'harbour.mp4' }).first()
  await expect(video).toContainText('Ready')
  const failed = page.getByRole('table', { name: 'Videos' }).getByRole('row').filter({ hasText: 'notes.mp4' }).first()
  await expect(failed).toContainText('The file is not a video.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Products' }).click()
  await page.getByLabel('Title or code').fill(name)
  await expect(page.getByRole('table', { name: 'Products' }).getByRole('row').nth(1)).toContainText('$4.50')
  // The address and the file have what the list is filtered and sorted by.
  const filters = page.getByRole('search', { name: 'Filters' })
  await filters.getByLabel('Missing').selectOption({ label: 'Category' })
  await filters.getByLabel('Sort by').selectOption({ label: 'By title' })
  await expect(page).toHaveURL(/lacks=CATEGORY.*sort=TITLE|sort=TITLE.*lacks=CATEGORY/)
  await expect(page.getByRole('table', { name: 'Products' }).getByRole('row')).toHaveCount(2)
  const file = page.getByRole('link', { name: 'Export as CSV' })
  await expect(file).toHaveAttribute('href', /product-list\.csv\?.*lacks=CATEGORY/)
  await filters.getByLabel('Missing').selectOption({ label: 'Price' })
  await expect(page.getByText('No product fits these filters.')).toBeVisible()
  await filters.getByLabel('Missing').selectOption({ label: 'All' })

  // With the keyboard: to the row, once it is there again, and its choice.
  await expect(page.getByLabel(`Select: ${name}`)).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(page.getByLabel(`Select: ${name}`)).toBeChecked()
  await page.getByRole('button', { name: 'Change 1 product' }).click()
  const bulk = page.getByRole('dialog', { name: 'Change 1 product' })
  await bulk.getByLabel('Status').selectOption({ label: 'Hidden' })
  await bulk.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(bulk.getByText('1 product was changed.')).toBeVisible()
  // On a telephone, notifications of the steps before would cover the dialog.
  await expect(page.locator('[data-scope="toast"][data-part="root"]')).toHaveCount(0)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await bulk.getByRole('button', { name: 'Undo' }).click()
  await expect(bulk.getByText('Everything is as it was before.')).toBeVisible()
  await bulk.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('table', { name: 'Products' }).getByRole('link', { name }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Status: Hidden → On sale' })).toBeVisible()

  // Another person saves a summary first.
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByLabel('Summary').first().fill('Boats go out.')
  await other.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(other.getByRole('listitem').filter({ hasText: 'Boats go out.' })).toBeVisible()
  await other.close()
  await page.getByLabel('Summary').first().fill('Boats stay.')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  const conflict = main.getByRole('alert').filter({ hasText: 'It has changed since you opened it.' })
  await expect(conflict.getByRole('listitem')).toContainText('Boats go out.')
  await conflict.getByRole('button', { name: 'Load the latest state' }).click()
  await expect(conflict).toHaveCount(0)
  // What was typed is offered, and saved on top of it.
  await main.getByRole('button', { name: 'Restore', exact: true }).first().click()
  await expect(page.getByLabel('Summary').first()).toHaveValue('Boats stay.')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Boats go out. → Boats stay.' })).toBeVisible()

  // The video stays while the product is on sale, and is removed once it is hidden.
  const removeVideo = async () => {
    await page.getByRole('button', { name: 'Remove the video' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove the video?' })
    await question.getByLabel(/^Type .+ to confirm$/).fill(name.toLowerCase().replace(' ', '-'))
    await question.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(question).toHaveCount(0)
  }
  await removeVideo()
  await expect(main.getByRole('alert')).toContainText('It is on sale, and there would be nothing to watch or download.')
  await page.getByLabel('Status').selectOption({ label: 'Hidden' })
  await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click()
  await expect(page.getByRole('link', { name: 'View in the store' })).toHaveCount(0)
  await removeVideo()
  await expect(main.getByText('There is no video yet.')).toBeVisible()

  // A copy is a course with a lesson, seen through its preview link alone.
  await page.getByRole('button', { name: 'Duplicate' }).click()
  const copy = page.getByRole('dialog', { name: 'Duplicate product' })
  await copy.getByLabel('Title').fill(`${name} copy`)
  await copy.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} copy` })).toBeVisible()
  await page.getByRole('button', { name: 'Add lesson' }).click()
  const lesson = page.getByRole('group', { name: 'New lesson' })
  await lesson.getByLabel('Title', { exact: true }).fill('The first tide')
  await page.getByRole('button', { name: 'Save lessons' }).click()
  await expect(page.getByLabel('Upload the video of: The first tide')).toBeVisible()
  // Several films at once: each becomes a lesson named after its file, in the order of the names.
  await page.getByLabel('Add videos').setInputFiles([makeFilm('10_The last tide.mp4'), makeFilm('2_The_next_tide.mp4')])
  const films = page.getByRole('group', { name: /tide/ })
  await expect(films).toHaveCount(3)
  await expect(films.nth(1).getByLabel('Title', { exact: true })).toHaveValue('The next tide')
  await expect(films.nth(2)).toContainText('The video 10_The last tide.mp4 is uploaded when you save.')
  await drag(films.nth(0), films.nth(2), 'BOTTOM')
  await expect(films.nth(2).getByLabel('Title', { exact: true })).toHaveValue('The first tide')
  await drag(films.nth(2), films.nth(0), 'TOP')
  await expect(films.nth(0).getByLabel('Title', { exact: true })).toHaveValue('The first tide')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Save lessons' }).click()
  for (const number of [1, 2])
    await expect(films.nth(number).getByText(/^Length: 0:0[12]$/)).toBeVisible({ timeout: 180_000 })
  await expect(films.nth(0)).toContainText('There is no video yet.')
  await page.getByLabel('Add a file').setInputFiles({
    name: 'map.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('North is up.'),
  })
  const map = page.getByRole('group', { name: /map\.txt/ })
  await map.getByRole('button', { name: 'Translations 0 of' }).click()
  await map.getByLabel('Name (한국어)').fill('지도.txt')
  await page.getByRole('button', { name: 'Save files' }).click()
  await expect(page.getByRole('button', { name: 'Save files' })).toHaveCount(0)
  // It is folded again once the saved files are shown.
  const texts = map.getByRole('button', { name: 'Translations 1 of' })
  await expect(texts).toHaveAttribute('aria-expanded', 'false')
  await texts.click()
  await expect(map.getByLabel('Name (한국어)')).toHaveValue('지도.txt')
  // A larger one is uploaded in parts. What has arrived is not sent again.
  store.expected.push(/503.*attachments\/uploads/)
  // What a proxy answers that does not wait is no answer of the store.
  store.expected.push(/504.*attachments\/uploads/)
  const answers = [504, 503]
  await page.route('**/attachments/uploads', (route) => route.fulfill({ status: answers.shift() ?? 503, json: {} }), {
    times: answers.length,
  })
  await page
    .getByLabel('Add a file')
    .setInputFiles({ name: 'score.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(11 * 1024 * 1024, 'x') })
  const again = page.getByRole('button', { name: 'Try the upload of score.pdf again' })
  await expect(again).toBeVisible({ timeout: 60_000 })
  // What has arrived is not given up by one press.
  await page.getByRole('button', { name: 'Cancel the upload of score.pdf' }).click()
  const giveUp = page.getByRole('alertdialog', { name: 'Cancel the upload of score.pdf?' })
  await expect(giveUp).toContainText('100% has arrived')
  await giveUp.getByRole('button', { name: 'Back' }).click()
  let isSentAgain = false
  await page.route(/\/uploads(\/[^/]+)?$/, (route) => {
    if (!route.request().url().includes('/attachments/')) isSentAgain = true
    return route.continue()
  })
  await again.click()
  await expect(page.getByRole('group', { name: /score\.pdf/ })).toBeVisible({ timeout: 60_000 })
  expect(isSentAgain).toBe(false)
  expect(await axeViolationsInBoth(page)).toEqual([])
  // A copy of the course has its lessons, with the same videos, and its files.
  const course = page.url()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await copy.getByLabel('Title').fill(`${name} again`)
  await copy.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} again` })).toBeVisible()
  await expect(films).toHaveCount(3)
  for (const number of [1, 2]) await expect(films.nth(number).getByText(/^Length: 0:0[12]$/)).toBeVisible()
  for (const file of [/map\.txt/, /score\.pdf/]) await expect(page.getByRole('group', { name: file })).toBeVisible()
  await page.goto(course)
  await page.getByRole('button', { name: 'Create preview link' }).click()
  await page.getByRole('link', { name: 'Open the preview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${name} copy` })).toBeVisible()
  await expect(page.getByText('Preview: visitors don’t see this title now.')).toBeVisible()
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex,nofollow')
  // Nothing is requested that is hidden from visitors, such as counting a view.
  await page.waitForLoadState('networkidle')
  // At a time, too, the page says that visitors will not find the title then.
  await page.goBack()
  await page.getByLabel('As visitors will see it on').fill('2099-03-01T09:30')
  await page.getByRole('button', { name: 'Create preview link' }).click()
  await page.getByRole('link', { name: /^Open the preview of .*09:30/ }).click()
  await expect(page.getByText('Visitors won’t see this title at that time.')).toBeVisible()
  await expect(page.getByText('Preview: visitors don’t see this title now.')).toHaveCount(0)
})
