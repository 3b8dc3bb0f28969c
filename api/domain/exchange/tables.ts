import type { Table } from './table.ts'
import { attachments } from './tables/attachments.ts'
import { banners } from './tables/banners.ts'
import { categories } from './tables/categories.ts'
import { faq } from './tables/faq.ts'
import { lessons } from './tables/lessons.ts'
import { notices } from './tables/notices.ts'
import { options } from './tables/options.ts'
import { pages } from './tables/pages.ts'
import { plans } from './tables/plans.ts'
import { products } from './tables/products.ts'

/** All tables of a catalogue, each after those it refers to. */
export const tables: readonly Table[] = [
  ...[categories, products, options, lessons, attachments],
  ...[plans, banners, notices, faq, pages],
]
