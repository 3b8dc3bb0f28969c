import { productIdsOf } from '#api/modules/catalog/products.queries.ts'
import { pageAt } from '#api/modules/content/content.queries.ts'
import {
  joinTranslations,
  listIn,
  optionalTextIn,
  sortedTranslations,
  splitTranslations,
  textIn,
  translationsOf,
  type Value,
  type Values,
} from '#api/modules/import-export/tables/cell-formats.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { picturedBanners } from '#contract/admin/content.ts'
import type { BannerLink } from '#contract/content.ts'
import { bannerType } from '#contract/enumerations.ts'
import { categoryId, planCode, productCode } from '#contract/ids.ts'
import { storefrontPath } from '#contract/rules.ts'
import { isDomain } from '#contract/web-addresses.ts'
import * as cell from './column-codecs.ts'
import { knownPlan } from './plans.ts'
import {
  hiddenPage,
  type ImportContext,
  periodProblems,
  pictureKey,
  pictureUnder,
  plannedProblems,
  type RowProblem,
  type StoredRow,
  wholeTable,
} from './table.ts'
import { fileOf, namedFile, namedFiles } from './table-columns.ts'

const textOf = ({ tree }: ImportContext, link: BannerLink | null): string | null => {
  switch (link?.target) {
    case 'PRODUCT':
      return `product:${link.productCode}`
    case 'PLAN':
      return `plan:${link.planCode}`
    case 'CATEGORY': {
      const path = tree.pathOf(link.categoryId)
      return path === undefined ? null : `category:${path}`
    }
    case 'URL':
      return link.url
    default:
      return null
  }
}

const linkOf = ({ tree }: ImportContext, text: string | null): BannerLink | null => {
  const [, kind, target = ''] = /^(product|category|plan):(.+)$/s.exec(text ?? '') ?? []
  // A link that leads nowhere is refused by `check` before anything is written.
  if (kind === 'product') return { target: 'PRODUCT', productCode: productCode.parse(target) }
  if (kind === 'plan') return { target: 'PLAN', planCode: planCode.parse(target) }
  if (kind === 'category') return { target: 'CATEGORY', categoryId: categoryId.parse(tree.idOf(target)) }
  return text === null ? null : { target: 'URL', url: text }
}

const linkProblems = async (context: ImportContext, link: Value | undefined): Promise<RowProblem[]> => {
  const [, kind, target = ''] = /^(product|plan):(.+)$/s.exec(String(link ?? '')) ?? []
  const problem = (message: RowProblem['message']) => [{ column: 'link', message }]
  const isKnown = async () => (await productIdsOf(context.db, context.customerId, [target])).has(target)
  if (kind === 'product' && !context.named.products.has(target) && !(await isKnown()))
    return problem((i18n) => i18n._('must link to a product of the store. There is no {target}', { target }))
  if (kind === 'plan' && !context.named.plans.has(target) && !(await knownPlan(context, target)))
    return problem((i18n) => i18n._('must link to a plan of the store. There is no {target}', { target }))
  return []
}

/** Refuses a banner whose place shows pictures. What is stored without one may stay as it is. */
const missingPicture = ({ now }: ImportContext, values: Values, stored: StoredRow | null): RowProblem[] => {
  const { type, image_desktop: picture, ends_at: endsAt } = values
  if (picture !== null || !picturedBanners.some((place) => place === type)) return []
  if (typeof endsAt === 'string' && endsAt <= now) return []
  if (stored && stored.values.type === type && stored.values.image_desktop === null) return []
  const message = (i18n: I18n) => i18n._('must name a picture, or its type must be NONE, which is not shown')
  return [{ column: 'image_desktop', message }]
}

const period = [cell.time('starts_at'), cell.time('ends_at')] as const
const publication = [cell.yesNo('draft', false), ...period] as const

const periodOf = ({ starts_at, ends_at }: Values) => ({ starts_at, ends_at })
const publicationOf = (values: Values) => ({ is_draft: values.draft, ...periodOf(values) })

const bannerTitle = cell.line('title', 300, { example: 'New in November' })
const text = cell.prose('text', 1000)
const label = cell.line('label', 100, { empty: null })
const html = cell.html('html', 100_000, { empty: null })

/** Banners with images, texts and links, by their position on the pages. */
export const banners = wholeTable({
  name: 'banners',
  texts: [bannerTitle, text, label, html],
  columns: [
    cell.oneOf('type', bannerType.options),
    bannerTitle,
    text,
    label,
    fileOf('image_desktop', 'PICTURE', null),
    fileOf('image_mobile', 'PICTURE', null),
    cell.oneOf('tone', ['LIGHT', 'DARK'], 'LIGHT'),
    cell.linkTarget('link', (text) => isDomain(text) || storefrontPath.test(text)),
    html,
    ...period,
    cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }),
    cell.rowId,
  ],
  keys: ['type', 'title'],
  idOf: ({ id }) => id,
  valuesOf: (context, row) => {
    const { image_desktop: imageDesktop, image_mobile: imageMobile, link, ...rest } = row
    return {
      ...rest,
      image_desktop: pictureKey(context, imageDesktop),
      image_mobile: pictureKey(context, imageMobile),
      link: textOf(context, link),
    }
  },
  problems: async (context, values, stored) => [
    ...periodProblems(values),
    ...missingPicture(context, values, stored),
    ...(values.type === 'CUSTOM' && values.html === null
      ? [{ column: 'html', message: (i18n: I18n) => i18n._('must contain the HTML of a banner of the type CUSTOM') }]
      : []),
    ...(await linkProblems(context, values.link)),
  ],
  rowOf: (context, { id, values }) => ({
    customer_id: context.customerId,
    id,
    type: values.type,
    title: values.title,
    text: values.text,
    label: values.label,
    image_desktop: pictureUnder(context, optionalTextIn(values, 'image_desktop'), textIn(values, 'title')),
    image_mobile: pictureUnder(context, optionalTextIn(values, 'image_mobile'), textIn(values, 'title')),
    tone: values.tone,
    link: linkOf(context, optionalTextIn(values, 'link')),
    html: values.html,
    ...periodOf(values),
    sort: values.sort,
  }),
})

