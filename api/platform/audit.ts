import { createHash } from 'node:crypto'
import { newId } from '#api/platform/db/columns.ts'
import type { AuditActor, AuditChanges } from '#api/platform/db/platform.schema.ts'
import type { AuditAction } from '#contract/admin/audit.ts'
import { type Ctx, type Customer, type Failure, failure } from './context.ts'
import {
  type AuditContent,
  type AuditPageFilter,
  type AuditTraces,
  insertAuditEntry,
  lockAuditTraces,
  readAuditEntries,
  readAuditPage,
  rewriteAuditEntry,
} from './platform.queries.ts'
import { withoutSearchFor, withoutTexts } from './text.ts'

export type { AuditActor } from '#api/platform/db/platform.schema.ts'

export interface AuditEntry {
  actor: AuditActor
  action: AuditAction
  /** `order:{code}`, `inquiry:{code}`, `member:{id}`, … */
  subject: string
  /** The changed fields with their values before and after. See `changesOf`. */
  changes?: AuditChanges
  detail?: Record<string, unknown>
}

/** Writes an audit entry in the transaction of the action. */
export const audit = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> },
  entry: AuditEntry,
) => {
  await insertAuditEntry(db, {
    customerId: customer.id,
    id: newId(),
    at: clock.now().toISOString(),
    detail: {},
    changes: {},
    ...entry,
  })
}

/** Returns the latest entries of the store's audit log, newest first. */
export const listAuditEntries = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, limit: number) =>
  readAuditEntries(db, customer.id, limit)

/** Returns one more entry than a page of the store's audit log has, newest first. */
export const listAuditPage = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, filter: AuditPageFilter) =>
  readAuditPage(db, customer.id, filter)

/** Returns the fields that differ between two versions of an object, for the audit log. */
export const changesOf = <Fields extends object>(before: Partial<Fields>, after: Partial<Fields>): AuditChanges => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const valueIn = (fields: Partial<Fields>, name: string): unknown => Reflect.get(fields, name) ?? null
  return Object.fromEntries(
    names
      .map((name) => [name, { from: valueIn(before, name), to: valueIn(after, name) }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  )
}

/** A part of an object, such as a lesson of a product. */
interface Part {
  id: string
  name: string
}

/** Returns what tells parts apart: their names, numbered where others have the same. */
export const labelsOfParts = (parts: readonly Part[]): ((part: Part) => string) => {
  const byName = Map.groupBy(parts, ({ name }) => name)
  return ({ id, name }) => {
    const ids = [...new Set(byName.get(name)?.map((part) => part.id))]
    return ids.length > 1 ? `${name} (${ids.indexOf(id) + 1})` : name
  }
}

type PartFacts = readonly (Part & { facts: object })[]

/** Returns how parts of a kind have changed, for the audit log: `lessons.Introduction`. */
export const changesOfParts = (kind: string, before: PartFacts, after: PartFacts): AuditChanges => {
  const labelOf = labelsOfParts([...before, ...after])
  const factsOf = (parts: PartFacts) =>
    Object.fromEntries(parts.map((part) => [`${kind}.${labelOf(part)}`, part.facts]))
  return changesOf<object>(factsOf(before), factsOf(after))
}

/** How many entries the history of an object shows. */
export const historyLength = 50

/**
 * Returns the latest entries about one object, newest first. `action` is the start of their actions
 * before the dot; null for all.
 */
export const historyOf = async (
  { db, customer }: Pick<Ctx, 'db'> & { customer: Pick<Customer, 'id'> },
  subject: string,
  action: string | null = null,
) => {
  const anything = { actors: null, since: null, until: null, after: null }
  const rows = await readAuditPage(db, customer.id, { ...anything, action, subject, size: historyLength - 1 })
  return rows.map(({ keyset: _, ...entry }) => entry)
}

/** Returns a short text that changes with the state of an object, for `If-Match`. */
export const versionOf = (state: unknown): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)

interface ExpectedVersion {
  /** The value of `If-Match`. */
  expected: string | null
  /** The present one. */
  version: string
  subject: string
}

