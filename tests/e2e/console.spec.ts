import { axeViolationsInBoth } from './axe'
import { createStaff, enterConsole, signedOut } from './console'
import { latestMail } from './mailbox'
import { expect, test } from './store'

test('a wrong password is refused; a page is opened where it was asked for, and signing in again leads back', async ({
  page,
  store,
  baseURL,
  context,
}, { retry }) => {
  store.expected.push(signedOut)
  // Not the demo's operator: other tests sign in as that one, whose wrong passwords are counted.
  const [email, password] = [`returning-${retry}@example.com`, 'a long password']
  await createStaff(page, baseURL!, email, password)
  const fillSignIn = async () => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const answer = await page.goto('/admin/account')
  expect(answer?.headers()['content-security-policy']).toMatch(/script-src 'self';/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText(/Incorrect|not correct|wrong/i)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await fillSignIn()
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible()
  await expect(page.getByText('This session')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  // The session ends elsewhere. No other call finds that out before the one of the page.
  await page.route('**/admin/orders*', async (route) => {
    await context.clearCookies()
    await route.continue()
  })
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sign in to/ })).toBeVisible()
  await page.unroute('**/admin/orders*')
  await fillSignIn()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/orders$/)

  await page.getByRole('button', { name: /Kim/ }).click()
  await page.getByRole('menuitem', { name: '한국어' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '주문' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: '주문' })).toBeVisible()
  await page.getByRole('button', { name: /Kim/ }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.getByRole('button', { name: /Kim/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Sign in to/ })).toBeVisible()
})

test('a forgotten password is replaced by the link of a mail, once', async ({ page, store, baseURL }, { retry }) => {
  store.expected.push(signedOut, /404/)
  const email = `forgetful-${retry}@example.com`
  await createStaff(page, baseURL!, email, 'a first password')
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alert')).toContainText('an email with a link is on its way')
  expect(await axeViolationsInBoth(page)).toEqual([])

  const mail = await latestMail(page, store.at('aurora', ''), email, /console/)
  const link = /\/admin#reset=[\w.%-]+/.exec(mail)![0]
  await page.goto(link)
  await expect(page.getByText(/^At least 8 characters\. Not your email address/)).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('password')
  await expect(page.getByText('Weak', { exact: true })).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('a second password')
  await expect(page.getByText('Weak', { exact: true })).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('Your password was changed')
  await page.getByRole('button', { name: 'Continue to sign-in' }).click()
  await expect(page).toHaveURL(/\/admin\/?$/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a second password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible()

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('a third password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('This link has expired or was used.')
})

test('the console says that a page is missing, that the store does not answer, and that one is offline', async ({
  page,
  store,
  context,
}) => {
  store.expected.push(/404|Failed to load resource|ERR_/)
  // No order of another test loads the list again before the button does.
  await page.route('**/admin/changes', (route) => route.abort())
  await enterConsole(page, '/no/such/page')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  // Also the read that the pointer on the link begins.
  await page.route('**/admin/orders*', (route) => route.abort())
  await page.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('alert')).toContainText('The store does not answer.')
  await page.unroute('**/admin/orders*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Orders' })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
})

