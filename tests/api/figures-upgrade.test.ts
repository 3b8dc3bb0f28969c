import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { databaseBefore } from '#tests/support/database-before.ts'

test('what was counted before has its ends on days of their plays, and plays under way know their day', async () => {
  await using database = await databaseBefore('0019_play-days')
  const { client, apply } = database
  const [store, product, other] = [randomUUID(), randomUUID(), randomUUID()]
  await client.query(
    `INSERT INTO customers (customer_id, code, settings) VALUES ($1, 'acme', '{"base": {"timeZone": "Asia/Seoul"}}')`,
    [store],
  )
  for (const id of [product, other])
    await client.query(
      `INSERT INTO products (customer_id, id, code, kind, title, summary, description, access, currency, option_count, poster)
       VALUES ($1, $2, $3, 'VOD', 'A quiet tide', '', '', 'FREE', 'KRW', 0, '{}')`,
      [store, id, id],
    )
  const figures = (id: string, day: string, plays: number, finishes: number) =>
    client.query(
      `INSERT INTO product_figures (customer_id, product_id, part, day, plays, finishes) VALUES ($1, $2, 'main', $3, $4, $5)`,
      [store, id, day, plays, finishes],
    )
  // The two ends of the 4th are of plays before: one of the 3rd, one of the 1st. That of the other product has no play at all.
  await figures(product, '2026-03-01', 2, 0)
  await figures(product, '2026-03-03', 3, 2)
  await figures(product, '2026-03-04', 0, 2)
  await figures(product, '2026-03-06', 1, 0)
  await figures(other, '2026-03-01', 0, 2)
  const event = (id: string, type: string, at: string) =>
    client.query(
      `INSERT INTO product_events (customer_id, id, product_id, type, part, at) VALUES ($1, $2, $3, $4, 'main', $5)`,
      [store, randomUUID(), id, type, at],
    )
  // Not added up yet. The 7th has begun in the store.
  await event(product, 'PLAY', '2026-03-06T16:00:00Z')
  await event(product, 'FINISH', '2026-03-06T16:30:00Z')
  await event(other, 'FINISH', '2026-03-06T16:30:00Z')
  const position = (id: string, viewer: string, at: string, counted = true, finished = false) =>
    client.query(
      `INSERT INTO positions (customer_id, viewer, product_id, part, position_seconds, duration_seconds, counted, finished, at)
       VALUES ($1, $2, $3, 'main', 40, 100, $4, $5, $6)`,
      [store, viewer, id, counted, finished, at],
    )
  await position(product, 'late', '2026-03-06T10:00:00Z')
  await position(product, 'early', '2026-03-02T10:00:00Z')
  await position(product, 'done', '2026-03-06T16:30:00Z', true, true)
  await position(product, 'short', '2026-03-06T16:40:00Z', false)
  await position(other, 'unknown', '2026-03-06T16:40:00Z')

  await apply('0019_play-days')

  const days = await client.query(
    `SELECT product_id = $1 AS first, to_char(day, 'DD') AS day, plays, finishes FROM product_figures ORDER BY 1 DESC, day`,
    [product],
  )
  expect(days.rows.map(({ first, day, plays, finishes }) => [first, day, plays, finishes])).toEqual([
    [true, '01', 2, 1],
    [true, '03', 3, 3],
    [true, '04', 0, 0],
    [true, '06', 1, 0],
    [false, '01', 0, 0],
  ])
  const events = await client.query(`SELECT type, to_char(day, 'DD') AS day FROM product_events ORDER BY at`)
  expect(events.rows).toEqual([
    { type: 'PLAY', day: '07' },
    { type: 'FINISH', day: '07' },
  ])
  const positions = await client.query(
    `SELECT viewer, to_char(counted_on, 'DD') AS day, reached FROM positions ORDER BY viewer`,
  )
  expect(positions.rows).toEqual([
    { viewer: 'done', day: null, reached: null },
    { viewer: 'early', day: '01', reached: null },
    { viewer: 'late', day: '06', reached: null },
    { viewer: 'short', day: null, reached: null },
    { viewer: 'unknown', day: null, reached: null },
  ])
  const held = await client.query(
    `SELECT count(*)::int AS tables FROM pg_class WHERE relforcerowsecurity AND relname IN ('positions', 'product_events', 'product_figures')`,
  )
  expect(held.rows).toEqual([{ tables: 3 }])
})

test('events of subscriptions take over the present names of their plans, and categories have no former paths yet', async () => {
  await using database = await databaseBefore('0030_former-category-paths')
  const { client, apply } = database
  const plan = randomUUID()
  const translations = { ko: { name: '정기권', summary: '모두' }, ja: { summary: 'すべて' } }
  // Both stores have a plan and events under the same ids: each takes over its own name.
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
  // Events alone: their members and subscriptions do not matter here.
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

  await apply('0030_former-category-paths')
  await apply('0031_subscription-history-names')

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
  const held = await client.query(
    `SELECT relname AS name FROM pg_class
      WHERE relforcerowsecurity AND relname IN ('categories', 'plans', 'subscription_events') ORDER BY relname`,
  )
  expect(held.rows.map(({ name }) => name)).toEqual(['categories', 'plans', 'subscription_events'])
})
