import { beforeAll, expect, test } from 'vitest'
import type { CategoryId } from '#contract/ids.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('CATALOG')
})

/** A client that sends the version which it saw. */
const withVersion = (version: string) => staff.withVersion(version).admin.categories

/** A client that has seen the present tree. */
const latest = async () => withVersion((await staff.client.admin.categories.list()).version)

const create = async (name: string, parentId: CategoryId | null = null) => {
  const { items } = await staff.client.admin.categories.create({ name, parentId })
  const created = items.find((item) => item.name === name && item.parentId === parentId)
  if (!created) throw new Error(`${name} is not in the tree`)
  return created
}

/** The categories of the storefront's menu below a parent, by name. */
const menuOf = async (parentId: CategoryId | null) =>
  (await tenant.guest.catalog.categories()).items.flatMap((each) => (each.parentId === parentId ? [each.name] : []))

test('a created category is the last of its parent, with a slug from its name', async () => {
  const films = await create('Films')
  const drama = await create('Drama', films.id)
  await create('Comedy', films.id)
  expect(films).toMatchObject({ slug: 'films', parentId: null, productCount: 0 })
  expect(drama.path).toEqual(['Films', 'Drama'])
  expect(await menuOf(films.id)).toEqual(['Drama', 'Comedy'])
  const { history } = await staff.client.admin.categories.list()
  expect(history[1]).toMatchObject({
    actor: `staff:${staff.email}`,
    action: 'category.created',
    changes: {
      'Films › Drama.name': { from: null, to: 'Drama' },
      'Films › Drama.parent': { from: null, to: 'Films' },
    },
  })
})

test('the former address of a renamed category leads to the new one', async () => {
  const { id } = await create('Docs')
  const { history } = await (await latest()).update({ id, name: 'Documentaries', slug: 'Documentaries' })
  const { items } = await tenant.guest.catalog.categories()
  expect(items.find((each) => each.id === id)).toMatchObject({ path: 'documentaries', formerPaths: ['docs'] })
  expect(history[0]).toMatchObject({
    action: 'category.changed',
    changes: {
      'Docs.name': { from: 'Docs', to: 'Documentaries' },
      'Docs.slug': { from: 'docs', to: 'documentaries' },
    },
  })
  expect(Object.keys(history[0]?.changes ?? {})).toHaveLength(2)
})

test('a moved category stands at its position, and its products join the categories above it', async () => {
  const one = await create('One')
  const two = await create('Two')
  const deep = await create('Deep', one.id)
  const deeper = await create('Deeper', deep.id)
  await create('First', two.id)
  await tenant.createProduct({ title: 'Moved', categoryIds: [one.id, deep.id, deeper.id] })
  const titles = async (category: CategoryId) =>
    (await tenant.guest.catalog.search({ category })).items.map(({ title }) => title)
  expect(await titles(one.id)).toEqual(['Moved'])

  const moved = await (await latest()).move({ id: deep.id, parentId: two.id, position: 1 })
  expect(await menuOf(two.id)).toEqual(['Deep', 'First'])
  expect(await titles(one.id)).toEqual([])
  expect(await titles(two.id)).toEqual(['Moved'])
  expect(moved.history[0]).toMatchObject({
    action: 'category.moved',
    changes: { 'One › Deep.parent': { from: 'One', to: 'Two' } },
  })
  expect((await tenant.guest.catalog.categories()).items.find(({ id }) => id === deeper.id)).toMatchObject({
    level: 3,
    path: 'two/deep/deeper',
    formerPaths: ['one/deep/deeper'],
  })

  await (await latest()).move({ id: deep.id, parentId: two.id, position: 99 })
  expect(await menuOf(two.id)).toEqual(['First', 'Deep'])
  const toRoot = await (await latest()).move({ id: deep.id, parentId: null, position: 1 })
  expect((await menuOf(null))[0]).toBe('Deep')
  expect(toRoot.items[1]).toMatchObject({ name: 'Deeper', productCount: 1 })
})

