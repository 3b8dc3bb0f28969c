import { DEMO_OPERATOR, DEMO_PASSWORD } from '#demo/seed/accounts.ts'
import { axeViolationsInBoth, inDialog } from './axe'
import { fillSignIn, signedOut } from './console'
import { expect, test } from './store'

test('the staff of the installation creates a store, changes its domains, and takes it offline and back', async ({
  page,
  store,
}, { retry }) => {
  test.slow()
  // Nobody is signed in, another store has the code, and the store is offline.
  store.expected.push(signedOut, /422/, /503/)
  const code = `north-films-${retry}`
  const name = `North Films ${retry}`
  const host = `${code}.localhost`
  const main = page.getByRole('main')

  // Nothing is sold here.
  await page.goto(store.at('admin'))
  await expect(page).toHaveURL(/\/admin$/)
  await fillSignIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Stores' })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/stores$/)
  const areas = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  await expect(areas).toHaveText(['Stores', 'Emails', 'Staff', 'Audit log'])
  await expect(main.getByRole('link', { name: 'Aurora' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await main.getByRole('link', { name: 'New store' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New store' })).toBeVisible()
  await main.getByLabel('Name', { exact: true }).fill(name)
  await expect(main.getByLabel('Code')).toHaveValue(code)
  await main.getByLabel('Code').fill('aurora')
  await main.getByLabel('Domain').fill(host)
  await main.getByLabel('Language').selectOption('ko')
  await expect(main.getByLabel('Currency of all prices')).toHaveValue('KRW')
  await main.getByLabel('Email of the owner').fill(DEMO_OPERATOR)
  await main.getByRole('button', { name: 'Create store' }).click()
  await expect(main.getByText('Another store has this code.')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByLabel('Code').fill(code)
  await main.getByRole('button', { name: 'Create store' }).click()
  const invited = page.getByRole('alertdialog', { name: 'Owner invited' })
  const link = new URL(await invited.locator('code').innerText())
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await invited.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(main.getByText('Not open yet', { exact: true })).toBeVisible()
  await expect(main.getByText('Invited, until')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // The owner accepts.
  await page.goto(link.href)
  await page.getByLabel('Password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(page).toHaveURL(`${link.origin}/admin`)
  await expect(page.getByRole('banner')).toContainText(name)

  await page.goto(store.at('admin', `/admin/stores/${code}`))
  await expect(main.getByText(`${DEMO_OPERATOR} ·`)).toBeVisible()
  await main.getByRole('button', { name: 'Change domains' }).click()
  const domains = page.getByRole('dialog', { name: 'Domains of the store' })
  await domains.getByLabel('Domains').fill(`${host}\naurora.localhost`)
  await domains.getByRole('button', { name: 'Save' }).click()
  await expect(domains.getByText('Another store has the domain aurora.localhost.')).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await domains.getByLabel('Domains').fill(`${host}\nsecond-${host}`)
  await domains.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('link', { name: `http://second-${host}` })).toBeVisible()

  await main.getByRole('button', { name: 'Take offline' }).click()
  const question = page.getByRole('dialog', { name: 'Take the store offline?' })
  await expect(question.getByRole('button', { name: 'Take offline' })).toBeDisabled()
  await question.getByLabel('Note').fill('Invoice 12 is not paid.')
  await question.getByLabel(`Type ${code} to confirm`).fill(code)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await question.getByRole('button', { name: 'Take offline' }).click()
  await expect(main.getByText('Offline', { exact: true })).toBeVisible()
  await expect(main.getByText('Invoice 12 is not paid.')).toBeVisible()
  await page.goto(store.at(`second-${code}`))
  await expect(page).toHaveURL(/\/customer\/site-disabled$/)
  await page.goto(store.at('admin', `/admin/stores/${code}`))
  await main.getByRole('button', { name: 'Bring back' }).click()
  await expect(main.getByText('Not open yet', { exact: true })).toBeVisible()

  // Every store is found from every page.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Find anything' }).getByRole('combobox').fill('hangang')
  await page.getByRole('option', { name: /Store · hangang/ }).click()
  await expect(page).toHaveURL(/\/admin\/stores\/hangang$/)
  await main.getByRole('button', { name: 'Invite an owner' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite an owner' })
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await invite.getByRole('button', { name: 'Back' }).click()

  // What was done stands in the log of the installation.
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(main.getByText(`store:${code}`).first()).toBeVisible()
})

test('the console of the installation is in Korean and fits a phone', async ({ page, store }) => {
  store.expected.push(signedOut)
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(store.at('admin', '/admin/stores'))
  await page.evaluate(() => localStorage.setItem('console-language', 'ko'))
  await page.reload()
  await page.getByLabel('이메일').fill(DEMO_OPERATOR)
  await page.getByLabel('비밀번호', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: '로그인', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '스토어' })).toBeVisible()
  await page.getByRole('link', { name: '새 스토어' }).click()
  await expect(page.getByLabel('모든 가격의 통화')).toHaveValue('KRW')
  expect(await axeViolationsInBoth(page)).toEqual([])
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.goto(store.at('admin', '/admin/stores/aurora'))
  await expect(page.getByRole('heading', { level: 1, name: 'Aurora' })).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
})
