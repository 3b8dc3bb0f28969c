import { startZoneServer } from '#tests/support/name-server.ts'
import { axeViolationsInBoth, inDialog } from './axe'
import { createStore, enterAsOwner } from './console'
import { callApi } from './requests'
import { expect, test } from './store'

test('an operator adds a domain with its records, makes it the main one and removes it', async ({
  page,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/422/, /503/)
  const port = Number(new URL(baseURL!).port)
  // The name server that the configuration of the tests names.
  await using dns = await startZoneServer(port + 3)
  const code = `pier-${retry}`
  await createStore(baseURL!, code, 'Pier Films')
  await enterAsOwner(page, baseURL!, { at: store.at, code, path: '/admin/store' })
  await page.getByRole('link', { name: 'Manage domains' }).click()

  const host = `films-${Date.now()}.example.com`
  // Hosts without a store show the demo's first one.
  const storeThere = async () => (await callApi(page, `http://${host}:${port}`, '/')).cookies.join()
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible()
  // Its history is a list as well.
  const domain = main
    .getByRole('listitem')
    .filter({ hasText: host })
    .filter({ hasNot: page.locator('time') })
  const own = main
    .getByRole('listitem')
    .filter({ hasText: `${code}.localhost` })
    .first()
  await expect(own).toContainText('Set up by the administrator of the installation.')

  await page.getByLabel('Domain', { exact: true }).fill('films example')
  await page.getByRole('button', { name: 'Add domain' }).click()
  await expect(main.getByText('Enter a domain, for example films.example.com.')).toBeVisible()
  await page.getByLabel('Domain', { exact: true }).fill(`https://${host.toUpperCase()}/about`)
  await page.getByRole('button', { name: 'Add domain' }).click()
  await expect(main.getByText('Taken from the address:')).toContainText(host.toUpperCase())
  await expect(domain.getByText('Waiting for DNS')).toBeVisible()
  await expect(domain.getByText(`_marquee.${host}`, { exact: true })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  expect(await storeThere()).toContain('customerCode=aurora')
  dns.set(host, { addresses: ['127.0.0.1'] })
  await page.getByRole('button', { name: `Check now: ${host}` }).click()
  await expect(domain.getByText('Pointing here')).toBeVisible()
  expect(await storeThere()).toContain('customerCode=aurora')
  const value = await domain.getByText(/^marquee-verification=/).innerText()
  dns.set(`_marquee.${host}`, { texts: [value] })
  await page.getByRole('button', { name: `Check now: ${host}` }).click()
  await expect(domain.getByText('Verified')).toBeVisible()
  expect(await storeThere()).toContain(`customerCode=${code}`)
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByRole('button', { name: `Make main: ${host}` }).click()
  await expect(domain.getByText('Main', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: `Remove: ${host}` }).click()
  const question = page.getByRole('alertdialog', { name: `Remove ${host}?` })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByLabel(`Type ${host} to confirm`).fill(host)
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(domain).toHaveCount(0)
  expect(await storeThere()).toContain('customerCode=aurora')
  await expect(main.getByText(/Domain removed/).first()).toBeVisible()
})
