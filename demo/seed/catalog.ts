import { saveCaptionCues } from '#api/modules/catalog/captions.ts'
import {
  attachments,
  categories,
  lessons,
  productOptions,
  products,
  videos,
} from '#api/modules/catalog/catalog.schema.ts'
import { refreshProducts } from '#api/modules/catalog/product-index.queries.ts'
import { newId } from '#api/platform/db/columns.ts'
import {
  type AttachmentId,
  type CategoryId,
  type LessonId,
  type OptionId,
  type ProductId,
  productCode,
  type VideoId,
} from '#contract/ids.ts'
import { CHAPTERS, withChapters } from '../content/chapters.ts'
import { translationsIn, withBody } from '../content/model/phrases.ts'
import { html } from '../content/model/prose.ts'
import type { DemoCategory, DemoProduct, VideoName } from '../content/model/types.ts'
import { CLIPS, FILES, findPicture, picture } from './media.ts'
import { daysAgo, type Seeding } from './seeding.ts'
import { spokenIn } from './spoken.ts'

/** Where the rest of the seeding finds products, their options and their lessons. */
export interface SeededProduct {
  readonly id: ProductId
  readonly demo: DemoProduct
  readonly options: readonly (typeof productOptions.$inferInsert)[]
  readonly lessons: readonly (typeof lessons.$inferInsert)[]
}

export interface SeededCatalog {
  readonly products: ReadonlyMap<string, SeededProduct>
  readonly categoryIds: ReadonlyMap<string, CategoryId>
}

/** Days within which a rental must be started. */
const START_WITHIN_DAYS = 30

/** Writes categories, clips and products with all that hangs on them. */
export async function seedCatalog(seeding: Seeding): Promise<SeededCatalog> {
  const paths = await seedCategories(seeding)
  const videoIds = await seedVideos(seeding, seeding.tenant.settings.base.locale === 'ko')
  const { customerId, db, tenant } = seeding
  const { currency } = tenant.settings.base
  const { phrases } = tenant

  const seeded = tenant.products.map((demo, index): SeededProduct & { row: typeof products.$inferInsert } => {
    const id = newId<ProductId>()
    const name = `${tenant.code}/${demo.code}`
    const views = Math.round((demo.charm ** 2.4 / 6) * (1 + (index % 7) / 10)) + 12
    return {
      id,
      demo,
      lessons: (demo.lessons ?? []).map((lesson, sort) => ({
        customerId,
        id: newId<LessonId>(),
        productId: id,
        sort: sort + 1,
        title: lesson.title,
        summary: lesson.summary,
        translations: withChapters(
          translationsIn(phrases, { title: lesson.title, summary: lesson.summary }),
          lesson.video,
          tenant.settings.base,
        ),
        videoId: known(videoIds, lesson.video),
        free: lesson.free ?? false,
      })),
      options: (demo.options ?? []).map((option, sort) => ({
        customerId,
        id: newId<OptionId>(),
        productId: id,
        name: option.name,
        type: option.type,
        days: option.days ?? null,
        startWithinDays: option.type === 'RENT' ? START_WITHIN_DAYS : null,
        priceAmount: option.price,
        listPriceAmount: option.listPrice ?? null,
        translations: translationsIn(phrases, { name: option.name }),
        currency,
        sort,
      })),
      row: {
        customerId,
        id,
        code: productCode.parse(demo.code),
        kind: demo.kind,
        access: demo.access,
        title: demo.title,
        summary: demo.summary,
        description: html(demo.story),
        translations: withChapters(
          withBody(
            translationsIn(phrases, { title: demo.title, summary: demo.summary, tags: demo.tags }),
            tenant.bodies,
            'description',
            demo.code,
          ),
          demo.video,
          tenant.settings.base,
        ),
        poster: picture(name, demo.title),
        posterTall: findPicture(`${name}-tall`, demo.title),
        gallery: Array.from({ length: demo.gallery ?? 0 }, (_, still) =>
          picture(`${name}-${still + 1}`, `${demo.title} ${still + 1}`),
        ),
        videoId: demo.video ? (videoIds.get(demo.video) ?? null) : null,
        ageRating: demo.ageRating ?? 'ALL',
        tags: [...demo.tags],
        categoryIds: [...new Set(demo.categories.flatMap((slug) => known(paths, slug)))],
        currency,
        saleTo: demo.leaves === undefined ? null : daysAgo(seeding, -demo.leaves),
        sort: demo.charm * 100 + (index % 100),
        countOfViews: views,
        countOfPlays: demo.video || demo.lessons ? Math.round(views * (0.34 + (index % 5) / 25)) : 0,
        countOfLikes: Math.round(views * (0.02 + (demo.charm / 100) * 0.05)),
        countOfComments: tenant.comments
          .filter(({ product }) => product === demo.code)
          .reduce((count, { replies = [] }) => count + 1 + replies.length, 0),
        createdAt: daysAgo(seeding, demo.age, index),
      },
    }
  })

  await db.insert(products).values(seeded.map(({ row }) => row))
  const options = seeded.flatMap((product) => product.options)
  if (options.length > 0) await db.insert(productOptions).values(options)
  const lessonRows = seeded.flatMap((product) => product.lessons)
  if (lessonRows.length > 0) await db.insert(lessons).values(lessonRows)
  const files = seeded.flatMap(({ id, demo }) =>
    (demo.attachments ?? []).map(({ file, name, confirmation }, sort) => ({
      customerId,
      id: newId<AttachmentId>(),
      productId: id,
      name,
      ...FILES[file],
      confirmationText: confirmation ?? null,
      translations: translationsIn(tenant.phrases, { name, confirmation: confirmation ?? null }),
      sort,
    })),
  )
  if (files.length > 0) await db.insert(attachments).values(files)
  await refreshProducts(db, customerId)
  return {
    products: new Map(seeded.map((product) => [product.demo.code, product])),
    categoryIds: new Map([...paths].flatMap(([slug, [first]]) => (first ? [[slug, first] as const] : []))),
  }
}

