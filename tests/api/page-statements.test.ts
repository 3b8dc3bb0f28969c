import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { addAttachment } from '#tests/support/media.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { type Client, createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** What the transaction of a page's reads costs: its beginning and its end. */
const transaction = ['BEGIN', 'COMMIT']

const arrange = async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const products = [await tenant.createProduct(), await tenant.createProduct()]
  const ids = products.map(({ id }) => id)
  await addAttachment(tenant, ids[0]!, 'score.pdf', 'none')
  await member.client.engagement.view({ id: ids[0]! })
  const clientOf = () => api.client(tenant.code, { token: member.token, fetch: api.forRequest() })
  return { clientOf, ids }
}

/** Returns the names of the statements that the calls of one page send, once caches are filled. */
const statementsOf = async (clientOf: () => Client, calls: (client: Client) => Promise<unknown>): Promise<string[]> => {
  await calls(clientOf())
  await expect.poll(() => api.deps.pool.totalCount - api.deps.pool.idleCount).toBe(0)
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  await calls(clientOf())
  await expect.poll(() => api.deps.pool.totalCount - api.deps.pool.idleCount).toBe(0)
  const sent = queries.mock.calls.map(([first]) => first as unknown as string | { name?: string; text: string })
  queries.mockRestore()
  return sent.map((query) => (typeof query === 'string' ? query.split(/[ ;]/)[0]! : (query.name ?? query.text))).sort()
}

test('a member’s home sends five statements', async () => {
  const { clientOf, ids } = await arrange()
  const sent = await statementsOf(clientOf, (own) =>
    Promise.all([own.identity.me(), own.catalog.viewerStates({ productIds: ids }), own.catalog.histories({})]),
  )
  expect(sent).toEqual([...transaction, 'caller', 'history_cards_of_member', 'viewer_facts_of_member'])
})

test('a member’s list sends four statements', async () => {
  const { clientOf } = await arrange()
  const sent = await statementsOf(clientOf, (own) => Promise.all([own.identity.me(), own.catalog.search({ size: 24 })]))
  expect(sent).toEqual([...transaction, 'caller', 'viewed_cards_of_member'])
})

test('a member’s product page sends five statements', async () => {
  const { clientOf, ids } = await arrange()
  const id = ids[0]!
  const sent = await statementsOf(clientOf, async (own) => {
    await Promise.all([own.identity.me(), own.catalog.product({ id, view: false })])
    await Promise.all([own.catalog.attachments({ id }), own.engagement.comments({ id })])
  })
  expect(sent).toEqual([...transaction, 'caller', 'comments', 'viewed_page_by_id_of_member'])
})
