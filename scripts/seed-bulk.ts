import { parseArgs } from 'node:util'
import type pg from 'pg'
import { readConfig } from '#api/config.ts'
import { saveCaptionCues } from '#api/modules/catalog/captions.ts'
import { categories, productOptions, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { indexProducts } from '#api/modules/catalog/product-index.queries.ts'
import { insertCustomer } from '#api/modules/tenancy/store-states.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { bindTenant, createClient, onConnection, type TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { asError } from '#api/platform/log/log.ts'
import {
  type CategoryId,
  type CustomerId,
  customerCode,
  type OptionId,
  type ProductId,
  productCode,
  type VideoId,
} from '#contract/ids.ts'
import { readEnvironment } from '#server/environment.ts'
import { requireDatabase } from '#server/installed-database.ts'
import { openDatabase } from '#server/open-database.ts'
import { aurora } from '../demo/content/aurora/tenant.ts'
import { pick, seeded } from '../demo/film/scenes/random.ts'
import { seedVideos } from '../demo/seed/catalog.ts'
import { invent } from '../demo/seed/invented.ts'
import { inventSpeech } from '../demo/seed/invented-speech.ts'
import { CLIPS, picture } from '../demo/seed/media.ts'
import { seedComments, seedMembers, seedOrders } from './seed-sales.ts'

/**
 * Fills a tenant with invented products, for measuring: `npm run seed -- --products 100000 --tenant
 * bench`. The tenant is created when it does not exist. The store may be running.
 * `--hours 1000` adds as many products with an hour's captions, `--members 50000` members,
 * `--orders 100000` orders and `--comments 20000` comments of members.
 */
const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    hours: { type: 'string', default: '0' },
    members: { type: 'string', default: '0' },
    orders: { type: 'string', default: '0' },
    comments: { type: 'string', default: '0' },
    tenant: { type: 'string', default: 'bench' },
  },
})
const productCount = Number(values.products)
if (!Number.isSafeInteger(productCount) || productCount < 1) {
  console.error('--products must be a whole number from 1, for example --products 100000.')
  process.exit(2)
}
const hours = Number(values.hours)
if (!Number.isSafeInteger(hours) || hours < 0 || hours > productCount) {
  console.error('--hours must be a whole number from 0 to that of the products, for example --hours 1000.')
  process.exit(2)
}

const [memberCount, orderCount, commentCount] = [values.members, values.orders, values.comments].map(Number) as [
  number,
  number,
  number,
]
for (const [name, count] of Object.entries({ members: memberCount, orders: orderCount, comments: commentCount }))
  if (!Number.isSafeInteger(count) || count < 0) {
    console.error(`--${name} must be a whole number from 0, for example --${name} 50000.`)
    process.exit(2)
  }

/** A statement has at most 65,535 parameters. */
const batch = 2_000
const environment = readEnvironment()
const config = readConfig(environment.variables)
try {
  requireDatabase(config, environment, 'start it with npm start or npm run demo')
} catch (error) {
  console.error(asError(error).message)
  process.exit(1)
}
await using database = await openDatabase(config, () => {}, { join: true })
if (!database.ownerUrl) throw new Error('Set DATABASE_OWNER_URL: the serving role cannot create stores.')

const began = Date.now()
const client = createClient({ connectionString: database.ownerUrl })
await client.connect()
// Losing generated products in a crash is acceptable, and the index is updated once, at the end.
await client.query(`SET synchronous_commit = off; SET gin_pending_list_limit = '256MB'`)
try {
  const db = onConnection(client as unknown as pg.PoolClient)
  const customerId = await inTransaction(null, () => findOrCreateTenant(db))
  const catalog = await inTransaction(customerId, () => seedCatalog(db, customerId))
  for (let from = 0; from < productCount; from += batch) {
    const count = Math.min(batch, productCount - from)
    await inTransaction(customerId, () => insertBatch(db, customerId, catalog, from, count))
    process.stdout.write(`\r${(from + count).toLocaleString('en')} of ${productCount.toLocaleString('en')} products`)
  }
  for (let hour = 0; hour < hours; hour++) {
    await inTransaction(customerId, () => addHour(db, customerId, hour))
    if (hour % 20 === 19)
      process.stdout.write(`\r${(hour + 1).toLocaleString('en')} of ${hours.toLocaleString('en')} hours`)
  }
  await inTransaction(customerId, () => seedMembers(client, customerId, memberCount))
  await inTransaction(customerId, () => seedOrders(client, customerId, orderCount))
  await inTransaction(customerId, () => seedComments(client, customerId, commentCount))
  await client.query('VACUUM ANALYZE products, product_options, product_search, caption_passages')
  if (memberCount + orderCount > 0) await client.query('VACUUM ANALYZE members, orders, order_items, payments')
  if (commentCount > 0) await client.query('VACUUM ANALYZE comments')
  console.log(` in ${values.tenant}, ${((Date.now() - began) / 1000).toFixed(1)} s`)
} finally {
  await client.end()
}

