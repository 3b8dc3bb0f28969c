import type { Page } from 'playwright/test'
import { axeViolationsInBoth, inDialog } from './axe'
import { command } from './command'
import { createStore, enterAsOwner, readPage } from './console'
import { drag } from './drag'
import { expect, test, textShown } from './store'

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

/** Waits until the caret is in an element, into which a button of the editor moves it. */
const caretIn = (page: Page, element: string) =>
  expect
    .poll(() =>
      page.evaluate((selector) => {
        const node = getSelection()?.anchorNode
        const at = node instanceof Element ? node : node?.parentElement
        return at?.matches(':focus *') === true && at.closest(selector) !== null
      }, element),
    )
    .toBe(true)

/** Pastes HTML as a program for texts puts it into the clipboard. */
const paste = (page: Page, html: string) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', text)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, html)

test('a page is formatted with the keyboard and pasted into, and a text with definitions is edited as HTML', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  const code = `editor-${retry}`
  await openStore(baseURL!, code)
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/content/pages/new' })
  const editor = page.getByRole('textbox', { name: 'Text', exact: true }).first()
  const tool = (label: string) =>
    page.getByRole('toolbar', { name: 'Format: Text' }).first().getByRole('button', { name: label, exact: true })
  await page.getByLabel('End of its address').fill('visit')
  await page.getByLabel('Title').fill('Visit')
  await editor.click()
  await tool('Heading').click()
  await expect(tool('Heading')).toHaveAttribute('aria-pressed', 'true')
  await caretIn(page, 'h2')
  await page.keyboard.type('How to get here\nTake the ')
  await page.keyboard.press('Control+B')
  await page.keyboard.type('ferry')
  await page.keyboard.press('Control+B')
  await page.keyboard.type('.\n')
  await tool('Bulleted list').click()
  await caretIn(page, 'li')
  await page.keyboard.type('Timetable')
  await page.keyboard.press('Shift+Home')
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('Timetable')
  // The arrow keys move in the toolbar.
  await tool('Heading').focus()
  for (const _ of ['Subheading', 'Bold', 'Italic', 'Strikethrough', 'Link']) await page.keyboard.press('ArrowRight')
  await expect(tool('Link')).toBeFocused()
  await page.keyboard.press('Enter')
  const address = page.getByLabel('Address of the link')
  await address.fill('the ferry')
  await address.press('Enter')
  await expect(page.getByText('Type an address such as https://example.com or /plans.')).toBeVisible()
  await address.fill('ferry.example.com/times')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await address.press('Enter')
  await expect(editor.getByRole('link', { name: 'Timetable' })).toHaveAttribute(
    'href',
    'https://ferry.example.com/times',
  )
  await caretIn(page, 'li')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await paste(
    page,
    `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·  </span>Meadow</p>
<h1 style="mso-x:1">Parking</h1><p class="MsoNormal" style="color:red"><b style="mso-y:2">None</b><o:p></o:p><img
src="file:///C:/map.png" onerror="alert(1)"></p>`,
  )
  await expect(editor.getByRole('heading', { level: 2, name: 'Parking' })).toBeVisible()
  await expect(editor.getByRole('listitem').filter({ hasText: 'Meadow' })).toHaveText('Meadow')
  await expect(page.getByText('Pictures are not pasted.')).toBeVisible()
  await expect(editor.getByRole('img')).toHaveCount(0)
  await tool('Undo').click()
  await expect(editor.getByRole('heading', { name: 'Parking' })).toHaveCount(0)
  await tool('Redo').click()
  await caretIn(page, '[contenteditable]')

  // A picture is in the text once it is uploaded, and is described there.
  await page.keyboard.press('Enter')
  await tool('Picture').click()
  const file = { name: 'pier.png', mimeType: 'image/png', buffer: await picture() }
  await page.getByLabel('Choose a picture').setInputFiles(file)
  await expect(editor.locator('img[src^="/media/"]')).toHaveCount(1)
  await page.getByLabel('What the picture shows').fill('The pier at noon')
  await expect(editor.getByRole('img', { name: 'The pier at noon' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Add caption' }).click()
  await caretIn(page, 'figcaption')
  await page.keyboard.type('Photo: the harbour')
  await expect(editor.locator('figcaption')).toHaveText('Photo: the harbour')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Back' }).click()

  // A table follows the picture, is written cell by cell, and grows.
  await tool('Table').click()
  await caretIn(page, 'th')
  for (const text of ['Pier', 'Leaves', 'Pier 1', '9 am', 'Pier 2', '10 am']) {
    await page.keyboard.type(text)
    if (text !== '10 am') await page.keyboard.press('Tab')
  }
  const table = page.getByRole('group', { name: 'Table' })
  await table.getByRole('button', { name: 'Add row' }).click()
  await expect(editor.getByRole('row')).toHaveCount(4)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await table.getByRole('button', { name: 'Add column' }).click()
  await expect(editor.getByRole('columnheader')).toHaveCount(3)
  await table.getByRole('button', { name: 'Remove column' }).click()
  await expect(editor.getByRole('columnheader')).toHaveCount(2)
  await tool('Undo').click()
  await tool('Undo').click()
  await tool('Undo').click()
  await expect(editor.getByRole('row')).toHaveCount(3)
  await table.getByRole('button', { name: 'Add caption' }).click()
  await caretIn(page, '[data-caption]')
  await page.keyboard.type('Ferries')
  expect(await axeViolationsInBoth(page)).toEqual([])

  // A link that is typed and not set is asked about.
  await editor.press('Control+Home')
  await tool('Link').click()
  await address.fill('/lost')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(address).toBeFocused()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Visit' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // What is typed is asked about.
  await editor.press('Control+Home')
  await page.keyboard.type('Draft. ')
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()

  // Nothing that is only opened asks to be saved. A text with definitions is not opened visually.
  await page.getByRole('link', { name: 'Content', exact: true }).click()
  await page.getByRole('link', { name: 'Pages' }).click()
  await page.getByRole('link', { name: 'Visit' }).click()
  await page.getByRole('button', { name: 'Edit as HTML: Text' }).first().click()
  const html = page.getByRole('textbox', { name: 'Text', exact: true }).first()
  const stored = await html.inputValue()
  expect(stored.split('\n')).toEqual([
    '<h2>How to get here</h2>',
    '<p>Take the <strong>ferry</strong>.</p>',
    '<ul><li><a href="https://ferry.example.com/times">Timetable</a></li></ul>',
    '<ul><li>Meadow</li></ul>',
    '<h2>Parking</h2>',
    '<p><strong>None</strong></p>',
    expect.stringMatching(
      /^<figure><img src="\/media\/[^"]+" alt="The pier at noon" width="\d+" height="\d+"><figcaption>Photo: the harbour<\/figcaption><\/figure>$/,
    ),
    '<table><caption>Ferries</caption><thead><tr><th scope="col">Pier</th><th scope="col">Leaves</th></tr></thead><tbody><tr><td>Pier 1</td><td>9 am</td></tr><tr><td>Pier 2</td><td>10 am</td></tr></tbody></table>',
  ])
  await html.fill(`${stored}<dl><dt>The ferry</dt><dd>At noon</dd></dl>`)
  await page.getByRole('button', { name: 'Edit visually: Text' }).first().click()
  await expect(page.getByText('so it is edited as HTML')).toBeVisible()
  const saved = textShown(page, 'Page saved')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await saved
  await expect(page.getByText('so it is edited as HTML')).toBeVisible()
  await expect(html).toHaveValue(/<dl>/)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('main').getByText('Published', { exact: true })).toBeVisible()
  await page.goto(store.at(code, '/pages/visit'))
  const shown = page.getByRole('main')
  await expect(shown.getByRole('cell', { name: 'Pier 1' })).toBeVisible()
  await expect(shown.getByText('Ferries')).toBeVisible()
  await expect(shown.locator('figcaption')).toHaveText('Photo: the harbour')
  await expect(shown.getByRole('link', { name: 'Timetable' })).toBeVisible()
  await expect(shown.getByRole('img', { name: 'The pier at noon' })).toBeVisible()
  await expect(shown.locator('[style], [class^="Mso"]').filter({ hasText: 'None' })).toHaveCount(0)
})
