import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { answerInquiry } from '#api/modules/support/staff-inquiries.ts'
import { inquiries } from '#api/modules/support/support.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { newId } from '#api/platform/db/columns.ts'
import { customerBase } from '#contract/http.ts'
import type { InquiryCode, InquiryFileId, InquiryId } from '#contract/ids.ts'
import { largestInquiryFile } from '#contract/support.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const question = { type: 'ETC', title: 'No sound', body: 'Lesson 2 plays without sound.' }
const text = (name = 'log.txt', content = 'line') => new File([content], name, { type: 'text/plain' })

const answer = async (tenant: { code: string }, code: InquiryCode, body: string) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentCtx(api.deps, customer!, 'test').inTransaction((ctx) =>
    answerInquiry(ctx, { by: 'admin:ana', operator: null }, { code, body }),
  )
}

describe('Inquiries', () => {
  test('an inquiry waits in the list of staff however many older ones are answered', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const { client } = await tenant.createOperator()
    const first = await member.client.support.createInquiry(question)
    await answer(tenant, first.code, 'It has been mended.')
    await tenant.within(async (db) => {
      const [row] = await db.select().from(inquiries).where(eq(inquiries.customerId, tenant.id))
      const copies = Array.from({ length: 200 }, (_, at) => ({
        ...row!,
        id: newId<InquiryId>(),
        code: `${row!.code}${at}` as InquiryCode,
      }))
      await db.insert(inquiries).values(copies)
    })
    const waiting = await member.client.support.createInquiry({ ...question, title: 'No picture' })
    expect((await client.admin.inquiries.list({})).items).toMatchObject([{ code: waiting.code, status: 'WAIT' }])
    expect((await client.admin.home()).waiting.inquiries).toBe(1)
  })

  test('a file has a safe name everywhere, and the type of its bytes', async () => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember()
    const { client: staff } = await tenant.createOperator()
    const send = (content: string, name: string, type: string) =>
      client.support.sendFile({ file: new File([Buffer.from(content, 'latin1')], name, { type }) })
    const file = await send('MZ\x90', '../\u202egnp.exe', 'image/png')
    expect(file).toMatchObject({ name: '__gnp.exe', contentType: 'application/octet-stream' })
    const { code } = await client.support.createInquiry({ ...question, files: [file.id] })
    expect((await staff.admin.inquiries.get({ code })).messages[0]?.files[0]?.name).toBe(file.name)
    const types = [
      ['\x89PNG\r\n\x1a\n', 'image/png', 'image/png'],
      [' ', 'image/png', 'application/octet-stream'],
      ['%PDF-1.7', 'application/pdf', 'application/pdf'],
      ['MZ', 'application/pdf', 'application/octet-stream'],
      ['a,b', 'text/csv', 'text/csv'],
      ['a', '', 'application/octet-stream'],
    ] as const
    for (const [content, declared, stored] of types)
      expect([declared, (await send(content, 'a', declared)).contentType]).toEqual([declared, stored])
  })

  test('an inquiry waits for an operator, is complete when answered, and waits again after a reply', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const sent = await member.client.support.createInquiry(question)
    expect(sent).toMatchObject({ status: 'WAIT', title: 'No sound', countOfReplies: 0 })

    await answer(tenant, sent.code, 'It has been mended.')
    const answered = await member.client.support.inquiry({ code: sent.code })
    expect(answered).toMatchObject({ status: 'COMPLETE', countOfReplies: 1 })
    expect(answered.messages.map(({ author, body }) => [author, body])).toEqual([
      ['MEMBER', question.body],
      ['ADMIN', 'It has been mended.'],
    ])

    const replied = await member.client.support.reply({ code: sent.code, body: 'Not on my phone.' })
    expect(replied).toMatchObject({ status: 'WAIT' })
    expect(replied.messages).toHaveLength(3)
    const { items, total } = await member.client.support.inquiries({ status: 'WAIT' })
    expect([total, items[0]?.code]).toEqual([1, sent.code])
    expect((await member.client.support.inquiries({ status: 'COMPLETE' })).total).toBe(0)
  })

  test('an inquiry about a moment too close to the beginning for the database is about the beginning', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const sent = await member.client.support.createInquiry({ ...question, timeSeconds: 5e-324 })
    expect(sent).toMatchObject({ timeSeconds: 0 })
  })

  test('inquiries, replies and files over the rate limit are refused with 429', async () => {
    const member = await (await createTenant(api)).createMember()
    const { code } = await member.client.support.createInquiry(question)
    for (let sent = 1; sent < 30; sent++) await member.client.support.reply({ code, body: 'And another thing' })
    const tooMany = { status: 429, code: 'RATE_LIMITED' }
    expect(await failureOf(member.client.support.reply({ code, body: 'And more' }))).toMatchObject(tooMany)
    expect(await failureOf(member.client.support.createInquiry(question))).toMatchObject(tooMany)
    api.clock.advance(11 * 60_000)
    await member.client.support.createInquiry(question)

    for (let used = 0; used < 60; used += 5) {
      const files = await Promise.all(Array.from({ length: 5 }, () => member.client.support.sendFile({ file: text() })))
      await member.client.support.reply({ code, body: 'See these', files: files.map(({ id }) => id) })
    }
    expect(await failureOf(member.client.support.sendFile({ file: text() }))).toMatchObject(tooMany)
  })

  test('another member’s inquiry is not found', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const { code } = await member.client.support.createInquiry(question)
    expect(await failureOf(other.client.support.inquiry({ code }))).toMatchObject({ status: 404 })
    expect(await failureOf(other.client.support.reply({ code, body: 'Me too' }))).toMatchObject({ status: 404 })
    expect((await other.client.support.inquiries({})).total).toBe(0)
  })

  test('an invalid inquiry is refused with the invalid field', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const { id } = await other.client.support.sendFile({ file: text() })
    const invalidInputs: [Partial<Parameters<typeof member.client.support.createInquiry>[0]>, string][] = [
      [{ type: 'WEATHER' }, 'type'],
      [{ title: ' ' }, 'title'],
      [{ body: 'x'.repeat(5001) }, 'body'],
      [{ files: [id] }, 'files'],
      [{ orderCode: '20260101-AAAAAA' }, 'orderCode'],
    ]
    for (const [wrong, field] of invalidInputs) {
      const refused = await failureOf(member.client.support.createInquiry({ ...question, ...wrong }))
      expect(refused).toMatchObject({ status: 422, problem: { errors: { [field]: [expect.any(String)] } } })
    }
  })

  test('a file name of more than 255 characters is refused with its field', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const named = (length: number) => new File(['A line'], `${'x'.repeat(length - 4)}.txt`, { type: 'text/plain' })
    // The name under which it downloads is cut; the extension is kept.
    expect((await member.client.support.sendFile({ file: named(255) })).name).toMatch(/^x{176}\.txt$/)
    const refused = await failureOf(member.client.support.sendFile({ file: named(256) }))
    expect(refused).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      problem: { errors: { file: ['Use a file name of up to 255 characters.'] } },
    })
  })

  test('inquiries can be disabled by a setting', async () => {
    const settings = plainSettings()
    settings.order.useInquiry = false
    const member = await (await createTenant(api, { settings })).createMember()
    expect(await failureOf(member.client.support.createInquiry(question))).toMatchObject({ code: 'INQUIRY_DISABLED' })
  })
})