const texts = [
  cell.line('group', 100, { example: 'Payment' }),
  cell.line('question', 500, { example: 'How do I pay?' }),
  cell.html('answer', 100_000, { example: '<p>By card.</p>' }),
] as const

/** Questions and their answers, by group. */
export const faq = wholeTable({
  name: 'faq',
  texts,
  columns: [...texts, ...publication, cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }), cell.rowId],
  keys: ['group', 'question'],
  idOf: ({ id }) => id,
  valuesOf: (_, { customer_id: _customerId, is_draft: draft, ...row }) => ({ ...row, draft }),
  problems: (_, values) => periodProblems(values),
  rowOf: ({ customerId }, { id, values }) => ({
    customer_id: customerId,
    id,
    group: values.group,
    question: values.question,
    answer: values.answer,
    ...publicationOf(values),
    sort: values.sort,
  }),
})

const noticeTitle = cell.line('title', 300, { example: 'Closed on Friday' })
const noticeBody = cell.html('body', 200_000)

/**
 * Translated attachment names in attachment order: `attachment_names.ko`. The original names are in
 * `attachments`.
 */
const fileNames = cell.list('attachment_names', 10, 180, 'Programme.pdf|Map.pdf', { repeats: true })

export const notices = wholeTable({
  name: 'notices',
  texts: [noticeTitle, noticeBody, fileNames],
  columns: [
    noticeTitle,
    noticeBody,
    cell.yesNo('pinned', false),
    cell.yesNo('draft', false),
    namedFiles('attachments', 10),
    ...period,
    cell.unchangedWhenEmpty(cell.time('created')),
    cell.rowId,
  ],
  keys: ['title'],
  idOf: ({ id }) => id,
  valuesOf: ({ files }, row) => {
    const attachments = row.attachments.map(({ name, bytes, url }) => {
      const key = url.replace(/^\/media\//, '')
      files.set(key, { bytes, contentType: '' })
      return `${name}=${key}`
    })
    const { attachments: _, created_at: created, is_draft: draft, ...same } = row
    return { ...same, attachments, created, draft }
  },
  problems: (_, values) => periodProblems(values),
  rowOf: ({ customerId, now, files }, { id, values }) => ({
    customer_id: customerId,
    id,
    title: values.title,
    body: values.body,
    pinned: values.pinned,
    ...publicationOf(values),
    attachments: listIn(values, 'attachments')
      .map(namedFile)
      .map(({ name, key }) => {
        const facts = files.get(key)
        if (!facts) throw new Error(`The file ${key} was not made ready`)
        return { name, bytes: facts.bytes, url: `/media/${key}` }
      }),
    created_at: values.created ?? now,
  }),
})

const type = cell.code(
  'type',
  /^[a-z0-9][a-z0-9-]{0,39}$/,
  (i18n) => i18n._('must have at most 40 lower case letters, digits and hyphens'),
  'terms',
)

const pageTitle = cell.line('title', 200, { example: 'Terms of use' })
const pageBody = cell.html('body', 500_000)
/** The texts of a page from the time `planned_from` on. Null without such. */
const plannedTitle = cell.line('planned_title', 200, { empty: null, example: 'Terms of use' })
const plannedBody = cell.html('planned_body', 500_000, { empty: null })

/**
 * The store's own pages. Members agree to a version of a page, so its date changes only with its
 * text.
 */
export const pages = wholeTable({
  name: 'pages',
  key: 'type',
  texts: [pageTitle, pageBody, plannedTitle, plannedBody],
  columns: [
    type,
    pageTitle,
    pageBody,
    ...publication,
    cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }),
    cell.time('planned_from'),
    plannedTitle,
    plannedBody,
  ],
  keys: ['type'],
  idOf: (row) => row.type,
  valuesOf: ({ now }, { customer_id: _, updated_at: updatedAt, ...row }) => {
    const { updatedAt: updated, planned: later, is_draft: draft, ...page } = pageAt({ ...row, updatedAt }, now)
    return {
      ...page,
      updated,
      draft,
      planned_from: later?.startsAt ?? null,
      planned_title: later?.title ?? null,
      planned_body: later?.body ?? null,
      translations: joinTranslations(page.translations, later?.translations),
    }
  },
  problems: (context, values, stored) => [...plannedProblems(context, values, stored), ...hiddenPage(values, stored)],
  rowOf: ({ customerId, now }, { values, stored }) => {
    const { present, later } = splitTranslations(translationsOf(values))
    const textOf = (of: Values | undefined) =>
      JSON.stringify([of?.title, of?.body, of && sortedTranslations(splitTranslations(translationsOf(of)).present)])
    const isPublished = stored?.values.draft === true && values.draft === false
    const isSame = textOf(stored?.values) === textOf(values) && !isPublished
    return {
      customer_id: customerId,
      type: values.type,
      title: values.title,
      body: values.body,
      translations: present,
      planned:
        values.planned_from === null
          ? null
          : {
              title: values.planned_title,
              body: values.planned_body,
              translations: later,
              startsAt: values.planned_from,
            },
      ...publicationOf(values),
      sort: values.sort,
      updated_at: isSame ? stored?.values.updated : now,
    }
  },
})
