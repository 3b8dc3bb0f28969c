import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { databaseBefore, firstRelease, linesOf } from '#tests/support/database-before.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const database = await ownDatabase(firstRelease())
const api = createTestApi({ database })

// On a cluster the new one is distributed, and the upgraded one is not.
test.skipIf(inject('cluster'))('an upgraded installation of release 0.1.0 has the schema of a new one', async () => {
  const [upgraded, fresh] = [await linesOf(database.ownerUrl), await linesOf(inject('database').ownerUrl)]
  expect(fresh.length).toBeGreaterThan(1000)
  expect(upgraded).toEqual(fresh)
})

test('a store of release 0.1.0 keeps its members, orders, subscriptions and texts', async () => {
  const { token } = await api.client('aurora').identity.login({ email: 'member@example.com', password: 'marquee-demo' })
  const member = api.client('aurora', { token })
  const { items: orders } = await member.orders.orders({})
  expect(orders.map(({ code, status, total }) => [code, status, total])).toEqual([
    ['20261119-ARN81E', 'PAYMENT_COMPLETE', { amount: 448, currency: 'USD' }],
    ['20261102-KCE6TE', 'PAYMENT_COMPLETE', { amount: 699, currency: 'USD' }],
    ['20261017-4YDTTC', 'PAYMENT_COMPLETE', { amount: 948, currency: 'USD' }],
  ])
  const { items: history } = await member.subscriptions.subscriptionHistory({})
  expect(history).toHaveLength(6)
  const product = await member.catalog.product({ id: '01a20620-19a7-7013-89f8-f68e0a5bede0' })
  expect(product).toMatchObject({ title: 'Blue Hour' })
  // Lists and their texts are read from the product index.
  const results = await member.catalog.search({ q: 'blue hour' })
  expect(results.items.map(({ title }) => title)).toContain('Blue Hour')
})

test('an upgrade gives events of subscriptions the present names of their plans, and categories no former paths', async () => {
  await using database = await databaseBefore('0010_former-category-paths')
  const { client, apply } = database
  const plan = randomUUID()
  const translations = { ko: { name: '정기권', summary: '모두' }, ja: { summary: 'すべて' } }
  // Both stores have a plan and events with the same ids: each gets its own name.
  const stores = [
    { id: randomUUID(), code: 'acme', name: 'The pass', translations },
    { id: randomUUID(), code: 'zenith', name: 'Another pass', translations: {} },
  ]
  for (const { id, code, name, translations } of stores) {
    await client.query(`INSERT INTO customers (customer_id, code, settings) VALUES ($1, $2, '{}')`, [id, code])
    await client.query(
      `INSERT INTO categories (customer_id, id, level, name, slug, sort) VALUES ($1, $2, 1, 'Films', 'films', 0)`,
      [id, randomUUID()],
    )
    await client.query(
      `INSERT INTO plans (customer_id, id, code, name, price_amount, currency, cycle, scope, translations)
       VALUES ($1, $2, 'pass', $3, 900, 'KRW', 'MONTH', 'ALL', $4)`,
      [id, plan, name, translations],
    )
  }
  // Only events: their members and subscriptions are irrelevant here.
  await client.query('SET session_replication_role = replica')
  for (const { id } of stores)
    for (const [type, planId] of [
      ['STARTED', plan],
      ['RENEWED', plan],
      ['ENDED', randomUUID()],
    ])
      await client.query(
        `INSERT INTO subscription_events (customer_id, id, subscription_id, member_id, plan_id, type, at)
         VALUES ($1, $2, $2, $2, $3, $4, '2026-03-01T00:00:00Z')`,
        [id, randomUUID(), planId, type],
      )
  await client.query('SET session_replication_role = DEFAULT')

  await apply('0010_former-category-paths')
  await apply('0011_subscription-history-names')

  const events = await client.query(
    `SELECT c.code, e.type, e.plan_name AS name, e.plan_translations AS translations
       FROM subscription_events e JOIN customers c USING (customer_id) ORDER BY c.code, e.type`,
  )
  const korean = { ko: { name: '정기권' } }
  expect(events.rows).toEqual([
    { code: 'acme', type: 'ENDED', name: '', translations: {} },
    { code: 'acme', type: 'RENEWED', name: 'The pass', translations: korean },
    { code: 'acme', type: 'STARTED', name: 'The pass', translations: korean },
    { code: 'zenith', type: 'ENDED', name: '', translations: {} },
    { code: 'zenith', type: 'RENEWED', name: 'Another pass', translations: {} },
    { code: 'zenith', type: 'STARTED', name: 'Another pass', translations: {} },
  ])
  const paths = await client.query('SELECT former_paths AS former FROM categories')
  expect(paths.rows).toEqual([{ former: [] }, { former: [] }])
  const rows = await client.query(
    `SELECT relname AS name FROM pg_class
      WHERE relforcerowsecurity AND relname IN ('categories', 'plans', 'subscription_events') ORDER BY relname`,
  )
  expect(rows.rows.map(({ name }) => name)).toEqual(['categories', 'plans', 'subscription_events'])
})