test('analytics agree with home and settlements, also in Korean, and are shown as charts, tables and CSV', async ({
  page,
}) => {
  await enterConsole(page)
  const main = page.getByRole('main')
  const saved = async (button: string) => {
    const saving = page.waitForEvent('download')
    await main.getByRole('button', { name: button }).click()
    return (await saving).suggestedFilename()
  }
  const sales = main.getByRole('region', { name: /^Sales in/ }).first()
  // Other tests buy meanwhile.
  await expect(async () => {
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Home' }).click()
    const today = await main.getByRole('region', { name: 'Today' }).innerText()
    const [, revenue = ''] = /Revenue today\s+(\S+)/.exec(today) ?? []
    expect(revenue).toMatch(/\d/)
    await main.getByRole('link', { name: 'Analytics of the last seven days' }).click()
    await expect(main.getByRole('heading', { level: 1, name: 'Analytics' })).toBeVisible()
    await main.getByRole('link', { name: 'Today' }).click()
    await expect(sales).toContainText(`Revenue\n${revenue}`, { useInnerText: true, timeout: 10_000 })
  }).toPass()

  // The days of the range are those of the fields.
  const ninetyDays = main.getByRole('link', { name: '90 days' })
  await ninetyDays.click()
  await expect(ninetyDays).toHaveAttribute('aria-current', 'page')
  await expect(main.getByRole('img', { name: /^Revenue from/ })).toBeVisible()
  await expect(async () => {
    const [from, to] = await Promise.all(
      ['From', 'To'].map((label) => main.getByLabel(label, { exact: true }).inputValue()),
    )
    expect((Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000).toBe(89)
  }).toPass()
  await main.getByText('Show the numbers').click()
  await expect(main.getByRole('table', { name: 'Sales by period' }).getByRole('row').nth(1)).toContainText('202')
  // The comparison is in the address, the figures, the table and the file.
  await main.getByLabel('Compare with').selectOption({ label: 'A year before' })
  await expect(page).toHaveURL(/compare=year/)
  await expect(sales).toContainText('a year before')
  await main.getByLabel('Compare with').selectOption({ label: 'Chosen days' })
  await expect(page).toHaveURL(/compare=range&compareFrom=\d{4}-\d\d-\d\d&compareTo=/)
  await expect(main.getByLabel('Compared from', { exact: true })).toBeVisible()
  await expect(sales).toContainText('the compared range')
  await expect(main.getByRole('columnheader', { name: 'Revenue, compared' })).toBeVisible()
  const compared = page.waitForRequest(/analytics\.csv\?.*compare=range/)
  expect(await axeViolationsInBoth(page)).toEqual([])
  expect(await saved('Save sales as a CSV file')).toMatch(/^analytics-aurora-sales-.+\.csv$/)
  await compared
  const titles = main.getByRole('table', { name: 'Revenue by title' })
  await expect(titles.getByRole('row').nth(1)).toContainText(/\d/)
  await main.getByLabel('Sort by').selectOption({ label: 'Sales' })
  await expect(page).toHaveURL(/sort=sales/)
  expect(await saved('Save revenue by title as a CSV file')).toMatch(/^analytics-aurora-titles-.+\.csv$/)

  // A product's own: figures, lessons, how far plays went. The range is kept.
  const plays = main.getByRole('table', { name: 'Plays by product' })
  await plays.getByRole('link').first().click()
  const figuresOfProduct = main.getByRole('region', { name: 'Figures of the product' })
  await expect(figuresOfProduct).toContainText('Finish rate')
  await expect(ninetyDays).toHaveAttribute('aria-current', 'page')
  await expect(main.getByRole('img', { name: /^Share of plays that watched/ })).toBeVisible()
  await main.getByText('Show the numbers').last().click()
  await expect(main.getByRole('table', { name: 'Retention' }).getByRole('row')).toHaveCount(21)
  expect(await axeViolationsInBoth(page)).toEqual([])
  expect(await saved('Save the retention as a CSV file')).toMatch(/^analytics-.+-retention-.+\.csv$/)
  await main.getByRole('link', { name: 'Edit product' }).click()
  await main.getByRole('link', { name: 'Analytics' }).click()
  await expect(figuresOfProduct).toBeVisible()

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Analytics' }).click()
  await ninetyDays.click()
  await expect(page).toHaveURL(/\/analytics\?.*days=90/)
  await expect(async () => {
    if (page.url().includes('/settlements')) await page.goBack()
    await expect(sales).toContainText(/Revenue/)
    const [, amount = ''] = /Revenue\s+(\S+)/.exec(await sales.innerText()) ?? []
    expect(amount).toMatch(/\d/)
    await main.getByRole('link', { name: 'Settlements' }).click()
    await expect(page).toHaveURL(/\/settlements\?/)
    await expect(main.getByRole('region', { name: /^Settlements in/ })).toContainText(amount, { timeout: 10_000 })
  }).toPass()
  const byProvider = main.getByRole('table', { name: /^Settlements by provider/ })
  await expect(byProvider.getByRole('row').nth(1)).toContainText(/\d/)
  expect(await axeViolationsInBoth(page)).toEqual([])
  const moved = page.waitForEvent('download')
  await main.getByRole('link', { name: 'Export all payments and refunds' }).click()
  expect((await moved).suggestedFilename()).toMatch(/^movements-.+\.csv$/)
  await page.getByRole('button', { name: /Sam Rivera|Kim/ }).click()
  await page.getByRole('menuitem', { name: '한국어' }).click()
  await expect(main.getByRole('heading', { level: 1, name: '정산' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.getByRole('button', { name: /Sam Rivera|Kim/ }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
})
