import * as z from 'zod/mini'
import { rowId } from '../ids.ts'
import { inOrder } from '../paging.ts'
import { requiredText } from '../text.ts'
import { exportedColumns, keysetPage, keysetQuery } from './lists.ts'

/** What people and rules do, as the audit log records it: an object, and a past participle. */
export type AuditAction =
  | 'banner.changed'
  | 'banner.created'
  | 'banner.deleted'
  | 'banner.moved'
  | 'audit.exported'
  | 'bulk.cancelled'
  | 'bulk.started'
  | 'bulk.undone'
  | 'bulk.retried'
  | 'cancel.accepted'
  | 'cancel.rejected'
  | 'case.closed'
  | 'cases.exported'
  | 'catalog.import-undone'
  | 'catalog.imported'
  | 'category.changed'
  | 'category.created'
  | 'category.deleted'
  | 'category.moved'
  | 'comment.answered'
  | 'comment.approved'
  | 'comment.blocked-phrases-changed'
  | 'comment.held'
  | 'comment.hidden'
  | 'comments.exported'
  | 'deposits.exported'
  | 'deposit.matched'
  | 'deposit.received'
  | 'deposit.returned'
  | 'deposit.undone'
  | 'domain.added'
  | 'domain.removed'
  | 'domain.verified'
  | 'domains.changed'
  | 'drm.set'
  | 'export.cancelled'
  | 'faq.changed'
  | 'faq.created'
  | 'faq.deleted'
  | 'faq.moved'
  | 'faq.preview-created'
  | 'import.cancelled'
  | 'inquiries.exported'
  | 'inquiry.answered'
  | 'inquiry.assigned'
  | 'inquiry.closed'
  | 'inquiry.reopened'
  | 'inquiry.topics-changed'
  | 'mail-server.removed'
  | 'mail-server.set'
  | 'mail.address-released'
  | 'mail.address-suppressed'
  | 'mail.resent'
  | 'mail.tested'
  | 'mails.exported'
  | 'member.blocked'
  | 'member.changed'
  | 'member.created'
  | 'member.email-changed'
  | 'member.erased'
  | 'member.exported'
  | 'member.merged'
  | 'member.reset-sent'
  | 'member.signed-out'
  | 'member.tagged'
  | 'member.unblocked'
  | 'member.viewed'
  | 'member.withdrew'
  | 'members.exported'
  | 'movements.exported'
  | 'note.added'
  | 'notice.changed'
  | 'notice.created'
  | 'notice.deleted'
  | 'notice.preview-created'
  | 'operator-token.created'
  | 'operator-token.revoked'
  | 'order.cancelled'
  | 'order.given'
  | 'order.recorded'
  | 'order.receipt-sent'
  | 'order.refunded'
  | 'orders.exported'
  | 'page.changed'
  | 'page.created'
  | 'page.deleted'
  | 'page.moved'
  | 'page.preview-created'
  | 'partnership.ended'
  | 'partnership.granted'
  | 'payment-provider.chosen'
  | 'plan.changed'
  | 'plan.created'
  | 'plan.deleted'
  | 'plan.moved'
  | 'play.closed'
  | 'play.leaked'
  | 'poster.chosen'
  | 'product.changed'
  | 'product.price-applied'
  | 'product.created'
  | 'product.deleted'
  | 'product.duplicated'
  | 'product.preview-created'
  | 'product-list.exported'
  | 'refund.transferred'
  | 'saved-reply.changed'
  | 'saved-reply.created'
  | 'saved-reply.deleted'
  | 'settings.changed'
  | 'staff-role.changed'
  | 'staff-role.created'
  | 'staff-role.deleted'
  | 'staff.changed'
  | 'staff.email-changed'
  | 'staff.invitation-revoked'
  | 'staff.invited'
  | 'staff.joined'
  | 'staff.passkey-added'
  | 'staff.passkey-removed'
  | 'staff.password-changed'
  | 'staff.password-reset'
  | 'staff.recovery-code-used'
  | 'staff.removed'
  | 'staff.role-changed'
  | 'staff.second-factor-removed'
  | 'staff.second-factor-set'
  | 'staff.sessions-ended'
  | 'store.closed'
  | 'store.created'
  | 'store.maintenance-changed'
  | 'store.opened'
  | 'store.resumed'
  | 'store.preview-created'
  | 'subscription.cancellation-revoked'
  | 'subscription.cancelled'
  | 'subscription.charge-refunded'
  | 'subscription.ended'
  | 'subscription.extended'
  | 'subscription.paused'
  | 'subscription.plan-chosen'
  | 'subscription.refunded'
  | 'subscription.resumed'
  | 'subscription.retried'
  | 'view.changed'
  | 'view.deleted'
  | 'view.saved'
  | 'subscriptions.exported'
  | 'suppressed-addresses.exported'
  | 'title.granted'
  | 'title.revoked'
  | 'video.added'
  | 'video.shared'
  | 'video.cancelled'
  | 'video.captions-changed'
  | 'video.captions-removed'
  | 'video.chapters-changed'
  | 'video.preview-changed'
  | 'video.removed'
  | 'video.renamed'
  | 'video.retired'
  | 'video.retried'
  | 'videos.exported'
  | 'webhook.changed'
  | 'webhook.created'
  | 'webhook.deleted'
  | 'webhook.disabled'
  | 'webhook.replayed'
  | 'webhook.secret-rotated'
  | 'webhook-deliveries.exported'

/**
 * An entry of the audit log. `actor`: `staff:{email}`, `operator:{token}`, `admin:{name}` of the
 * command line, `installation:{email}` of the installation’s staff, `member:{id}`, or `rule`.
 * `subject`: `order:{code}`, `member:{id}`, …
 */
export const auditEntry = z.object({
  id: rowId,
  at: z.iso.datetime(),
  actor: z.string(),
  /** An `AuditAction` of this release or of an earlier one. */
  action: z.string(),
  subject: z.string(),
  /** The changed fields with their values before and after. */
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  detail: z.record(z.string(), z.unknown()),
})

const exact = z.optional(requiredText(300))

/** What the audit log can be filtered by. */
const auditFilters = {
  /** A whole actor, or the email address of a person of the staff. */
  actor: exact,
  /** An action, or its first part: `order` matches `order.refunded`. */
  action: exact,
  subject: exact,
  /** Days in the store’s time zone, both inclusive. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
}
export const auditQuery = z.object({ ...keysetQuery, ...auditFilters }).check(inOrder('from', 'to'))
export const auditExport = z.object({ ...auditFilters, columns: exportedColumns }).check(inOrder('from', 'to'))

/** What the caller may know of an object of the log. */
const auditReference = z.object({
  /** How it is called now: a title, a name, an email address. Null if it has no other name. */
  name: z.nullable(z.string()),
  /**
   * The subject whose page shows it: its own, `member:{id}` of a charge, or
   * `product-comments:{code}` of a comment. Null without such a page.
   */
  page: z.nullable(z.string()),
  isDeleted: z.boolean(),
})
export type AuditReference = z.output<typeof auditReference>

export const auditPage = keysetPage(
  z.extend(auditEntry, {
    /** The object. */
    about: auditReference,
    /** The actor, of whom only members have a name and a page. */
    by: auditReference,
    /** The member into whom the object was merged. Null for other entries. */
    into: z.nullable(auditReference),
  }),
)
