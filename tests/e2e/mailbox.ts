import { expect, type Page } from 'playwright/test'

/**
 * The latest mail to an address with a matching subject, from the demo's mailbox page; waits for it
 * to come.
 */
export async function latestMail(page: Page, store: string, to: string, subject: RegExp): Promise<string> {
  const mailbox = await page.context().newPage()
  const mail = mailbox.getByRole('listitem').getByRole('link', { name: subject }).first()
  await expect
    .poll(async () => {
      await mailbox.goto(`${store}/mailbox?to=${encodeURIComponent(to)}`)
      return mail.count()
    })
    .toBeGreaterThan(0)
  await mail.click()
  await mailbox.locator('a[href="/mailbox"]').waitFor()
  const text = await mailbox.getByRole('main').innerText()
  await mailbox.close()
  return text
}
