import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import {
  type TranslationChange,
  textsIn,
  translateRow,
  translationErrors,
  withTranslations,
} from '#api/platform/i18n/translations.ts'
import type { AuditAction } from '#contract/admin/audit.ts'
import type { StoreCategories } from '#contract/admin/categories.ts'
import type { Category } from '#contract/catalog.ts'
import { categoriesById, pathFromRoot, pathIds } from '#contract/category-paths.ts'
import type { CategoryId, CustomerId } from '#contract/ids.ts'
import { isSlug, slugOf } from '#contract/rules.ts'
import * as query from './categories.queries.ts'

/** Returns the category tree as a flat list, level by level in menu order. */
export const listCategories = (ctx: Ctx, cache: TenantCache): Promise<Category[]> =>
  cache.get(ctx, 'categories', async () => {
    const rows = await query.readCategories(ctx, cache)
    const byId = categoriesById(rows)
    const slugsTo = (id: CategoryId) => pathFromRoot(byId, id).map(({ slug }) => slug)
    const paths = new Map(rows.map(({ id }) => [id, slugsTo(id).join('/')]))
    const usedPaths = new Set(paths.values())
    return rows.map((row) => {
      const { name, languages } = translateRow(ctx, row, ['name'])
      const formerPaths = row.formerPaths.filter((path) => !usedPaths.has(path))
      return {
        id: row.id,
        parentId: row.parentId,
        level: row.level,
        name,
        slug: row.slug,
        path: paths.get(row.id) ?? row.slug,
        ...(formerPaths.length > 0 && { formerPaths }),
        sort: row.sort,
        ...(languages && { languages }),
      }
    })
  })

/** Returns categories whose name contains the typed text, in the store's language or any other. */
export const categoriesNamed = async (ctx: Ctx, cache: TenantCache, typed: string): Promise<Category[]> => {
  const part = typed.trim().toLowerCase()
  const rows = await query.readCategories(ctx, cache)
  const matching = rows.filter(({ name, translations }) =>
    [name, ...Object.values(translations).map((texts) => texts.name)].some(
      (text) => typeof text === 'string' && text.toLowerCase().includes(part),
    ),
  )
  const ids = new Set(matching.map(({ id }) => id))
  return (await listCategories(ctx, cache)).filter(({ id }) => ids.has(id))
}

/** Finds the category that a search names by id, slug path or former slug path. */
export const findCategory = (all: readonly Category[], idOrPath: string): Category | undefined =>
  all.find(({ id }) => id === idOrPath) ??
  all.find(({ path }) => path === idOrPath) ??
  all.find(({ formerPaths }) => formerPaths?.includes(idOrPath))

/**
 * Runs a change of the category tree and returns its answer. The paths that it replaces are stored
 * and lead to the new ones.
 */
export const changeTree = async <Answer>(
  { db, customerId }: { db: TenantDb; customerId: CustomerId },
  change: () => Promise<Answer>,
): Promise<Answer> => {
  const before = await query.categoryPaths(db, customerId)
  const answer = await change()
  await query.setCategoryLevels(db, customerId)
  await query.saveFormerPaths(db, customerId, before)
  return answer
}

export const deepestLevel = 6

/** Returns a slug of the name that no sibling has: `drama`, `drama-2`, … */
export const freeSlug = (name: string, isTaken: (slug: string) => boolean): string => {
  const plain = slugOf(name, 'category')
  for (let count = 1; ; count++) {
    const slug = count === 1 ? plain : `${plain}-${count}`
    if (!isTaken(slug)) return slug
  }
}

type IdsTo = (id: CategoryId) => readonly CategoryId[]

/** Updates the products of moved categories: they join the new ancestors and leave the old ones. */
export const moveProducts = async (
  { db, customerId }: { db: TenantDb; customerId: CustomerId },
  moved: readonly CategoryId[],
  before: IdsTo,
  after: IdsTo,
): Promise<void> => {
  const rows = await query.productsInCategories(db, customerId, moved)
  const places = rows.map(({ id, categories }) => {
    const above = new Set(categories.flatMap((category) => before(category).slice(0, -1)))
    const deepest = categories.filter((category) => !above.has(category))
    return { id, categories: [...new Set(deepest.flatMap((category) => after(category)))] }
  })
  await query.setProductCategories(db, customerId, places)
}

/** All changes of the tree have one history, because they have one version. */
const subject = 'categories'

type Tree = ReturnType<typeof categoriesById<Awaited<ReturnType<typeof query.categoryRows>>[number]>>

