import { afterAll, expect, test } from 'vitest'
import { sendMails } from '#api/modules/mail/mail.jobs.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { createSmtpMailer } from '#api/platform/mail/transport.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { keyIn, mailTo } from '#tests/support/mails.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const server = await startMailServer([])
const api = createTestApi()
const mailer = createSmtpMailer({ url: server.url, from: 'post@marquee.example' })
afterAll(async () => {
  mailer.close()
  await server.close()
})

const arrange = async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('OWNER')
  const shown = async (to: string) => {
    const { mail, content } = await client.admin.mails.get({ id: (await mailTo(tenant, to)).id })
    return { ...mail, content }
  }
  return { tenant, staff: client, shown }
}

const send = async ({ code }: Tenant) => {
  const customer = await resolveCustomer(api.deps, code)
  await sendMails({ ...api.deps, mailer, mailbox: false }, customer!)
}

test('staff read an email with its links before and after it is sent, as the mail server received it', async () => {
  const { tenant, staff, shown } = await arrange()
  await staff.admin.mails.sendTest({ email: 'reader@example.com' })
  const queued = await shown('reader@example.com')
  expect(queued).toMatchObject({ status: 'QUEUED', sentAt: null, content: { subject: expect.stringMatching(/\w/) } })
  await send(tenant)
  const sent = await shown('reader@example.com')
  expect(sent).toMatchObject({ status: 'SENT', attempts: 1, sentAt: expect.any(String), content: queued.content })
  const received = server.received.find(({ to }) => to.includes('reader@example.com'))
  expect(received?.text.trim()).toBe(sent.content?.text.trim())
  expect(sent.content?.text).not.toContain('store-origin:')
  const html = await staff.admin.mails.html({ id: sent.id })
  expect(html.type).toMatch(/^text\/html; ?charset=utf-8$/)
  expect(received?.html.replace(/\s+/g, ' ')).toBe(
    (await html.text()).replace('<base target="_blank">', '').replace(/\s+/g, ' '),
  )
  expect(await failureOf(staff.admin.mails.resend({ id: sent.id }))).toMatchObject({
    problem: { errors: { id: ['This email was sent, so it is not sent again.'] } },
  })
})

test('staff never see a code or a link to sign in, and it is erased once it is sent', async () => {
  const { tenant, staff, shown } = await arrange()
  const { email } = await tenant.createMember()
  await tenant.guest.identity.requestReset({ email })
  const key = keyIn(await mailTo(tenant, email))
  const queued = await shown(email)
  expect(queued).toMatchObject({ status: 'QUEUED', content: null })
  expect(await failureOf(staff.admin.mails.html({ id: queued.id }))).toMatchObject({ status: 404 })
  expect(JSON.stringify([await shown(email), await staff.admin.mails.list({})])).not.toContain(key)
  await send(tenant)
  expect(await shown(email)).toMatchObject({ status: 'SENT', content: null })
  expect(await mailTo(tenant, email)).toMatchObject({ text: '', html: '' })
})

test('the email about a deleted account is erased once it is sent', async () => {
  const { tenant, shown } = await arrange()
  const { email, client } = await tenant.createMember()
  await client.identity.withdraw({ password })
  expect(await shown(email)).toMatchObject({ template: 'goodbye', content: null })
  await send(tenant)
  expect(await mailTo(tenant, email)).toMatchObject({ status: 'SENT', text: '', html: '' })
})
