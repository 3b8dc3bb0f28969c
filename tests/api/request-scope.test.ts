import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { withTenant } from '#api/platform/db/client.ts'
import { createSharedReads, readOnce } from '#api/platform/db/shared-reads.ts'
import { addAttachment } from '#tests/support/media.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

// A test locks a table and cancels what waits for it, so other test files use another database.
const api = createTestApi({ database: await ownDatabase() })

const arrange = async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const clientOf = (token: string | undefined = member.token, fetch = api.forRequest()) =>
    api.client(tenant.code, { token, fetch })
  return { tenant, member, clientOf }
}

/** Counts the connections acquired from the pool during a call. */
const connectionsOf = async (work: () => Promise<unknown>) => {
  let taken = 0
  const count = () => taken++
  api.deps.pool.on('acquire', count)
  await work()
  api.deps.pool.off('acquire', count)
  return taken
}

const allReleased = () => expect.poll(() => api.deps.pool.totalCount - api.deps.pool.idleCount).toBe(0)

test('calls batched in one request read the store and the session once, in one transaction', async () => {
  const { tenant, clientOf } = await arrange()
  const { id } = await tenant.createProduct()
  // Settings are read with the first call after a change.
  await tenant.guest.tenancy.contract()
  const taken = await connectionsOf(async () => {
    const scopedClient = clientOf()
    const [me, cart, states, histories] = await Promise.all([
      scopedClient.identity.me(),
      scopedClient.orders.cart(),
      scopedClient.catalog.viewerStates({ productIds: [id] }),
      scopedClient.catalog.histories({}),
    ])
    expect(me.cartCount).toBe(cart.items.length)
    expect(states.items.map(({ productId }) => productId)).toEqual([id])
    expect(histories).toEqual({ watched: [], viewed: [] })
  })
  // The transaction's first statement reads the store too.
  expect(taken).toBe(1)
})

test('a shared transaction is committed once, also after a pause between its reads', async () => {
  const { tenant } = await arrange()
  await allReleased()
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  const read = createSharedReads(api.deps.pool)
  for (let time = 0; time < 3; time++) await read(tenant.id, async () => undefined)
  await allReleased()
  const commands = queries.mock.calls.map(([first]) => String(first as unknown).split(/[ ;]/)[0])
  queries.mockRestore()
  const count = (word: string) => commands.filter((command) => command === word).length
  expect([count('BEGIN'), count('COMMIT')]).toEqual([1, 1])
})

test('each token of a request opens its own session, and no other tenant’s', async () => {
  const { tenant, member } = await arrange()
  const other = await tenant.createMember()
  const stranger = await (await createTenant(api)).createMember()
  const fetch = api.forRequest()
  const meOf = (token: string) => api.client(tenant.code, { token, fetch }).identity.me()
  const [first, second] = await Promise.all([meOf(member.token), meOf(other.token)])
  expect([first.id, second.id]).toEqual([member.id, other.id])
  expect(await failureOf(meOf(stranger.token))).toMatchObject({ status: 403, code: 'TENANT_MISMATCH' })
  expect(await failureOf(api.client(tenant.code, { fetch }).identity.me())).toMatchObject({ status: 401 })
})

test('two stores in one request are read separately', async () => {
  const [here, there] = [await arrange(), await arrange()]
  const product = await here.tenant.createProduct()
  const fetch = api.forRequest()
  const [firstClient, theirs] = [here.clientOf(here.member.token, fetch), there.clientOf(there.member.token, fetch)]
  const [seen, foreign] = await Promise.all([
    firstClient.catalog.product({ id: product.id, view: false }),
    failureOf(theirs.catalog.product({ id: product.id, view: false })),
  ])
  expect(seen.id).toBe(product.id)
  expect(foreign).toMatchObject({ status: 404 })
})

test('a write clears what the same request has read: a session that ended opens nothing more', async () => {
  const { member, clientOf } = await arrange()
  const scopedClient = clientOf()
  expect((await scopedClient.identity.me()).id).toBe(member.id)
  await scopedClient.identity.logout()
  expect(await failureOf(scopedClient.identity.me())).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' })
})