/** Each category's own id followed by those of its ancestors, by slug. */
async function seedCategories({ customerId, db, tenant }: Seeding): Promise<Map<string, CategoryId[]>> {
  const paths = new Map<string, CategoryId[]>()
  const rows: (typeof categories.$inferInsert)[] = []
  const add = (siblings: readonly DemoCategory[], above: readonly CategoryId[]) => {
    for (const [sort, { slug, name, children = [] }] of siblings.entries()) {
      const id = newId<CategoryId>()
      paths.set(slug, [id, ...above])
      const translations = translationsIn(tenant.phrases, { name })
      rows.push({ customerId, id, parentId: above[0] ?? null, level: above.length + 1, name, slug, sort, translations })
      add(children, [id, ...above])
    }
  }
  add(tenant.categories, [])
  if (rows.length > 0) await db.insert(categories).values(rows)
  return paths
}

/** Makes all clips known to a tenant; answers their ids. */
export async function seedVideos(
  { customerId, db }: Pick<Seeding, 'customerId' | 'db'>,
  korean: boolean,
): Promise<Map<VideoName, VideoId>> {
  const ids = new Map<VideoName, VideoId>()
  const rows = (Object.keys(CLIPS) as VideoName[]).map((name) => {
    const clip = CLIPS[name]
    const id = newId<VideoId>()
    ids.set(name, id)
    return {
      customerId,
      id,
      asset: `video/${name}`,
      durationSeconds: clip.durationSeconds,
      previewAsset: clip.hasPreview ? `video/${name}-preview` : null,
      previewSeconds: clip.hasPreview ? clip.previewSeconds : null,
      captions: [...clip.captions],
      audio: [...clip.audio],
      storyboard: clip.storyboard,
      chapters: CHAPTERS[name].map(({ startSeconds, title }) => ({
        startSeconds,
        title: korean ? title.ko : title.en,
      })),
    }
  })
  await db.insert(videos).values(rows)
  for (const [name, id] of ids) await saveCaptionCues(db, customerId, id, spokenIn(name))
  return ids
}

function known<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The demo content names ${String(key)}, which does not exist`)
  return value
}
