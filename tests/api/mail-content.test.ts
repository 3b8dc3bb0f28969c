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
})

test('a sent email is sent again as an email of its own, once a minute', async () => {
  const { tenant, staff, shown } = await arrange()
  const member = await tenant.createMember()
  const newPassword = 'another horse battery'
  await member.client.identity.changePassword({ currentPassword: password, newPassword })
  await send(tenant)
  const first = await shown(member.email)
  const { id } = await staff.admin.mails.resend({ id: first.id })
  expect(await failureOf(staff.admin.mails.resend({ id: first.id }))).toMatchObject({
    problem: { errors: { id: ['It was sent a moment ago. Wait a minute.'] } },
  })
  expect(await failureOf(staff.admin.mails.resend({ id }))).toMatchObject({
    problem: { errors: { id: ['This email is already queued for sending.'] } },
  })
  await send(tenant)
  expect(await shown(member.email)).toMatchObject({
    id,
    memberId: member.id,
    status: 'SENT',
    attempts: 1,
    content: first.content,
  })
  expect(await mailTo(tenant, member.email)).toMatchObject({ memberId: member.id })
  const { content, ...mail } = first
  expect(await staff.admin.mails.get({ id: first.id })).toMatchObject({
    mail,
    content,
    history: [{ action: 'mail.resent' }],
  })
  // With a message id of its own, no mail program leaves it out.
  const received = server.received.filter(({ to }) => to.includes(member.email))
  expect(received.map(({ text }) => text)).toEqual([received[0]?.text, received[0]?.text])
  expect(new Set(received.map(({ headers }) => headers['message-id'])).size).toBe(2)
  expect((await staff.admin.audit({ subject: `mail:${first.id}` })).items).toMatchObject([
    { action: 'mail.resent', detail: { mails: 1 } },
  ])
  api.clock.advance(60_000)
  expect((await staff.admin.mails.resend({ id: first.id })).id).not.toBe(id)
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
  expect(await failureOf(staff.admin.mails.resend({ id: queued.id }))).toMatchObject({
    problem: { errors: { id: ['The content was deleted once the email was sent, so it can’t be sent again.'] } },
  })
})

test('the email about a deleted account is erased once it is sent', async () => {
  const { tenant, shown } = await arrange()
  const { email, client } = await tenant.createMember()
  await client.identity.withdraw({ password })
  expect(await shown(email)).toMatchObject({ template: 'goodbye', content: null })
  await send(tenant)
  expect(await mailTo(tenant, email)).toMatchObject({ status: 'SENT', text: '', html: '' })
})
