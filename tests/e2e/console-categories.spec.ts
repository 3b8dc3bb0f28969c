import { axeViolationsInBoth } from './axe'
import { enterConsole } from './console'
import { drag } from './drag'
import { expect, test } from './store'

test('a category is created, renamed, moved with the keyboard and deleted', async ({ page }) => {
  await enterConsole(page, '/categories')
  const main = page.getByRole('main')
  const name = `Harbours ${Date.now()}`
  const rows = main.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Change/ }) })
  for (const each of [name, `${name} two`]) {
    await page.getByRole('button', { name: 'New category' }).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.getByLabel('Name').fill(each)
    await page.getByRole('button', { name: 'Create category' }).click()
    await expect(rows.last()).toContainText(each)
    await expect(page.getByRole('button', { name: 'New category' })).toBeFocused()
  }
  expect(await axeViolationsInBoth(page)).toEqual([])

  const up = page.getByRole('button', { name: `Move up: ${name} two` })
  await up.press('Enter')
  await expect(rows.last().getByRole('button', { name: `Change: ${name}`, exact: true })).toBeVisible()
  await expect(up).toBeFocused()

  // Dragged into another one, and out of it again.
  const row = (path: string) => rows.filter({ has: page.getByRole('button', { name: `Change: ${path}`, exact: true }) })
  await drag(row(`${name} two`), row(name), 'MIDDLE')
  await expect(row(`${name} › ${name} two`)).toBeVisible()
  await drag(row(`${name} › ${name} two`), row(name), 'TOP')
  await expect(rows.last()).toContainText(name)
  await expect(row(`${name} two`)).toBeVisible()
  // A category is not dropped below itself.
  await drag(row(name), row(name), 'MIDDLE')
  await expect(row(name)).toBeVisible()

  await page.getByRole('button', { name: `Change: ${name} two` }).click()
  await page.getByLabel('Name', { exact: true }).fill(`${name} west`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: `Change: ${name} west` }).click()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByLabel('Parent').selectOption({ label: name })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('button', { name: `Change: ${name} › ${name} west` }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: `Delete the category ${name} west?` })
  await expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await question.getByRole('textbox').fill(`${name} west`)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(rows.last()).toContainText(name)
  await expect(main.getByText('Category deleted')).toBeVisible()
})