const readTree = async ({ db, customer }: Ctx): Promise<Tree> =>
  categoriesById(await query.categoryRows(db, customer.id))

const childrenOf = (tree: Tree, parentId: CategoryId | null) =>
  [...tree.values()].filter((row) => row.parentId === parentId)

const namesTo = (tree: Tree, id: CategoryId | null) => pathFromRoot(tree, id).map(({ name }) => name)

/** The tree as operators edit it. */
export const viewCategories = async (ctx: Ctx): Promise<StoreCategories> => {
  const tree = await readTree(ctx)
  const counts = await query.countCategoryProducts(ctx.db, ctx.customer.id)
  const below = (parentId: CategoryId | null): StoreCategories['items'] =>
    childrenOf(tree, parentId).flatMap(({ id, name, slug, translations: texts }) => {
      const translations = textsIn(texts, ['name'])
      const path = namesTo(tree, id)
      return [{ id, parentId, name, slug, path, translations, productCount: counts.get(id) ?? 0 }, ...below(id)]
    })
  return { items: below(null), version: versionOf([...tree.values()]), history: await historyOf(ctx, subject) }
}

/** The facts about a category in the audit log. */
const factsOf = (tree: Tree, id: CategoryId) => {
  const row = tree.get(id)
  if (!row) return {}
  return {
    name: row.name,
    slug: row.slug,
    translations: textsIn(row.translations, ['name']),
    parent: row.parentId && namesTo(tree, row.parentId).join(' › '),
    position: childrenOf(tree, row.parentId).indexOf(row) + 1,
  }
}

const auditCategory = async (ctx: Ctx, { by, action, id }: Omit<TreeWrite, 'expected'>, before: Tree) => {
  const after = await readTree(ctx)
  const path = namesTo(before.has(id) ? before : after, id).join(' › ')
  const changed = Object.entries(changesOf<object>(factsOf(before, id), factsOf(after, id)))
  const changes = Object.fromEntries(changed.map(([name, values]) => [`${path}.${name}`, values]))
  if (changed.length > 0) await audit(ctx, { actor: by, action, subject, changes })
  return after
}

interface TreeWrite {
  by: AuditActor
  expected: string | null
  id: CategoryId
  action: AuditAction
}

/** Changes a category of the tree as the caller saw it. `write` returns why it is refused. */
const writeCategory = async (
  ctx: Ctx,
  { expected, ...of }: TreeWrite,
  write: (row: NonNullable<ReturnType<Tree['get']>>, tree: Tree) => Promise<Failure | undefined>,
): Promise<StoreCategories | Failure> => {
  const scope = { db: ctx.db, customerId: ctx.customer.id }
  await query.lockCategoryTree(ctx.db, ctx.customer.id)
  const before = await readTree(ctx)
  const row = before.get(of.id)
  if (!row) return failure('NOT_FOUND')
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf([...before.values()]), subject })
  if (refused) return refused
  const failed = await changeTree(scope, () => write(row, before))
  if (failed) return failed
  const after = await auditCategory(ctx, of, before)
  const idsIn = (tree: Tree) => (id: CategoryId) => pathIds(tree, id)
  if (after.has(of.id) && after.get(of.id)?.parentId !== row.parentId)
    await moveProducts(scope, [of.id], idsIn(before), idsIn(after))
  return viewCategories(ctx)
}

interface CategoryFields {
  id: CategoryId | null
  parentId: CategoryId | null
  name: string
  slug: string
}

type Errors = Record<string, string[]>

const errorsOf = (i18n: I18n, tree: Tree, { id, parentId, name, slug }: CategoryFields): Errors => {
  const siblings = childrenOf(tree, parentId).filter((row) => row.id !== id)
  const isNamed = siblings.some((row) => row.name.toLowerCase() === name.toLowerCase())
  const isTaken = siblings.some((row) => row.slug === slug)
  return {
    ...(isNamed && { name: [i18n._('Another category of the same parent has this name.')] }),
    ...(isTaken && { slug: [i18n._('Another category of the same parent has this slug.')] }),
    ...(!isSlug(slug) && { slug: [i18n._('Use letters and digits, with single hyphens between them.')] }),
  }
}

const invalid = (errors: Errors) =>
  Object.keys(errors).length > 0 ? failure('VALIDATION_FAILED', { errors }) : undefined

const levelOf = (tree: Tree, id: CategoryId | null) => pathFromRoot(tree, id).length

