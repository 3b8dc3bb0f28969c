import type * as z from 'zod/mini'
import { listAuditPage } from '#api/platform/audit.ts'
import { type Ctx, isFailure, type Operator } from '#api/platform/context.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { type AuditPageRow, keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { AuditReference, auditExport } from '#contract/admin/audit.ts'
import { rowId } from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'
import { auditNames, type NamedKind, readAuditNames } from './admin.queries.ts'
import { type ListExport, timeColumn } from './list-columns.ts'
import { type Days, type Paging, timesOf } from './store-orders.ts'

type AuditFilter = Days & { [Field in 'actor' | 'action' | 'subject']?: string | undefined }

/** Lists show of some actors their names alone, such as the email address of a staff member. */
const actorsOf = (actor: string): string[] => [
  actor,
  ...['staff', 'operator', 'admin'].map((kind) => `${kind}:${actor}`),
]

/** Returns what the audit log is filtered by. */
const auditFilterOf = (ctx: Pick<Ctx, 'customer'>, { actor, action, subject, ...days }: AuditFilter) => ({
  actors: actor === undefined ? null : actorsOf(actor),
  action: action ?? null,
  subject: subject ?? null,
  ...timesOf(ctx, days),
})

/**
 * What reads the pages of the objects that the log names, by the first part of their subjects. One
 * of several permissions is enough.
 */
const readers: Readonly<Record<string, readonly Permission[]>> = {
  address: ['mails:read'],
  banner: ['content:read'],
  banners: ['content:read'],
  bulk: ['products:read', 'members:read', 'inquiries:read', 'mails:read'],
  case: ['inquiries:read'],
  catalog: ['products:read'],
  categories: ['products:read'],
  charge: ['members:read'],
  comment: ['comments:read'],
  comments: ['comments:read'],
  domains: ['settings:read'],
  faq: ['content:read'],
  inquiry: ['inquiries:read'],
  'inquiry-topics': ['inquiries:read'],
  mail: ['mails:read'],
  'mail-server': ['settings:read'],
  mails: ['mails:read'],
  member: ['members:read'],
  notice: ['content:read'],
  operator: ['staff:read'],
  order: ['orders:read'],
  page: ['content:read'],
  pages: ['content:read'],
  'payment-accounts': ['settings:read'],
  plan: ['products:read'],
  plans: ['products:read'],
  product: ['products:read'],
  'saved-reply': ['inquiries:read'],
  settings: ['settings:read'],
  staff: ['staff:read'],
  'staff-invitation': ['staff:read'],
  'staff-role': ['staff:read'],
  store: ['settings:read', 'stores:read'],
  video: ['videos:read'],
  'video-job': ['videos:read'],
  view: ['audit:read'],
  webhook: ['webhooks:read'],
}

/** Of `product:{code} lesson:{id}` it is the product. */
const partsOf = (text: string) => {
  const [, kind = text, key = ''] = /^([a-z-]+):(\S+)/.exec(text) ?? []
  return { kind, key }
}

const isNamed = (kind: string): kind is NamedKind => Object.hasOwn(auditNames, kind)

const unknown: AuditReference = { name: null, page: null, isDeleted: false }

/**
 * Returns what tells of each of the texts how its object is called now, as far as the permissions
 * allow. Reads the names of each kind at once.
 */
const readReferences = async ({ db, customer }: Ctx, permissions: readonly Permission[], texts: readonly string[]) => {
  const isReadable = (kind: string) => readers[kind]?.some((reader) => permissions.includes(reader)) ?? false
  /** Staff are named by their email addresses too, which are not looked up. */
  const namedKind = ({ kind, key }: ReturnType<typeof partsOf>) =>
    isNamed(kind) && (auditNames[kind].type === 'text' || rowId.safeParse(key).success) ? kind : null
  const keys = new Map<NamedKind, Set<string>>()
  for (const parts of texts.map(partsOf)) {
    const kind = isReadable(parts.kind) ? namedKind(parts) : null
    if (kind) keys.set(kind, (keys.get(kind) ?? new Set()).add(parts.key))
  }
  const found = new Map<string, AuditReference>()
  for (const [kind, ofKind] of keys)
    for (const { key, name, page } of await readAuditNames(db, customer.id, kind, [...ofKind]))
      found.set(`${kind}:${key}`, { name, page: kind === 'view' ? null : (page ?? `${kind}:${key}`), isDeleted: false })
  return (text: string): AuditReference => {
    const { kind, key } = partsOf(text)
    if (!isReadable(kind)) return unknown
    if (namedKind({ kind, key })) return found.get(`${kind}:${key}`) ?? { ...unknown, isDeleted: true }
    return { ...unknown, page: text }
  }
}

const isMember = (actor: string) => actor.startsWith('member:')

interface Named {
  /** The object. */
  about: AuditReference
  /** Who has changed it, where that is a member. */
  by: AuditReference
  /** The member into whom the object was merged. */
  into: AuditReference | null
}

type NamedAuditEntry = AuditPageRow & Named

/** The member into whom the object of an entry was merged. */
const targetOf = ({ detail }: Pick<AuditPageRow, 'detail'>) =>
  typeof detail.into === 'string' ? [`member:${detail.into}`] : []

