import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test, textShown } from './store'

test('an operator chooses columns, saves filters as a view, changes and shares it, and deletes it', async ({
  page,
  store,
}) => {
  store.expected.push(/422/)
  const name = `Paid ${Date.now()}`
  await enterConsole(page, '/orders')
  const main = page.getByRole('main')
  const table = main.getByRole('table', { name: 'Orders' })
  await main.getByLabel('Status').selectOption('Paid')
  await main.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Titles' }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Titles' })).not.toBeChecked()
  await page.getByRole('menuitemcheckbox', { name: 'Member' }).click()
  await page.keyboard.press('Escape')
  await expect(table.getByRole('columnheader')).toHaveText(['Order', 'Status', 'Date', 'Total'])
  expect(await axeViolationsInBoth(page)).toEqual([])
  await expect(page).toHaveURL(/columns=code%2Cstatus%2Cdate%2Ctotal/)

  await main.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill(name)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  const views = main.getByRole('navigation', { name: 'Saved views' })
  const view = views.getByRole('link', { name })
  await expect(view).toHaveAttribute('data-selected', 'true')

  // The view is left, chosen again after the page is loaded anew, and changed.
  await views.getByRole('link', { name: 'All' }).click()
  await expect(table.getByRole('columnheader')).toHaveCount(6)
  await page.reload()
  await view.click()
  await expect(table.getByRole('columnheader')).toHaveCount(4)
  await expect(main.getByLabel('Status')).toHaveValue('PAYMENT_COMPLETE')
  await main.getByLabel('From', { exact: true }).fill('2020-01-01')
  await views.getByRole('button', { name: `Save changes to “${name}”` }).click()
  await expect(view).toHaveAttribute('data-selected', 'true')
  await expect(view).toHaveAttribute('href', /from=2020-01-01/)

  await main.getByLabel('Status').selectOption('Canceled or refunded')
  await views.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/Choose another name/)
  await dialog.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()

  await view.click()
  await views.getByRole('button', { name: 'View', exact: true }).click()
  const shared = textShown(page, 'All staff see the view now')
  await page.getByRole('menuitem', { name: 'Share with all staff' }).click()
  await shared
  await views.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename the view' })
  await rename.getByLabel('Name').fill(`${name} this year`)
  await rename.getByRole('button', { name: 'Save' }).click()
  await expect(views.getByRole('link', { name: `${name} this year` })).toHaveAttribute('data-selected', 'true')
  await views.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
  await expect(page).toHaveURL(/\/orders$/)

  // An old link shows the list without what it no longer has.
  await page.goto('/admin/orders?status=SHIPPED&sort=BY_NOTHING&campaign=1')
  await expect(main.getByRole('table', { name: 'Orders' }).getByRole('link').first()).toBeVisible()
})
