import { randomUUID } from 'node:crypto'
import { hashSync } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { attachments, categories, productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { indexProducts } from '#api/modules/catalog/product-index.queries.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { createToken } from '#api/modules/identity/operator-tokens.ts'
import { findAccount, insertMembership, insertStaff } from '#api/modules/staff/staff.queries.ts'
import { staffSessions } from '#api/modules/staff/staff.schema.ts'
import { insertCustomer } from '#api/modules/tenancy/store-states.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { ProductAccess, ProductKind } from '#contract/enumerations.ts'
import {
  type AttachmentId,
  type CategoryId,
  type CustomerId,
  customerCode,
  type MemberId,
  type OptionId,
  type ProductCode,
  type ProductId,
  type StaffId,
} from '#contract/ids.ts'
import { type Permission, permission, type StaffRole } from '#contract/permissions.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { createOpenCustomer } from './open-customer.ts'
import { plainSettings } from './settings.ts'
import type { Client, TestApi } from './test-api.ts'

export const password = 'correct horse battery'
/** The cheapest hash, because the tests sign in hundreds of members. */
const passwordHash = hashSync(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export interface TestMember {
  id: MemberId
  email: string
  token: string
  client: Client
}

export interface TestStaff {
  id: StaffId
  email: string
  token: string
  client: Client
  /** A client that sends the version which it saw. */
  withVersion: (version: string, language?: string) => Client
}

export interface TestProduct {
  id: ProductId
  code: ProductCode
  title: string
  optionId: OptionId | null
}

export interface ProductInput {
  title?: string
  code?: string
  kind?: ProductKind
  access?: ProductAccess
  status?: 'DRAFT' | 'ON_SALE' | 'HIDDEN' | 'ENDED'
  summary?: string
  description?: string
  tags?: string[]
  categoryIds?: CategoryId[]
  /** Minor units; null for a product without an option. */
  price?: number | null
  durationSeconds?: number | null
  sort?: number
  countOfViews?: number
  countOfPlays?: number
  createdAt?: string
  saleFrom?: string | null
  saleTo?: string | null
  /** Whether the product has a file as content; true by default. */
  file?: boolean
}

export interface Tenant {
  id: CustomerId
  code: string
  settings: SiteSettings
  guest: Client
  within: <Answer>(work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>
  createMember: (email?: string) => Promise<TestMember>
  /** Creates an operator token of the tenant. */
  createOperator: (name?: string, scopes?: Permission[]) => Promise<{ token: string; client: Client }>
  /** Creates a person of the staff, signed in with a second factor unless it says otherwise. */
  createStaff: (role?: StaffRole, how?: { email?: string; isConfirmed?: boolean }) => Promise<TestStaff>
  createProduct: (input?: ProductInput) => Promise<TestProduct>
  /** Creates products in one transaction. */
  createProducts: (inputs: ProductInput[]) => Promise<TestProduct[]>
  createCategory: (
    name: string,
    parent?: { id: CategoryId; level: number },
    slug?: string,
  ) => Promise<{ id: CategoryId; level: number }>
}

const poster = { url: '/media/art/none.webp', width: 1280, height: 720, alt: '', color: '#123456', sources: [] }

/** Creates a tenant for one test, so that no other test affects it. */
export const createTenant = async (
  api: TestApi,
  given: { settings?: SiteSettings; useCustomer?: boolean; useSite?: boolean } = {},
): Promise<Tenant> => {
  const code = customerCode.parse(`t-${randomUUID().slice(0, 13)}`)
  const settings = given.settings ?? plainSettings()
  const id = await createOpenCustomer(api.owner, { ...given, code, settings, hosts: [`${code}.test`] })
  return tenantOf(api, { id, code, settings })
}

/** Creates the tenant of the installation's staff. */
export const createInstallation = async (api: TestApi): Promise<Tenant> => {
  const code = customerCode.parse(`t-${randomUUID().slice(0, 13)}`)
  const settings = plainSettings()
  const installation = { code, settings, hosts: [`${code}.test`], isInstallation: true }
  const id = await api.owner.transaction((db) => insertCustomer(db, installation))
  return tenantOf(api, { id, code, settings })
}

/** The helpers for an existing tenant. */
export const tenantOf = (api: TestApi, { id, code, settings }: Pick<Tenant, 'id' | 'code' | 'settings'>): Tenant => {
  const within: Tenant['within'] = (work) => withTenant(api.deps.pool, id, work)

  const createMember: Tenant['createMember'] = async (email = `m-${randomUUID().slice(0, 8)}@example.com`) => {
    const memberId = newId<MemberId>()
    await within((db) =>
      db.insert(members).values({
        customerId: id,
        id: memberId,
        email,
        emailLower: email.toLowerCase(),
        passwordHash,
        name: 'Mina Park',
      }),
    )
    const { token } = await api.client(code).identity.login({ email, password })
    return { id: memberId, email, token, client: api.client(code, { token }) }
  }

  const createOperator: Tenant['createOperator'] = async (name = 'studio-pc', scopes = permission.options) => {
    const customer = await resolveCustomer(api.deps, code)
    if (!customer) throw new Error(`There is no tenant ${code}`)
    const made = await within((db) =>
      createToken(
        {
          customer,
          locale: customer.settings.base.locale,
          db,
          events: api.deps.events,
          clock: api.clock,
          log: api.deps.log,
          requestId: 'test',
          actor: { kind: 'GUEST', guestId: null },
        },
        'admin:test',
        { name, scopes, validMilliseconds: null },
      ),
    )
    if (isFailure(made)) throw new Error(JSON.stringify(made))
    return { token: made.token, client: api.client(code, { token: made.token }) }
  }

  const createStaff: Tenant['createStaff'] = async (
    role = 'OWNER',
    { email = `s-${randomUUID().slice(0, 8)}@example.com`, isConfirmed = true } = {},
  ) => {
    const staffId = newId<StaffId>()
    await within(async (db) => {
      await findAccount(db, email)
      await insertStaff(db, { id: staffId, email, emailLower: email, name: 'Jo Kim', passwordHash })
      await insertMembership(db, { customerId: id, staffId, role })
    })
    const { token } = await api.client(code).staff.signIn({ email, password })
    const confirmedAt = api.clock.now().toISOString()
    if (isConfirmed)
      await within((db) => db.update(staffSessions).set({ confirmedAt }).where(eq(staffSessions.staffId, staffId)))
    const clientWith = (headers: Record<string, string>) => api.client(code, { token: token ?? '', headers })
    return {
      id: staffId,
      email,
      token: token ?? '',
      client: clientWith({}),
      withVersion: (version, language = 'en') =>
        clientWith({ 'if-match': `"${version}"`, 'accept-language': language }),
    }
  }

  const createProducts: Tenant['createProducts'] = async (inputs) => {
    const { currency } = settings.base
    const rows = inputs.map((input) => {
      const productId = newId<ProductId>()
      const { price: priceAmount = 1200, title = 'A quiet tide', tags = [], summary = '', file = true, ...rest } = input
      const code = (input.code ?? `p-${productId.slice(-12)}`) as ProductCode
      const optionId = priceAmount === null ? null : newId<OptionId>()
      return { productId, code, optionId, priceAmount, title, tags, summary, file, rest }
    })
    await within(async (db) => {
      await db.insert(products).values(
        rows.map(({ productId, code, optionId, priceAmount, title, tags, summary, rest }) => ({
          customerId: id,
          id: productId,
          title,
          summary,
          tags,
          poster,
          currency,
          priceAmount,
          kind: 'VOD' as const,
          access: 'PURCHASE' as const,
          description: '',
          priceType: optionId ? ('OWN' as const) : null,
          optionCount: optionId ? 1 : 0,
          ...rest,
          code,
        })),
      )
      const options = rows.flatMap(({ productId, optionId, priceAmount }) =>
        optionId && priceAmount !== null
          ? [{ customerId: id, id: optionId, productId, name: 'For ever', type: 'OWN' as const, priceAmount, currency }]
          : [],
      )
      if (options.length > 0) await db.insert(productOptions).values(options)
      const files = rows
        .filter(({ file }) => file)
        .map(({ productId }) => ({
          customerId: id,
          id: newId<AttachmentId>(),
          productId,
          name: 'booklet.pdf',
          asset: 'attachments/booklet.pdf',
          contentType: 'application/pdf',
          bytes: 5,
        }))
      if (files.length > 0) await db.insert(attachments).values(files)
      await indexProducts(
        db,
        id,
        rows.map(({ productId, title, tags, summary }) => ({ id: productId, title, tags, summary })),
      )
    })
    return rows.map(({ productId, code, title, optionId }) => ({ id: productId, code, title, optionId }))
  }

  const createProduct: Tenant['createProduct'] = async (input = {}) => {
    const [product] = await createProducts([input])
    return product!
  }

  const createCategory: Tenant['createCategory'] = async (name, parent, slug) => {
    const category = { id: newId<CategoryId>(), level: (parent?.level ?? 0) + 1 }
    await within((db) =>
      db.insert(categories).values({
        customerId: id,
        ...category,
        parentId: parent?.id ?? null,
        name,
        slug: slug ?? `c-${category.id.slice(-12)}`,
      }),
    )
    return category
  }

  return {
    id,
    code,
    settings,
    guest: api.client(code),
    within,
    createMember,
    createOperator,
    createStaff,
    createProduct,
    createProducts,
    createCategory,
  }
}
