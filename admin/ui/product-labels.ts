import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type {
  OptionType,
  PlanCycle,
  ProductAccess,
  ProductKind,
  ProductLack,
  ProductStatus,
  SaleState,
  VideoJobStatus,
} from '#contract/enumerations.ts'
import type { Statuses } from './status'

export const productStatuses = {
  DRAFT: { label: msg`Draft`, tone: 'neutral' },
  ON_SALE: { label: msg`On sale`, tone: 'success' },
  HIDDEN: { label: msg`Hidden`, tone: 'neutral' },
  ENDED: { label: msg`Ended`, tone: 'neutral' },
} as const satisfies Statuses<ProductStatus>

/** A status with the sale period. */
export const saleStates = {
  DRAFT: productStatuses.DRAFT,
  SCHEDULED: { label: msg`Scheduled`, tone: 'warning' },
  ON_SALE: productStatuses.ON_SALE,
  HIDDEN: productStatuses.HIDDEN,
  ENDED: productStatuses.ENDED,
} as const satisfies Statuses<SaleState>

export const productKinds = {
  VOD: msg`Video`,
  PAY: msg`Course or download`,
  FREE: msg`Free`,
} as const satisfies Record<ProductKind, MessageDescriptor>

/** The kinds in the order of every form, the most frequent first. */
export const kindChoices = ['VOD', 'PAY', 'FREE'] as const satisfies readonly ProductKind[]

export const productLacks = {
  PRICE: msg`Price`,
  POSTER: msg`Poster`,
  CONTENT: msg`Content`,
  CATEGORY: msg`Category`,
  DESCRIPTION: msg`Description`,
} as const satisfies Record<ProductLack, MessageDescriptor>

export const productAccesses = {
  PURCHASE: msg`Buyers`,
  PLAN: msg`Subscribers`,
  PURCHASE_OR_PLAN: msg`Buyers and subscribers`,
  MEMBER: msg`All members`,
  FREE: msg`Everyone`,
} as const satisfies Record<ProductAccess, MessageDescriptor>

export const optionTypes = {
  OWN: msg`Purchase`,
  RENT: msg`Rental`,
} as const satisfies Record<OptionType, MessageDescriptor>

export const videoJobStatuses = {
  QUEUED: { label: msg`Queued`, tone: 'info' },
  RUNNING: { label: msg`Encoding`, tone: 'info' },
  READY: { label: msg`Ready`, tone: 'success' },
  FAILED: { label: msg`Failed`, tone: 'danger' },
  CANCELLED: { label: msg`Canceled`, tone: 'neutral' },
} as const satisfies Statuses<VideoJobStatus>

export const planCycles = {
  MONTH: msg`Month`,
  YEAR: msg`Year`,
} as const satisfies Record<PlanCycle, MessageDescriptor>

/** `The Last Light!` is the-last-light. A title without Latin letters suggests nothing. */
export const codeFrom = (title: string) =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

/** The names of a category from the root. */
export const pathText = ({ path }: { path: readonly string[] }) => path.join(' › ')
