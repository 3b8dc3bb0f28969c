import { changeTree, deepestLevel, freeSlug, moveProducts } from '#api/modules/catalog/categories.ts'
import {
  optionalTextIn,
  textIn,
  translationsOf,
  type Value,
  type Values,
} from '#api/modules/import-export/tables/cell-formats.ts'
import { isObject, type SettingProblem } from '#api/modules/tenancy/check-settings.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { didYouMean } from '#api/platform/text.ts'
import { categoryId } from '#contract/ids.ts'
import { isSlug } from '#contract/rules.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { indexCategoryPaths, readPath, writePath } from './cell-formats.ts'
import * as cell from './column-codecs.ts'
import { deleteRows, upsertRows } from './import-export.queries.ts'
import { readWhole, removeProductsFromCategories } from './small-tables.queries.ts'
import { countIn, type ImportContext, type RowChange, type RowProblem, type StoredRow, type Table } from './table.ts'

const path: cell.Column = {
  ...cell.line('category', 1000, { example: 'Films > Drama' }),
  read: (text) => {
    const names = readPath(text)
    if (names.length > deepestLevel)
      return new cell.InvalidCell((i18n) => i18n._('must have at most {max} levels', { max: deepestLevel }))
    if (names.some((name) => name.length > 100))
      return new cell.InvalidCell((i18n) => i18n._('must have names of at most 100 characters'))
    return names.length > 0
      ? writePath(names)
      : new cell.InvalidCell((i18n) => i18n._('must be a category, for example Films > Drama'))
  },
}

const columns = [
  path,
  cell.unchangedWhenEmpty({
    ...cell.line('slug', 80, { empty: null, example: 'drama' }),
    read: (text) => {
      const slug = text.normalize('NFC').toLowerCase()
      return isSlug(slug)
        ? slug
        : new cell.InvalidCell((i18n) =>
            i18n._('must have at most 80 letters and digits, with single hyphens between them, for example drama'),
          )
    },
  }),
  cell.wholeNumberColumn('sort', 0, 1_000_000, { empty: 0 }),
  cell.rowId,
]

const parentOf = (text: string) => {
  const names = readPath(text)
  return names.length > 1 ? writePath(names.slice(0, -1)) : null
}

/** Reads the category tree for everything that names categories. */
export const readTree = async (context: Pick<ImportContext, 'db' | 'customerId'>) => {
  const rows = await readWhole(context.db, context.customerId, 'categories')
  return { rows, tree: indexCategoryPaths(rows.map(({ id, parent_id, name }) => ({ id, parentId: parent_id, name }))) }
}

/** The settings that arrange categories, beside other things. */
export const arrangements: readonly string[] = ['homeSections', 'menu'] satisfies (keyof SiteSettings)[]

type Store = Pick<ImportContext, 'db' | 'customerId'>

/**
 * Returns settings for an export: arranged categories by their paths, because another store has
 * other ids. Categories that do not exist any more are left out.
 */
export const withCategoryPaths = async (store: Store, settings: SiteSettings): Promise<Record<string, unknown>> => {
  const { tree } = await readTree(store)
  const portable = <Item extends { kind: string }>(items: readonly Item[] | null | undefined) =>
    items?.flatMap((item): unknown[] => {
      if (!('categoryId' in item)) return [item]
      const { categoryId: id, ...rest } = item
      const category = tree.pathOf(categoryId.parse(id))
      return category === undefined ? [] : [{ ...rest, category }]
    }) ?? items
  const { homeSections, menu } = settings
  return {
    ...settings,
    ...(homeSections !== undefined && { homeSections: portable(homeSections) }),
    ...(menu !== undefined && { menu: portable(menu) }),
  }
}

/**
 * Replaces the paths of arranged categories by the ids of the store, whose categories are imported
 * by now. Returns what it does not have as problems of their cells.
 */