const parentErrors = (i18n: I18n, tree: Tree, parentId: CategoryId | null, height: number): Errors => {
  if (parentId && !tree.has(parentId)) return { parentId: [i18n._('Choose a category of this store.')] }
  if (levelOf(tree, parentId) + height <= deepestLevel) return {}
  return { parentId: [i18n._('Categories have at most {max} levels.', { max: deepestLevel })] }
}

const slugIn = (text: string) => text.normalize('NFC').toLowerCase()

type NewCategory = Pick<CategoryFields, 'name' | 'parentId'> & { slug?: string | undefined }

/** Creates the last category of a parent. Failure: VALIDATION_FAILED. */
export const createCategory = async (ctx: Ctx, by: AuditActor, { name, parentId, slug }: NewCategory) => {
  const { db, customer } = ctx
  await query.lockCategoryTree(db, customer.id)
  const tree = await readTree(ctx)
  const siblings = childrenOf(tree, parentId)
  const fields = {
    name,
    parentId,
    slug: slug ? slugIn(slug) : freeSlug(name, (candidate) => siblings.some((row) => row.slug === candidate)),
  }
  const i18n = messagesOf(ctx.locale)
  const failed = invalid({ ...parentErrors(i18n, tree, parentId, 1), ...errorsOf(i18n, tree, { id: null, ...fields }) })
  if (failed) return failed
  const id = newId<CategoryId>()
  const sort = Math.max(0, ...siblings.map((row) => row.sort)) + 1
  await changeTree({ db, customerId: customer.id }, () =>
    query.insertCategory(db, { customerId: customer.id, id, level: levelOf(tree, parentId) + 1, sort, ...fields }),
  )
  await auditCategory(ctx, { by, action: 'category.created', id }, tree)
  return viewCategories(ctx)
}

interface CategoryUpdate extends Partial<Record<'name' | 'slug', string | undefined>> {
  id: CategoryId
  translations?: TranslationChange | undefined
}

/**
 * Renames or translates a category. Its former paths redirect to the new ones. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const updateCategory = (ctx: Ctx, by: AuditActor, expected: string | null, { id, ...input }: CategoryUpdate) =>
  writeCategory(ctx, { by, expected, id, action: 'category.changed' }, async (row, tree) => {
    const { translations: texts = {} } = input
    const fields = { name: input.name ?? row.name, slug: slugIn(input.slug ?? row.slug) }
    const errors = errorsOf(messagesOf(ctx.locale), tree, { id, parentId: row.parentId, ...fields })
    const failed = invalid({ ...errors, ...translationErrors(ctx, texts) })
    const translations = withTranslations(row.translations, texts)
    if (!failed) await query.updateCategory(ctx.db, ctx.customer.id, id, { ...fields, translations })
    return failed
  })

interface CategoryMove {
  id: CategoryId
  parentId: CategoryId | null
  /** From 1. */
  position: number
}

/**
 * Moves a category with all below it. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED.
 */
export const moveCategory = (ctx: Ctx, by: AuditActor, expected: string | null, { id, ...input }: CategoryMove) =>
  writeCategory(ctx, { by, expected, id, action: 'category.moved' }, async (row, tree) => {
    const { parentId, position } = input
    const i18n = messagesOf(ctx.locale)
    if (pathFromRoot(tree, parentId).includes(row))
      return failure('VALIDATION_FAILED', { errors: { parentId: [i18n._('A category cannot be below itself.')] } })
    const below = [...tree.keys()].map((each) => pathFromRoot(tree, each)).filter((path) => path.includes(row))
    const height = Math.max(...below.map((path) => path.length)) - levelOf(tree, row.parentId)
    const [conflict] = Object.values(errorsOf(i18n, tree, { ...row, parentId }))
    const failed = invalid({ ...(conflict && { parentId: conflict }), ...parentErrors(i18n, tree, parentId, height) })
    if (failed) return failed
    const siblings = childrenOf(tree, parentId).flatMap((each) => (each.id === id ? [] : [each.id]))
    await query.placeCategories(ctx.db, ctx.customer.id, parentId, siblings.toSpliced(position - 1, 0, id))
    return undefined
  })

/** Deletes an empty category. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, CONFLICT. */
export const deleteCategory = (ctx: Ctx, by: AuditActor, expected: string | null, id: CategoryId) =>
  writeCategory(ctx, { by, expected, id, action: 'category.deleted' }, async (_, tree) => {
    const counts = await query.countCategoryProducts(ctx.db, ctx.customer.id)
    if (childrenOf(tree, id).length > 0 || counts.has(id)) return failure('CONFLICT')
    await query.deleteCategory(ctx.db, ctx.customer.id, id)
    return undefined
  })
