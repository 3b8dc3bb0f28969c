import { expect, test } from 'vitest'
import { launchChecklist } from '#api/modules/admin/launch-checklist.ts'
import { lessons, videos } from '#api/modules/catalog/catalog.schema.ts'
import { refreshProducts } from '#api/modules/catalog/product-index.queries.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { videoJobs } from '#api/modules/media/media.schema.ts'
import { plans } from '#api/modules/plans/plans.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { newId } from '#api/platform/db/columns.ts'
import { createProgram } from '#cli/program.ts'
import {
  type BannerId,
  type LessonId,
  type PlanId,
  type ProductCode,
  type ProductId,
  planCode,
  type VideoId,
  type VideoJobId,
} from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { faultOf } from '#tests/support/command-lines.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const _api = createTestApi()
const api = createTestApi()
const run = quickCommandOf(api)
const timeout = 180_000

test(
  'the launch checklist names products on sale without a video, and failed jobs that no later job has followed',
  async () => {
    const tenant = await createTenant(api)
    const product = async (code: string, kind: 'PAY' | 'VOD', more: { status?: 'HIDDEN'; price?: null } = {}) =>
      (await tenant.createProduct({ file: false, code, kind, ...more })).id
    const [film, course, parts] = [
      await product('F1', 'VOD'),
      await product('C1', 'PAY'),
      await product('C2', 'PAY', { price: null }),
    ]
    await product('N1', 'PAY')
    await product('H1', 'PAY', { status: 'HIDDEN' })
    const video = newId<VideoId>()
    const lesson = (productId: ProductId, sort: number, videoId: VideoId | null = null) => {
      const id = newId<LessonId>()
      return { customerId: tenant.id, id, productId, sort, title: `Lesson ${sort}`, videoId }
    }
    const waiting = lesson(parts, 2)
    await tenant.within(async (db) => {
      await db.insert(videos).values({ customerId: tenant.id, id: video, asset: `video/${video}`, durationSeconds: 60 })
      await db.insert(lessons).values([lesson(course, 1), lesson(parts, 1, video), waiting])
      await refreshProducts(db, tenant.id)
    })
    const job = (productId: ProductId, lessonId: LessonId | null, status: VideoJob['status'], minute: number) =>
      tenant.within((db) =>
        db.insert(videoJobs).values({
          customerId: tenant.id,
          id: newId<VideoJobId>(),
          productId,
          lessonId,
          videoId: newId<VideoId>(),
          status,
          sourceKey: 'sources/a.mp4',
          sourceName: 'a.mp4',
          sourceBytes: 1,
          actor: 'admin:Jo',
          options: { captions: [], audio: [], chapters: [] },
          createdAt: `2026-11-01T10:0${minute}:00Z`,
        }),
      )
    await job(film, null, 'FAILED', 1)
    await job(parts, waiting.id, 'FAILED', 1)

    const { out } = await run(['customer', 'check', tenant.code])
    expect(out).toContain('· One product on sale without a video, so not listed yet: F1.')
    expect(out).toContain('· One product on sale whose lessons have no video, so not listed yet: C1.')
    expect(out).toContain('· One product on sale with neither a video nor a file, so not listed yet: N1.')
    expect(out).toContain(
      '· One product on sale with lessons that have no video; these lessons are not listed yet: C2.',
    )
    expect(out).toContain('· 2 products on sale whose video could not be encoded: C2, F1.')
    expect(out).toContain(`    npm run cli -- video add -c ${tenant.code} --product F1 film.mp4`)
    // Each line below an item is a sentence, or an existing command that can be pasted as it is.
    const program = createProgram()
    const remedies = out.match(/(?<=^ {4}).+$/gm)!
    const commands = remedies.filter((line) => !/^[A-Z].*(?:\.|:)$/.test(line))
    expect(commands.length).toBeGreaterThan(10)
    expect(commands.filter((line) => !line.startsWith('npm run cli -- ') || /[<>…]/.test(line))).toEqual([])
    expect(commands.map((line) => faultOf(program, line.slice('npm run cli -- '.length))).filter(Boolean)).toEqual([])

    await job(film, null, 'READY', 2)
    await job(parts, waiting.id, 'QUEUED', 2)
    expect((await run(['customer', 'check', tenant.code])).out).not.toContain('could not be encoded')
  },
  timeout,
)

