import { command } from './command'
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
