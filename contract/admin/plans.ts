import * as z from 'zod/mini'
import { locale, planCycle } from '../enumerations.ts'
import { categoryId, planCode, planId, productCode } from '../ids.ts'
import { money } from '../money.ts'
import { plan } from '../subscriptions.ts'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'

const count = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max))
const benefits = z.array(requiredText(300)).check(z.maxLength(20))

const planFields = z.object({
  name: requiredText(200),
  summary: textUpTo(2000),
  /** What subscribers get, a line each. */
  benefits,
  cycle: planCycle,
  /** Days before the first charge; 0 without a trial. */
  trialDays: count(0, 365),
  scope: plan.shape.scope,
  /** Scope CATEGORIES: what it opens. */
  categoryIds: z.array(categoryId).check(z.maxLength(100)),
  /** Scope PRODUCTS: what it opens. */
  productCodes: z.array(productCode).check(z.maxLength(1000)),
  /** How many streams a subscriber may watch at once. */
  streams: count(1, 100),
  onSale: z.boolean(),
  recommended: z.boolean(),
})

const planRow = z.object({
  id: planId,
  code: planCode,
  name: z.string(),
  price: money,
  cycle: planCycle,
  onSale: z.boolean(),
  recommended: z.boolean(),
  /** Subscriptions that have not ended. */
  subscribers: z.int(),
  /** The products on sale that it opens. */
  products: z.int(),
})

/** All plans in the order in which visitors see them. */
export const storePlanList = z.object({
  items: z.array(planRow),
  /** Of the order. Send it as `If-Match` with a move. */
  version: z.string(),
  history: z.array(auditEntry),
})

export const storePlan = z.extend(planRow, {
  ...planFields.shape,
  /** The titles of `productCodes`, in their order. */
  productTitles: z.array(z.string()),
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  /** By language, without the store’s own. */
  translations: z.partialRecord(
    locale,
    z.object({
      name: z.optional(z.string()),
      summary: z.optional(z.string()),
      benefits: z.optional(z.array(z.string())),
    }),
  ),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type StorePlan = z.output<typeof storePlan>

export const storePlanPath = z.object({ id: planId })
/** In the minor unit of the store’s currency. */
const price = count(0, 1_000_000_000)
export const storePlanCreate = z.object({ code: planCode, name: planFields.shape.name, cycle: planCycle, price })
export type StorePlanCreate = z.output<typeof storePlanCreate>

/** What is left out stays. Subscribers keep the price and the cycle that they agreed to. */
export const storePlanChange = z.extend(z.partial(planFields), {
  id: planId,
  price: z.optional(price),
  /** Null and an empty text or list remove a translation. */
  translations: z.optional(
    z.partialRecord(
      locale,
      z.partial(
        z.object({
          name: z.nullable(textUpTo(200)),
          summary: z.nullable(textUpTo(2000)),
          benefits: z.nullable(benefits),
        }),
      ),
    ),
  ),
})
export type StorePlanChange = z.output<typeof storePlanChange>
export const storePlanMove = z.object({ id: planId, position: count(1, 1_000_000) })
