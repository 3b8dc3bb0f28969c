import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { expect, test } from './store'

test('products get a discount that is previewed and undone, and drafts are deleted', async ({ page }) => {
  await enterConsole(page, '/products?state=ON_SALE')
  const table = page.getByRole('table', { name: 'Products' })
  await expect(table).toBeVisible()
  const first = table.getByRole('checkbox').first()
  await first.check()
  const change = page.getByRole('button', { name: 'Change 1 product' })
  await change.press('Enter')
  const bulk = page.getByRole('dialog', { name: 'Change 1 product' })
  await expect(bulk).toBeVisible()
  await expect(bulk.locator(':focus')).toHaveCount(1)
  // Who goes back keeps the selected products and the place.
  await page.keyboard.press('Escape')
  await expect(bulk).toBeHidden()
  await expect(change).toBeFocused()
  await expect(first).toBeChecked()
  await change.press('Enter')
  await expect(bulk.getByText('1 product is chosen.')).toBeVisible()
  await bulk.getByRole('button', { name: 'Change' }).click()
  await expect(bulk.getByRole('alert')).toHaveText('Choose at least one change.')
  await expect(bulk.getByText('product was changed')).toHaveCount(0)
  await bulk.getByLabel('Discount').selectOption({ label: 'Discount in percent' })
  const previews: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/admin/products/bulk/preview')) previews.push(request.url())
  })
  // Two keys at once, which no slow machine draws apart.
  await bulk.getByLabel('Percent').evaluate((field: HTMLInputElement) => {
    field.focus()
    for (const key of '10') document.execCommand('insertText', false, key)
  })
  await expect(bulk.getByText(/has? a price on sale\.|have a price on sale\./)).toBeVisible()
  // Only what is typed in the end is calculated.
  expect(previews).toHaveLength(1)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await bulk.getByLabel('Add tags').fill('sale, autumn')
  await bulk.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(bulk.getByText('1 product was changed.')).toBeVisible()
  await bulk.getByRole('button', { name: 'Undo' }).click()
  await expect(bulk.getByText('Everything is as it was before.')).toBeVisible()
  await bulk.getByRole('button', { name: 'Close' }).last().press('Enter')
  await expect(page.getByRole('button', { name: 'Select all of this page' })).toBeFocused()

  const name = `Mistake ${Date.now()}`
  for (const title of [`${name} one`, `${name} two`]) {
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Products' }).click()
    await page.getByRole('link', { name: 'New product' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'New product' })).toBeVisible()
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: `Delete “${name} two” with its prices, lessons and files?` })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await expect(question.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled()
  await question.getByRole('textbox').fill(`${name} two`.toLowerCase().replaceAll(' ', '-'))
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Products' })).toBeVisible()
  await page.getByLabel('Title or code').fill(name)
  await page.getByLabel(`Select: ${name} one`).check()
  await page.getByRole('button', { name: 'Delete 1 product' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 1 product' })
  await expect(dialog.getByText(`${name} one`)).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled()
  await dialog.getByLabel('Type delete to confirm').fill('delete')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog.getByText('1 product was deleted.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('No product fits these filters.')).toBeVisible()

  await page.evaluate(() => localStorage.setItem('console-language', 'ko'))
  await page.goto('/admin/products?state=ON_SALE')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: '상품 1개 변경' }).click()
  // Only drafts can be deleted.
  await expect(page.getByText('상품 1개 삭제')).toHaveCount(0)
  const korean = page.getByRole('dialog', { name: '상품 1개 변경' })
  await expect(korean.getByText('상품 1개를 선택했어요.')).toBeVisible()
  await korean.getByLabel('할인').selectOption({ label: '퍼센트 할인' })
  await korean.getByLabel('퍼센트', { exact: true }).fill('10')
  await expect(korean.getByText('판매 중인 가격이 있는 상품은')).toBeVisible()
})
