import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { inquiries } from '#api/modules/support/support.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { InquiryTopicsChange } from '#contract/admin/inquiries.ts'
import { customerBase } from '#contract/http.ts'
import { type InquiryId, inquiryCode, inquiryTypeCode } from '#contract/ids.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { asMember, openMedia } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const question = { type: 'ETC', title: 'No sound', body: 'Lesson 2 plays without sound.' }

/** A store with a member's inquiry and two people who answer. */
const openInquiry = async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const { code } = await member.client.support.createInquiry(question)
  const [ana, ben] = [await tenant.createStaff('SUPPORT'), await tenant.createStaff('MANAGER')]
  const versionOf = async () => (await ana.client.admin.inquiries.get({ code })).version
  return { tenant, member, code, ana, ben, versionOf }
}

const titles = (page: { items: { title: string }[] }) => page.items.map(({ title }) => title)

describe('The list of inquiries', () => {
  test('filters by state, topic, assignee and member, and finds a number in any state', async () => {
    const { tenant, member, code, ana } = await openInquiry()
    const other = await tenant.createMember()
    await other.client.support.createInquiry({ ...question, type: 'ACCOUNT', title: 'My name' })
    const { list } = ana.client.admin.inquiries
    expect(titles(await list({}))).toEqual(['No sound', 'My name'])
    expect(titles(await list({ type: 'ACCOUNT' }))).toEqual(['My name'])
    expect(titles(await list({ q: other.email.slice(0, 12).toUpperCase() }))).toEqual(['My name'])
    await ana.client.admin.inquiries.assignMany({ codes: [code], assigneeId: ana.id })
    expect(titles(await list({ assignee: ana.id }))).toEqual(['No sound'])
    expect(titles(await list({ assignee: 'NONE' }))).toEqual(['My name'])
    const { version } = await ana.client.admin.inquiries.get({ code })
    await ana.withVersion(version).admin.inquiries.answer({ code, body: 'Mended.' })
    expect(titles(await list({}))).toEqual(['My name'])
    expect((await list({ status: 'COMPLETE' })).items).toMatchObject([
      { code, assignee: { id: ana.id, name: 'Jo Kim' }, member: { id: member.id, email: member.email } },
    ])
    // In any status, the latest first, page by page.
    expect(titles(await list({ status: 'ALL' }))).toEqual(['No sound', 'My name'])
    const { nextCursor } = await list({ status: 'ALL', size: 1 })
    expect(titles(await list({ status: 'ALL', size: 1, cursor: nextCursor! }))).toEqual(['My name'])
    expect(titles(await list({ status: 'ALL', type: 'ACCOUNT' }))).toEqual(['My name'])
    expect(await ana.client.admin.counts.inquiries({ status: 'ALL' })).toEqual({ count: 2, hasMore: false })
    expect(titles(await list({ memberId: other.id }))).toEqual(['My name'])
    expect((await list({ memberId: member.id })).items).toMatchObject([{ code, status: 'COMPLETE' }])
    expect(titles(await list({ q: code.toLowerCase() }))).toEqual(['No sound'])
    expect(titles(await list({ q: code.slice(0, -2) }))).toEqual(['No sound'])
    expect(titles(await list({ q: code.slice(-6).toLowerCase() }))).toEqual(['No sound'])
    expect(await list({ q: 'Q-222222' })).toEqual({ items: [], nextCursor: null })
    expect(await failureOf(list({ cursor: 'n'.repeat(30) }))).toMatchObject({
      problem: { errors: { cursor: expect.any(Array) } },
    })
  })

  test.each([
    ['WAIT', (times: number[]) => times],
    ['CLOSED', (times: number[]) => times.toReversed()],
  ] as const)('pages through %s without a gap, also where times are equal', async (status, inOrder) => {
    const { tenant, ana } = await openInquiry()
    const start = api.clock.now().getTime() - 86_400_000
    const times = [0, 0, 0, 1, 2, 2, 3].map((minutes) => start + minutes * 60_000)
    await tenant.within(async (db) => {
      const [row] = await db.select().from(inquiries).where(eq(inquiries.customerId, tenant.id))
      if (!row) throw new Error('The inquiry is missing')
      await db.insert(inquiries).values(
        times.map((at, number) => ({
          ...row,
          id: newId<InquiryId>(),
          code: inquiryCode.parse(`Q-22222${number + 2}`),
          type: inquiryTypeCode.parse('ORDER'),
          title: String(number),
          status: status === 'WAIT' ? ('WAIT' as const) : ('COMPLETE' as const),
          updatedAt: new Date(at).toISOString(),
        })),
      )
    })
    const seen: string[] = []
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await ana.client.admin.inquiries.list({
        status,
        type: inquiryTypeCode.parse('ORDER'),
        size: 2,
        ...(cursor && { cursor }),
      })
      for (const { title, updatedAt } of page.items) {
        seen.push(title)
        found.push(Date.parse(updatedAt))
      }
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual(inOrder(times))
    expect(new Set(seen).size).toBe(times.length)
  })
})

