import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { latestMail } from './mailbox'
import { post } from './requests'

/** The password of every member that a test creates. */
export const password = 'a lamp beside the river'
export const demoPassword = 'marquee-demo'

const baseOf = (store: string) => `/api/v1/customers/${new URL(store).hostname.split('.')[0]}`

/**
 * Signs a member in as the login form does: at the API, then at the app server. No page is loaded.
 */
export async function enter(page: Page, store: string, email: string, secret = password): Promise<void> {
  const session = await post(page, store, `${baseOf(store)}/login`, { email, password: secret })
  await post(page, store, '/api/approval', session)
}

/** Signs in one of the demo's members. No page is loaded. */
export const enterAsDemoMember = (page: Page, store: string, email: string) => enter(page, store, email, demoPassword)

/** The code in the text of a mail. */
export const sixDigits = (text: string) => /\b\d{6}\b/.exec(text)![0]

/**
 * A member for one test alone, signed in. Joins by the API; the pages of joining have tests of
 * their own.
 */
export async function newMember(page: Page, store: string): Promise<string> {
  const email = `e2e-${randomUUID().slice(0, 8)}@example.com`
  const base = baseOf(store)
  const consents = { agreeTerms: true, agreePrivacy: true, isOldEnough: true }
  const form = { email, password, name: 'Sora Lee', phone: '+12133734253', ...consents }
  const { token } = await post(page, store, `${base}/join/verifications`, form)
  await post(page, store, `${base}/join/verifications/confirm`, {
    token,
    code: sixDigits(await latestMail(page, store, email)),
  })
  await post(page, store, '/api/approval', await post(page, store, `${base}/join`, { token }))
  return email
}
