import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { axeViolationsInBoth } from './axe'
import { createStore, enterAsOwner } from './console'
import { expect, test } from './store'

test('a table is exported, checked with a mistake, imported and undone', async ({ page, store, baseURL }, {
  retry,
  parallelIndex,
}) => {
  const code = `imports-${retry}-${parallelIndex}`
  await createStore(baseURL!, code, 'Import House')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/imports' })
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Import and export' })).toBeVisible()
  await expect(main.getByText('at most 10 MB. All of it is imported')).toBeVisible()
  await expect(main.getByText('At most 200 files of 50 MB each.')).toBeVisible()
  const send = async (text: string) => {
    const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await main.locator('input[type=file]').first().setInputFiles(file)
    await main.getByRole('button', { name: 'Check the file' }).click()
  }

  const heading = 'code,title,kind,access,status,summary'
  const film = (title: string, status = 'DRAFT') => `harbour,${title},VOD,MEMBER,${status},Boats come home.`
  await send(`${heading}\r\n${film('Harbour', 'SOMETIMES')}\r\n`)
  const problems = main.getByRole('table', { name: 'Problems' })
  await expect(problems.getByRole('row').nth(1)).toContainText('SOMETIMES')
  await expect(main.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])

  await send(`${heading}\r\n${film('Harbour')}\r\n`)
  await expect(main.getByText('1 row added')).toBeVisible()
  await main.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(main.getByRole('listitem')).toHaveCount(1)

  await send(`${heading}\r\n${film('Harbour lights')}\r\n`)
  await expect(main.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1)).toContainText('Harbour lights')
  await main.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(main.getByRole('listitem')).toHaveCount(2)
  expect(await axeViolationsInBoth(page)).toEqual([])

  await main.getByRole('button', { name: 'Undo the import of products.csv' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
  await expect(main.getByText(/Undone /)).toBeVisible()
  const download = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Export as CSV' }).click()
  const exported = await download
  expect(exported.suggestedFilename()).toBe('products.csv')
  expect(readFileSync(await exported.path(), 'utf8')).toContain('harbour,Harbour,')

  // Removing is confirmed with the code of the store.
  await send(`${heading}\r\n${film('Harbour', 'ON_SALE')}\r\n`)
  await main.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(main.getByRole('listitem')).toHaveCount(3)
  await main.getByRole('checkbox', { name: 'Also remove entries that are not in the file' }).click()
  await send(`${heading}\r\nisland,Island,VOD,MEMBER,DRAFT,Alone.\r\n`)
  await expect(main.getByText('The import removes 1 row.')).toBeVisible()
  const importButton = main.getByRole('button', { name: 'Import', exact: true })
  await expect(importButton).toBeDisabled()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('textbox', { name: `Type ${code} to confirm` }).fill(code)
  await importButton.click()
  await expect(main.getByRole('listitem')).toHaveCount(4)

  // A table brings the pictures along that it names.
  await page.reload()
  const buffer = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#357' } })
    .png()
    .toBuffer()
  const pictures = ['poster.png', 'spare.png'].map((name) => ({ name, mimeType: 'image/png', buffer }))
  await main.locator('input[type=file]').nth(1).setInputFiles(pictures)
  await expect(main.getByText('2 files are chosen.')).toBeVisible()
  await send(`${heading},poster\r\n${film('Harbour')},media/poster.png\r\n`)
  await expect(main.getByText('No cell names these files: spare.png')).toBeVisible()
  await main.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(main.getByRole('listitem')).toHaveCount(5)
})
