import { listIn, optionalTextIn, textIn, type Values } from '#api/modules/import-export/cell-values.ts'
import * as cell from '#api/modules/import-export/column-codecs.ts'
import { chapterTitles, filmColumns, settleVideos, videoIdsFor } from '#api/modules/import-export/films.ts'
import { endProducts, type ProductFileRow, readProductRows } from '#api/modules/import-export/import-export.queries.ts'
import {
  batchSize,
  type Complaint,
  countIn,
  type ImportContext,
  pictureKey,
  pictureUnder,
  type RowChange,
  type StoredRow,
  type Table,
  textsOf,
} from '#api/modules/import-export/table.ts'
import { translationsOf } from '#api/modules/import-export/table-languages.ts'
import { upsertRows } from '#api/platform/db/upsert-rows.ts'
import { productAccess, productKind } from '#contract/enumerations.ts'

export const codeColumn = cell.code(
  'code',
  /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/,
  'must be letters A to Z, digits and hyphens, 64 at most',
  'K100',
)
const farthest = 1_000_000_000

const texts = [
  cell.line('title', 300, { example: 'A quiet tide' }),
  cell.prose('summary', 2000),
  cell.prose('description', 200_000),
  cell.list('tags', 50, 60, 'drama|short'),
  cell.line('poster_alt', 300, { empty: '' }),
  cell.line('seo_title', 300, { empty: null }),
  cell.line('seo_description', 1000, { empty: null }),
] as const
const [title, summary, description, tags, posterAlt, seoTitle, seoDescription] = texts

const columns = [
  codeColumn,
  title,
  cell.oneOf('kind', productKind.options),
  cell.keeping(cell.oneOf('access', productAccess.options, null)),
  cell.keeping(cell.oneOf('status', ['DRAFT', 'ON_SALE', 'HIDDEN', 'ENDED'], 'ON_SALE')),
  summary,
  description,
  cell.categories('categories', { onlyDeepest: true }),
  tags,
  cell.fileOf('poster', 'PICTURE', null),
  posterAlt,
  cell.fileOf('poster_tall', 'PICTURE', null),
  cell.pictures('gallery', 30),
  ...filmColumns,
  cell.line('age_rating', 20, { empty: 'ALL' }),
  cell.time('sale_from'),
  cell.time('sale_to'),
  cell.whole('sort', -farthest, farthest, { empty: 0 }),
  seoTitle,
  seoDescription,
  cell.keeping(cell.time('created')),
]

const plainPoster = /\/plain-[0-9a-f]{6}\.webp$/

const keptOf = (work: ImportContext, row: ProductFileRow): StoredRow => {
  const { id, created_at, category_ids, poster, poster_tall, gallery, ...same } = row
  const plain = plainPoster.test(poster.url)
  return {
    id,
    values: {
      ...same,
      categories: cell.deepest(category_ids.flatMap((category) => work.tree.pathOf(category) ?? [])),
      poster: plain ? null : pictureKey(work, poster),
      poster_alt: plain || poster.alt === row.title ? '' : poster.alt,
      poster_tall: pictureKey(work, poster_tall),
      gallery: gallery.flatMap((picture) => pictureKey(work, picture) ?? []),
      created: created_at,
    },
  }
}

const rowOf = (work: ImportContext, { id, values }: RowChange, videoId: string | null) => {
  const title = textIn(values, 'title')
  const alt = optionalTextIn(values, 'poster_alt') || title
  const poster = pictureUnder(work, optionalTextIn(values, 'poster'), alt)
  const ids = listIn(values, 'categories').flatMap((path) => work.tree.lineOf(work.tree.idOf(path) ?? ''))
  return {
    customer_id: work.customerId,
    id,
    code: values.code,
    title,
    kind: values.kind,
    access: values.access ?? (values.kind === 'FREE' ? 'MEMBER' : 'PURCHASE'),
    status: values.status,
    summary: values.summary,
    description: values.description,
    tags: values.tags,
    category_ids: [...new Set(ids)],
    poster: poster ?? { ...work.plain, alt: title },
    poster_tall: pictureUnder(work, optionalTextIn(values, 'poster_tall'), alt),
    gallery: listIn(values, 'gallery').map((key, at) => pictureUnder(work, key, `${title} ${at + 1}`)),
    video_id: videoId,
    age_rating: values.age_rating,
    currency: work.currency,
    sale_from: values.sale_from,
    sale_to: values.sale_to,
    sort: values.sort,
    seo_title: values.seo_title,
    seo_description: values.seo_description,
    translations: translationsOf(values),
    created_at: values.created ?? work.now,
    updated_at: work.now,
  }
}

const complaints = ({ kind, access, sale_from, sale_to }: Values): Complaint[] => [
  ...(kind === 'FREE' && access !== null && access !== 'FREE' && access !== 'MEMBER'
    ? [{ column: 'access', right: 'must be FREE or MEMBER for a product of the kind FREE' }]
    : []),
  ...(sale_from && sale_to && sale_from >= sale_to
    ? [{ column: 'sale_to', right: 'must be later than sale_from' }]
    : []),
]

/** Products by code. */
export const products: Table = {
  name: 'products',
  columns,
  texts: [...texts, chapterTitles],
  keys: ['code'],
  count: countIn('products'),
  hears: ({ named }, { code }) => typeof code === 'string' && named.products.add(code),
  rests: (work) => {
    work.pictures = new Map(work.readyPictures)
  },
  find: async (work, given) =>
    (await readProductRows(work.db, work.customerId, { codes: textsOf(given, 'code') })).map((row) =>
      keptOf(work, row),
    ),
  check: async (work, pairs) => {
    const ofFilms = await settleVideos(work, pairs)
    return pairs.map(({ values }, at) => [...complaints(values), ...(ofFilms[at] ?? [])])
  },
  write: async (work, changes) => {
    const videoIdOf = await videoIdsFor(work, changes, ({ id }) => ({ productId: id, lessonId: null }))
    const rows = changes.map((change) => rowOf(work, change, videoIdOf(change)))
    await upsertRows(work.db, 'products', rows)
    for (const { id } of changes) work.touched.add(id)
  },
  all: async function* (work) {
    for (let after: string | undefined; ; ) {
      const page = { limit: batchSize, ...(after === undefined ? {} : { after }) }
      const rows = await readProductRows(work.db, work.customerId, page)
      if (rows.length > 0) yield rows.map((row) => keptOf(work, row))
      if (rows.length < batchSize) return
      after = rows.at(-1)?.code
    }
  },
  // Buyers keep what they bought, so a product is never deleted: it is no longer sold or listed.
  remove: async (work, kept) => {
    const open = kept.filter(({ values }) => values.status === 'ON_SALE')
    await endProducts(
      work.db,
      work.customerId,
      open.map(({ id }) => id),
      work.now,
    )
    return open.length
  },
}
