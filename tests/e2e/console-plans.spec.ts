import { axeViolationsInBoth } from './axe'
import { enterConsole, readPage } from './console'
import { expect, test, textShown } from './store'

test('an operator creates a plan, chooses what it opens, sells it, moves it and takes it off sale', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/422/)
  await enterConsole(page, '/plans')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()

  const name = `Weekend pass ${retry}`
  await main.getByRole('link', { name: 'New plan' }).click()
  await main.getByLabel('Name').fill(name)
  await expect(main.getByLabel('Code')).toHaveValue(`weekend-pass-${retry}`)
  await main.getByLabel('Price').fill('4900')
  await main.getByRole('button', { name: 'Create plan' }).click()
  await expect(main.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(main.getByText('Not on sale')).toBeVisible()

  const terms = main.locator('form').filter({ has: page.getByLabel('Opens') })
  await terms.getByLabel('Opens').selectOption('Chosen products')
  await terms.getByLabel('On sale').check()
  await terms.getByRole('button', { name: 'Save' }).click()
  await expect(terms.getByText('Choose at least one product.')).toBeVisible()
  await terms.getByLabel('Add a product').fill('a')
  const found = terms.getByRole('button', { name: /^Add / }).first()
  await found.click()
  await expect(terms.getByRole('button', { name: /^Remove / })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await terms.getByLabel('Opens').selectOption('All products that plans open')
  await terms.getByLabel('Days of the trial').fill('3')
  await terms.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('link', { name: 'View in the store' })).toBeVisible()

  const texts = main
    .locator('form')
    .filter({ has: page.getByLabel('What subscribers get') })
    .first()
  await texts.getByLabel('What subscribers get').fill('Every film on Saturdays\nAnd on Sundays')
  // The message of the save before may still be there, so the answer is waited for.
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  await texts.getByRole('button', { name: 'Save' }).click()
  await saved
  await expect(page.getByText('Plan saved').first()).toBeVisible()

  const shown = await readPage(page, baseURL!, '/plans')
  expect(shown.lines).toContainEqual(expect.stringMatching(new RegExp(`^h\\d: ${name}`)))
  expect(shown.main).toContain('And on Sundays')

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Plans' }).click()
  const move = main.getByRole('button', { name: `Move up: ${name}` })
  const moved = textShown(page, 'Order saved')
  await move.click()
  await moved

  // Other tests use the plans of the store.
  await main.getByRole('link', { name }).click()
  await terms.getByLabel('On sale').uncheck()
  await terms.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('Not on sale')).toBeVisible()
  await main.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill(`weekend-pass-${retry}`)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(main.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
  await expect(main.getByRole('link', { name })).toBeHidden()
})
