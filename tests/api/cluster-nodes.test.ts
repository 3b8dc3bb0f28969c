import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { sweepDueTenants } from '#api/worker.ts'
import { customerBase } from '#contract/http.ts'
import { placeOrderOf } from '#tests/support/buying.ts'
import { createClusterDatabase, createNodeDatabase, prepareDistributed, startCluster } from '#tests/support/cluster.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { queueGreetingOf } from '#tests/support/mails.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf, type TestApi } from '#tests/support/test-api.ts'

/** The tests stop nodes, so they have a cluster of their own. */
const openCluster = async () => {
  const cluster = await startCluster(await mkdtemp(join(memoryFolder(), 'marquee-nodes-')))
  afterAll(cluster.close)
  const database = await prepareDistributed(cluster.ownerUrl)
  return { ...cluster, database, api: createTestApi({ database }) }
}
const opened = inject('cluster') ? await openCluster() : null

type Opened = Pick<NonNullable<typeof opened>, 'api' | 'cluster'>

/** The statement of the guide that begins with these words. */
const statementOfGuide = async (words: string) => {
  const guide = await readFile(new URL('../../docs/guides/scale.md', import.meta.url), 'utf8')
  const statement = Array.from(guide.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code)
  return statement.find((code) => code.startsWith(words)) ?? expect.fail(`The guide has no ${words}`)
}

/** The number of the node that has a store's rows, and the part of `customers` there. */
const placeOf = async ({ api, cluster }: Opened, { id }: Tenant) => {
  const { rows } = await api.owner.execute<{ port: number; shard: string }>(
    `SELECT nodeport AS port, shardid::text AS shard FROM citus_shards
      WHERE shardid = get_shard_id_for_distribution_column('customers', '${id}')`,
  )
  const node = cluster.nodes.findIndex((address) => Number(new URL(address).port) === rows[0]?.port)
  return { node, shard: rows[0]?.shard ?? '' }
}
const nodeOf = async (on: Opened, tenant: Tenant) => (await placeOf(on, tenant)).node

/** A store on each of the two workers. */
const storesOnBoth = async (on: NonNullable<typeof opened>) => {
  const stores = new Map<number, Tenant>()
  while (stores.size < 2) {
    const tenant = await createTenant(on.api)
    stores.set(await nodeOf(on, tenant), tenant)
  }
  return [stores.get(1)!, stores.get(2)!] as const
}

/** Members of a store who place one order after the other until they are stopped. */
const startOrders = async (api: TestApi, tenant: Tenant) => {
  const product = await tenant.createProduct()
  // A member places 60 orders in ten minutes at most.
  const members = await Promise.all(Array.from({ length: 20 }, () => tenant.createMember()))
  const placed: string[] = []
  const failures: number[] = []
  let isRunning = true
  const place = async () => {
    for (let turn = 0; isRunning; turn++) {
      const order = placeOrderOf(api, tenant, members[turn % members.length]!, product)
      await order.then(
        ({ code }) => placed.push(code),
        async () => failures.push((await failureOf(order)).status),
      )
      await sleep(50)
    }
  }
  const running = place()
  /** Waits for further orders. */
  const another = (count = 5) => {
    const before = placed.length
    return expect.poll(() => placed.length, { timeout: 60_000 }).toBeGreaterThan(before + count)
  }
  return {
    failures,
    another,
    stop: async () => {
      isRunning = false
      await running
      const stored = await tenant.within((db) =>
        db.$client.query<{ code: string }>('SELECT code FROM orders WHERE customer_id = $1', [tenant.id]),
      )
      const codes = new Set(stored.rows.map(({ code }) => code))
      return { placed: placed.length, lost: placed.filter((code) => !codes.has(code)) }
    },
  }
}

/** The stores whose tasks a round of background work runs: each has the task of webhooks. */
const sweptStores = async ({ deps, fetch }: TestApi) => {
  const codes: string[] = []
  const deliverDue = async ({ code }: { code: string }) => codes.push(code)
  await sweepDueTenants({ ...deps, sandbox: { ...deps.sandbox, deliverDue } }, (request) => fetch(request))
  return codes
}

test.runIf(opened)(
  'a worker that dies makes its own stores unavailable until it is back, and no order is lost',
  {
    timeout: 180_000,
  },
  async () => {
    const { api, control } = opened!
    const [first, second] = await storesOnBoth(opened!)
    const [stays, dies] = [await startOrders(api, first), await startOrders(api, second)]
    await Promise.all([stays.another(), dies.another()])

    await control('stop', 2)
    await expect.poll(() => dies.failures.length, { timeout: 60_000 }).toBeGreaterThan(5)
    await stays.another(20)
    const answer = await api.fetch(new Request(`${api.origin}${customerBase(second.code)}/plans`))
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true])

    await control('start', 2)
    await Promise.all([stays.another(), dies.another()])
    expect(stays.failures).toEqual([])
    expect(new Set(dies.failures)).toEqual(new Set([503]))
    for (const orders of [stays, dies]) expect((await orders.stop()).lost).toEqual([])
    await queueGreetingOf(api)(second, 'b@example.com')
    expect(await sweptStores(api)).toContain(second.code)
  },
)

