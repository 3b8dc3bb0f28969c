import { productIdsOf } from '#api/db/queries/exchange.ts'
import type { BannerLink } from '#contract/content.ts'
import { bannerType } from '#contract/enumerations.ts'
import type { CategoryId, ProductCode } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { isDomain, storefrontPath } from '#contract/rules.ts'
import * as cell from '../cells.ts'
import { type Complaint, pictureKey, pictureUnder, type Work } from '../table.ts'
import { knownPlan } from './plans.ts'
import { periodComplaints, wholeTable } from './whole.ts'

const textOf = ({ tree }: Work, link: BannerLink | null): string | null => {
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

const linkOf = ({ tree }: Work, text: string | null): BannerLink | null => {
  const [, kind, target = ''] = /^(product|category|plan):(.+)$/s.exec(text ?? '') ?? []
  if (kind === 'product') return { target: 'PRODUCT', productCode: target as ProductCode }
  if (kind === 'plan') return { target: 'PLAN', planCode: target }
  if (kind === 'category') return { target: 'CATEGORY', categoryId: (tree.idOf(target) ?? '') as CategoryId }
  return text === null ? null : { target: 'URL', url: text }
}

const linkComplaints = async (work: Work, link: cell.Value | undefined): Promise<Complaint[]> => {
  const [, kind, target = ''] = /^(product|plan):(.+)$/s.exec(String(link ?? '')) ?? []
  if (kind === 'product' && !work.named.products.has(target)) {
    const known = await productIdsOf(work.db, work.customerId, [target])
    if (!known.has(target))
      return [{ column: 'link', right: `must lead to a product of the store: there is no ${target}` }]
  }
  if (kind === 'plan' && !work.named.plans.has(target) && !(await knownPlan(work, target)))
    return [{ column: 'link', right: `must lead to a plan of the store: there is no ${target}` }]
  return []
}

const title = cell.line('title', 300, { example: 'New in November' })
const text = cell.prose('text', 1000)
const label = cell.line('label', 100, { empty: null })
const html = cell.prose('html', 100_000, { empty: null })

/** Pictures and words that lead somewhere, by their place on the pages. */
export const banners = wholeTable({
  name: 'banners',
  texts: [title, text, label, html],
  columns: [
    cell.oneOf('type', bannerType.options),
    title,
    text,
    label,
    cell.fileOf('wide', 'PICTURE', null),
    cell.fileOf('narrow', 'PICTURE', null),
    cell.oneOf('tone', ['LIGHT', 'DARK'], 'LIGHT'),
    cell.leadsTo('link', (text) => isDomain(text) || storefrontPath.test(text)),
    html,
    cell.time('show_from'),
    cell.time('show_to'),
    cell.whole('sort', 0, 1_000_000, { empty: 0 }),
    cell.rowId,
  ],
  keys: ['type', 'title'],
  valuesOf: (work, row) => {
    const { wide, narrow, link, ...rest } = row
    return {
      ...(rest as cell.Values),
      wide: pictureKey(work, wide as Picture | null),
      narrow: pictureKey(work, narrow as Picture | null),
      link: textOf(work, link as BannerLink | null),
    }
  },
  complaints: async (work, values) => [
    ...periodComplaints(values),
    ...(values.type === 'CUSTOM' && values.html === null
      ? [{ column: 'html', right: 'must hold the HTML of a banner of the type CUSTOM' }]
      : []),
    ...(await linkComplaints(work, values.link)),
  ],
  rowOf: (work, { id, values }) => ({
    ...{ customer_id: work.customerId, id, type: values.type, title: values.title, text: values.text },
    label: values.label,
    wide: pictureUnder(work, values.wide as string | null, values.title as string),
    narrow: pictureUnder(work, values.narrow as string | null, values.title as string),
    ...{ tone: values.tone, link: linkOf(work, values.link as string | null), html: values.html },
    ...{ show_from: values.show_from, show_to: values.show_to, sort: values.sort },
  }),
})
