import { readFile } from 'node:fs/promises'
import { axeViolationsInBoth, inDialog } from './axe'
import { enterConsole } from './console'
import { newMember, password } from './new-member'
import { callAs } from './requests'
import { expect, test } from './store'

test('staff find a published comment that nobody reported, hide it, bring it back, and save the filters', async ({
  page,
  store,
}) => {
  const at = store.at('aurora', '').replace(/\/$/, '')
  const email = await newMember(page, at)
  await page.goto(`${at}/faq`)
  const { token } = await callAs(page, null, '/login', { email, password })
  const product = await page.evaluate(
    async () => (await (await fetch('/api/v1/customers/aurora/new-products/blue-hour')).json()).id,
  )
  const mark = `mark${Date.now()}`
  const written: { id: string }[] = []
  for (const text of ['a needle in the hay', 'another straw'])
    written.push(await callAs(page, token, `/products/${product}/comments`, { body: `${text} ${mark}` }))

  await enterConsole(page, '/comments')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'All comments' }).click()
  const table = main.getByRole('table', { name: 'All comments' })
  const rows = table.getByRole('row').filter({ hasText: mark })
  await main.getByLabel('Words in the text').fill(`hay NEEDLE ${mark}`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Published')
  expect(await axeViolationsInBoth(page)).toEqual([])
  const exported = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Export as CSV' }).click()
  const file = await exported
  expect(file.suggestedFilename()).toMatch(/^comments-\d{4}-\d\d-\d\d\.csv$/)
  // The heading and the one that fits.
  expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')).toEqual([
    expect.stringMatching(/^\ufeffcomment,author,/),
    expect.stringContaining(`a needle in the hay ${mark},Sora Lee,no,no,`),
  ])
  await rows.getByRole('button', { name: 'Hide' }).click()
  await expect(rows).toContainText('Hidden')
  await rows.getByRole('button', { name: 'Publish' }).click()
  await expect(rows).toContainText('Published')

  // A reply has its form in the row, and the focus comes back to its button.
  await rows.getByRole('button', { name: 'Reply' }).click()
  await expect(rows.getByLabel('Reply')).toBeFocused()
  const answer = `Well found ${Date.now()}.`
  await rows.getByLabel('Reply').fill(answer)
  expect(await axeViolationsInBoth(page)).toEqual([])
  // A double click publishes it once.
  await rows.getByRole('button', { name: 'Publish reply' }).dblclick()
  await expect(rows.getByLabel('Reply')).toBeHidden()
  await expect(rows.getByRole('button', { name: 'Reply' })).toBeFocused()
  await main.getByLabel('Words in the text').fill(answer)
  const replies = table.getByRole('row').filter({ hasText: answer })
  await expect(replies).toContainText('The store · Reply')
  await expect(replies).toHaveCount(1)

  // Both at once, which is undone.
  await main.getByLabel('Words in the text').fill(mark)
  await expect(rows).toHaveCount(2)
  await main.getByRole('button', { name: 'Select all of this page' }).click()
  await main.getByRole('button', { name: 'Change 2 comments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 2 comments' })
  await dialog.getByLabel('Reason').fill('Off topic')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(dialog).toContainText('2 comments were changed.')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog).toContainText('Everything is as it was before.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(rows.filter({ hasText: 'Published' })).toHaveCount(2)

  // One that its author has edited since it was chosen is not published: nobody has read it.
  await main.getByRole('button', { name: 'Select all of this page' }).click()
  await callAs(page, token, `/products/${product}/comments/${written[1]?.id}`, { body: `a new straw ${mark}` }, 'PATCH')
  await main.getByRole('button', { name: 'Change 2 comments' }).click()
  await dialog.getByLabel('Decision').selectOption('Publish: everyone sees them')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(dialog).toContainText('1 was so already.')
  await expect(dialog).toContainText('The author has edited 1 since you read it: read it again.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(rows.filter({ hasText: 'a new straw' })).toBeVisible()

  await main.getByLabel('Status').selectOption('Published')
  await main.getByRole('button', { name: 'Save view' }).click()
  const view = page.getByRole('dialog', { name: 'Save view' })
  await view.getByLabel('Name').fill(mark)
  await view.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: mark })).toBeVisible()

  // What staff did is in the log. The pages of the member and the product lead to their comments.
  await rows.first().getByRole('link', { name: 'History' }).click()
  await expect(main).toContainText('Comment hidden')
  await page.goBack()
  await rows.first().getByRole('link', { name: 'Sora Lee' }).click()
  await main.getByRole('link', { name: 'Comments of this member' }).click()
  await expect(rows).toHaveCount(2)
  await expect(table.getByRole('row')).toHaveCount(3)
  await rows.first().getByRole('cell').nth(1).getByRole('link').click()
  await main.getByRole('link', { name: 'Comments', exact: true }).click()
  await expect(page).toHaveURL(/product=blue-hour/)
  await expect(rows).toHaveCount(2)

  // In Korean, on a phone.
  await page.setViewportSize({ width: 375, height: 812 })
  await page.evaluate(() => localStorage.setItem('console-language', 'ko'))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: '전체 댓글' })).toBeVisible()
  await expect(main.getByRole('table', { name: '전체 댓글' }).getByRole('row').first()).toBeVisible()
  await expect(main.getByLabel('댓글에 있는 단어')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
})
