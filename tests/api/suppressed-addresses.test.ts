import { afterEach, describe, expect, test } from 'vitest'
import { sendMails } from '#api/modules/mail/mail.jobs.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { createSmtpMailer } from '#api/platform/mail/transport.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { mailTo, queueGreetingOf } from '#tests/support/mails.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const queue = queueGreetingOf(api)
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

/** A mail server that refuses the first recipients, and what sends the mails of a tenant to it. */
const mailServer = async (...refusals: NonNullable<Parameters<typeof startMailServer>[0]>) => {
  const server = await startMailServer(refusals)
  const mailer = createSmtpMailer({ url: server.url, from: 'post@marquee.example' })
  cleanups.push(server.close, mailer.close)
  const send = async (tenant: Tenant) => {
    const customer = await resolveCustomer(api.deps, tenant.code)
    await sendMails({ ...api.deps, mailer }, customer!)
  }
  return { ...server, send }
}

const openStore = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('SUPPORT')
  return { tenant, staff, mails: staff.client.admin.mails }
}

const suppressed = { status: 'FAILED', failure: 'SUPPRESSED' }

describe('An address that the mail server refuses', () => {
  test('is sent nothing more for 30 days, and then again', async () => {
    const { tenant, mails } = await openStore()
    const server = await mailServer({ code: 550, message: '5.1.1 No such mailbox' })
    await queue(tenant, 'Gone@example.com')
    await server.send(tenant)
    expect(await mailTo(tenant, 'Gone@example.com')).toMatchObject({ status: 'FAILED', attempts: 1 })
    const [entry] = (await mails.suppressed({})).items
    expect(entry).toMatchObject({ address: 'gone@example.com', source: 'REFUSED' })
    expect(entry?.reason).toContain('No such mailbox')
    expect(Date.parse(entry?.until ?? '') - Date.parse(entry?.createdAt ?? '')).toBe(30 * dayMilliseconds)

    await queue(tenant, 'gone@EXAMPLE.com')
    await queue(tenant, 'here@example.com')
    await server.send(tenant)
    expect(await mailTo(tenant, 'gone@EXAMPLE.com')).toMatchObject(suppressed)
    expect(await mailTo(tenant, 'here@example.com')).toMatchObject({ status: 'SENT' })

    api.clock.advance(30 * dayMilliseconds)
    const later = (await tenant.createStaff('SUPPORT')).client.admin.mails
    expect((await later.suppressed({})).items).toEqual([])
    await queue(tenant, 'gone@example.com')
    await server.send(tenant)
    expect(await mailTo(tenant, 'gone@example.com')).toMatchObject({ status: 'SENT' })
  })

  test('is tried again when staff send its email again', async () => {
    const { tenant, mails } = await openStore()
    const server = await mailServer({ code: 550, message: 'No such mailbox' })
    await queue(tenant, 'late@example.com')
    await server.send(tenant)
    const { id } = (await mails.list({ to: 'late@example.com' })).items[0]!
    await mails.resend({ id })
    await server.send(tenant)
    expect(server.received.map(({ to }) => to)).toEqual([['late@example.com']])
    expect((await mails.suppressed({})).items).toEqual([])
  })

  test.each([
    ['for a rule of the server', { code: 550, message: '5.7.1 Sender has a bad reputation' }],
    ['for a full mailbox', { code: 452, message: '4.2.2 Mailbox full' }],
    ['for another reason', { code: 554, message: 'Transaction failed' }],
  ])('is not suppressed %s', async (_, refusal) => {
    const { tenant, mails } = await openStore()
    const server = await mailServer(refusal)
    await queue(tenant, 'kept@example.com')
    await server.send(tenant)
    expect((await mails.suppressed({})).items).toEqual([])
  })
})

describe('An address that staff suppress', () => {
  test('is sent nothing until it is released, with an entry of the audit log each', async () => {
    const { tenant, staff, mails } = await openStore()
    const server = await mailServer()
    await mails.suppress({ address: 'No-More@example.com', reason: 'Asked by phone' })
    expect((await mails.suppressed({})).items).toMatchObject([
      { address: 'no-more@example.com', source: 'STAFF', reason: 'Asked by phone', until: null },
    ])
    api.clock.advance(31 * dayMilliseconds)
    await queue(tenant, 'no-more@example.com')
    await server.send(tenant)
    expect(await mailTo(tenant, 'no-more@example.com')).toMatchObject(suppressed)
    expect(server.received).toEqual([])

    const other = await tenant.createStaff('SUPPORT')
    const later = other.client.admin.mails
    const { id } = (await later.list({ to: 'no-more@example.com' })).items[0]!
    // What staff have suppressed is tried again only once it is released.
    await later.resend({ id })
    await server.send(tenant)
    expect(server.received).toEqual([])
    await later.release({ address: 'NO-MORE@example.com' })
    expect(await failureOf(later.release({ address: 'no-more@example.com' }))).toMatchObject({ status: 404 })
    await later.resend({ id })
    await server.send(tenant)
    expect(server.received.map(({ to }) => to)).toEqual([['no-more@example.com']])
    const owner = await tenant.createStaff('OWNER')
    const { items } = await owner.client.admin.audit({ subject: 'address:no-more@example.com' })
    expect(items).toMatchObject([
      {
        action: 'mail.address-released',
        actor: `staff:${other.email}`,
        changes: { suppressed: { from: true, to: false } },
      },
      {
        action: 'mail.address-suppressed',
        actor: `staff:${staff.email}`,
        changes: { suppressed: { from: false, to: true } },
      },
    ])
  })

  test('stays theirs when the server refuses it as well, and leaves with its member', async () => {
    const { tenant, mails } = await openStore()
    const member = await tenant.createMember()
    await mails.suppress({ address: member.email, reason: 'Asked' })
    const exported = await member.client.identity.exportMe()
    expect(exported.suppressedAddresses).toMatchObject([{ address: member.email, reason: 'Asked' }])
    // The log outlasts the member, so it does not say who they were.
    const { members, audit } = (await tenant.createStaff('OWNER')).client.admin
    const { history } = await members.get({ id: member.id })
    expect(history[0]).toMatchObject({ action: 'mail.address-suppressed', detail: { reason: 'Asked' } })
    await member.client.identity.withdraw({ password: 'correct horse battery' })
    expect((await mails.suppressed({})).items).toEqual([])
    expect((await audit({ subject: `member:${member.id}` })).items).toHaveLength(2)
    expect(JSON.stringify(await audit({}))).not.toContain(member.email)
  })

  test('is found by its beginning and in pages; a wrong address is refused', async () => {
    const { tenant, mails } = await openStore()
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await mails.suppress({ address: `${name}@example.com`, reason: 'Asked' })
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await mails.suppressed({ size: 2, ...(cursor && { cursor }) })
      found.push(...page.items.map(({ address }) => address))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`))
    expect((await mails.suppressed({ q: 'C@' })).items).toMatchObject([{ address: 'c@example.com' }])
    expect(await failureOf(mails.suppress({ address: 'nobody', reason: 'Asked' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const { client: analyst } = await tenant.createStaff('ANALYST')
    expect(await failureOf(analyst.admin.mails.suppressed({}))).toMatchObject({ code: 'FORBIDDEN' })
  })
})
