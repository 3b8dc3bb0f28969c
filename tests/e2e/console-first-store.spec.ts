import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright/test'
import { freePort } from '#tests/support/free-port.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { makeFilm } from '#tests/support/video-files.ts'
import { axeViolationsInBoth } from './axe'
import { buyFilm } from './buy-film'
import { signedOut } from './console'
import { password, sixDigits } from './new-member'
import { keepWatching } from './play-film'
import { expect, hydrated, test } from './store'

/** Starts the service without a store. Returns the link that it writes to its log. */
const startEmpty = async (page: Page, variables: Record<string, string> = {}) => {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/launch.js', 'service'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      MARQUEE_DATA: mkdtempSync(join(tmpdir(), 'marquee-empty-')),
      MARQUEE_ENV_FILE: devNull,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    // An open page of the console would miss the service.
    await page.goto('about:blank')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  let log = ''
  const link = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (part: Buffer) => {
      log += part
      const url = /"(http:[^"]+set-up[^"]+)"/.exec(log)?.[1]
      if (url) found(url)
    })
    child.once('exit', () => failed(new Error(`The service has ended:\n${log}`)))
  })
  return { link, [Symbol.asyncDispose]: stop }
}

test('the first store of an installation is created in the browser, up to its launch checklist', async ({
  page,
  store,
}) => {
  test.slow()
  store.expected.push(signedOut, /422/, /403/)
  await using installation = await startEmpty(page)
  await page.goto(installation.link)
  await expect(page.getByRole('heading', { name: 'Create your store' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByLabel('Name of the store').fill('Harbour Films')
  await expect(page.getByLabel('Code')).toHaveValue('harbour-films')
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  await expect(page.getByLabel('Time zone')).toHaveValue(zone)
  await page.getByLabel('Code').fill('Harbour Films')
  await page.getByLabel('Currency of all prices').selectOption('EUR')
  await page.getByLabel('Your email address').fill('mina@example.com')
  await page.getByRole('button', { name: 'Create the store' }).click()
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/at most 40 lower case letters/)
  await expect(page.getByLabel('Currency of all prices')).toHaveValue('EUR')
  await page.getByLabel('Code').fill('harbour')
  await page.getByRole('button', { name: 'Create the store' }).click()

  await page.getByLabel('Name').fill('Mina Park')
  await page.getByLabel('Choose a password').fill('a quiet harbour')
  await page.getByRole('button', { name: 'Accept invitation' }).click()

  // The password was typed just now: nothing asks for it again.
  const step = page.getByRole('listitem').filter({ hasText: 'Nobody can pay' })
  await step.getByRole('link', { name: 'Go there: Payments' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Harbour Films')
  // It changes who gets the money.
  await expect(page.getByLabel('Payment provider')).toBeDisabled()
  const reason = page.getByRole('main').getByText('Changes here need a second factor.').first()
  await reason.getByRole('link', { name: 'your account' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Authenticator app' })).toBeVisible()
})

/** What the checklist asks the owner of a store about the company. */
const company = {
  'Company name': 'Harbour Films Ltd.',
  Representative: 'Mina Park',
  'Registration number': '123-45-67890',
  'Postal address': '1 Harbour Street, Busan',
  'Phone number': '+82 2 123 4567',
  'Email address for members': 'help@example.com',
}

/**
 * The way of `docs/guides/first-film.md`, in a mode in which test payments are taken: from an empty
 * installation to a film that is sold, watched, refunded and counted, in the browser alone.
 */
test('a store is created, filled, opened, sells a film, refunds it and answers its buyer', async ({
  page,
  store,
  browser,
}) => {
  test.slow()
  store.expected.push(signedOut, /409.*refund/)
  const mailServer = await startMailServer()
  await using installation = await startEmpty(page, {
    NODE_ENV: 'development',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'store@example.com',
  })
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation', { name: 'Console' })

  await test.step('create the store and its owner', async () => {
    await page.goto(installation.link)
    await page.getByLabel('Name of the store').fill('Harbour Films')
    await page.getByLabel('Code').fill('harbour')
    await page.getByLabel('Currency of all prices').selectOption('EUR')
    await page.getByLabel('Your email address').fill('mina@example.com')
    await page.getByRole('button', { name: 'Create the store' }).click()
    await page.getByLabel('Name').fill('Mina Park')
    await page.getByLabel('Choose a password').fill('a quiet harbour')
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await expect(menu).toBeVisible()
  })

  await test.step('set up the second factor', async () => {
    await page.goto(new URL('/admin/account', installation.link).href)
    const app = page.getByRole('heading', { level: 2, name: 'Authenticator app' }).locator('xpath=../..')
    await app.getByLabel('Password', { exact: true }).fill('a quiet harbour')
    await app.getByRole('button', { name: 'Set up' }).click()
    const secret = await app.getByLabel('Key', { exact: true }).inputValue()
    await app.getByLabel('Code of the app').fill(new TOTP({ secret }).generate())
    await app.getByRole('button', { name: 'Turn on' }).click()
    await app.getByRole('button', { name: 'I have saved them' }).click()
  })

  await test.step('write about the company', async () => {
    await menu.getByRole('link', { name: 'Settings' }).click()
    for (const [label, value] of Object.entries(company)) await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Save' }).nth(1).click()
    await expect(main.getByRole('listitem').filter({ hasText: 'Company name: ' })).toBeVisible()
  })

  await test.step('write the pages that members agree to', async () => {
    for (const name of ['Terms of use', 'Privacy', 'Refunds']) {
      await menu.getByRole('link', { name: 'Content' }).click()
      await main.getByRole('link', { name: 'Pages' }).click()
      await main.getByRole('link', { name }).click()
      await main
        .getByRole('textbox', { name: 'Text', exact: true })
        .first()
        .fill('Written by the lawyer of the company.')
      await main.getByRole('button', { name: 'Save', exact: true }).first().click()
      await expect(main.getByRole('link', { name: 'View in the store' })).toBeVisible()
    }
  })

  await test.step('add a film with its price and put it on sale', async () => {
    await menu.getByRole('link', { name: 'Products' }).click()
    await main.getByRole('link', { name: 'New product' }).click()
    await expect(main.getByRole('heading', { level: 1, name: 'New product' })).toBeVisible()
    await page.getByLabel('Title').fill('Morning Tide')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByLabel('Upload a video').setInputFiles(makeFilm('tide.mp4'))
    await page.getByRole('button', { name: 'Add option' }).click()
    const option = page.getByRole('group', { name: 'New option' })
    await option.getByLabel('Price', { exact: true }).fill('12')
    await option.getByLabel('Name', { exact: true }).fill('Own')
    await page.getByRole('button', { name: 'Save prices' }).click()
    await expect(main.getByRole('listitem').filter({ hasText: 'Own: Price' })).toBeVisible()
    await expect(main.getByText(/^Length: 0:0[12]$/)).toBeVisible({ timeout: 180_000 })
    await page.getByRole('button', { name: 'Use picture 1' }).click()
    await page.getByLabel('Status').selectOption({ label: 'On sale' })
    await page.getByRole('button', { name: 'Save', exact: true }).nth(1).click()
    await expect(page.getByRole('link', { name: 'View in the store' })).toBeVisible()
  })

  await test.step('open the store', async () => {
    await menu.getByRole('link', { name: 'Store' }).click()
    await page.getByRole('button', { name: 'Open the store' }).click()
    await expect(main.getByRole('button', { name: 'Close the store' })).toBeVisible()
  })

  const origin = new URL(installation.link).origin
  const buyer = await (await browser.newContext({ locale: 'en-US' })).newPage()
  const email = 'sora@example.com'
  await test.step('a visitor signs up, buys the film and watches it', async () => {
    await buyer.goto(`${origin}/join/input`)
    await hydrated(buyer)
    await buyer.getByLabel('Email', { exact: true }).fill(email)
    await buyer.getByLabel('Password', { exact: true }).fill(password)
    await buyer.getByLabel('Name (optional)').fill('Sora Lee')
    for (const consent of [/I agree to the Terms of Use/, /I agree to the Privacy Policy/, /or older/])
      await buyer.getByLabel(consent).check()
    await buyer.getByRole('button', { name: 'Send code' }).click()
    await buyer.waitForURL(/\/join\/verify/)
    const codeMail = () => mailServer.received.find(({ to, text }) => to.includes(email) && /\b\d{6}\b/.test(text))
    await expect.poll(codeMail).toBeDefined()
    await buyer.getByLabel('Code', { exact: true }).fill(sixDigits(codeMail()?.text ?? ''))
    await buyer.getByRole('button', { name: 'Verify and sign up' }).click()
    await expect(buyer.getByRole('heading', { level: 1 })).toHaveText('Welcome, Sora Lee.')
    await buyFilm(buyer, origin, 'morning-tide')
    await keepWatching(buyer, `${origin}/products/morning-tide/watch`)
  })

  await test.step('an inquiry is answered', async () => {
    await buyer.goto(`${origin}/mypages/inquiries/input`)
    await hydrated(buyer)
    await buyer.getByLabel('Subject').fill('The sound')
    await buyer.getByLabel('How can we help?').fill('There is no sound.')
    await buyer.getByRole('button', { name: 'Send inquiry' }).click()
    await expect(buyer.getByRole('heading', { level: 1, name: 'The sound' })).toBeVisible()
    await menu.getByRole('link', { name: 'Inquiries' }).click()
    await main.getByRole('link', { name: 'The sound' }).click()
    await main.getByLabel('Answer').fill('We are sorry: you get your money back.')
    await main.getByRole('button', { name: 'Send answer' }).click()
    await expect(main.getByText('Answered', { exact: true })).toBeVisible()
  })

  await test.step('the order is refunded', async () => {
    await menu.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Reason').fill('No sound')
    // The buyer has watched the film, so it is refunded against the rule.
    await expect(page.getByRole('dialog')).toContainText('The refund rule gives nothing for the chosen titles.')
    await expect(page.getByRole('button', { name: /^Refund €/ })).toBeDisabled()
    await page.getByRole('checkbox', { name: 'Refund against the rule' }).check()
    await page.getByRole('button', { name: /^Refund €/ }).click()
    await expect(main.getByText('Refunded', { exact: true }).first()).toBeVisible()
  })

  await test.step('the sale and its refund are counted', async () => {
    await menu.getByRole('link', { name: 'Analytics' }).click()
    await expect(main).toContainText('€12.00')
  })
  await buyer.close()
  await mailServer.close()
})
