import { productsOfBuyers } from '#api/modules/catalog/playables.queries.ts'
import {
  listIn,
  optionalTextIn,
  textIn,
  translationsOf,
  type Values,
} from '#api/modules/import-export/tables/cell-formats.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { isNumbered, placedTexts } from '#contract/admin/product-gallery.ts'
import { productAccess, productKind, productStatus } from '#contract/enumerations.ts'
import { productCode, productId, type VideoId } from '#contract/ids.ts'
import { isPlainPicture } from '#contract/picture.ts'
import * as cell from './column-codecs.ts'
import { chapterTitles, filmColumns, settleVideos, videoIdsFor } from './films.ts'
import { endProducts, type ProductFileRow, readProductRows, upsertRows } from './import-export.queries.ts'
import {
  batchSize,
  countIn,
  type ImportContext,
  laterThan,
  pictureKey,
  pictureUnder,
  type RowChange,
  type RowProblem,
  type StoredRow,
  type Table,
  textsOf,
} from './table.ts'
import { fileOf, pictures } from './table-columns.ts'

export const codeColumn = cell.code(
  'code',
  /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/,
  (i18n) => i18n._('must have at most 64 letters A to Z, digits and hyphens'),
  'K100',
)
const farthest = 1_000_000_000

const texts = [
  cell.line('title', 300, { example: 'A quiet tide' }),
  cell.prose('summary', 2000),
  cell.html('description', 200_000),
  cell.list('tags', 50, 60, 'drama|short'),
  cell.line('poster_alt', 300, { empty: '' }),
  cell.line('seo_title', 300, { empty: null }),
  cell.line('seo_description', 1000, { empty: null }),
  cell.list('gallery_alts', 30, 300, 'The harbour at noon|The pier', { repeats: true }),
] as const
const [title, summary, description, tags, posterAlt, seoTitle, seoDescription, galleryAlts] = texts

const columns = [
  codeColumn,
  title,
  cell.oneOf('kind', productKind.options),
  cell.unchangedWhenEmpty(cell.oneOf('access', productAccess.options, null)),
  cell.unchangedWhenEmpty(cell.oneOf('status', productStatus.options, 'ON_SALE')),
  summary,
  description,
  cell.categories('categories', { onlyDeepest: true }),
  tags,
  fileOf('poster', 'PICTURE', null),
  posterAlt,
  fileOf('poster_tall', 'PICTURE', null),
  pictures('gallery', 30),
  galleryAlts,
  ...filmColumns,
  cell.line('age_rating', 20, { empty: 'ALL' }),
  cell.time('sale_from'),
  cell.time('sale_to'),
  cell.wholeNumberColumn('sort', -farthest, farthest, { empty: 0 }),
  seoTitle,
  seoDescription,
  cell.unchangedWhenEmpty(cell.time('created')),
]

const storedRowOf = (context: ImportContext, row: ProductFileRow): StoredRow => {
  const { id, created_at, category_ids, poster, poster_tall, gallery, ...same } = row
  const plain = isPlainPicture(poster)
  return {
    id,
    values: {
      ...same,
      categories: cell.mostSpecific(category_ids.flatMap((category) => context.tree.pathOf(category) ?? [])),
      poster: plain ? null : pictureKey(context, poster),
      poster_alt: plain || poster.alt === row.title ? '' : poster.alt,
      poster_tall: pictureKey(context, poster_tall),
      gallery: gallery.flatMap((picture) => pictureKey(context, picture) ?? []),
      gallery_alts: placedTexts(gallery.map((picture) => (isNumbered(row.title, picture) ? '' : picture.alt))),
      created: created_at,
    },
  }
}

const idsAlong = ({ tree }: ImportContext, path: string) => {
  const id = tree.idOf(path)
  return id ? tree.idsTo(id) : []
}

