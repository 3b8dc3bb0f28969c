import { readFileSync } from 'node:fs'
import { makeFilm } from '#tests/support/video-files.ts'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test } from './store'

test('a video of the store is found in the library and shown by a second product', async ({ page }, { retry }) => {
  await enterConsole(page, '/videos/library')
  const main = page.getByRole('main')
  const table = page.getByRole('table', { name: 'Videos' })
  await page.getByLabel('File, title or code').fill('the-last-light')
  await expect(table.getByRole('row')).toHaveCount(2)
  // The films of the demo share their videos, so that it is named after any of them.
  await expect(table.getByRole('row').nth(1).getByRole('link').first()).toBeVisible()
  await expect(main.getByText('1 result', { exact: true })).toBeVisible()
  await main.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Size' }).click()
  await page.keyboard.press('Escape')
  await expect(table.getByRole('columnheader', { name: 'Size' })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Save view' })).toBeVisible()
  const exported = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Export as CSV' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^videos-.*\.csv$/)

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Products' }).click()
  await page.getByRole('link', { name: 'New product' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'New product' })).toBeVisible()
  const title = `Shared film ${retry}`
  await main.getByLabel('Title').fill(title)
  await main.getByLabel('Code').fill(`shared-film-${retry}`)
  await main.getByRole('button', { name: 'Create' }).click()
  await expect(main.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await main.getByRole('button', { name: 'Choose from the library' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose a video of the store' })
  await choice.getByLabel('File, title or code').fill('the-last-light')
  await expect(choice.getByRole('button', { name: /^Use / })).toHaveCount(1)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await choice.getByRole('button', { name: /^Use / }).click()
  await expect(choice).toBeHidden()
  await expect(main.getByText(/^Length: /)).toBeVisible()
  // Another one takes its place only when that is confirmed.
  await main.getByRole('button', { name: 'Choose from the library' }).click()
  const use = choice.getByRole('button', { name: /^Use / })
  await expect(use.first()).toBeEnabled()
  const search = Promise.withResolvers<void>()
  await page.route(/admin\/videos\?.*q=blue-hour/, async (route) => {
    await search.promise
    await route.continue()
  })
  await choice.getByLabel('File, title or code').fill('blue-hour')
  // The rows of the search before are replaced soon: nothing is chosen from them by mistake.
  await expect(choice.getByRole('button', { name: /^Use /, disabled: false })).toHaveCount(0)
  search.resolve()
  await expect(use).toHaveCount(1)
  await use.click()
  const replace = choice.getByRole('button', { name: 'Replace the present video' })
  await expect(replace).toBeFocused()
  await choice.getByRole('button', { name: 'Back' }).click()
  await expect(replace).toHaveCount(0)
  await choice.getByRole('button', { name: 'Close' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Video of another product shown' })).toBeVisible()
  await main.getByRole('link', { name: 'Captions and chapters' }).click()
  await expect(main).toContainText(title)
})

test('videos are uploaded to the library, opened, renamed and deleted', async ({ page }, { retry }) => {
  await enterConsole(page, '/videos/library')
  const main = page.getByRole('main')
  const [chosen, dropped] = [`pier-${retry}.mp4`, `bay-${retry}.mp4`]
  await main.getByLabel('Upload videos').setInputFiles([makeFilm(chosen)])
  // A file that is dragged from elsewhere. Another kind of file is refused.
  const bytes = readFileSync(makeFilm(dropped)).toString('base64')
  const files = await page.evaluateHandle(
    ([base64, name]) => {
      const transfer = new DataTransfer()
      const content = Uint8Array.from(atob(base64!), (each) => each.charCodeAt(0))
      transfer.items.add(new File([content], name!, { type: 'video/mp4' }))
      transfer.items.add(new File(['text'], 'notes.txt', { type: 'text/plain' }))
      return transfer
    },
    [bytes, dropped],
  )
  const area = main.getByText('Or drop files here.')
  await area.dispatchEvent('dragover', { dataTransfer: files })
  await area.dispatchEvent('drop', { dataTransfer: files })
  await expect(page.getByText('“notes.txt” is not a video.')).toBeVisible()
  const table = page.getByRole('table', { name: 'Videos' })
  for (const name of [chosen, dropped])
    await expect(table.getByRole('link', { name })).toBeVisible({ timeout: 180_000 })
  expect(await axeViolationsInBoth(page)).toEqual([])

  await table.getByRole('link', { name: dropped }).click()
  await expect(main.getByRole('heading', { level: 1, name: dropped })).toBeVisible()
  for (const fact of ['Ready', 'Nothing', '320 × 180'])
    await expect(main.getByText(fact, { exact: true }).first()).toBeVisible()
  await expect
    .poll(() => main.locator('video').evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThan(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename video' })
  await dialog.getByLabel('Name').fill(`The bay ${retry}`)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('heading', { level: 1, name: `The bay ${retry}` })).toBeVisible()
  await expect(main.getByText('Video renamed')).toBeVisible()
  await main.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill(`The bay ${retry}`)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Videos' })).toBeVisible()
  await expect(table.getByRole('link', { name: `The bay ${retry}` })).toHaveCount(0)
  await expect(table.getByRole('link', { name: chosen })).toBeVisible()
})
