import { axeViolationsInBoth } from './axe'
import { command } from './command'
import { createStore, enterAsOwner, signedOut } from './console'
import { expect, test } from './store'

test('a preview link shows a store before its opening, with draft pages, only to its holder', async ({
  page,
  browser,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/503/, /404/)
  const code = `soon-${retry}`
  const place = ['--host', `${code}.localhost`, '--currency', 'USD', '--timezone', 'UTC']
  const { stdout } = await command(baseURL!, ['customer', 'create', '--code', code, '--name', 'Soon Films', ...place])
  const preview = /\/\?preview=\S+/.exec(stdout)?.[0] ?? ''

  await page.goto(store.at(code, '/products'))
  await expect(page.getByRole('heading', { level: 1, name: 'Coming soon' })).toBeVisible()
  await expect(page.getByText('Soon Films').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /Sign in|Join/ })).toHaveCount(0)

  await page.goto(store.at(code, preview))
  expect(new URL(page.url()).search).toBe('')
  await expect(page.getByText('Preview: this store isn’t open yet.')).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' }).click()
  await expect(page.getByRole('main')).toContainText('[DRAFT]')

  await command(baseURL!, ['customer', 'open', code, '--force'])
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(store.at(code, '/'))
  await expect(visitor.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' })).toHaveCount(0)
  expect((await visitor.goto(store.at(code, '/pages/terms')))?.status()).toBe(404)
  await visitor.goto(store.at(code, '/join/input'))
  await expect(visitor.getByRole('link', { name: 'Read the terms' })).toHaveCount(0)
  await visitor.context().close()
})

test('a preview of a time is shown to its holder alone, and says so until it is ended', async ({
  page,
  browser,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(signedOut, /404/, /403/, /422/)
  const code = `later-${retry}`
  await createStore(baseURL!, code, 'Later Films')
  await command(baseURL!, ['catalog', 'import', 'docs/example-store', '-c', code])
  await command(baseURL!, ['customer', 'open', code, '--force'])
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/store' })

  const section = page.getByRole('main')
  await section.getByLabel('As visitors will see it on').fill('2020-01-01T00:00')
  await section.getByRole('button', { name: 'Create preview link' }).click()
  await expect(section.getByText('Enter a time that is still to come.').first()).toBeVisible()
  await section.getByLabel('As visitors will see it on').fill('2099-03-01T09:30')
  await section.getByRole('button', { name: 'Create preview link' }).click()
  const link = section.getByRole('link', { name: /^Open the preview of .*09:30/ })
  await expect(link).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.goto((await link.getAttribute('href')) ?? '')
  const bar = page.getByText(/Preview: the store as visitors will see it on .*09:30/)
  await expect(bar).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(store.at(code))
  await expect(visitor.getByRole('contentinfo')).toBeVisible()
  await expect(visitor.getByText(/Preview: the store/)).toHaveCount(0)
  await page.reload()
  await expect(bar).toBeVisible()
  await page.getByRole('link', { name: 'Leave' }).click()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(bar).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
  await visitor.context().close()
})
