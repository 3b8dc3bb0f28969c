import { and, asc, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { lessons, products } from '#api/db/schema/catalog.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { LessonId, ProductId } from '#contract/ids.ts'

export interface Target {
  productId: ProductId
  productCode: string
  lessonId: LessonId | null
}

/** How many letters one word is away from another. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (letter === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

const mostCodes = 5_000
const mostHints = 3

/** Of the store's products, the codes most like one that does not exist. */
const nearCodes = async ({ db, customer }: Ctx, code: string): Promise<string[]> => {
  const wanted = code.toLowerCase()
  const { rows } = await db.$client.query<{ code: string }>(
    'SELECT code FROM products WHERE customer_id = $1 AND left(lower(code), 1) = left($2, 1) ORDER BY code LIMIT $3',
    [customer.id, wanted, mostCodes],
  )
  return rows
    .map((row) => ({ code: row.code, away: distance(wanted, row.code.toLowerCase()) }))
    .filter(({ code: there, away }) => away <= 2 || there.toLowerCase().startsWith(wanted))
    .sort((a, b) => a.away - b.away)
    .slice(0, mostHints)
    .map(({ code: there }) => there)
}

/** What a video is for, as a person names it: the product's code, and which of its lessons, counted from 1. */
export const findTarget = async (
  ctx: Ctx,
  { product: code, lesson }: { product: string; lesson?: number | undefined },
): Promise<Target | Failure> => {
  const { db, customer } = ctx
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.customerId, customer.id), eq(products.code, code)))
  if (!product) {
    const near = await nearCodes(ctx, code)
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
    return failure('NOT_FOUND', { errors: { product: [`There is no product ${code} in ${customer.code}.${hint}`] } })
  }
  const productId = product.id as ProductId
  if (lesson === undefined) return { productId, productCode: code, lessonId: null }
  const all = await db
    .select({ id: lessons.id, title: lessons.title })
    .from(lessons)
    .where(and(eq(lessons.customerId, customer.id), eq(lessons.productId, productId)))
    .orderBy(asc(lessons.sort), asc(sql`${lessons.id}`))
  const found = all[lesson - 1]
  if (found) return { productId, productCode: code, lessonId: found.id as LessonId }
  const there = all.length === 0 ? `${code} has no lessons` : `${code} has lessons 1 to ${all.length}`
  return failure('NOT_FOUND', { errors: { lesson: [`${there}: there is no lesson ${lesson}.`] } })
}