describe('Assignment', () => {
  test('an inquiry is assigned, taken over only by who has seen it, and given back', async () => {
    const { code, ana, ben, versionOf } = await openInquiry()
    expect(await ben.client.admin.inquiries.facets()).toMatchObject({
      assignees: [{ name: 'Jo Kim' }, { name: 'Jo Kim' }],
      types: [{ code: 'PRODUCT', name: null }, { code: 'ORDER' }, { code: 'ACCOUNT' }, { code: 'ETC' }],
    })
    expect(await failureOf(ana.client.admin.inquiries.assign({ code, assigneeId: ana.id }))).toMatchObject({
      code: 'VERSION_MISSING',
    })
    const seen = await versionOf()
    const both = await Promise.allSettled(
      [ana, ben].map(({ id, withVersion }) => withVersion(seen).admin.inquiries.assign({ code, assigneeId: id })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await ben.withVersion(await versionOf()).admin.inquiries.assign({ code, assigneeId: ben.id })
    expect(await ana.client.admin.inquiries.get({ code })).toMatchObject({ assignee: { id: ben.id } })
    await ben.withVersion(await versionOf()).admin.inquiries.assign({ code, assigneeId: null })
    const { assignee, history } = await ana.client.admin.inquiries.get({ code })
    expect(assignee).toBeNull()
    expect(history[0]).toMatchObject({
      action: 'inquiry.assigned',
      actor: `staff:${ben.email}`,
      changes: { assignee: { from: 'Jo Kim', to: null } },
    })
  })

  test('a person is mailed what somebody else assigns to them, in one email, and not what they take', async () => {
    const { tenant, member, code, ana, ben, versionOf } = await openInquiry()
    const second = await member.client.support.createInquiry({ ...question, title: 'Still none' })
    await ana.withVersion(await versionOf()).admin.inquiries.assign({ code, assigneeId: ana.id })
    expect(await mailsTo(tenant, ana.email)).toEqual([])
    await ana.withVersion(await versionOf()).admin.inquiries.assign({ code, assigneeId: ben.id })
    const one = await mailTo(tenant, ben.email)
    expect(one).toMatchObject({ template: 'inquiries-assigned', subject: `Inquiry ${code} was assigned to you` })
    expect(one.text).toContain(`/admin/inquiries/${code}`)
    expect(one.text).not.toContain(question.title)
    await ben.client.admin.inquiries.assignMany({ codes: [code, second.code], assigneeId: ana.id })
    const both = await mailTo(tenant, ana.email)
    expect(both.subject).toBe('2 inquiries were assigned to you')
    expect(both.text).toContain(`/admin/inquiries?assignee=${ana.id}`)
    // Nothing has changed, and what is given back tells nobody.
    await ben.client.admin.inquiries.assignMany({ codes: [code, second.code], assigneeId: ana.id })
    await ben.client.admin.inquiries.assignMany({ codes: [code, second.code], assigneeId: null })
    expect(await mailsTo(tenant, ana.email)).toHaveLength(1)
    expect(await ana.client.admin.inquiries.facets()).toMatchObject({
      assignees: [{ name: 'Jo Kim' }, { name: 'Jo Kim' }],
    })
    expect(JSON.stringify(await ana.client.admin.inquiries.facets())).not.toContain(ben.email)
  })

  test('many are assigned at once, with a result for each', async () => {
    const { tenant, member, code, ana, ben } = await openInquiry()
    const second = await member.client.support.createInquiry({ ...question, title: 'Still none' })
    const foreign = (await openInquiry()).code
    await ana.client.admin.inquiries.assignMany({ codes: [code], assigneeId: ben.id })
    const result = await ana.client.admin.inquiries.assignMany({
      codes: [second.code, foreign, code],
      assigneeId: ben.id,
    })
    expect(result.items).toEqual([
      { code: second.code, result: 'CHANGED', formerId: null },
      { code: foreign, result: 'NOT_FOUND', formerId: null },
      { code, result: 'UNCHANGED', formerId: ben.id },
    ])
    // What somebody else has taken since stays theirs.
    await ana.client.admin.inquiries.assignMany({ codes: [code], assigneeId: ana.id })
    const undone = { codes: [second.code, code], assigneeId: null, onlyFrom: ben.id }
    expect((await ana.client.admin.inquiries.assignMany(undone)).items).toEqual([
      { code: second.code, result: 'CHANGED', formerId: ben.id },
      { code, result: 'VERSION_CONFLICT', formerId: ana.id },
    ])
    const analyst = await tenant.createStaff('ANALYST')
    for (const assigneeId of [analyst.id, member.id as never])
      expect(await failureOf(ana.client.admin.inquiries.assignMany({ codes: [code], assigneeId }))).toMatchObject({
        problem: { errors: { assigneeId: ['Choose a person who answers inquiries.'] } },
      })
  })

  test('who answers an inquiry of nobody has it, and who leaves the store gives theirs back', async () => {
    const { tenant, code, ana, versionOf } = await openInquiry()
    await ana.withVersion(await versionOf()).admin.inquiries.answer({ code, body: 'Mended.' })
    expect(await ana.client.admin.inquiries.get({ code })).toMatchObject({ assignee: { id: ana.id } })
    const owner = await tenant.createStaff('OWNER')
    await owner.client.staff.remove({ id: ana.id })
    expect(await owner.client.admin.inquiries.get({ code })).toMatchObject({ assignee: null })
    expect(titles(await owner.client.admin.inquiries.list({ status: 'COMPLETE', assignee: 'NONE' }))).toEqual([
      'No sound',
    ])
  })
})

describe('Drafts', () => {
  test('a draft is its writer’s alone, others see that they write, and the answer ends it', async () => {
    const { code, ana, ben, versionOf } = await openInquiry()
    await ana.client.admin.inquiries.saveDraft({ code, body: 'We are loo' })
    await ana.client.admin.inquiries.saveDraft({ code, body: 'We are looking' })
    expect(await ana.client.admin.inquiries.get({ code })).toMatchObject({ draft: 'We are looking', writers: [] })
    const seen = await ben.client.admin.inquiries.get({ code })
    expect(seen).toMatchObject({ draft: null, writers: [{ name: 'Jo Kim' }] })
    expect(JSON.stringify(seen)).not.toContain('looking')
    await ana.withVersion(await versionOf()).admin.inquiries.answer({ code, body: 'Mended.' })
    expect(await ana.client.admin.inquiries.get({ code })).toMatchObject({ draft: null })
    expect(await ben.client.admin.inquiries.get({ code })).toMatchObject({ writers: [] })
  })

  test('an empty text ends a draft, and those who only read cannot keep one', async () => {
    const { tenant, code, ana } = await openInquiry()
    await ana.client.admin.inquiries.saveDraft({ code, body: 'We' })
    await ana.client.admin.inquiries.saveDraft({ code, body: ' \n' })
    expect(await ana.client.admin.inquiries.get({ code })).toMatchObject({ draft: null })
    const { client: analyst } = await tenant.createStaff('ANALYST')
    expect(await failureOf(analyst.admin.inquiries.saveDraft({ code, body: 'We' }))).toMatchObject({ status: 403 })
    const { client: program } = await tenant.createOperator()
    expect(await failureOf(program.admin.inquiries.saveDraft({ code, body: 'We' }))).toMatchObject({ status: 403 })
  })

  test('a withdrawn member takes the drafts along', async () => {
    const { member, code, ana } = await openInquiry()
    await ana.client.admin.inquiries.saveDraft({ code, body: 'Dear member' })
    await member.client.identity.withdraw({ password: 'correct horse battery' })
    expect(await failureOf(ana.client.admin.inquiries.get({ code }))).toMatchObject({ status: 404 })
  })
})

describe('Files of an answer', () => {
  const file = (name = 'guide.pdf') => new File(['%PDF-'], name, { type: 'application/pdf' })

  test('the member downloads what staff attach, and the email says so', async () => {
    const { tenant, member, code, ana, versionOf } = await openInquiry()
    const uploaded = await ana.client.admin.inquiries.sendFile({ code, file: file() })
    expect(uploaded).toMatchObject({ name: 'guide.pdf', contentType: 'application/pdf', bytes: 5 })
    const answer = { code, body: 'See the guide.', files: [uploaded.id] }
    await ana.withVersion(await versionOf()).admin.inquiries.answer(answer)
    const { messages } = await member.client.support.inquiry({ code })
    expect(messages[1]).toMatchObject({ author: 'ADMIN', files: [{ name: 'guide.pdf', bytes: 5 }] })
    const media = await openMedia(api)
    const downloaded = await media.get(messages[1]?.files[0]?.url ?? '', asMember(member.token))
    expect(downloaded.text).toBe('%PDF-')
    expect(await (await ana.client.admin.inquiries.file({ code, id: uploaded.id })).text()).toBe('%PDF-')
    expect((await mailTo(tenant, member.email)).text).toContain('attached files')
  })

  test('a file of another person, of the member, or one already sent is refused, and nothing is answered', async () => {
    const { member, code, ana, ben, versionOf } = await openInquiry()
    const bens = await ben.client.admin.inquiries.sendFile({ code, file: file() })
    const members = await member.client.support.sendFile({ file: file('log.txt') })
    for (const { id } of [bens, members])
      expect(
        await failureOf(
          ana.withVersion(await versionOf()).admin.inquiries.answer({ code, body: 'See it.', files: [id] }),
        ),
      ).toMatchObject({ problem: { errors: { files: ['This file is no longer available. Upload it again.'] } } })
    // A member cannot send what staff have uploaded for them.
    expect(await failureOf(member.client.support.reply({ code, body: 'Here.', files: [bens.id] }))).toMatchObject({
      problem: { errors: { files: expect.any(Array) } },
    })
    expect(await ana.client.admin.inquiries.get({ code })).toMatchObject({ status: 'WAIT', messages: [{}] })
    const sent = { code, body: 'See it.', files: [bens.id] }
    await ben.withVersion(await versionOf()).admin.inquiries.answer(sent)
    expect(await failureOf(ben.withVersion(await versionOf()).admin.inquiries.answer(sent))).toMatchObject({
      problem: { errors: { files: expect.any(Array) } },
    })
  })
})

describe('Saved replies', () => {
  const form = { title: 'Refund', body: 'Hello {name}, your refund is on its way.' }

  const openStore = async (): Promise<{ tenant: Tenant; staff: Awaited<ReturnType<Tenant['createStaff']>> }> => {
    const tenant = await createTenant(api)
    return { tenant, staff: await tenant.createStaff('SUPPORT') }
  }

  test('are saved, changed by who has seen them, and deleted, with an entry of the audit log each', async () => {
    const { tenant, staff } = await openStore()
    const { savedReplies } = staff.client.admin
    const first = await savedReplies.create(form)
    const second = await savedReplies.create({ title: 'apology', body: 'We are sorry.' })
    expect((await savedReplies.list()).items).toEqual([second, first])
    expect(await failureOf(savedReplies.change({ id: first.id, title: 'Refunds' }))).toMatchObject({
      code: 'VERSION_MISSING',
    })
    const changed = await staff.withVersion(first.version).admin.savedReplies.change({ id: first.id, title: 'Refunds' })
    expect(changed).toMatchObject({ title: 'Refunds', body: form.body })
    const stale = staff.withVersion(first.version).admin.savedReplies
    expect(await failureOf(stale.change({ id: first.id, body: 'Other' }))).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect(await failureOf(stale.delete({ id: first.id }))).toMatchObject({ code: 'VERSION_CONFLICT' })
    await staff.withVersion(changed.version).admin.savedReplies.delete({ id: first.id })
    expect((await savedReplies.list()).items).toEqual([second])
    const owner = await tenant.createStaff('OWNER')
    const { items } = await owner.client.admin.audit({ subject: `saved-reply:${first.id}` })
    expect(items.map(({ action }) => action)).toEqual([
      'saved-reply.deleted',
      'saved-reply.changed',
      'saved-reply.created',
    ])
    expect(items[1]?.changes).toEqual({ title: { from: 'Refund', to: 'Refunds' } })
  })

  test('are refused with a placeholder that nothing replaces, which the member would read', async () => {
    const { staff } = await openStore()
    const { savedReplies } = staff.client.admin
    const unknown = { title: 'Delay', body: 'Dear {name}, {nope} is late.' }
    const refused = await failureOf(savedReplies.create(unknown))
    expect(refused).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(refused.problem.errors.body).toEqual(['{nope} is not a placeholder. Use only {name}, {number}, {subject}.'])
    const fine = { title: 'Delay', body: '{name}: {number} {subject} { } {} {"a": 1}' }
    const { id, version } = await savedReplies.create(fine)
    const change = staff.withVersion(version).admin.savedReplies.change
    const translations = { ko: { body: '{이름}님' } }
    const korean = await failureOf(change({ id, translations }))
    expect(korean.problem.errors['translations.ko.body']?.[0]).toContain('{이름}')
    expect(await failureOf(change({ id, body: '{Name}' }))).toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('have texts in other languages of the store, for members who read them', async () => {
    const { tenant, staff } = await openStore()
    const { savedReplies } = staff.client.admin
    const translations = { ko: { body: '{name}님, 환불해 드리고 있습니다.' } }
    const saved = await savedReplies.create({ ...form, translations })
    expect((await savedReplies.list()).items).toEqual([saved])
    expect(saved.translations).toEqual(translations)
    const wrong = savedReplies.create({ title: 'Other', body: 'Text', translations: { en: { body: 'Text' } } })
    expect((await failureOf(wrong)).problem.errors).toHaveProperty('translations')
    const member = await tenant.createMember()
    const { code } = await member.client.support.createInquiry({ type: 'ETC', title: 'No sound', body: 'Silence.' })
    expect((await staff.client.admin.inquiries.get({ code })).language).toBe('en')
    const changed = await staff.withVersion(saved.version).admin.savedReplies.change({ id: saved.id, translations: {} })
    expect(changed).toMatchObject({ body: form.body, translations: {} })
    const owner = await tenant.createStaff('OWNER')
    const { items } = await owner.client.admin.audit({ subject: `saved-reply:${saved.id}` })
    expect(items[0]?.changes).toEqual({ 'body.ko': { from: translations.ko.body, to: null } })
  })

  test('keep their texts in a language that the store has switched off, and take no other text in it', async () => {
    const { tenant, staff } = await openStore()
    const translations = { ko: { body: '환불해 드리고 있습니다.' } }
    const { id, version } = await staff.client.admin.savedReplies.create({ ...form, translations })
    const owner = await tenant.createStaff('OWNER')
    const settings = await owner.client.admin.settings.read()
    await owner.withVersion(settings.version).admin.settings.update({ base: { locales: ['en'] } })
    const change = (at: string, input: { title?: string; translations: Partial<typeof translations> }) =>
      staff.withVersion(at).admin.savedReplies.change({ id, ...input })
    const refused = change(version, { translations: { ko: { body: '다른 답변' } } })
    expect((await failureOf(refused)).problem.errors).toHaveProperty('translations')
    const changed = await change(version, { title: 'Renamed', translations })
    expect(changed).toMatchObject({ title: 'Renamed', translations })
    expect(await change(changed.version, { translations: {} })).toMatchObject({ translations: {} })
  })

  test('have titles of their own, also for requests at the same time, and are 200 at most', async () => {
    const { staff } = await openStore()
    const { savedReplies } = staff.client.admin
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => savedReplies.create(form)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const other = await savedReplies.create({ ...form, title: 'Other' })
    expect(
      await failureOf(staff.withVersion(other.version).admin.savedReplies.change({ id: other.id, title: 'REFUND' })),
    ).toMatchObject({
      problem: { errors: { title: ['There is a saved reply with this title. Choose another title.'] } },
    })
    for (let number = 3; number <= 200; number++) await savedReplies.create({ ...form, title: `Reply ${number}` })
    expect(await failureOf(savedReplies.create({ ...form, title: 'One more' }))).toMatchObject({
      problem: { errors: { title: [expect.stringContaining('200')] } },
    })
  })
})

test('an inquiry is closed without an answer and opened again, by staff and by its member', async () => {
  const { tenant, member, code, ana, versionOf } = await openInquiry()
  const before = await versionOf()
  const { inquiries } = ana.client.admin
  expect((await failureOf(inquiries.close({ code, reason: 'Spam' }))).code).toBe('VERSION_MISSING')
  await ana.withVersion(before).admin.inquiries.close({ code, reason: 'The same as another one' })
  expect((await failureOf(ana.withVersion(before).admin.inquiries.close({ code, reason: 'x' }))).code).toBe(
    'VERSION_CONFLICT',
  )
  const again = ana.withVersion(await versionOf()).admin.inquiries.close({ code, reason: 'x' })
  expect(await failureOf(again)).toMatchObject({
    code: 'CONFLICT',
    problem: { errors: { code: [expect.any(String)] } },
  })
  // The member sees that nobody has answered, and gets no email.
  expect(await member.client.support.inquiry({ code })).toMatchObject({ status: 'CLOSED', countOfReplies: 0 })
  expect(await mailsTo(tenant, member.email)).toEqual([])
  expect(titles(await inquiries.list({}))).toEqual([])
  const isOpenCase = async () => (await ana.client.admin.cases.list({ status: 'WAIT' })).items.length === 1
  expect(await isOpenCase()).toBe(false)

  await ana.withVersion(await versionOf()).admin.inquiries.reopen({ code })
  expect(await member.client.support.inquiry({ code })).toMatchObject({ status: 'WAIT' })
  expect(await isOpenCase()).toBe(true)
  expect((await ana.client.admin.cases.list({})).items).toMatchObject([
    { email: member.email, memberId: member.id, type: 'INQUIRY' },
  ])
  expect((await failureOf(ana.withVersion(await versionOf()).admin.inquiries.reopen({ code }))).code).toBe('CONFLICT')
  await ana.withVersion(await versionOf()).admin.inquiries.close({ code, reason: 'Spam' })
  await member.client.support.reply({ code, body: 'Still no sound.', files: [] })
  expect(titles(await inquiries.list({}))).toEqual(['No sound'])
  const { history } = await inquiries.get({ code })
  expect(history.map(({ action, changes, detail }) => [action, changes.status, detail])).toEqual([
    ['inquiry.closed', { from: 'WAIT', to: 'CLOSED' }, { reason: 'Spam' }],
    ['inquiry.reopened', { from: 'CLOSED', to: 'WAIT' }, {}],
    ['inquiry.closed', { from: 'WAIT', to: 'CLOSED' }, { reason: 'The same as another one' }],
  ])
  const analyst = await tenant.createStaff('ANALYST')
  expect((await failureOf(analyst.client.admin.inquiries.reopen({ code }))).code).toBe('FORBIDDEN')
})

test('an inquiry that is closed after a last message of the member is closed, not answered', async () => {
  const { tenant, member, code, ana, versionOf } = await openInquiry()
  const { inquiries } = ana.client.admin
  const seen = async () => (await member.client.support.inquiries({})).items[0]
  const listed = async () => {
    const lists = (['WAIT', 'COMPLETE', 'CLOSED'] as const).map(async (status) => {
      const [own, all] = await Promise.all([member.client.support.inquiries({ status }), inquiries.list({ status })])
      expect([own.total, own.items.map(({ title }) => title)]).toEqual([own.items.length, titles(all)])
      return titles(all)
    })
    return Promise.all(lists)
  }
  await ana.withVersion(await versionOf()).admin.inquiries.answer({ code, body: 'Try again.' })
  expect(await seen()).toMatchObject({ status: 'COMPLETE', countOfReplies: 1 })
  expect(await inquiries.get({ code })).toMatchObject({ status: 'COMPLETE' })
  expect(await listed()).toEqual([[], ['No sound'], []])
  api.clock.advance(60_000)
  await member.client.support.reply({ code, body: 'Thanks!', files: [] })
  expect(await listed()).toEqual([['No sound'], [], []])
  await ana.withVersion(await versionOf()).admin.inquiries.close({ code, reason: 'Only thanks' })

  expect(await seen()).toMatchObject({ status: 'CLOSED', countOfReplies: 1 })
  expect(await member.client.support.inquiry({ code })).toMatchObject({ status: 'CLOSED' })
  expect(await inquiries.get({ code })).toMatchObject({ status: 'CLOSED' })
  expect(await listed()).toEqual([[], [], ['No sound']])
  const { items } = await inquiries.list({ memberId: member.id })
  expect(items).toMatchObject([{ code, status: 'CLOSED' }])
  const url = `${api.origin}${customerBase(tenant.code)}/admin/inquiries.csv?status=CLOSED&columns=since`
  const csv = await api.fetch(new Request(url, { headers: { authorization: `Bearer ${ana.token}` } }))
  expect(await csv.text()).toContain(',CLOSED,Closed,')
})

test('topics keep their names in a language that the store has switched off, and take no other in it', async () => {
  const settings = plainSettings()
  settings.base.locales = ['en', 'ko']
  const tenant = await createTenant(api, { settings })
  const owner = await tenant.createStaff('OWNER')
  const { inquiryTopics } = owner.client.admin
  const write = async (items: InquiryTopicsChange['items']) =>
    owner.withVersion((await inquiryTopics.read()).version).admin.inquiryTopics.change({ items })
  const { items } = await write([{ name: 'Subtitles', translations: { ko: { name: '자막' } }, isHidden: false }])
  const { version } = await owner.client.admin.settings.read()
  await owner.withVersion(version).admin.settings.update({ base: { locales: ['en'] } })

  const renamed = items.map((item) => ({ ...item, name: 'Captions' }))
  expect((await write(renamed)).items).toMatchObject([{ name: 'Captions', translations: { ko: { name: '자막' } } }])
  const other = renamed.map((item) => ({ ...item, translations: { ko: { name: '번역' } } }))
  expect(Object.keys((await failureOf(write(other))).problem.errors)).toEqual(['items[0].translations'])
  expect((await write(renamed.map((item) => ({ ...item, translations: {} })))).items).toMatchObject([
    { translations: {} },
  ])
})

test('topics are created, renamed with translations, ordered, hidden and deleted', async () => {
  const settings = plainSettings()
  settings.base.locales = ['en', 'ko']
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember()
  const staff = await tenant.createStaff('SUPPORT')
  const other = await createTenant(api)
  const { inquiryTopics } = staff.client.admin
  const write = async (items: InquiryTopicsChange['items']) =>
    staff.withVersion((await inquiryTopics.read()).version).admin.inquiryTopics.change({ items })
  const before = await inquiryTopics.read()
  expect(before.items.map(({ code, name }) => [code, name])).toEqual(
    ['PRODUCT', 'ORDER', 'ACCOUNT', 'ETC'].map((code) => [code, null]),
  )
  expect((await failureOf(inquiryTopics.change({ items: before.items }))).code).toBe('VERSION_MISSING')
  await member.client.support.createInquiry({ ...question, type: 'ACCOUNT' })

  const [product, order, login, etc] = before.items
  const subtitles = { name: 'Subtitles', translations: { ko: { name: '자막' } }, isHidden: false }
  const { items } = await write([subtitles, product!, { ...login!, name: 'Signing in', isHidden: true }, etc!])
  expect(items.map(({ name, isHidden, inquiries }) => [name, isHidden, inquiries])).toEqual([
    ['Subtitles', false, 0],
    [null, false, 0],
    ['Signing in', true, 1],
    [null, false, 0],
  ])
  const topicsIn = async (language: string) => {
    const client = api.client(tenant.code, { token: member.token, headers: { 'accept-language': language } })
    return (await client.support.inquiryTypes()).items.map(({ code, name }) => name ?? code)
  }
  expect(await topicsIn('en')).toEqual(['Subtitles', 'PRODUCT', 'ETC'])
  expect(await topicsIn('ko')).toEqual(['자막', 'PRODUCT', 'ETC'])
  // Its inquiry keeps a hidden topic, and nobody chooses it any more.
  expect((await member.client.support.inquiries({})).items[0]?.type).toEqual({ code: 'ACCOUNT', name: 'Signing in' })
  const hidden = member.client.support.createInquiry({ ...question, type: 'ACCOUNT' })
  expect(Object.keys((await failureOf(hidden)).problem.errors ?? {})).toEqual(['type'])

  const refused = async (change: InquiryTopicsChange['items']) =>
    Object.keys((await failureOf(write(change))).problem.errors ?? {})
  expect(await refused(items.filter(({ code }) => code !== 'ACCOUNT'))).toEqual(['items'])
  expect(await refused(items.map((item) => ({ ...item, isHidden: true })))).toEqual(['items'])
  expect(await refused([...items, { ...subtitles, name: 'SUBTITLES' }])).toEqual(['items[4].name'])
  expect(await refused([...items, { ...subtitles, name: null }])).toEqual(['items[4].name'])
  expect(await refused([...items, order!])).toEqual(['items[4].code'])
  expect(await refused([...items, { ...subtitles, name: 'New', translations: { ja: { name: '字幕' } } }])).toEqual([
    'items[4].translations',
  ])
  const left = await write(items.slice(1))
  expect(left.items.map(({ code }) => code)).toEqual(['PRODUCT', 'ACCOUNT', 'ETC'])
  expect(left.history.map(({ action }) => action)).toEqual(['inquiry.topics-changed', 'inquiry.topics-changed'])
  expect(left.history[1]?.changes).toMatchObject({ hidden: { from: [], to: ['Signing in'] } })
  expect((await (await other.createStaff()).client.admin.inquiryTopics.read()).items).toHaveLength(4)
})

test('cases are listed page by page: open ones with the oldest first, closed ones with the latest', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const open = (subject: string) => {
    api.clock.advance(1000)
    const createdAt = api.clock.now().toISOString()
    return tenant.within((db) =>
      db.insert(cases).values({ customerId: tenant.id, id: newId(), type: 'CUSTOM', subject, createdAt }),
    )
  }
  for (const subject of ['One', 'Two', 'Three']) await open(subject)
  const { list, close } = client.admin.cases
  const first = await list({ size: 2 })
  expect(first.items.map(({ subject }) => subject)).toEqual(['One', 'Two'])
  const rest = await list({ size: 2, cursor: first.nextCursor! })
  expect(rest).toMatchObject({ items: [{ subject: 'Three' }], nextCursor: null })
  for (const { id } of [...first.items, ...rest.items]) await close({ id, note: 'Done' })
  const closed = await list({ status: 'COMPLETE', size: 2 })
  expect(closed.items.map(({ subject }) => subject)).toEqual(['Three', 'Two'])
  expect(await list({ status: 'COMPLETE', size: 2, cursor: closed.nextCursor! })).toMatchObject({
    items: [{ subject: 'One' }],
    nextCursor: null,
  })
  const owner = await tenant.createStaff('OWNER')
  expect((await owner.client.admin.audit({ action: 'case' })).items[0]).toMatchObject({
    changes: { closed: { from: false, to: true } },
    detail: { note: 'Done' },
  })
})