const rowOf = (context: ImportContext, { id, values }: RowChange, videoId: VideoId | null) => {
  const title = textIn(values, 'title')
  const alt = optionalTextIn(values, 'poster_alt') || title
  const alts = listIn(values, 'gallery_alts')
  const poster = pictureUnder(context, optionalTextIn(values, 'poster'), alt)
  const ids = listIn(values, 'categories').flatMap((path) => idsAlong(context, path))
  return {
    customer_id: context.customerId,
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
    poster: poster ?? { ...context.plain, alt: title },
    poster_tall: pictureUnder(context, optionalTextIn(values, 'poster_tall'), alt),
    gallery: listIn(values, 'gallery').map((key, at) => pictureUnder(context, key, alts[at] || `${title} ${at + 1}`)),
    video_id: videoId,
    age_rating: values.age_rating,
    currency: context.currency,
    sale_from: values.sale_from,
    sale_to: values.sale_to,
    sort: values.sort,
    seo_title: values.seo_title,
    seo_description: values.seo_description,
    translations: translationsOf(values),
    created_at: values.created ?? context.now,
    updated_at: context.now,
  }
}

const problems = ({ kind, access, sale_from, sale_to }: Values): RowProblem[] => [
  ...(kind === 'FREE' && access !== null && access !== 'FREE' && access !== 'MEMBER'
    ? [{ column: 'access', message: (i18n: I18n) => i18n._('must be FREE or MEMBER for a product of the kind FREE') }]
    : []),
  ...(sale_from && sale_to && sale_from >= sale_to ? [{ column: 'sale_to', message: laterThan('sale_from') }] : []),
]

/** Those who have a product would lose it. */
const soldDraft: RowProblem = {
  column: 'status',
  message: (i18n) =>
    i18n._('must not be DRAFT again: it was ordered, or members have a right to it. Use ENDED or HIDDEN'),
}

/** Products by code. */
export const products: Table = {
  name: 'products',
  columns,
  texts: [...texts, chapterTitles],
  keys: ['code'],
  count: countIn('products'),
  registerKey: ({ named }, { code }) => typeof code === 'string' && named.products.add(code),
  releaseBatch: (context) => {
    context.pictures = new Map(context.readyPictures)
  },
  find: async (context, rows) =>
    (await readProductRows(context.db, context.customerId, { codes: textsOf(rows, 'code') })).map((row) =>
      storedRowOf(context, row),
    ),
  check: async (context, pairs) => {
    const ofFilms = await settleVideos(context, pairs)
    const drafts = pairs.flatMap(({ values, stored }) =>
      stored && stored.values.status !== 'DRAFT' && values.status === 'DRAFT' ? [productId.parse(stored.id)] : [],
    )
    const ofBuyers = await productsOfBuyers(context.db, context.customerId, drafts)
    return pairs.map(({ values, stored }, at) => [
      ...problems(values),
      ...(stored && ofBuyers.has(productId.parse(stored.id)) ? [soldDraft] : []),
      ...(ofFilms[at] ?? []),
    ])
  },
  write: async (context, changes) => {
    const videoIdOf = await videoIdsFor(context, changes, ({ id }) => ({
      productId: productId.parse(id),
      lessonId: null,
    }))
    const rows = changes.map((change) => rowOf(context, change, videoIdOf(change)))
    await upsertRows(context.db, 'products', rows)
    for (const { id, values, stored } of changes) {
      context.touched.add(productId.parse(id))
      if (values.status !== 'ON_SALE' || stored?.values.status === 'ON_SALE') continue
      const period = { saleFrom: optionalTextIn(values, 'sale_from'), saleTo: optionalTextIn(values, 'sale_to') }
      const code = productCode.parse(values.code)
      context.onSale.push({ productId: productId.parse(id), productCode: code, ...period })
    }
  },
  all: async function* (context) {
    for (let after: string | undefined; ; ) {
      const page = { limit: batchSize, ...(after === undefined ? {} : { after }) }
      const rows = await readProductRows(context.db, context.customerId, page)
      if (rows.length > 0) yield rows.map((row) => storedRowOf(context, row))
      if (rows.length < batchSize) return
      after = rows.at(-1)?.code
    }
  },
  // Buyers keep what they bought, so a product is never deleted: it is no longer sold or listed.
  remove: async (context, stored) => {
    const open = stored.filter(({ values }) => values.status === 'ON_SALE')
    await endProducts(
      context.db,
      context.customerId,
      open.map(({ id }) => productId.parse(id)),
      context.now,
    )
    return open.length
  },
}