describe('Files of inquiries', () => {
  test('a file of an inquiry downloads under its name, and only for its sender', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const file = await member.client.support.sendFile({ file: text('화면 1.txt', 'what I saw') })
    const sent = await member.client.support.createInquiry({ ...question, files: [file.id] })
    const [attached] = sent.messages[0]?.files ?? []
    expect(attached).toMatchObject({ name: '화면 1.txt', bytes: 10, contentType: 'text/plain' })

    const media = await openMedia(api)
    const ownFile = await media.get(attached?.url ?? '', asMember(member.token))
    expect(ownFile.text).toBe('what I saw')
    expect(ownFile.headers['content-disposition']).toContain(encodeURIComponent('화면 1.txt'))
    for (const headers of [asMember(other.token), {}])
      expect((await media.get(attached?.url ?? '', headers)).status).toBe(403)
  })

  test('a file can be attached to one message only', async () => {
    const member = await (await createTenant(api)).createMember()
    const { id } = await member.client.support.sendFile({ file: text() })
    await member.client.support.createInquiry({ ...question, files: [id] })
    const again = await failureOf(member.client.support.createInquiry({ ...question, files: [id] }))
    expect(again).toMatchObject({ status: 422, problem: { errors: { files: [expect.any(String)] } } })
  })

  test('an empty file and a too large one are refused', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    expect(await failureOf(member.client.support.sendFile({ file: text('nothing.txt', '') }))).toMatchObject({
      status: 422,
    })
    const body = new FormData()
    body.set('file', new File([new Uint8Array(largestInquiryFile + 200_000)], 'big.bin'))
    const response = await api.fetch(
      new Request(`${api.origin}${customerBase(tenant.code)}/inquiries/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${member.token}` },
        body,
      }),
    )
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }])
  })

  test('a file that is not attached to a message is deleted after a day', async () => {
    const separateApi = createTestApi()
    const tenant = await createTenant(separateApi)
    const member = await tenant.createMember()
    const [unused, used] = [
      await member.client.support.sendFile({ file: text() }),
      await member.client.support.sendFile({ file: text() }),
    ]
    const sent = await member.client.support.createInquiry({ ...question, files: [used.id] })
    separateApi.clock.advance(25 * 3_600_000)
    await cleanUp(separateApi, tenant)
    const late = await failureOf(
      member.client.support.reply({ code: sent.code, body: 'And this', files: [unused.id as InquiryFileId] }),
    )
    expect(late).toMatchObject({ status: 422 })
    const media = await openMedia(separateApi)
    const { messages } = await member.client.support.inquiry({ code: sent.code })
    expect((await media.get(messages[0]?.files[0]?.url ?? '', asMember(member.token))).status).toBe(200)
    expect((await media.get(unused.url ?? '', asMember(member.token))).status).toBe(403)
  })
})
