import { describe, expect, test } from 'vitest'
import { unattendedPaymentEnv } from '#api/modules/billing/providers/providers.ts'
import { answerInquiry } from '#api/modules/support/cases.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { InquiryFileId } from '#contract/ids.ts'
import { customerBase } from '#contract/index.ts'
import { largestInquiryFile } from '#contract/inquiries.ts'
import { tidy } from '#tests/support/chores.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const question = { type: 'ETC', title: 'No sound', body: 'Lesson 2 plays without sound.' }
const text = (name = 'log.txt', content = 'line') => new File([content], name, { type: 'text/plain' })

const answer = async (tenant: { code: string }, code: string, body: string) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentEnv(api.deps, customer!, 'test').inTransaction((ctx) =>
    answerInquiry(ctx, 'admin:ana', { code, body }),
  )
}

describe('Inquiries', () => {
  test('wait for an operator, are complete with its answer, and open again with a reply', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const sent = await member.client.inquiries.ask(question)
    expect(sent).toMatchObject({ status: 'WAIT', title: 'No sound', countOfReplies: 0 })

    await answer(tenant, sent.code, 'It has been mended.')
    const answered = await member.client.inquiries.inquiry({ code: sent.code })
    expect(answered).toMatchObject({ status: 'COMPLETE', countOfReplies: 1 })
    expect(answered.messages.map(({ author, body }) => [author, body])).toEqual([
      ['MEMBER', question.body],
      ['ADMIN', 'It has been mended.'],
    ])

    const replied = await member.client.inquiries.reply({ code: sent.code, body: 'Not on my phone.' })
    expect(replied).toMatchObject({ status: 'WAIT' })
    expect(replied.messages).toHaveLength(3)
    const { items, total } = await member.client.inquiries.inquiries({ status: 'WAIT' })
    expect([total, items[0]?.code]).toEqual([1, sent.code])
    expect((await member.client.inquiries.inquiries({ status: 'COMPLETE' })).total).toBe(0)
  })

  test('are so many in a while, and the files with them', async () => {
    const member = await (await createTenant(api)).createMember()
    const { code } = await member.client.inquiries.ask(question)
    for (let sent = 1; sent < 30; sent++) await member.client.inquiries.reply({ code, body: 'And another thing' })
    const tooMany = { status: 429, code: 'RATE_LIMITED' }
    expect(await failureOf(member.client.inquiries.reply({ code, body: 'And more' }))).toMatchObject(tooMany)
    expect(await failureOf(member.client.inquiries.ask(question))).toMatchObject(tooMany)
    api.clock.advance(11 * 60_000)
    await member.client.inquiries.ask(question)

    for (let used = 0; used < 60; used += 5) {
      const files = await Promise.all(
        Array.from({ length: 5 }, () => member.client.inquiries.sendFile({ file: text() })),
      )
      await member.client.inquiries.reply({ code, body: 'See these', files: files.map(({ id }) => id) })
    }
    expect(await failureOf(member.client.inquiries.sendFile({ file: text() }))).toMatchObject(tooMany)
  })

  test('are their member’s alone', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const { code } = await member.client.inquiries.ask(question)
    expect(await failureOf(other.client.inquiries.inquiry({ code }))).toMatchObject({ status: 404 })
    expect(await failureOf(other.client.inquiries.reply({ code, body: 'Me too' }))).toMatchObject({ status: 404 })
    expect((await other.client.inquiries.inquiries({})).total).toBe(0)
  })

  test('name the field that is not right', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const { id } = await other.client.inquiries.sendFile({ file: text() })
    const wrongs: [Partial<Parameters<typeof member.client.inquiries.ask>[0]>, string][] = [
      [{ type: 'WEATHER' }, 'type'],
      [{ title: ' ' }, 'title'],
      [{ body: 'x'.repeat(5001) }, 'body'],
      [{ files: [id] }, 'files'],
      [{ orderCode: '20260101-AAAAAA' }, 'orderCode'],
    ]
    for (const [wrong, field] of wrongs) {
      const refused = await failureOf(member.client.inquiries.ask({ ...question, ...wrong }))
      expect(refused).toMatchObject({ status: 422, problem: { errors: { [field]: [expect.any(String)] } } })
    }
  })

  test('take files whose names a person can read, and name the field of one that is too long', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const named = (length: number) => new File(['A line'], `${'x'.repeat(length - 4)}.txt`, { type: 'text/plain' })
    expect((await member.client.inquiries.sendFile({ file: named(255) })).name).toHaveLength(255)
    const refused = await failureOf(member.client.inquiries.sendFile({ file: named(256) }))
    expect(refused).toMatchObject({
      ...{ status: 422, code: 'VALIDATION_FAILED' },
      problem: { errors: { file: ['Use a file name of up to 255 characters.'] } },
    })
  })

  test('are closed where the tenant says so', async () => {
    const settings = plainSettings()
    settings.order.useInquiry = false
    const member = await (await createTenant(api, { settings })).createMember()
    expect(await failureOf(member.client.inquiries.ask(question))).toMatchObject({ code: 'INQUIRY_DISABLED' })
  })
})

describe('Files of inquiries', () => {
  test('come with the message, download under their name, and open for their sender alone', async () => {
    const tenant = await createTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const file = await member.client.inquiries.sendFile({ file: text('화면 1.txt', 'what I saw') })
    const sent = await member.client.inquiries.ask({ ...question, files: [file.id] })
    const [kept] = sent.messages[0]?.files ?? []
    expect(kept).toMatchObject({ name: '화면 1.txt', bytes: 10, contentType: 'text/plain' })

    const media = await openMedia(api)
    const own = await media.get(kept?.url ?? '', asMember(member.token))
    expect(own.text).toBe('what I saw')
    expect(own.headers['content-disposition']).toContain(encodeURIComponent('화면 1.txt'))
    for (const headers of [asMember(other.token), {}])
      expect((await media.get(kept?.url ?? '', headers)).status).toBe(403)
  })

  test('belong to one message', async () => {
    const member = await (await createTenant(api)).createMember()
    const { id } = await member.client.inquiries.sendFile({ file: text() })
    await member.client.inquiries.ask({ ...question, files: [id] })
    const again = await failureOf(member.client.inquiries.ask({ ...question, files: [id] }))
    expect(again).toMatchObject({ status: 422, problem: { errors: { files: [expect.any(String)] } } })
  })

  test('that are empty or too large are refused', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    expect(await failureOf(member.client.inquiries.sendFile({ file: text('nothing.txt', '') }))).toMatchObject({
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

  test('that no message took up are forgotten after a day', async () => {
    const own = createTestApi()
    const tenant = await createTenant(own)
    const member = await tenant.createMember()
    const [left, used] = [
      await member.client.inquiries.sendFile({ file: text() }),
      await member.client.inquiries.sendFile({ file: text() }),
    ]
    const sent = await member.client.inquiries.ask({ ...question, files: [used.id] })
    own.clock.advance(25 * 3_600_000)
    await tidy(own, tenant)
    const late = await failureOf(
      member.client.inquiries.reply({ code: sent.code, body: 'And this', files: [left.id as InquiryFileId] }),
    )
    expect(late).toMatchObject({ status: 422 })
    const media = await openMedia(own)
    const { messages } = await member.client.inquiries.inquiry({ code: sent.code })
    expect((await media.get(messages[0]?.files[0]?.url ?? '', asMember(member.token))).status).toBe(200)
    expect((await media.get(left.url ?? '', asMember(member.token))).status).toBe(403)
  })
})
