import * as z from 'zod/mini'
import { bulkJobId } from '../ids.ts'
import { inOrder } from '../paging.ts'
import { auditEntry } from './audit.ts'
import { inquiryAssignmentFields, inquirySelection } from './inquiries.ts'
import { mailSelection } from './mails.ts'
import { memberSelection, memberTagFields, partnershipFields } from './members.ts'
import { productBulkFields } from './product-bulk.ts'
import { productSelection } from './products.ts'

const bulkKind = z.enum(['PRODUCTS', 'MEMBER_TAGS', 'PARTNERSHIPS', 'INQUIRIES', 'MAILS'])
export type BulkKind = z.output<typeof bulkKind>

const memberFilters = z.object(memberSelection).check(inOrder('from', 'to'))

/**
 * What the objects of each kind are filtered by, and what is changed of them. MAILS sends those
 * again that failed or were not sent, as `status` says.
 */
export const bulkInputs = {
  PRODUCTS: { filters: z.object(productSelection), change: z.object(productBulkFields) },
  MEMBER_TAGS: { filters: memberFilters, change: z.object(memberTagFields) },
  PARTNERSHIPS: { filters: memberFilters, change: z.object(partnershipFields) },
  INQUIRIES: { filters: z.object(inquirySelection), change: z.object(inquiryAssignmentFields) },
  MAILS: {
    filters: z
      .object({ ...mailSelection, status: z._default(z.enum(['FAILED', 'NOT_SENT']), 'FAILED') })
      .check(inOrder('since', 'until')),
    change: z.object({}),
  },
} as const satisfies Record<BulkKind, object>

export const bulkSelection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('PRODUCTS'), filters: bulkInputs.PRODUCTS.filters }),
  z.object({ kind: z.literal('MEMBER_TAGS'), filters: bulkInputs.MEMBER_TAGS.filters }),
  z.object({ kind: z.literal('PARTNERSHIPS'), filters: bulkInputs.PARTNERSHIPS.filters }),
  z.object({ kind: z.literal('INQUIRIES'), filters: bulkInputs.INQUIRIES.filters }),
  z.object({ kind: z.literal('MAILS'), filters: bulkInputs.MAILS.filters }),
])
export type BulkSelection = z.output<typeof bulkSelection>
export type BulkSelectionInput = z.input<typeof bulkSelection>
/** How many objects fit the filters. */
export const bulkCount = z.object({ count: z.int() })

/** Chosen by the caller. Sent again, it begins no second job. */
const id = bulkJobId
export const bulkStart = z.discriminatedUnion('kind', [
  z.object({ id, kind: z.literal('PRODUCTS'), ...bulkInputs.PRODUCTS }),
  z.object({ id, kind: z.literal('MEMBER_TAGS'), ...bulkInputs.MEMBER_TAGS }),
  z.object({ id, kind: z.literal('PARTNERSHIPS'), ...bulkInputs.PARTNERSHIPS }),
  z.object({ id, kind: z.literal('INQUIRIES'), ...bulkInputs.INQUIRIES }),
  z.object({ id, kind: z.literal('MAILS'), ...bulkInputs.MAILS }),
])
export type BulkStart = z.output<typeof bulkStart>
export type BulkStartInput = z.input<typeof bulkStart>

/** The most objects of one job. */
export const maxBulkItems = 100_000

/** How long a job is listed and can be undone. Then it is deleted. */
export const bulkJobDays = 30

/** REFUSED: whoever began it has lost the permission meanwhile. */
const bulkJobStatus = z.enum(['QUEUED', 'RUNNING', 'DONE', 'CANCELLED', 'REFUSED'])
export type BulkJobStatus = z.output<typeof bulkJobStatus>

const bulkItemResult = z.enum(['CHANGED', 'UNCHANGED', 'FAILED'])
export type BulkItemResult = z.output<typeof bulkItemResult>

const bulkJob = z.object({
  id: bulkJobId,
  kind: bulkKind,
  status: bulkJobStatus,
  /** The objects that fitted the filters when it began. */
  total: z.int(),
  done: z.int(),
  changed: z.int(),
  failed: z.int(),
  /** By its pace since it began; null until objects are done, and once it has finished. */
  secondsLeft: z.nullable(z.int()),
  by: z.string(),
  /** The job that this one undoes. */
  undoOf: z.nullable(bulkJobId),
  /** The job whose failed objects this one tries again. */
  retryOf: z.nullable(bulkJobId),
  /** Whether it can be undone, once. What was changed again since stays as it is. */
  canUndo: z.boolean(),
  /** Whether what failed can be tried again: nothing has tried it again yet, or undone the rest. */
  canRetry: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type BulkJob = z.output<typeof bulkJob>

/** The jobs of the last days that the caller may begin, the latest first, at most 100. */
export const bulkJobs = z.object({ items: z.array(bulkJob) })
export const bulkJobPath = z.object({ id: bulkJobId })

/** The number of failures that a job shows. */
export const shownFailures = 500

export const bulkJobReport = z.object({
  job: bulkJob,
  history: z.array(auditEntry),
  /** The first ones, of `job.failed`. */
  failures: z.array(
    z.object({
      /** The code or the id of the object. */
      key: z.string(),
      /** The address of a member or of an email; null for others, and for deleted accounts. */
      email: z.nullable(z.string()),
      /** The code of a problem. */
      reason: z.string(),
    }),
  ),
})
