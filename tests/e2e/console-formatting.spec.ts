import type { Page } from 'playwright/test'
import { axeViolationsInBoth } from './axe'
import { enterAsOwner } from './console'
import { openStore, picture } from './content-store'
import { expect, test, textShown } from './store'

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

/** Saves the first form of a page, and waits until the page shows what is stored. */
const save = async (page: Page, done: string) => {
  const entries = page.getByRole('main').locator('time')
  const before = await entries.count()
  const saved = textShown(page, done)
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await saved
  await expect(entries).toHaveCount(before + 1)
}

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
  const html = page.getByRole('textbox', { name: 'Text', exact: true }).and(page.locator('textarea')).first()
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
  // Saving leaves the text as it is shown, with what is selected and scrolled to.
  await html.evaluate((area: HTMLTextAreaElement) => {
    area.rows = 4
    area.setSelectionRange(4, 20)
    area.scrollTop = area.scrollHeight
  })
  const scrolled = await html.evaluate((area) => area.scrollTop)
  expect(scrolled).toBeGreaterThan(0)
  await save(page, 'Page saved')
  expect(await html.evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd])).toEqual([4, 20])
  expect(await html.evaluate((area) => area.scrollTop)).toBe(scrolled)
  await expect(page.getByText('so it is edited as HTML')).toBeVisible()
  await expect(html).toHaveValue(/<dl>/)
  expect(await axeViolationsInBoth(page)).toEqual([])

  // So does the editor, which can undo what was saved, and a refusal.
  await page.reload()
  await expect(page.getByText('so it is edited as HTML')).toBeVisible()
  await html.fill(stored)
  await page.getByRole('button', { name: 'Edit visually: Text' }).first().click()
  await editor.press('Control+Home')
  await page.keyboard.type('On foot: ')
  const node = await editor.elementHandle()
  await save(page, 'Page saved')
  store.expected.push(/422/)
  await page.getByLabel('From').first().fill('2030-01-02T00:00')
  await page.getByLabel('Until').first().fill('2030-01-01T00:00')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  expect(await node?.evaluate((element) => element.isConnected)).toBe(true)
  await editor.focus()
  await expect.poll(() => page.evaluate(() => getSelection()?.anchorOffset)).toBe('On foot: '.length)
  await page.keyboard.type('then ')
  await expect(editor.getByRole('heading', { name: 'On foot: then How to get here' })).toBeVisible()
  await tool('Undo').click()
  await expect(editor.getByRole('heading', { name: /^(?:On foot: )?How to get here$/ })).toBeVisible()
  await caretIn(page, 'h2')
  await page.keyboard.type('Welcome. ')
  await page.getByLabel('From').first().fill('')
  await page.getByLabel('Until').first().fill('')
  await save(page, 'Page saved')
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