test('rows written under former names are read under the present ones', async () => {
  await using database = await databaseBefore('0013_admin-and-fulfillments')
  const { client, apply } = database
  const store = randomUUID()
  const id = randomUUID()
  await client.query(`INSERT INTO customers (customer_id, code, settings) VALUES ($1, 'acme', '{}')`, [store])
  // Only these rows: their parents are irrelevant here.
  await client.query('SET session_replication_role = replica')
  await client.query(
    `INSERT INTO inquiry_messages (customer_id, id, inquiry_id, author, body) VALUES ($1, $2, $2, 'DESK', 'Yes.')`,
    [store, id],
  )
  await client.query(
    `INSERT INTO audit (customer_id, id, at, actor, action, subject, detail)
     VALUES ($1, $2, now(), 'desk:mina', 'case.closed', 'case:1', '{}')`,
    [store, id],
  )
  await client.query(
    `INSERT INTO cases (customer_id, id, type, subject, data)
     VALUES ($1, $2, 'ORDER_CANCEL', 'Refund', '{"kind": "UNDUE_PAYMENT", "amount": 3}')`,
    [store, id],
  )
  await client.query(
    `INSERT INTO order_events (customer_id, id, order_id, type) VALUES ($1, $2, $2, 'UNDUE_MONEY'), ($1, $3, $2, 'UNDUE_MONEY_RETURNED')`,
    [store, id, randomUUID()],
  )
  await client.query('SET session_replication_role = DEFAULT')

  await apply('0013_admin-and-fulfillments')

  const one = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  expect(await one('SELECT author FROM inquiry_messages')).toEqual(['ADMIN'])
  expect(await one('SELECT actor FROM audit')).toEqual(['admin:mina'])
  expect(await one('SELECT data FROM cases')).toEqual([{ kind: 'UNAPPLIED_PAYMENT', amount: 3 }])
  expect((await one('SELECT type FROM order_events')).sort()).toEqual([
    'UNAPPLIED_PAYMENT',
    'UNAPPLIED_PAYMENT_REFUNDED',
  ])
  expect(await one(`SELECT count(*)::int FROM fulfillments`)).toEqual([0])
  expect(
    await one(
      `SELECT relname FROM pg_class WHERE NOT relforcerowsecurity AND relname = ANY ('{audit,cases,inquiry_messages,order_events}')`,
    ),
  ).toEqual([])
})

test('withdrawn refund requests of earlier releases are read under their present name', async () => {
  await using database = await databaseBefore('0017_withdrawn-requests')
  const { client, apply } = database
  const [store, id] = [randomUUID(), randomUUID()]
  await client.query(`INSERT INTO customers (customer_id, code, settings) VALUES ($1, 'acme', '{}')`, [store])
  // Only these rows: their parents are irrelevant here.
  await client.query('SET session_replication_role = replica')
  await client.query(
    `INSERT INTO cancel_requests (customer_id, id, order_id, member_id, item_ids, amount, currency, reason, outcome)
     VALUES ($1, $2, $2, $2, '{}', 900, 'USD', 'CHANGED_MIND', 'TAKEN_BACK')`,
    [store, id],
  )
  await client.query(
    `INSERT INTO order_events (customer_id, id, order_id, type) VALUES ($1, $2, $2, 'CANCEL_TAKEN_BACK')`,
    [store, id],
  )
  await client.query(
    `INSERT INTO mails (customer_id, id, "to", locale, template, once, subject, text, html)
     VALUES ($1, $2, 'a@example.com', 'en', 'unapplied', 'undue:1:whole', '', '', '')`,
    [store, id],
  )
  await client.query(
    `INSERT INTO idempotency_keys (customer_id, member_id, key, call, body_hash, status, answer, locked_until)
     VALUES ($1, $2, 'key', 'requestCancel', 'hash', 200, '{"timeline": [{"type": "CANCEL_TAKEN_BACK"}]}', now())`,
    [store, id],
  )
  await client.query('SET session_replication_role = DEFAULT')

  await apply('0017_withdrawn-requests')

  const one = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  expect(await one('SELECT outcome FROM cancel_requests')).toEqual(['WITHDRAWN'])
  expect(await one('SELECT type FROM order_events')).toEqual(['CANCEL_WITHDRAWN'])
  expect(await one('SELECT once FROM mails')).toEqual(['unapplied:1:whole'])
  expect(await one('SELECT procedure, answer FROM idempotency_keys')).toEqual([
    'requestCancel',
    { timeline: [{ type: 'CANCEL_WITHDRAWN' }] },
  ])
  const countRelations = `SELECT count(*)::int FROM pg_class
    WHERE relforcerowsecurity AND relname = ANY ('{cancel_requests,idempotency_keys,mails,order_events}')`
  expect(await one(countRelations)).toEqual([4])
})