test.runIf(opened)(
  'a store moves to another worker while it is used, and no order is lost',
  {
    timeout: 400_000,
  },
  async () => {
    const on = opened!
    const { api } = on
    const [stays, moves] = await storesOnBoth(on)
    const running = [await startOrders(api, stays), await startOrders(api, moves)] as const
    await Promise.all(running.map((orders) => orders.another()))
    const addressOf = (node: number) => new URL(on.cluster.nodes[node]!).host
    const command = quickCommandOf(api, { database: on.database })
    expect(await command(['cluster', 'move', moves.code, '--to', addressOf(1)])).toMatchObject({
      code: 0,
      out: `Moved ${moves.code} from ${addressOf(2)} to ${addressOf(1)}.\n`,
    })
    await Promise.all(running.map((orders) => orders.another()))
    expect(await nodeOf(on, moves)).toBe(1)
    const [untouched, moved] = running
    expect(untouched.failures).toEqual([])
    expect(moved.failures.filter((status) => status !== 503)).toEqual([])
    for (const orders of running) expect((await orders.stop()).lost).toEqual([])

    const back = ['cluster', 'move', moves.code, '--to', addressOf(2), '--block-writes']
    expect(await command(back)).toMatchObject({ code: 0, out: expect.stringContaining(`to ${addressOf(2)}.`) })
    expect((await command(back)).out).toBe(`${moves.code} is at ${addressOf(2)} already. Nothing was moved.\n`)
    const elsewhere = await command(['cluster', 'move', moves.code, '--to', 'elsewhere:5432'])
    expect([elsewhere.code, elsewhere.err]).toEqual([
      1,
      expect.stringContaining('The cluster has no worker elsewhere:5432.'),
    ])
  },
)

test.runIf(opened)(
  'a store gets a part of its own and another worker while it is used, and no order is lost',
  { timeout: 300_000 },
  async () => {
    const on = opened!
    const { api } = on
    const [stays, moves] = await storesOnBoth(on)
    const running = [await startOrders(api, stays), await startOrders(api, moves)] as const
    await Promise.all(running.map((orders) => orders.another()))
    const before = await placeOf(on, moves)
    const isolate = await statementOfGuide('SELECT isolate_tenant_to_new_shard')
    await api.owner.execute(isolate.replace(' id,', ` '${moves.id}',`))
    const { shard } = await placeOf(on, moves)
    expect(shard).not.toBe(before.shard)
    await Promise.all(running.map((orders) => orders.another()))

    const to = new URL(on.cluster.nodes[1]!).host
    const moved = await quickCommandOf(api, { database: on.database })(['cluster', 'move', moves.code, '--to', to])
    expect(moved).toMatchObject({ code: 0, out: expect.stringContaining(`to ${to}.`) })
    expect(await placeOf(on, moves)).toEqual({ node: 1, shard })
    await Promise.all(running.map((orders) => orders.another()))
    expect(running[0].failures).toEqual([])
    expect(running[1].failures.filter((status) => status !== 503)).toEqual([])
    for (const orders of running) expect((await orders.stop()).lost).toEqual([])
  },
)

/** A store in each part of the cluster. */
const storesInAllParts = async (on: Opened) => {
  const stores = new Map<string, Tenant>()
  while (stores.size < 4) {
    const tenant = await createTenant(on.api)
    stores.set((await placeOf(on, tenant)).shard, tenant)
  }
  return [...stores.values()]
}

test.runIf(opened)(
  'a worker that is added takes half of the stores while they are used, and no order is lost',
  { timeout: 300_000 },
  async () => {
    const { cluster } = opened!
    const [coordinator = '', first = '', added = ''] = cluster.nodes
    const ownerUrl = await createClusterDatabase({ nodes: [coordinator, first] }, 'growing')
    const database = await prepareDistributed(ownerUrl)
    const on = { cluster, database, api: createTestApi({ database }) }
    const { owner } = on.api
    const stores = await storesInAllParts(on)
    const running = await Promise.all(stores.map((tenant) => startOrders(on.api, tenant)))
    await Promise.all(running.map((orders) => orders.another()))

    await createNodeDatabase(added, 'growing')
    await owner.execute(`SELECT citus_add_node('127.0.0.1', ${new URL(added).port})`)
    const { out } = await quickCommandOf(on.api, { database })(['cluster', 'distribute'])
    expect(out).toContain(`✓ ${new URL(added).host}\n`)
    await owner.execute(await statementOfGuide('SELECT citus_rebalance_start'))
    await owner.execute('SELECT citus_rebalance_wait()')
    const nodes = await Promise.all(stores.map((tenant) => nodeOf(on, tenant)))
    expect(nodes.toSorted()).toEqual([1, 1, 2, 2])

    await Promise.all(running.map((orders) => orders.another()))
    for (const { failures } of running) expect(failures.filter((status) => status !== 503)).toEqual([])
    for (const orders of running) expect((await orders.stop()).lost).toEqual([])
  },
)