test('a session that ended elsewhere is refused in the next request', async () => {
  const { member, clientOf } = await arrange()
  await clientOf().identity.me()
  await member.client.identity.logout()
  expect(await failureOf(clientOf().identity.me())).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' })
})

test('a read that fails in the database does not fail the other reads of its request', async () => {
  const { tenant, member, clientOf } = await arrange()
  const { id } = await tenant.createProduct()
  const scopedClient = clientOf()
  await scopedClient.identity.me()
  let reading: Promise<unknown[]> | undefined
  await api.owner.transaction(async (locking) => {
    await locking.execute(sql`LOCK TABLE comments IN ACCESS EXCLUSIVE MODE`)
    reading = Promise.all([
      failureOf(scopedClient.engagement.comments({ id })),
      scopedClient.identity.me(),
      scopedClient.catalog.product({ id, view: false }),
    ])
    await expect
      .poll(async () => {
        const { rows } = await locking.execute(
          sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
        )
        return rows.length
      })
      .toBe(1)
    const [comments, me, product] = (await reading) as [object, { id: string }, { id: string }]
    expect(comments).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    expect([me.id, product.id]).toEqual([member.id, id])
  })
})

test('a view of a product is counted in a request scope, whose shared reads are read-only', async () => {
  const { tenant, clientOf } = await arrange()
  const { id } = await tenant.createProduct()
  const scopedClient = clientOf()
  await scopedClient.catalog.product({ id, view: true })
  expect((await scopedClient.catalog.histories({})).viewed.map((card) => card.id)).toEqual([id])
})

test('data shared by all visitors is cached, and never read on a released connection', async () => {
  const { tenant, clientOf } = await arrange()
  const { id } = await tenant.createProduct({ file: false })
  await addAttachment(tenant, id, 'score.pdf', 'none')
  const namesOf = async () => (await clientOf().catalog.attachments({ id })).items.map(({ name }) => name)
  expect(await namesOf()).toEqual(['score.pdf'])
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  expect(await namesOf()).toEqual(['score.pdf'])
  const reads = queries.mock.calls.filter(([first]) => JSON.stringify(first as unknown).includes('attachments'))
  queries.mockRestore()
  expect(reads).toEqual([])
})

test('what the reads of a page share is read again by other transactions', async () => {
  const tenant = await createTenant(api)
  const read = createSharedReads(api.deps.pool)
  let times = 0
  const look = async () => ++times
  await read(tenant.id, async (db) => {
    expect([await readOnce(db, 'times', look), await readOnce(db, 'times', look)]).toEqual([1, 1])
    expect(await read(tenant.id, (same) => readOnce(same, 'times', look))).toBe(1)
    // As before and after a write.
    read.renew()
    expect(await read(tenant.id, (other) => readOnce(other, 'times', look))).toBe(2)
  })
  await withTenant(api.deps.pool, tenant.id, async (db) => {
    expect([await readOnce(db, 'times', look), await readOnce(db, 'times', look)]).toEqual([3, 4])
  })
  await allReleased()
})

test('a failed shared result is read again by each of its other readers', async () => {
  const tenant = await createTenant(api)
  const look = vi.fn(async () => 'found').mockRejectedValueOnce(new Error('failed'))
  const read = createSharedReads(api.deps.pool)
  const both = read(tenant.id, (db) => Promise.allSettled([readOnce(db, 'result', look), readOnce(db, 'result', look)]))
  expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'found' }])
})

test('reads of a transaction that did not begin fail, rather than find nothing', async () => {
  const tenant = await createTenant(api)
  await allReleased()
  const queries = vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(async () => {
    throw new Error('away')
  })
  const read = createSharedReads(api.deps.pool)
  await expect(read(tenant.id, (db) => db.execute(sql`SELECT code FROM products`))).rejects.toThrow('away')
  queries.mockRestore()
  await allReleased()
  expect(await read(tenant.id, async () => 'found')).toBe('found')
})
