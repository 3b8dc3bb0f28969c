import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#tests/support/free-port.ts'
import { axeViolationsInBoth } from './axe'
import { signedOut } from './console'
import { expect, test } from './store'

/** Starts the service without a store. Returns the link that it writes to its log. */
const startEmpty = async () => {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/launch.js', 'service'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      MARQUEE_DATA: mkdtempSync(join(tmpdir(), 'marquee-empty-')),
      MARQUEE_ENV_FILE: devNull,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  let log = ''
  const link = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (part: Buffer) => {
      log += part
      const url = /"url":"(http:[^"]+set-up[^"]+)"/.exec(log)?.[1]
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
  await using installation = await startEmpty()
  await page.goto(installation.link)
  await expect(page.getByRole('heading', { name: 'Create your store' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])

  await page.getByLabel('Name of the store').fill('Harbour Films')
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
  await page.getByRole('link', { name: 'Open the console' }).click()
  await page.getByLabel('Email').fill('mina@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a quiet harbour')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  const step = page.getByRole('listitem').filter({ hasText: 'Nobody can pay' })
  await step.getByRole('link', { name: 'Go there: Payments' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Harbour Films')
  await page.getByLabel('Payment provider').selectOption('Test payments (no money is transferred)')
  await page.getByRole('button', { name: 'Save' }).click()
  // It changes who gets the money.
  await expect(page.getByRole('alert')).toContainText(/second factor/i)
})
