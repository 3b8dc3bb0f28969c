import { axeViolationsInBoth, inDialog } from './axe'
import { command } from './command'
import { createStore, enterAsOwner, readPage } from './console'
import { drag } from './drag'
import { callApi } from './requests'
import { expect, test } from './store'

test('the owner of a new store writes its settings, opens it from its checklist and closes it', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  // A refused setting, and the page of a store that is closed.
  store.expected.push(/422/, /503/)
  const code = `harbour-${retry}`
  await createStore(baseURL!, code, 'Harbour')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/settings' })

  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  // Links, a search and Ctrl K lead to the sections, also while something is typed.
  const index = page.getByRole('navigation', { name: 'Sections of the settings' })
  await index.getByLabel('Find a setting').fill('typeface')
  await index.getByRole('link', { name: 'Typeface' }).click()
  await expect(page).toHaveURL(/#look$/)
  await expect(main.locator('#look')).toBeFocused()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await index.getByLabel('Find a setting').fill('')
  await page.getByLabel('Company name').fill('Harbour Ltd.')
  await index.getByRole('link', { name: 'Redirects' }).click()
  await expect(main.locator('#redirects')).toBeInViewport()
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').getByRole('combobox').fill('time zone')
  await page.getByRole('option', { name: /^Time zone/ }).click()
  await expect(page).toHaveURL(/#languages$/)
  await expect(main.locator('#languages')).toBeInViewport()
  await page.getByLabel('Phone number').fill('+1 213 373 4253')
  await page.getByRole('button', { name: 'Save' }).nth(1).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Company name: Harbour Ltd.' })).toBeVisible()

  const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1H0z"/></svg>')
  await page.getByLabel('Upload: Logo', { exact: true }).setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: logo,
  })
  await expect(page.getByRole('img', { name: 'Logo', exact: true })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // A colour that is too light for text is repaired in sight.
  await page.getByLabel('Color of buttons and links').fill('#ffee00')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('the nearest color on which text can be read')
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByLabel('Color of buttons and links').fill('yellow')
  await page.getByRole('button', { name: 'Save' }).nth(5).click()
  await expect(main.getByText('Enter a color in the form #rrggbb')).toBeVisible()
  await page.getByLabel('Color of buttons and links').fill('#0a7d4f')
  await page.getByRole('button', { name: 'Save' }).nth(5).click()
  await expect(
    main.getByRole('listitem').filter({ hasText: 'Color of buttons and links: #2563eb → #0a7d4f' }),
  ).toBeVisible()
  // Old addresses lead to new ones. One that is added and removed again leaves nothing to save.
  await main.getByRole('button', { name: 'Add a redirect' }).click()
  await main.getByRole('button', { name: /Remove the redirect/ }).click()
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Categories' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Categories' })).toBeVisible()
  await page.goBack()
  await main.getByRole('button', { name: 'Add a redirect' }).click()
  await main.getByLabel('Old address').fill('/films/:name')
  await main.getByLabel('New address').fill('https://elsewhere.example/:name')
  await page.getByRole('button', { name: 'Save' }).nth(4).click()
  await expect(
    main.getByText('Enter an address of this store, for example /products/:name, or of one of the other sites'),
  ).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByLabel('New address').fill('/products/:name')
  await page.getByRole('button', { name: 'Save' }).nth(4).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Redirects: ' })).toBeVisible()
  const shown = (path = '/') => readPage(page, store.at(code), path)
  await expect.poll(async () => (await shown()).html).toMatch(/:root\{[^}]*--accent-light:#0a7d4f;/)

  await page.goto(store.at(code, '/admin/store'))
  await page.getByRole('link', { name: 'Go there: Terms, privacy and refunds' }).click()
  await expect(main.getByRole('link', { name: 'Terms of use' })).toBeVisible()

  // The rest is written by import; the home of a store that is not open is its checklist.
  await command(baseURL!, ['catalog', 'import', 'docs/example-store', '-c', code])
  await page.goto(store.at(code, '/admin'))
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Create preview link' }).click()
  await expect(main.getByRole('link', { name: 'Open the preview' })).toHaveAttribute('href', /\?preview=/)
  await page.getByRole('button', { name: 'Open the store' }).click()
  // The home of an open store shows its figures.
  await expect(main.getByRole('heading', { level: 2, name: 'Waiting for you' })).toBeVisible()

  const opened = await shown()
  expect(opened.html).toMatch(/<title>[^<]*(Harbour|Acme)/)
  expect(opened.lines).toContain('h2: New arrivals')
  const leadsTo = async (path: string) => (await callApi(page, store.at(code), path)).headers.location
  expect((await callApi(page, store.at(code), '/films')).status).toBe(404)
  expect(await leadsTo('/films/none-of-this-name')).toMatch(/\/products\/none-of-this-name$/)

  // The home page is arranged: a section is hidden, and one of a category added and moved.
  await page.goto(store.at(code, '/admin/content/home'))
  await main.getByLabel('Add the titles of a category').selectOption({ label: 'Courses' })
  const added = main.getByRole('listitem').filter({ has: page.getByLabel(/^Title of the section/) })
  await added
    .getByLabel(/^Title of the section/)
    .first()
    .fill('Chosen for you')
  expect(await axeViolationsInBoth(page)).toEqual([])
  const sections = main.getByRole('listitem').filter({ has: page.getByLabel(/^Show:/) })
  await drag(added, sections.first(), 'TOP')
  await expect(sections.first()).toContainText('Courses')
  await added.getByRole('button', { name: /^Move down/ }).click()
  await expect(sections.nth(1)).toContainText('Courses')
  await main.getByLabel('Show: New arrivals').uncheck()
  await main.getByRole('button', { name: 'Add chosen products' }).click()
  const picks = sections.last()
  await picks.getByLabel('Title', { exact: true }).fill('Our picks')
  await main.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main.getByText('Choose at least one product for each list.')).toBeVisible()
  await picks.getByRole('searchbox', { name: 'Add a product' }).fill('r')
  const add = picks.getByRole('button', { name: /^Add / })
  const titles = await Promise.all([0, 1].map((at) => add.nth(at).getAttribute('aria-label')))
  for (const title of titles) await picks.getByRole('button', { name: title ?? '', exact: true }).click()
  const [first = '', second = ''] = titles.map((title) => title?.replace('Add ', ''))
  await drag(
    picks.getByRole('listitem').filter({ hasText: second }).first(),
    picks.getByRole('listitem').first(),
    'TOP',
  )
  await expect(picks.getByRole('listitem').first()).toContainText(second)
  await picks.getByRole('button', { name: `Move up: ${first}` }).click()
  await expect(picks.getByRole('listitem').first()).toContainText(first)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main.getByRole('button', { name: 'Restore the usual arrangement' })).toBeVisible()
  const { lines } = await shown()
  expect(lines).toContain('h2: Our picks')
  expect(lines[lines.indexOf('h2: Our picks') + 1]).toContain(first)
  expect(lines).toContain('h2: Chosen for you')
  expect(lines).not.toContain('h2: New arrivals')
  await main.getByRole('button', { name: 'Restore the usual arrangement' }).click()
  const restore = page.getByRole('alertdialog', { name: 'Restore the usual arrangement?' })
  await restore.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(main.getByLabel('Show: New arrivals')).toBeChecked()

  // The menu is arranged: a link of the store's own stands first, and one of a category is added.
  await page.goto(store.at(code, '/admin/content/menu'))
  await main.getByRole('button', { name: 'Add a link' }).click()
  await sections.last().getByLabel('Title', { exact: true }).fill('New here?')
  await sections.last().getByLabel('Address').fill('javascript:alert(1)')
  await main.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(sections.last().getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  await sections.last().getByLabel('Address').fill('/products?sort=createdAt,DESC')
  await drag(sections.last(), sections.first(), 'TOP')
  await expect(sections.first()).toContainText('New here?')
  await main.getByLabel('Add a category').selectOption({ label: 'Courses' })
  await main.getByLabel('Show: Videos').uncheck()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main.getByRole('button', { name: 'Restore the usual arrangement' })).toBeVisible()
  await page.goto(store.at(code))
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(links.first()).toHaveText('New here?')
  await expect(links.filter({ hasText: 'Videos' })).toHaveCount(0)
  await links.first().click()
  await expect(page).toHaveURL(/\/products\?sort=createdAt/)
  await expect(page.getByRole('heading', { level: 1, name: 'All products' })).toBeVisible()
  await page.goto(store.at(code, '/admin/store'))
  await page.getByRole('button', { name: 'Close the store' }).click()
  const question = page.getByRole('alertdialog', { name: 'Close the store?' })
  const confirm = question.getByRole('button', { name: 'Close the store' })
  await expect(confirm).toBeDisabled()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByLabel('Text for visitors').fill('We move to a new house.\nThank you for waiting.')
  // Staff may be in another time zone than the store.
  await expect(question.getByLabel('Opens again')).toHaveAccessibleDescription(/Times are in UTC\.$/)
  await question.getByLabel('Opens again').fill('2099-03-01T09:30')
  await question.getByLabel(`Type ${code} to confirm`).fill(code)
  await confirm.click()
  await expect(main.getByText('Closed to visitors', { exact: true })).toBeVisible()
  await expect(main.locator('[lang=en]')).toContainText('We move to a new house.')
  await main.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'What visitors read' })
  await expect(edit.getByLabel('Opens again')).toHaveValue('2099-03-01T09:30')
  await edit.getByLabel('Text for visitors').fill('We have moved.\nThank you for waiting.')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(main.locator('[lang=en]')).toContainText('We have moved.')
  expect(await axeViolationsInBoth(page)).toEqual([])
  const answer = await page.goto(store.at(code))
  expect(answer?.status()).toBe(503)
  expect(Date.parse(answer?.headers()['retry-after'] ?? '')).toBe(Date.parse('2099-03-01T09:30Z'))
  await expect(page.getByRole('heading', { level: 1, name: 'We’ll be back soon' })).toBeVisible()
  await expect(page.getByText('Thank you for waiting.')).toBeVisible()
  await expect(page.getByText(/We expect to be back on .*09:30/)).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
})
