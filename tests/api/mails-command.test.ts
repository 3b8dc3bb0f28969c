import { afterEach, expect, test } from 'vitest'
import { mailTemplates } from '#api/mail-templates.ts'
import { sendMails } from '#api/modules/mail/mail.jobs.ts'
import { resendMail, resendMails } from '#api/modules/mail/mails.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { createSmtpMailer } from '#api/platform/mail/transport.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { mailTo } from '#tests/support/mails.ts'
import { ctxOf } from '#tests/support/reconciling.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const command = quickCommandOf(api)
const run = (tenant: Tenant, ...args: string[]) => command([...args, '-c', tenant.code, '--by', 'Jo'])
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

const mailServer = async (...refusals: NonNullable<Parameters<typeof startMailServer>[0]>) => {
  const server = await startMailServer(refusals)
  const mailer = createSmtpMailer({ url: server.url, from: 'post@marquee.example' })
  cleanups.push(server.close, mailer.close)
  return { received: server.received, mailer }
}

const send = async (tenant: Tenant, mailer: Parameters<typeof sendMails>[0]['mailer']) =>
  sendMails({ ...api.deps, mailer }, (await resolveCustomer(api.deps, tenant.code))!)

const createReset = async () => {
  const tenant = await createTenant(api)
  const { email } = await tenant.createMember()
  await tenant.guest.identity.requestReset({ email })
  return { tenant, email }
}

test('a refused mail is listed in jobs with the reason, and is sent after resending', async () => {
  const { tenant, email } = await createReset()
  const { mailer, received } = await mailServer({ code: 550, message: 'Mailbox is full' })
  await send(tenant, mailer)
  expect((await command(['jobs'])).out).toMatch(new RegExp(`${tenant.code} +mails +failed .*1 × .*Mailbox is full`))
  const listed = await run(tenant, 'mails', '--status', 'FAILED')
  const { id } = await mailTo(tenant, email)
  expect(listed.out).toMatch(new RegExp(`FAILED +1 +${email} +password-reset +${id} .*Mailbox is full`))

  expect(await run(tenant, 'mail', 'resend', id)).toMatchObject({ code: 0, out: 'Queued for sending: 1.\n' })
  expect((await run(tenant, 'mail', 'resend', id)).err).toContain('is already queued for sending')
  await send(tenant, mailer)
  expect(received.map(({ to }) => to)).toEqual([[email]])
  expect((await run(tenant, 'mail', 'resend', id)).err).toContain('The content was deleted once the email was sent')
  expect((await command(['jobs'])).out).not.toContain(tenant.code)
})

test('a mail that is retried after a failure is listed in jobs as retry', async () => {
  const { tenant } = await createReset()
  const { mailer } = await mailServer({ code: 451, message: 'Come back later' })
  await send(tenant, mailer)
  expect((await command(['jobs'])).out).toMatch(new RegExp(`${tenant.code} +mails +retry .*Come back later`))
})

test('resending all failed mails skips those whose link has expired', async () => {
  const { tenant, email } = await createReset()
  const member = await tenant.createMember()
  await member.client.identity.changePassword({
    currentPassword: 'correct horse battery',
    newPassword: 'another horse battery',
  } as never)
  const refusal = { code: 550, message: 'No such user' }
  const { mailer, received } = await mailServer(refusal, refusal)
  await send(tenant, mailer)
  api.clock.advance(11 * 60_000)
  const ctx = await ctxOf(api, tenant)
  const answer = await ctx.inTransaction((tx) => resendMails(tx, 'admin:Jo', null, mailTemplates))
  expect(answer).toEqual({ queued: 1, expired: 1 })
  await send(tenant, mailer)
  expect(received.map(({ to }) => to)).toEqual([[member.email]])
  const { id } = await mailTo(tenant, email)
  expect(await ctx.inTransaction((tx) => resendMail(tx, 'admin:Jo', id, mailTemplates))).toMatchObject({
    failure: 'VALIDATION_FAILED',
    errors: { id: ['The code or link in this email has expired. A new one must be requested.'] },
  })
  const again = await run(tenant, 'mail', 'resend', (await mailTo(tenant, member.email)).id)
  expect(again).toMatchObject({ code: 0, out: 'Queued for sending: 1.\n' })
})

test('resending requires an id, and does not find mails of another store', async () => {
  const { tenant, email } = await createReset()
  const otherTenant = (await createReset()).tenant
  expect((await run(tenant, 'mail', 'resend')).err).toContain('Enter the id of an email')
  expect(await run(otherTenant, 'mail', 'resend', (await mailTo(tenant, email)).id)).toMatchObject({ code: 1 })
  expect((await run(otherTenant, 'mails', '--to', email)).out).toContain('No email matches.')
})
