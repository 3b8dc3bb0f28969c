import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendMails, startFreshMails } from '#api/modules/mail/mail.jobs.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { createSmtpMailer, type Mailer } from '#api/platform/mail/transport.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { greeting, keyIn, mailTo, queueGreetingOf } from '#tests/support/mails.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

const mailServer = async (...refusals: NonNullable<Parameters<typeof startMailServer>[0]>) => {
  const server = await startMailServer(refusals)
  cleanups.push(server.close)
  return { ...server, mailer: mailerTo(server.url) }
}

const mailerTo = (url: string): Mailer => {
  const mailer = createSmtpMailer({ url, from: 'post@marquee.example' })
  cleanups.push(mailer.close)
  return mailer
}

const send = async (tenant: Tenant, mailer: Mailer | null) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  await sendMails({ ...api.deps, mailer }, customer!)
}

const queue = queueGreetingOf(api)

describe('Mails', () => {
  test('a mail is sent from the store with complete links, and its text is deleted afterwards', async () => {
    const settings = plainSettings()
    settings.base.name = '한강 아카데미'
    settings.business.email = 'help@store.example'
    const tenant = await createTenant(api, { settings })
    const server = await mailServer()
    const { email } = await tenant.createMember()
    await tenant.guest.identity.requestReset({ email })
    const key = keyIn(await mailTo(tenant, email))
    await send(tenant, server.mailer)

    const [mail] = server.received
    expect(server.received).toHaveLength(1)
    expect(mail).toMatchObject({ from: 'post@marquee.example', to: [email] })
    expect(mail?.headers).toMatchObject({
      from: '한강 아카데미 <post@marquee.example>',
      'reply-to': '한강 아카데미 <help@store.example>',
      subject: 'Reset your 한강 아카데미 password',
      'auto-submitted': 'auto-generated',
    })
    const link = `http://${tenant.code}.test:3000/reset-password?key=${key}`
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
    expect(mail?.text + mail!.html).not.toContain('store-origin')
    const sent = await mailTo(tenant, email)
    expect(sent).toMatchObject({ status: 'SENT', text: '', html: '', attempts: 1, failure: null })
    await send(tenant, server.mailer)
    expect(server.received).toHaveLength(1)
  })

  test('a mail is retried at growing intervals after temporary errors', async () => {
    const tenant = await createTenant(api)
    const busy = { code: 451, message: 'Try again later' }
    const server = await mailServer(busy, busy)
    await queue(tenant, 'one@example.com')
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'QUEUED', attempts: 1 })
    expect((await mailTo(tenant, 'one@example.com')).failure).toContain('Try again later')
    await send(tenant, server.mailer)
    expect((await mailTo(tenant, 'one@example.com')).attempts).toBe(1)
    api.clock.advance(minute)
    await send(tenant, server.mailer)
    api.clock.advance(minute)
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'QUEUED', attempts: 2 })
    api.clock.advance(4 * minute)
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'SENT', attempts: 3, failure: null })
    expect(server.received).toHaveLength(1)
  })

  test('a mail with a permanent error fails at once, and the next one is sent', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer({ code: 550, message: 'No such mailbox' })
    await queue(tenant, 'gone@example.com')
    await queue(tenant, 'here@example.com')
    await send(tenant, server.mailer)
    expect(await mailTo(tenant, 'gone@example.com')).toMatchObject({ status: 'FAILED', attempts: 1 })
    expect(await mailTo(tenant, 'here@example.com')).toMatchObject({ status: 'SENT' })
  })

  test('mails wait while the server is unavailable, with one attempt a round, and are sent afterwards', async () => {
    const tenant = await createTenant(api)
    const stopped = await startMailServer()
    await stopped.close()
    const unavailable = mailerTo(stopped.url)
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await queue(tenant, to)
    await send(tenant, unavailable)
    const attempts = await Promise.all(['a', 'b', 'c'].map((who) => mailTo(tenant, `${who}@example.com`)))
    expect(attempts.map((mail) => [mail.status, mail.attempts])).toEqual([
      ['QUEUED', 1],
      ['QUEUED', 0],
      ['QUEUED', 0],
    ])
    api.clock.advance(minute)
    const server = await mailServer()
    await send(tenant, server.mailer)
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
  })

  test('a mail fails after eight attempts', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer(...Array.from({ length: 20 }, () => ({ code: 450, message: 'Busy' })))
    await queue(tenant, 'busy@example.com')
    for (let round = 0; round < 12; round++) {
      await send(tenant, server.mailer)
      api.clock.advance(12 * 60 * minute)
    }
    expect(await mailTo(tenant, 'busy@example.com')).toMatchObject({ status: 'FAILED', attempts: 8 })
  })

  test('a mail is sent once by several concurrent senders', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    for (let index = 0; index < 12; index++) await queue(tenant, `to-${index}@example.com`)
    await Promise.all([1, 2, 3].map(() => send(tenant, server.mailer)))
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `to-${index}@example.com`).sort(),
    )
  })

  test('a mail with the same key is sent once, and none is sent when its transaction is rolled back', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    await queue(tenant, 'once@example.com', { once: 'receipt:1' })
    await queue(tenant, 'once@example.com', { once: 'receipt:1' })
    const customer = await resolveCustomer(api.deps, tenant.code)
    const rolledBack = tenant.within(async (db) => {
      const mail = { template: greeting, to: 'never@example.com', memberId: null, locale: null, data: { input: '' } }
      await queueMail({ customer: customer!, db, clock: api.clock }, mail)
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    await send(tenant, server.mailer)
    expect(server.received.map(({ to }) => to[0])).toEqual(['once@example.com'])
  })

  test('a mail is sent as soon as it is queued, without a sweep', async () => {
    // It sends the emails of all stores of its database, and deletes their texts.
    const separateApi = createTestApi({ database: await ownDatabase() })
    const tenant = await createTenant(separateApi)
    const server = await mailServer()
    const fresh = startFreshMails({ ...separateApi.deps, mailer: server.mailer })
    cleanups.push(() => fresh[Symbol.asyncDispose]())
    await vi.waitFor(async () => {
      const { rows } = await separateApi.owner.execute<{ listening: number }>(
        `SELECT count(*)::int AS listening FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'marquee-mails' AND query LIKE 'LISTEN%' AND state = 'idle'`,
      )
      expect(rows[0]?.listening).toBeGreaterThan(0)
    }, 10_000)
    await queueGreetingOf(separateApi)(tenant, 'soon@example.com')
    await eventually(() => expect(server.received.map(({ to }) => to[0])).toContain('soon@example.com'))
  })

  test('a mail without a server is NOT_SENT, and is deleted after three months', async () => {
    const tenant = await createTenant(api)
    await queue(tenant, 'kept@example.com')
    await send(tenant, null)
    expect(await mailTo(tenant, 'kept@example.com')).toMatchObject({ status: 'NOT_SENT', attempts: 0 })
    api.clock.advance(91 * 24 * 60 * minute)
    await cleanUp(api, tenant)
    await expect(mailTo(tenant, 'kept@example.com')).rejects.toThrow('There is no mail')
  })

  test('user input with line breaks adds no header to a mail', async () => {
    const tenant = await createTenant(api)
    const server = await mailServer()
    await queue(tenant, 'header@example.com', { input: 'there\r\nBcc: victim@example.com\r\n\r\n<b>body</b>' })
    await send(tenant, server.mailer)
    const [mail] = server.received
    expect(mail?.to).toEqual(['header@example.com'])
    expect(mail?.headers.bcc).toBeUndefined()
    expect(mail?.headers.subject).toBe('Hello there Bcc: victim@example.com <b>body</b>')
  })
})