export const resolveCategoryPaths = async (store: Store, arranged: Readonly<Record<string, unknown>>) => {
  const { tree } = await readTree(store)
  const problems: SettingProblem[] = []
  const idIn = (item: Record<string, unknown>, place: string) => {
    const { category, categoryId: id, ...rest } = item
    const isNamed = typeof category === 'string'
    const found = isNamed ? tree.idOf(writePath(readPath(category))) : categoryId.safeParse(id).data
    // An id of another form is refused with its setting.
    if (found === undefined && !isNamed) return item
    if (found !== undefined && tree.pathOf(found) !== undefined) return { ...rest, categoryId: found }
    const suggestion = isNamed ? didYouMean(category, tree.paths.values()) : ''
    problems.push({
      field: `${place}.${isNamed ? 'category' : 'categoryId'}`,
      value: isNamed ? category : id,
      message: `must be a category of the store: there is none.${suggestion} Add new categories to the table of categories`,
    })
    return item
  }
  const values = Object.fromEntries(
    Object.entries(arranged).map(([name, items]) => [
      name,
      Array.isArray(items)
        ? items.map((item: unknown, at) =>
            isObject(item) && item.kind === 'CATEGORY' ? idIn(item, `${name}[${at}]`) : item,
          )
        : items,
    ]),
  )
  // What is refused is not checked again.
  for (const { field } of problems) delete values[field.replace(/\[.*$/, '')]
  return { values, problems }
}

const read = async (context: ImportContext): Promise<StoredRow[]> => {
  const { rows, tree } = await readTree(context)
  return rows.map(({ id, slug, sort, translations }) => ({
    id,
    values: { id, category: tree.pathOf(id) ?? '', slug, sort, translations },
  }))
}

const categoryIn = (values: Values) => textIn(values, 'category')
const key = (values: Values) => categoryIn(values).toLowerCase()

/** Distinguishes the slugs of siblings. Categories with different parents may share a slug. */
const slugKey = (values: Values, slug: Value | undefined) =>
  `${parentOf(categoryIn(values))?.toLowerCase() ?? ''}\n${slug}`

const problemsOf = (values: Values, pathByKey: ReadonlyMap<string, string>, slugs: Map<string, number>) => {
  const problems: RowProblem[] = []
  const parent = parentOf(categoryIn(values))
  if (parent !== null && !pathByKey.has(parent.toLowerCase()))
    problems.push({
      column: 'category',
      message: (i18n) =>
        i18n._('must have an existing parent: there is no {parent}.{suggestion} Add a row for it', {
          parent,
          suggestion: cell.didYouMean(i18n, parent, pathByKey.values()),
        }),
    })
  if (values.slug !== null && (slugs.get(slugKey(values, values.slug)) ?? 0) > 1)
    problems.push({
      column: 'slug',
      message: (i18n) => i18n._('must be unique: another category of the same parent has it'),
    })
  return problems
}

/** Publishes the current tree to everything that reads it. */
const indexTree = async (context: ImportContext) => {
  const { tree } = await readTree(context)
  context.tree = tree
  context.facts.categoryPaths = tree.paths
  return tree
}

const write = async (context: ImportContext, changes: readonly RowChange[]) => {
  const before = context.tree
  const stored = await read(context)
  const changed = new Set(changes.map(({ id }) => id))
  const unchanged = stored.filter(({ id }) => !changed.has(id))
  const idOf = new Map([...unchanged, ...changes].map(({ id, values }) => [key(values), id]))
  const usedSlugs = new Set(
    [...unchanged, ...changes].flatMap(({ values }) => (values.slug === null ? [] : slugKey(values, values.slug))),
  )
  const rows = [...changes]
    .sort((a, b) => readPath(categoryIn(a.values)).length - readPath(categoryIn(b.values)).length)
    .map(({ id, values }) => {
      const names = readPath(categoryIn(values))
      const parent = parentOf(categoryIn(values))
      const slug =
        optionalTextIn(values, 'slug') ??
        freeSlug(names.at(-1) ?? '', (candidate) => usedSlugs.has(slugKey(values, candidate)))
      usedSlugs.add(slugKey(values, slug))
      return {
        customer_id: context.customerId,
        id,
        parent_id: parent && (idOf.get(parent.toLowerCase()) ?? null),
        level: names.length,
        name: names.at(-1),
        slug,
        sort: values.sort,
        translations: translationsOf(values),
      }
    })
  await changeTree(context, () => upsertRows(context.db, 'categories', rows))
  const after = await indexTree(context)
  const moved = changes
    .flatMap(({ id, stored: was }) => (was ? categoryId.parse(id) : []))
    .filter((id) => before.idsTo(id).join() !== after.idsTo(id).join())
  if (moved.length > 0) await moveProducts(context, moved, before.idsTo, after.idsTo)
}

/**
 * The category tree, each category by its path. A path cannot form a cycle, because one of its
 * parents would be missing.
 */
export const categories: Table = {
  name: 'categories',
  columns,
  texts: [cell.line('name', 100, { example: 'Drama' })],
  keys: ['category'],
  find: read,
  write,
  count: countIn('categories'),
  needsAllRows: true,
  check: async (context, pairs) => {
    const pairedIds = new Set(pairs.flatMap(({ stored }) => stored?.id ?? []))
    const staying = (await read(context)).filter(({ id }) => !pairedIds.has(id))
    const all = [...staying, ...pairs]
    const pathByKey = new Map(all.map(({ values }) => [key(values), categoryIn(values)]))
    const slugs = new Map<string, number>()
    for (const { values } of all)
      if (values.slug !== null) {
        const slug = slugKey(values, values.slug)
        slugs.set(slug, (slugs.get(slug) ?? 0) + 1)
      }
    const twice = new Set(staying.map(({ values }) => key(values)))
    return pairs.map(({ values }) => [
      ...problemsOf(values, pathByKey, slugs),
      ...(twice.has(key(values))
        ? [
            {
              column: 'category',
              message: (i18n: I18n) => i18n._('must be unique: the store already has a category with this path'),
            },
          ]
        : []),
    ])
  },
  all: async function* (context) {
    const rows = await read(context)
    if (rows.length > 0) yield rows
  },
  remove: async (context, stored) => {
    const { db, customerId, tree } = context
    const removedIds = new Set(stored.map(({ id }) => categoryId.parse(id)))
    // A category that is not removed retains its ancestors.
    for (const { id } of (await readTree(context)).rows)
      if (!removedIds.has(id)) for (const above of tree.idsTo(id)) removedIds.delete(above)
    await removeProductsFromCategories(db, customerId, [...removedIds])
    await deleteRows(db, customerId, 'categories', [...removedIds])
    await indexTree(context)
    return removedIds.size
  },
}
