import { type AuditEntry, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type StaffOperator } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { SavedView, SavedViewChange, SavedViewForm } from '#contract/admin/views.ts'
import type { SavedViewId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { entryOf } from './second-factor.ts'
import { findStaff, rewriteViewNames } from './staff.queries.ts'
import { deleteView, insertView, readViews, type SavedViewRow, updateView } from './staff-access.queries.ts'

const maxViews = 100

const isEditable = ({ staffId, isShared }: SavedViewRow, { id, permissions }: StaffOperator) =>
  staffId === id || (isShared && permissions.includes('staff:write'))

type ShownRow = SavedViewRow & { owner: string | null }

const show = (row: ShownRow, operator: StaffOperator): SavedView => {
  const { id, list, name, search, isShared, owner } = row
  const isOwn = row.staffId === operator.id
  return { id, list, name, search, isShared, owner, isOwn, isEditable: isEditable(row, operator) }
}

/** Returns the caller's views of all lists, and those that others share, by name. */
export const listViews = async ({ db, customer }: Ctx, operator: StaffOperator): Promise<SavedView[]> =>
  (await readViews(db, customer.id, operator.id)).map((row) => show(row, operator))

const isNamed = ({ list, name }: SavedViewForm, row: SavedViewRow) =>
  row.list === list && row.name.toLowerCase() === name.toLowerCase()

const nameTaken = ({ locale }: Pick<Ctx, 'locale'>) => {
  const i18n = messagesOf(locale)
  return invalidField('name', i18n._('There is a view of this list with this name. Choose another name.'))
}

const recordedOf = ({ list, name, search, isShared }: SavedViewForm): SavedViewForm => ({
  list,
  name,
  search,
  isShared,
})

const auditView = (
  ctx: Ctx,
  operator: StaffOperator,
  id: SavedViewId,
  { action, changes }: Required<Pick<AuditEntry, 'action' | 'changes'>>,
) => audit(ctx, { ...entryOf(operator), action, subject: `view:${id}`, changes })

/**
 * Saves a view of a list for the caller. Failures: SESSION_EXPIRED, VALIDATION_FAILED (the name is
 * taken, or the caller has too many).
 */
export const saveView = async (
  ctx: Ctx,
  operator: StaffOperator,
  form: SavedViewForm,
): Promise<SavedView | Failure> => {
  const { db, customer, clock } = ctx
  // One view of a person at a time, so that names stay unique.
  if (!(await findStaff(db, customer.id, operator.id, { lock: true }))) return failure('SESSION_EXPIRED')
  const own = (await readViews(db, customer.id, operator.id)).filter(({ staffId }) => staffId === operator.id)
  const i18n = messagesOf(ctx.locale)
  if (own.length >= maxViews)
    return invalidField('name', i18n._('You have {max} views. Delete one first.', { max: maxViews }))
  if (own.some((row) => isNamed(form, row))) return nameTaken(ctx)
  const id = newId<SavedViewId>()
  const createdAt = clock.now().toISOString()
  const row = { ...recordedOf(form), customerId: customer.id, id, staffId: operator.id, createdAt }
  await insertView(db, row)
  await auditView(ctx, operator, id, { action: 'view.saved', changes: changesOf({}, recordedOf(row)) })
  return show({ ...row, owner: operator.name }, operator)
}

/** Finds a view that the caller sees and may change. Locks its owner. */
const findEditable = async ({ db, customer }: Ctx, operator: StaffOperator, id: SavedViewId) => {
  const find = async () => (await readViews(db, customer.id, operator.id)).find((view) => view.id === id)
  const seen = await find()
  if (!seen) return failure('NOT_FOUND')
  if (!isEditable(seen, operator)) return failure('FORBIDDEN')
  if (seen.staffId) await findStaff(db, customer.id, seen.staffId, { lock: true })
  return (await find()) ?? failure('NOT_FOUND')
}

/**
 * Changes a view. Failures: NOT_FOUND, FORBIDDEN (the shared view of another, or it would no longer
 * be shared), VALIDATION_FAILED (its owner has another view with the name).
 */
export const changeView = async (
  ctx: Ctx,
  operator: StaffOperator,
  { id, ...change }: SavedViewChange,
): Promise<SavedView | Failure> => {
  const row = await findEditable(ctx, operator, id)
  if (isFailure(row)) return row
  // Nobody but its owner would see it any more.
  if (change.isShared === false && row.staffId !== operator.id) return failure('FORBIDDEN')
  const { db, customer } = ctx
  const changed = { ...row, ...withoutUndefined(change) }
  const others = row.staffId ? await readViews(db, customer.id, row.staffId) : []
  const isTaken = others.some((view) => view.staffId === row.staffId && view.id !== id && isNamed(changed, view))
  if (isTaken) return nameTaken(ctx)
  await updateView(db, customer.id, id, recordedOf(changed))
  const changes = changesOf(recordedOf(row), recordedOf(changed))
  await auditView(ctx, operator, id, { action: 'view.changed', changes })
  return show(changed, operator)
}

/** Deletes a view. Failures: NOT_FOUND, FORBIDDEN (the shared view of another). */
export const removeView = async (ctx: Ctx, operator: StaffOperator, id: SavedViewId): Promise<Failure | undefined> => {
  const row = await findEditable(ctx, operator, id)
  if (isFailure(row)) return row
  await deleteView(ctx.db, ctx.customer.id, id)
  await auditView(ctx, operator, id, { action: 'view.deleted', changes: changesOf(recordedOf(row), {}) })
  return undefined
}

/** Erases texts that lead to a person from the names of views. */
export const eraseFromViewNames = ({ db, customer }: Ctx, texts: readonly string[]) =>
  rewriteViewNames(db, customer.id, texts)