test('of two people who change the tree at once, the second is told what the first one changed', async () => {
  const { id } = await create('Two people')
  const { version } = await staff.client.admin.categories.list()
  const change = (name: string) => withVersion(version).update({ id, name })
  const answers = await Promise.allSettled([change('Jo'), change('Kim')])
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(1)
  expect(await failureOf(Promise.reject(refused[0]))).toMatchObject({
    status: 412,
    code: 'VERSION_CONFLICT',
    problem: { data: { changes: expect.arrayContaining([expect.objectContaining({ action: 'category.changed' })]) } },
  })
  const { categories } = staff.client.admin
  for (const unseen of [
    () => categories.update({ id, name: 'Lee' }),
    () => categories.move({ id, parentId: null, position: 1 }),
    () => categories.delete({ id }),
  ])
    expect(await failureOf(unseen())).toMatchObject({ status: 400, code: 'VERSION_MISSING' })
})

test('what does not fit is refused by field, and nothing is changed', async () => {
  const other = await createTenant(api)
  const foreign = await other.createCategory('Foreign')
  const top = await create('Top')
  const child = await create('Child', top.id)
  const twin = await create('Twin', top.id)
  let deepest = child
  for (const name of ['L3', 'L4', 'L5', 'L6']) deepest = await create(name, deepest.id)
  const { version } = await staff.client.admin.categories.list()
  const { create: createAny, update, move } = withVersion(version)
  const fieldsOf = async (call: Promise<unknown>) => Object.keys((await failureOf(call)).problem.errors)
  expect(await fieldsOf(createAny({ name: 'child', parentId: top.id }))).toEqual(['name'])
  expect(await fieldsOf(createAny({ name: 'Other', slug: 'CHILD', parentId: top.id }))).toEqual(['slug'])
  expect(await fieldsOf(createAny({ name: 'Other', parentId: foreign.id }))).toEqual(['parentId'])
  expect(await fieldsOf(createAny({ name: 'L7', parentId: deepest.id }))).toEqual(['parentId'])
  expect(await fieldsOf(update({ id: twin.id, name: 'CHILD', slug: 'child' }))).toEqual(['name', 'slug'])
  expect(await fieldsOf(update({ id: twin.id, slug: 'not a slug' }))).toEqual(['slug'])
  expect(await fieldsOf(move({ id: top.id, parentId: top.id, position: 1 }))).toEqual(['parentId'])
  expect(await fieldsOf(move({ id: top.id, parentId: deepest.id, position: 1 }))).toEqual(['parentId'])
  expect(await fieldsOf(move({ id: top.id, parentId: twin.id, position: 1 }))).toEqual(['parentId'])
  expect((await staff.client.admin.categories.list()).version).toBe(version)
})

test('only an empty category is deleted', async () => {
  const parent = await create('Parent')
  const full = await create('Full', parent.id)
  const product = await tenant.createProduct({ title: 'Inside', categoryIds: [parent.id, full.id] })
  for (const { id } of [parent, full])
    expect(await failureOf((await latest()).delete({ id }))).toMatchObject({ status: 409, code: 'CONFLICT' })

  const before = await staff.client.admin.products.get({ code: product.code })
  await api
    .client(tenant.code, { token: staff.token, headers: { 'if-match': before.version } })
    .admin.products.change({ code: product.code, categoryIds: [] })
  const { items, history } = await (await latest()).delete({ id: full.id })
  expect(items.map(({ name }) => name)).not.toContain('Full')
  expect(await menuOf(parent.id)).toEqual([])
  expect(history[0]).toMatchObject({
    action: 'category.deleted',
    changes: { 'Parent › Full.name': { from: 'Full', to: null } },
  })
  expect(await failureOf((await latest()).delete({ id: full.id }))).toMatchObject({ status: 404 })
})
