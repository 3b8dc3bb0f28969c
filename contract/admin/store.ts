import * as z from 'zod/mini'
import { locale } from '../enumerations.ts'
import { storeStates } from '../store-state.ts'
import { maintenance } from '../tenancy.ts'
import { textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'

/** What a store can lack. */
const launchItemCode = z.enum([
  'NO_HOST',
  'LOCAL_HOSTS',
  'CLOSED',
  'TEST_PAYMENTS',
  'NO_PAYMENT_PROVIDER',
  'NO_MAIL_SERVER',
  'COMPANY_FACT_MISSING',
  'PAGE_MISSING',
  'PAGE_DRAFT',
  'NO_PRODUCT',
  'NO_CONTENT',
  'NO_PRICE',
  'WITHOUT_CONTENT',
  'FILE_ALONE',
  'VIDEO_FAILED',
  'LESSONS_WAITING',
  'NO_POSTER',
  'NO_PLAN',
  'EMPTY_PLANS',
  'DEAD_BANNERS',
  'PLANS_NOT_OFFERED',
  'NO_LOGO',
  'NO_FAVICON',
  'NO_SHARED_PICTURE',
  'NO_DESCRIPTION',
])
export type LaunchItemCode = z.output<typeof launchItemCode>

const launchItem = z.object({
  code: launchItemCode,
  /** MISSING: the store cannot open without it. ADVISED: recommended. */
  state: z.enum(['MISSING', 'ADVISED']),
  /** What it is about: settings, types of pages, codes of products or plans, titles of banners. */
  names: z.array(z.string()),
  /** How many there are, which may be more than are named. */
  count: z.int(),
})

/**
 * RUNNING: open for a try, while only its own machine can reach it. ENDED: closed again, because
 * others can reach it at a domain.
 */
const tryState = z.enum(['RUNNING', 'ENDED'])
export type TryState = z.output<typeof tryState>

/** Whether visitors see the store, where, and what it lacks. */
export const storeStatus = z.object({
  state: z.enum(storeStates),
  /** Null for an open store, and for one that has never been open. */
  maintenance: z.nullable(maintenance),
  /** The addresses, in alphabetical order. */
  origins: z.array(z.string()),
  /**
   * Whether it can be opened for a try: it is closed, only its own machine can reach its addresses,
   * and it lacks nothing that can be had there.
   */
  canTry: z.boolean(),
  /** Null for a store that was not opened for a try. */
  tryState: z.nullable(tryState),
  /** Empty for a store that lacks nothing. */
  items: z.array(launchItem),
  /** Changes of operators, latest first. */
  history: z.array(auditEntry),
})
export type StoreStatus = z.output<typeof storeStatus>
export type LaunchItemView = StoreStatus['items'][number]

/** `isTry`: opens a store that only its own machine can reach, for a try. */
export const storeOpen = z.object({ isTry: z.optional(z.boolean()) })

/** What a preview link shows as visitors will see it at a time; without one, as it is now. */
export const previewTime = z.object({ at: z.optional(z.nullable(z.iso.datetime())) })

/** A link to the store for people who may see it before it opens. */
export const storePreview = z.object({ url: z.string(), expiresAt: z.iso.datetime() })

/** What visitors read while the store is closed: a text in each language, and when it opens. */
export const storeMaintenance = z.object({
  texts: z.partialRecord(locale, textUpTo(1000)),
  backAt: z.nullable(z.iso.datetime()),
})

/** `code`: the customer code, typed as a confirmation. */
export const storeClose = z.extend(z.partial(storeMaintenance), { code: z.string().check(z.maxLength(40)) })
