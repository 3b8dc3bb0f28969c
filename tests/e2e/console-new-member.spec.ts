import { axeViolationsInBoth, inDialog } from './axe'
import { createStaff, enterConsole } from './console'
import { latestMail } from './mailbox'
import { enter } from './new-member'
import { expect, hydrated, test } from './store'

test('staff create a member for an order, who sets the password with the link and owns the title', async ({
  page,
  browser,
  store,
  baseURL,
}, { retry }) => {
  test.slow()
  store.expected.push(/401|404|422/)
  const email = `invited-${retry}-${Date.now().toString(36)}@example.com`
  const secret = 'a lantern under the bridge'
  await enterConsole(page, '/orders')
  const main = page.getByRole('main')
  await page.getByRole('button', { name: 'New order' }).click()
  const order = page.getByRole('dialog', { name: 'New order' })
  await order.getByLabel('Member: name or email address').fill(email)
  await expect(order.getByText('No member fits this search.')).toBeVisible()
  await order.getByRole('radio', { name: 'Complimentary order' }).check()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await order.getByRole('button', { name: 'New member' }).click()
  const creating = page.getByRole('dialog', { name: 'New member' })
  await expect(creating.getByLabel('Email')).toHaveValue(email)
  await creating.getByLabel('Name').fill('Jun Seo')
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await creating.getByRole('button', { name: 'Create the member' }).click()
  const giving = page.getByRole('dialog', { name: 'Complimentary order' })
  await expect(giving.getByText(email)).toBeVisible()
  await giving.getByLabel('Add a product').fill('the-last-light')
  await giving.getByRole('button', { name: 'Add The Last Light' }).click()
  await giving.getByLabel('Reason').fill('Won the quiz')
  await giving.getByRole('button', { name: 'Create the order' }).click()
  await expect(page).toHaveURL(/\/admin\/orders\/\d{8}-/)
  await expect(main.getByText(email).first()).toBeVisible()

  // An address that a member has leads to that member.
  await page.goto('/admin/members')
  await page.getByRole('button', { name: 'New member' }).click()
  const again = page.getByRole('dialog', { name: 'New member' })
  await again.getByLabel('Email').fill(email.toUpperCase())
  await again.getByRole('button', { name: 'Create the member' }).click()
  await again.getByRole('link', { name: 'Open this member' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Jun Seo' })).toBeVisible()
  await expect(main.getByText('Invited', { exact: true })).toBeVisible()

  await main.getByRole('button', { name: 'Change the profile' }).click()
  const profile = page.getByRole('dialog', { name: 'Change the profile' })
  await profile.getByLabel('Phone').fill('12345')
  await profile.getByLabel('Postcode').fill('04524')
  await profile.getByLabel('Address').fill('110 Sejong-daero')
  await profile.getByLabel('Reason').fill('By phone')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByText(/^Enter a valid phone number/)).toBeVisible()
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await profile.getByLabel('Phone').fill('(213) 373-4253')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(profile).toBeHidden()
  await expect(main.getByText('04524 110 Sejong-daero').first()).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'Profile of a member changed' })).toContainText('By phone')
  expect(await axeViolationsInBoth(page)).toEqual([])

  const link = /\/reset-password\?key=[\w-]+/.exec(await latestMail(page, baseURL!, email, /Your account at/))?.[0]
  const visitor = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  await visitor.goto(link!)
  await hydrated(visitor)
  await visitor.getByLabel('Password', { exact: true }).fill(secret)
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor.getByText('Agree to the Terms of Use to continue.')).toBeVisible()
  expect(await axeViolationsInBoth(visitor)).toEqual([])
  for (const box of [/^I agree to the Terms/, /^I agree to the Privacy/, /14 or older/])
    await visitor.getByRole('checkbox', { name: box }).check()
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor).toHaveURL(/\/login/)
  await expect(visitor.getByText('Your password is set. Sign in with it.')).toBeVisible()
  await enter(visitor, baseURL!, email, secret)
  await visitor.goto('/mypages/paid-products')
  await expect(visitor.getByRole('link', { name: /The Last Light/ }).first()).toBeVisible()
  await visitor.context().close()
})

test('a person of the staff moves to another address with a link, and nothing changes before', async ({
  page,
  store,
  baseURL,
}) => {
  store.expected.push(/401|422/)
  const [email, secret] = [`mover-${Date.now()}@example.com`, 'a long password']
  const moved = `moved-${email}`
  await createStaff(page, baseURL!, email, secret)
  await enterConsole(page, '/account', { email, password: secret })
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Change the email address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the email address' })
  await dialog.getByLabel('New email address').fill(moved)
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog.getByText(/^Incorrect password/).first()).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(secret)
  expect(await axeViolationsInBoth(page, inDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog.getByText('We sent a link to')).toContainText(moved)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(main.getByLabel('Email')).toHaveValue(email)
  const link = /\/admin#email=[^\s"]+/.exec(await latestMail(page, baseURL!, moved))?.[0]
  await page.goto(link!)
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await expect(page.getByText('from now on')).toContainText(moved)
  await page.getByRole('button', { name: 'Continue to the console' }).click()
  await page.goto('/admin/account')
  await expect(main.getByLabel('Email')).toHaveValue(moved)
})