test('the launch checklist names plans without products and banners that link to unavailable products', async () => {
  const settings = plainSettings()
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  const check = async () => (await run(['customer', 'check', tenant.code])).out
  const category = await tenant.createCategory('Films')
  const below = await tenant.createCategory('Short films', category)
  const plan = { customerId: tenant.id, name: 'Plan', priceAmount: 900, currency: 'USD', cycle: 'MONTH' as const }
  const banner = { customerId: tenant.id, type: 'BANNER' as const }
  await tenant.within(async (db) => {
    await db.insert(plans).values([
      { ...plan, id: newId<PlanId>(), code: planCode.parse('everything'), scope: 'ALL' },
      { ...plan, id: newId<PlanId>(), code: planCode.parse('films'), scope: 'CATEGORIES', categoryIds: [category.id] },
      { ...plan, id: newId<PlanId>(), code: planCode.parse('chosen'), scope: 'PRODUCTS' },
    ])
    await db.insert(banners).values([
      {
        ...banner,
        id: newId<BannerId>(),
        title: 'Gone',
        link: { target: 'PRODUCT', productCode: 'NOWHERE' as ProductCode },
      },
      {
        ...banner,
        id: newId<BannerId>(),
        title: 'Here',
        link: { target: 'PRODUCT', productCode: 'F1' as ProductCode },
      },
    ])
  })
  expect(await check()).toContain(
    'Plans without a product on sale, which are not offered yet: chosen, everything, films.',
  )
  expect(await check()).toContain('Banners that link to an unavailable product or plan: Gone, Here.')
  await tenant.createProduct({ code: 'F1', access: 'PURCHASE_OR_PLAN', categoryIds: [category.id, below.id] })
  expect(await check()).toContain('Plans without a product on sale, which are not offered yet: chosen.')
  expect(await check()).toContain('to an unavailable product or plan: Gone.')
})

test('the launch checklist requires payments, mail and a public host in production and mentions them elsewhere', async () => {
  const tenant = await createTenant(api)
  const check = async (environment: 'production' | 'demo' | 'development', sendsMail = false) => {
    const customer = (await resolveCustomer(api.deps, tenant.code))!
    const items = await tenant.within((db) => launchChecklist({ db, customer }, { sendsMail, environment }))
    const checksIn = (state: string) => items.filter((item) => item.state === state).map(({ what }) => what)
    return { missing: checksIn('MISSING'), advised: checksIn('ADVISED') }
  }
  await tenant.createProduct({ file: false, kind: 'VOD', code: 'F1', price: 900 })
  await payAt(api, tenant, 'sandbox')
  await run([
    'customer',
    'domains',
    tenant.code,
    '--add',
    `${tenant.code}.localhost`,
    '--remove',
    `${tenant.code}.test`,
  ])

  const production = await check('production')
  const problems = [
    'All hosts of the store are under localhost, which only this machine can reach.',
    'The payment provider is the sandbox. No money is transferred.',
    'No mail server is configured, so nobody can sign up or reset a password.',
    'No product on sale has anything to watch or download.',
  ]
  expect(production.missing).toEqual(expect.arrayContaining(problems))
  expect(JSON.stringify(production)).not.toMatch(/development|demo|mailbox/)
  expect((await check('production', true)).missing).not.toContain(problems[2])
  for (const environment of ['demo', 'development'] as const) {
    const { missing, advised } = await check(environment)
    expect(missing.filter((what) => problems.includes(what))).toEqual([problems[3]])
    expect(advised.join('\n')).toContain(`In ${environment}, payments go to the sandbox.`)
    expect(advised.join('\n')).toContain(`Emails are not sent in ${environment};`)
  }
  // Settings of the store itself are missing in both modes.
  const isOwnContent = (what: string) => /page|company|product/i.test(what)
  expect((await check('demo')).missing.filter(isOwnContent)).toEqual(production.missing.filter(isOwnContent))

  // One sellable product is enough; the other one is mentioned.
  await tenant.createProduct({ price: 900 })
  const one = await check('production')
  expect(one.missing.join('\n')).not.toMatch(/product/i)
  expect(one.advised).toContain('One product on sale without a video, so not listed yet: F1.')
  expect(one.advised.join('\n')).toContain('One product on sale of the kind VOD with a file but no video: ')
})
