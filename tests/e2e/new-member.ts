import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { latestMail } from './mailbox'

const password = 'a lamp beside the river'

const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async (call) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(call.path, { method: 'POST', headers, body: JSON.stringify(call.body) })
      if (!response.ok) throw new Error(`${call.path} answered ${response.status}`)
      return response.json()
    },
    { path, body },
  )

/** Signs a member in as the login form does: at the API, then at the app server. */
export async function enter(page: Page, store: string, email: string): Promise<void> {
  await page.goto(`${store}/login`)
  const base = `/api/v1/customers/${new URL(store).hostname.split('.')[0]}`
  await post(page, '/api/approval', await post(page, `${base}/login`, { email, password }))
}

/** A member for one journey alone, signed in. Joins past the pages, whose own journeys are elsewhere. */
export async function newMember(page: Page, store: string): Promise<string> {
  const email = `e2e-${randomUUID().slice(0, 8)}@example.com`
  await page.goto(`${store}/login`)
  const base = `/api/v1/customers/${new URL(store).hostname.split('.')[0]}`
  const consents = { agreeTerms: true, agreePrivacy: true, isOldEnough: true }
  const form = { email, password, name: 'Sora Lee', phone: '+12133734253', ...consents }
  const { token } = await post(page, `${base}/join/verifications`, form)
  const code = /\b\d{6}\b/.exec(await latestMail(page, store, email, /code|코드|번호/i))![0]
  await post(page, `${base}/join/verifications/confirm`, { token, code })
  await post(page, '/api/approval', await post(page, `${base}/join`, { token }))
  return email
}
