import { axeViolationsInBoth, inDialog } from './axe'
import { enterAsOwner, readPage } from './console'
import { openStore, picture } from './content-store'
import { drag } from './drag'
import { expect, test } from './store'

test('a notice, a question, a banner and a page are written, ordered, shown to visitors and deleted', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  // The second of two people is told that the notice has changed, and a banner lacks its picture.
  store.expected.push(/412/, /422/)
  const code = `content-${retry}`
  await openStore(baseURL!, code)
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/content' })
  const main = page.getByRole('main')
  const name = 'Harbour festival'
  await expect(page.getByRole('heading', { level: 1, name: 'Content' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // A text is written as visitors see it.
  const editor = (label = 'Text') => page.getByRole('textbox', { name: label, exact: true }).first()
  await page.getByRole('link', { name: 'New notice' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New notice' })).toBeVisible()
  await page.getByLabel('Title').fill(name)
  await expect(main.getByText(/^Times are in /)).toBeVisible()
  await editor().click()
  await page.keyboard.type('Closed on Friday & Saturday.\nBack on Sunday.')
  await expect(editor().locator('p')).toHaveText(['Closed on Friday & Saturday.', 'Back on Sunday.'])
  await page.getByLabel('Important: above all others').check()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(main.getByText('Visitors do not see this draft.')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // Files are added and removed beside the text, which keeps what is typed.
  for (const file of ['programme.txt', 'prices.txt']) {
    await main.getByLabel('Add a file').setInputFiles({ name: file, mimeType: 'text/plain', buffer: Buffer.from(file) })
    await expect(main.getByRole('link', { name: file })).toBeVisible()
  }
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('button', { name: 'Remove prices.txt' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(main.getByRole('link', { name: 'prices.txt' })).toBeHidden()

  // It is published, made a draft again, previewed, and published once more.
  await main.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(main.getByText('Published', { exact: true })).toBeVisible()
  await main.getByRole('button', { name: 'Unpublish' }).click()
  await main.getByRole('button', { name: 'Create preview link' }).click()
  const link = await main.getByRole('link', { name: 'Open the preview' }).getAttribute('href')
  const visitor = await page.context().browser()!.newContext()
  const previewed = await visitor.newPage()
  await previewed.goto(link!)
  await expect(previewed.getByRole('heading', { level: 1, name })).toBeVisible()
  await visitor.close()
  await main.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(main.getByText('Published', { exact: true })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  const preview = page.getByRole('region', { name: 'Preview' })
  await page.getByRole('button', { name: 'Edit as HTML: Text' }).first().click()
  const html = page.getByRole('textbox', { name: 'Text', exact: true }).first()
  await expect(html).toHaveValue('<p>Closed on Friday &amp; Saturday.</p>\n<p>Back on Sunday.</p>')
  await html.fill('<p>Safe</p><script>window.injected = 1</script>')
  await expect(preview.first()).toHaveText(/Safe$/)
  await page.getByLabel('Title').nth(1).fill('항구')
  await page.getByRole('button', { name: 'Save' }).nth(1).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Title (한국어): 항구' })).toBeVisible()
  // What was typed in the other form is still there, also when another person saves first.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByLabel('Important: above all others').uncheck()
  await other.getByRole('button', { name: 'Save' }).first().click()
  await expect(other.getByRole('listitem').filter({ hasText: 'all others: Yes → No' })).toBeVisible()
  await other.close()
  await html.fill('<p>Safe</p> <script>window.injected = 1</script>')
  await page.getByRole('button', { name: 'Save' }).first().click()
  const conflict = main.getByRole('alert').filter({ hasText: 'It has changed since you opened it.' })
  await expect(conflict.getByRole('listitem')).toContainText('all others: Yes → No')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await conflict.getByRole('button', { name: 'Load the latest state' }).click()
  await expect(conflict).toHaveCount(0)
  // Sent before its fields are filled, it stores what was restored.
  await main
    .getByRole('button', { name: 'Restore', exact: true })
    .first()
    .evaluate((button: HTMLButtonElement) => {
      const { form } = button
      button.click()
      form?.requestSubmit()
    })
  await expect(main.getByRole('listitem').filter({ hasText: /Text: Closed on.*Safe/s })).toBeVisible()
  const inStore = page.getByRole('link', { name: 'View in the store' })
  const notice = await readPage(page, store.at(code), `/ko${await inStore.getAttribute('href')}`)
  expect(notice.lines).toContain('h1: 항구')
  expect(notice.main).toContain('Safe')
  expect(notice.lines).toContainEqual(expect.stringMatching(/^a: .*programme\.txt/))

  // The first version is compared with the present one and restored, with its translations.
  await page
    .getByRole('button', { name: /^Compare the version of/ })
    .last()
    .click()
  const version = page.getByRole('dialog', { name: /^Version of/ })
  await expect(version.getByRole('region', { name: 'Text' }).locator('del')).toHaveText(['Safe'])
  await expect(version.getByRole('region', { name: 'Text' }).locator('ins').last()).toContainText('Back on Sunday.')
  await expect(version.getByRole('region', { name: 'Title' })).toContainText('항구')
  await version.getByText('Show it as visitors saw it').click()
  await expect(version.getByRole('paragraph').filter({ hasText: /^Back on Sunday\.$/ })).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await version.getByRole('button', { name: 'Restore this version' }).click()
  await expect(editor()).toContainText('Closed on Friday')
  await expect(page.getByLabel('Title').nth(1)).toHaveValue('')
  await expect(page.getByRole('button', { name: /^Compare the version of/ })).toHaveCount(2)

  // Notifications cover the button, and the pointer that rests on them would hold them there.
  await page.mouse.move(0, 0)
  await expect(page.locator('[data-scope=toast][data-part=root]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await question.getByLabel('Type delete to confirm').fill('delete')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(main.getByText('Create the first notice: it tells visitors what is new in the store.')).toBeVisible()

  await page.getByRole('link', { name: 'FAQ' }).click()
  for (const question of ['Where is the harbour?', name]) {
    await page.getByRole('link', { name: 'New question' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'New question' })).toBeVisible()
    await page.getByLabel('Group').fill('Harbours')
    await page.getByLabel('Question', { exact: true }).fill(question)
    await editor('Answer').fill('In the west.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('heading', { level: 1, name: question })).toBeVisible()
    // A draft is shown by its preview link alone.
    if (question !== name) {
      await main.getByRole('button', { name: 'Create preview link' }).click()
      const address = await main.getByRole('link', { name: 'Open the preview' }).getAttribute('href')
      expect((await readPage(page, store.at(code), '/faq')).main).not.toContain(question)
      const reader = await page.context().browser()!.newContext()
      const before = await reader.newPage()
      await before.goto(address!)
      await expect(before.getByText(question)).toBeVisible()
      await reader.close()
      await main.getByRole('button', { name: 'Publish', exact: true }).click()
      await expect(main.getByText('Published', { exact: true })).toBeVisible()
      expect((await readPage(page, store.at(code), '/faq')).main).toContain(question)
    }
    await page.getByRole('link', { name: 'Content', exact: true }).click()
    await page.getByRole('link', { name: 'FAQ' }).click()
  }
  const questions = main.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move up/ }) })
  await expect(questions.last()).toContainText(name)
  await page.getByRole('button', { name: `Move up: ${name}` }).press('Enter')
  await expect(questions.first()).toContainText(name)
  await drag(questions.first(), questions.last(), 'BOTTOM')
  await expect(questions.last()).toContainText(name)
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByRole('link', { name: 'Banners' }).click()
  await page.getByRole('link', { name: 'New banner' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New banner' })).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill(name)
  // A product is found by its title, and a banner that leads to one needs it.
  await page.getByLabel('Leads to').selectOption({ label: 'A product' })
  await page.getByRole('button', { name: 'Create banner' }).click()
  await expect(page.getByLabel('Find a product')).toBeFocused()
  await page.getByLabel('Leads to').selectOption({ label: 'Another address' })
  await page.getByLabel('Address', { exact: true }).fill('/plans')
  await page.getByRole('button', { name: 'Create banner' }).click()
  await expect(main.getByText('The picture is missing.').first()).toBeVisible()
  await page
    .getByLabel('Choose a picture')
    .setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: await picture() })
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Create banner' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('img', { name: 'The banner' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const home = await readPage(page, store.at(code), '/')
  expect(home.lines).toContainEqual(expect.stringMatching(new RegExp(`^h\\d: ${name}`)))

  await page.goto(store.at(code, '/admin/content/pages'))
  await expect(main.getByText('Draft').first()).toBeVisible()
  await page.getByRole('link', { name: 'New page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New page' })).toBeVisible()
  await page.getByLabel('End of its address').fill('press')
  await page.getByLabel('Title').fill('Press')
  await editor().fill('[FILL IN: contact]')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(main.getByText('Visitors do not see this page')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await editor().fill('press@example.com')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(main.getByRole('listitem').filter({ hasText: /Text: .*press@example/s })).toBeVisible()
  await main.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(main.getByText('Published', { exact: true })).toBeVisible()
  const press = await readPage(page, store.at(code), (await inStore.getAttribute('href')) ?? '')
  expect(press.main).toContain('press@example.com')

  // The row before gets the focus of a row that is removed.
  await page.goto(store.at(code, '/admin/content/menu'))
  await main.getByRole('button', { name: 'Add a link' }).press('Enter')
  await main.getByRole('button', { name: 'Remove: A link' }).press('Enter')
  await expect(main.getByRole('listitem').last().locator(':focus')).toHaveCount(1)
})