async function inTransaction<Answer>(customerId: CustomerId | null, work: () => Promise<Answer>): Promise<Answer> {
  await client.query('BEGIN')
  try {
    if (customerId) await bindTenant(onConnection(client as unknown as pg.PoolClient), customerId)
    const answer = await work()
    await client.query('COMMIT')
    return answer
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function findOrCreateTenant(db: TenantDb): Promise<CustomerId> {
  const code = values.tenant
  const { rows } = await client.query<{ id: CustomerId }>('SELECT customer_id AS id FROM customers WHERE code = $1', [
    code,
  ])
  if (rows[0]) return rows[0].id
  const { settings } = aurora
  return insertCustomer(db, {
    code: customerCode.parse(code),
    opened: true,
    settings: { ...settings, base: { ...settings.base, name: 'Bench' } },
    hosts: [`${code}.localhost`],
  })
}

interface Catalog {
  readonly categoryPaths: readonly [CategoryId[], ...CategoryId[][]]
  readonly videoIds: readonly [VideoId, ...VideoId[]]
}

/** Three roots with four categories each, and the clips; new for each run. */
async function seedCatalog(db: TenantDb, customerId: CustomerId): Promise<Catalog> {
  const run = Date.now().toString(36)
  const categoryPaths: CategoryId[][] = []
  for (const [root, name] of ['Films', 'Courses', '자료'].entries()) {
    const parentId = newId<CategoryId>()
    await db.insert(categories).values({ customerId, id: parentId, level: 1, name, slug: `${run}-${root}`, sort: root })
    for (let child = 0; child < 4; child++) {
      const id = newId<CategoryId>()
      categoryPaths.push([id, parentId])
      await db.insert(categories).values({
        customerId,
        id,
        parentId,
        level: 2,
        name: `${name} ${child + 1}`,
        slug: `${run}-${root}-${child}`,
        sort: child,
      })
    }
  }
  const videoIds = [...(await seedVideos({ customerId, db }, false)).values()]
  return {
    categoryPaths: categoryPaths as [CategoryId[], ...CategoryId[][]],
    videoIds: videoIds as [VideoId, ...VideoId[]],
  }
}

async function insertBatch(
  db: TenantDb,
  customerId: CustomerId,
  catalog: Catalog,
  from: number,
  count: number,
): Promise<void> {
  const random = seeded(from + 1)
  const { currency } = aurora.settings.base
  const posters = aurora.products.slice(0, 24).map(({ code }) => picture(`aurora/${code}`, '')) as [
    ReturnType<typeof picture>,
    ...ReturnType<typeof picture>[],
  ]
  const now = Date.now()
  const rows = Array.from({ length: count }, (_, offset) => {
    const index = from + offset
    const { title, summary, tags, priceAmount } = invent(random, index)
    const countOfViews = Math.floor(random() ** 4 * 90_000)
    const kind = pick(random, ['VOD', 'VOD', 'VOD', 'PAY', 'FREE'] as const)
    const isFree = kind === 'FREE'
    return {
      customerId,
      id: newId<ProductId>(),
      code: productCode.parse(`b${now.toString(36)}-${index}`),
      kind,
      access: isFree ? 'MEMBER' : pick(random, ['PURCHASE', 'PURCHASE_OR_PLAN', 'PURCHASE'] as const),
      status: 'ON_SALE',
      title,
      summary,
      description: `<p>${summary}</p>`,
      poster: pick(random, posters),
      videoId: pick(random, catalog.videoIds),
      durationSeconds: kind === 'VOD' ? Object.values(CLIPS)[0]?.durationSeconds : null,
      ageRating: 'ALL',
      tags: [...tags],
      categoryIds: pick(random, catalog.categoryPaths),
      ...(!isFree && { priceAmount, priceType: 'OWN' as const, optionCount: 1 }),
      currency,
      sort: Math.floor(random() * 1_000_000),
      countOfViews,
      countOfPlays: Math.floor(countOfViews * 0.4),
      countOfLikes: Math.floor(countOfViews * 0.05),
      createdAt: new Date(now - Math.floor(random() * 900 * dayMilliseconds)).toISOString(),
    } satisfies typeof products.$inferInsert
  })
  await db.insert(products).values(rows)
  const options = rows.flatMap(({ id: productId, priceAmount }) =>
    priceAmount == null
      ? []
      : [{ customerId, id: newId<OptionId>(), productId, name: 'Own it', type: 'OWN' as const, priceAmount, currency }],
  )
  await db.insert(productOptions).values(options)
  await indexProducts(db, customerId, rows)
}

/** A product of its own with an hour's video: half of them speak Korean. */
async function addHour(db: TenantDb, customerId: CustomerId, hour: number): Promise<void> {
  const videoId = newId<VideoId>()
  await db
    .insert(videos)
    .values({ customerId, id: videoId, asset: `video/invented-${videoId}`, durationSeconds: 3_600 })
  await client.query(
    `UPDATE products SET video_id = $2, duration_seconds = 3600
      WHERE customer_id = $1 AND id = (SELECT id FROM products WHERE customer_id = $1 AND kind = 'VOD' AND duration_seconds < 3600 LIMIT 1)`,
    [customerId, videoId],
  )
  await saveCaptionCues(db, customerId, videoId, [inventSpeech(seeded(hour + 1), hour % 2 ? 'ko' : 'en')])
}