/**
 * Refuses a change of an object that is not as the caller saw it. Failures: VERSION_MISSING,
 * VERSION_CONFLICT with the present version and the latest changes.
 */
export const refuseOldVersion = async (
  ctx: Pick<Ctx, 'db' | 'customer'>,
  { expected, version, subject }: ExpectedVersion,
): Promise<Failure | null> => {
  if (expected === null) return failure('VERSION_MISSING')
  if (expected.replaceAll('"', '') === version) return null
  const changes = (await historyOf(ctx, subject)).slice(0, 5)
  return failure('VERSION_CONFLICT', { data: { version, changes } })
}

/**
 * What an entry about a person keeps when the person is erased: states, times, amounts and objects
 * of the store. Texts that somebody has typed, tags, names and network addresses are not in it.
 */
const impersonalFields: ReadonlySet<string> = new Set([
  ...['againstRule', 'amount', 'assignee', 'at', 'blockedAt', 'cancelAt', 'changedFields', 'charge', 'chargeId'],
  ...['closed', 'currency', 'day', 'days', 'ended', 'endedAt', 'expiresAt', 'from', 'into', 'items', 'keepsItems'],
  ...['locale', 'mails', 'marketing', 'member', 'memberId', 'merged', 'method', 'nextPlan', 'overridesRule'],
  ...['pausedAt', 'periodEnd', 'plan', 'play', 'priceAmount', 'product', 'refund', 'refunded', 'reply', 'resumeAt'],
  ...['retainedOrders', 'returned', 'state', 'status', 'subscriptionId', 'suppressed', 'title', 'titles', 'to'],
  ...['total', 'type', 'until'],
])

const pick = <Value>(fields: Record<string, Value>, stays: (name: string) => boolean): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => stays(name)))

const isImpersonal = (name: string) => impersonalFields.has(name)

/** What stays of an entry about an erased person: `detail.erased` names what it no longer has. */
const withoutPerson = ({ changes, detail, ...entry }: AuditContent): AuditContent => {
  const { erased: erasedBefore, ...rest } = detail
  const erased = [
    ...(Array.isArray(erasedBefore) ? erasedBefore : []),
    ...Object.keys({ ...changes, ...rest }).filter((name) => !isImpersonal(name)),
  ]
  return {
    ...entry,
    changes: pick(changes, isImpersonal),
    detail: { ...pick(rest, isImpersonal), ...(erased.length > 0 && { erased }) },
  }
}

/** Returns an entry without what leads to a person. Names are words elsewhere than in searches. */
const withoutTraces = ({ changes, detail, ...entry }: AuditContent, traces: AuditTraces): AuditContent => {
  const [, kind, key] = /^(bulk|export|view):(.+)/.exec(entry.subject) ?? []
  const list = kind === 'export' ? key : (detail.kind ?? changes.list?.to ?? changes.list?.from)
  const without = <Value>(value: Value): Value =>
    kind === undefined
      ? withoutTexts(value, [...traces.emails, ...traces.phones])
      : withoutSearchFor(value, traces, list)
  return { ...entry, changes: without(changes), detail: without(detail) }
}

/**
 * Erases a person from the audit log. It still says who did what and when. Entries about the
 * person lose what somebody has typed, others the person's addresses and phone numbers, and those
 * of searches the name. Subjects that are such an address become `subject`.
 */
export const eraseFromAudit = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  { subject, ...traces }: AuditTraces & { subject: string },
): Promise<void> => {
  const about = new Set(traces.subjects)
  const addresses = new Set(traces.emails.map((email) => `address:${email.toLowerCase()}`))
  for (const entry of await lockAuditTraces(db, customer.id, traces)) {
    const isAbout = about.has(entry.subject) || addresses.has(entry.subject)
    const left = withoutTraces(isAbout ? withoutPerson(entry) : entry, traces)
    const written = { ...left, subject: addresses.has(left.subject) ? subject : left.subject }
    if (JSON.stringify(written) !== JSON.stringify(entry)) await rewriteAuditEntry(db, customer.id, written)
  }
}