/** Entries, with what these permissions let one know of the objects and members in them. */
const withReferences = async <Entry extends Pick<AuditPageRow, 'actor' | 'subject' | 'detail'>>(
  ctx: Ctx,
  permissions: readonly Permission[],
  entries: readonly Entry[],
): Promise<(Entry & Named)[]> => {
  const texts = entries.flatMap((entry) => [
    entry.subject,
    ...(isMember(entry.actor) ? [entry.actor] : []),
    ...targetOf(entry),
  ])
  const referenceOf = await readReferences(ctx, permissions, texts)
  return entries.map((entry) => ({
    ...entry,
    about: referenceOf(entry.subject),
    by: isMember(entry.actor) ? referenceOf(entry.actor) : unknown,
    into: targetOf(entry).map(referenceOf)[0] ?? null,
  }))
}

const split = (text: string): [kind: string, name: string] => {
  const at = text.indexOf(':')
  return at === -1 ? ['', text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Who changed something, as the console names them: it has these texts in its own catalogue. */
const actorName = (i18n: I18n, { actor, by }: Pick<AuditPageRow, 'actor'> & Named): string => {
  const [kind, name] = split(actor)
  if (kind === 'admin') return i18n._('Command line ({name})', { name })
  if (kind === 'operator') return i18n._('Token {name}', { name })
  return by.name ?? (kind === 'staff' ? name : actor)
}

const listNames = (i18n: I18n): Readonly<Record<string, string>> => ({
  orders: i18n._('Exports: orders'),
  members: i18n._('Exports: members'),
  deposits: i18n._('Exports: deposits'),
  subscriptions: i18n._('Exports: subscriptions'),
  inquiries: i18n._('Exports: inquiries'),
  mails: i18n._('Exports: emails'),
  movements: i18n._('Exports: payments and refunds'),
  audit: i18n._('Exports: audit log'),
  'product-list': i18n._('Exports: list of products'),
  comments: i18n._('Exports: comments'),
  'suppressed-addresses': i18n._('Exports: suppressed addresses'),
  videos: i18n._('Exports: videos'),
  cases: i18n._('Exports: cases'),
  'webhook-deliveries': i18n._('Exports: webhook deliveries'),
})

/** What a store has once, or as a whole. */
const wholeNames = (i18n: I18n): Readonly<Record<string, string>> => ({
  store: i18n._('Store'),
  settings: i18n._('Settings'),
  domains: i18n._('Domains'),
  'payment-accounts': i18n._('Payments'),
  'mail-server': i18n._('Mail server'),
  'inquiry-topics': i18n._('Topics of inquiries'),
  categories: i18n._('Categories'),
  plans: i18n._('Plans'),
  banners: i18n._('Banners'),
  faq: i18n._('FAQ'),
  pages: i18n._('Pages'),
  catalog: i18n._('Import and export'),
  'comments:blocked-phrases': i18n._('Blocked words'),
  'mails:failed': i18n._('Failed emails'),
  'mails:test': i18n._('Test email'),
})

const subjectText = (i18n: I18n, subject: string): string => {
  const [kind, name] = split(subject)
  if (kind === 'export') return listNames(i18n)[name] ?? subject
  if (kind === 'operator') return i18n._('Token {name}', { name })
  if (kind === 'product') return i18n._('Product {name}', { name })
  return kind === 'order' ? i18n._('Order {name}', { name }) : (wholeNames(i18n)[subject] ?? subject)
}

/** What was changed, as the console names it. */
const objectName = (i18n: I18n, { subject, about }: Pick<AuditPageRow, 'subject'> & Named): string => {
  const name = about.name ?? subjectText(i18n, subject)
  return about.isDeleted ? i18n._('{name} (was deleted)', { name }) : name
}

/**
 * A page of the audit log, latest first, with what the caller may know of the objects and members
 * that it names. Failure: VALIDATION_FAILED for an invalid cursor.
 */
export const pageAudit = async (
  ctx: Ctx,
  operator: Pick<Operator, 'permissions'> | null,
  { cursor, size, ...filters }: Paging & AuditFilter,
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const { items, nextCursor } = keysetPageOf(
    await listAuditPage(ctx, { ...auditFilterOf(ctx, filters), after, size }),
    size,
  )
  return { items: await withReferences(ctx, operator?.permissions ?? [], items), nextCursor }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The log with the names that a caller with these permissions may know. */
export const auditLog = (
  permissions: readonly Permission[],
): ListExport<NamedAuditEntry, z.output<typeof auditExport>> => ({
  name: 'audit',
  columns: [
    ['action', 'action', ({ action }) => action],
    ['actor', 'actor', ({ actor }) => actor],
    ['actor', 'actor name', (entry, _, i18n) => actorName(i18n, entry)],
    ['subject', 'object', ({ subject }) => subject],
    ['subject', 'object name', (entry, _, i18n) => objectName(i18n, entry)],
    [
      'changes',
      'changes',
      ({ changes: fields, detail: { changedFields } }) =>
        [
          ...Object.entries(fields).map(([field, { from, to }]) => `${field}: ${textOf(from)} → ${textOf(to)}`),
          ...(Array.isArray(changedFields) ? changedFields : []),
        ].join('; '),
    ],
    timeColumn('date', 'date', ({ at }) => at),
  ],
  read: (ctx, filters) => {
    const filter = auditFilterOf(ctx, filters)
    return async (tx, page) => withReferences(tx, permissions, await listAuditPage(tx, { ...filter, ...page }))
  },
})
