import { expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('OWNER')
  const product = await tenant.createProduct()
  const member = await tenant.createMember()
  const setPhrases = async (phrases: string[], version?: string) => {
    const { comments } = staff.withVersion(
      version ?? (await staff.client.admin.comments.blockedPhrases()).version,
    ).admin
    return comments.changeBlockedPhrases({ phrases })
  }
  const write = (body: string) => member.client.engagement.addComment({ id: product.id, body })
  const shown = async () => (await tenant.guest.engagement.comments({ id: product.id })).items.map(({ body }) => body)
  return { tenant, staff, product, member, setPhrases, write, shown }
}

test('a comment, a reply and an edit with a blocked word are held with the word until staff approve them', async () => {
  const { tenant, staff, product, member, setPhrases, write, shown } = await arrange()
  const before = await write('No scam at all')
  await setPhrases(['scam', '바보'])
  expect(await shown()).toEqual(['No scam at all'])
  const held = await write('A SCAM!')
  const reply = await member.client.engagement.addComment({ id: product.id, body: '이 바보가', parentId: before.id })
  const edited = await write('All good')
  await member.client.engagement.editComment({ id: product.id, commentId: edited.id, body: 'Sca\u200bm' })
  await write('Scams, www.example.com')
  const { items, ...counts } = await staff.client.admin.comments.queue()
  expect(counts).toEqual({ held: 4, reported: 0 })
  expect(items.map(({ body, heldPhrase }) => [body, heldPhrase])).toEqual([
    ['A SCAM!', 'scam'],
    ['이 바보가', '바보'],
    ['Sca\u200bm', 'scam'],
    ['Scams, www.example.com', null],
  ])
  expect(held).toMatchObject({ state: 'HELD', body: 'A SCAM!' })
  expect(JSON.stringify([held, reply])).not.toContain('heldPhrase')
  expect(await shown()).toEqual(['No scam at all'])
  expect((await tenant.guest.catalog.product({ id: product.id })).countOfComments).toBe(1)
  await staff.client.admin.comments.approve({ id: held.id })
  expect(await shown()).toEqual(['A SCAM!', 'No scam at all'])
})

test('of staff who change the words at once one succeeds, and the audit log has what changed', async () => {
  const { staff, setPhrases } = await arrange()
  const { phrases, version } = await staff.client.admin.comments.blockedPhrases()
  expect(phrases).toEqual([])
  const outcomes = await Promise.allSettled([['one'], ['two'], ['three']].map((each) => setPhrases(each, version)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const stored = (await staff.client.admin.comments.blockedPhrases()).phrases
  const changed = await setPhrases(['Free money', ' free  MONEY ', 'spam', ...stored])
  expect(changed.phrases).toEqual(['Free money', 'spam', ...stored])
  await setPhrases(['spam'])
  const { items } = await staff.client.admin.audit({ subject: 'comments:blocked-phrases' })
  expect(items.map(({ changes }) => changes)).toEqual([
    { removed: { from: ['Free money', ...stored], to: null } },
    { added: { from: null, to: ['Free money', 'spam'] } },
    { added: { from: null, to: stored } },
  ])
})

test('a word without a character, a long one, too many and a missing version are refused', async () => {
  const { staff, setPhrases } = await arrange()
  expect(await failureOf(setPhrases(['spam', '\u200b']))).toMatchObject({
    problem: { errors: { 'phrases.1': ['Enter a value.'] } },
  })
  for (const phrases of [['x'.repeat(61)], Array.from({ length: 501 }, (_, at) => `w${at}`)])
    expect(await failureOf(setPhrases(phrases))).toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(await failureOf(staff.client.admin.comments.changeBlockedPhrases({ phrases: [] }))).toMatchObject({
    code: 'VERSION_MISSING',
  })
})

test('no answer for visitors and members has the words', async () => {
  const { tenant, member, product, setPhrases, write } = await arrange()
  await setPhrases(['xyzzy'])
  await write('plain')
  for (const client of [tenant.guest, member.client]) {
    const answers = [
      await client.tenancy.siteSettings(),
      await client.engagement.comments({ id: product.id }),
      await client.catalog.product({ id: product.id }),
    ]
    expect(JSON.stringify(answers)).not.toContain('xyzzy')
  }
})
