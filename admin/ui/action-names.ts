import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import type { AuditAction } from '#contract/admin/audit.ts'

const names = {
  'banner.changed': msg`Banner changed`,
  'banner.created': msg`Banner created`,
  'banner.deleted': msg`Banner deleted`,
  'banner.moved': msg`Order of banners changed`,
  'cancel.accepted': msg`Refund request approved`,
  'cancel.rejected': msg`Refund request rejected`,
  'case.closed': msg`Case closed`,
  'catalog.imported': msg`Catalog imported`,
  'category.changed': msg`Category changed`,
  'category.created': msg`Category created`,
  'category.deleted': msg`Category deleted`,
  'category.moved': msg`Category moved`,
  'comment.answered': msg`Comment answered`,
  'comment.approved': msg`Comment approved`,
  'comment.hidden': msg`Comment hidden`,
  'deposit.matched': msg`Unapplied payment used`,
  'deposit.received': msg`Marked as paid`,
  'deposit.returned': msg`Unapplied payment returned`,
  'domain.added': msg`Domain added`,
  'domain.removed': msg`Domain removed`,
  'domain.verified': msg`Domain verified`,
  'domains.changed': msg`Addresses of the store changed`,
  'drm.set': msg`Copy protection changed`,
  'faq.changed': msg`Question changed`,
  'faq.created': msg`Question created`,
  'faq.deleted': msg`Question deleted`,
  'faq.moved': msg`Order of questions changed`,
  'inquiry.answered': msg`Inquiry answered`,
  'mail.resent': msg`Email sent again`,
  'mail.tested': msg`Test email sent`,
  'member.blocked': msg`Member blocked`,
  'member.email-changed': msg`Email address changed`,
  'member.erased': msg`Account deleted by staff`,
  'member.reset-sent': msg`Password reset sent`,
  'member.signed-out': msg`Member signed out`,
  'member.tagged': msg`Tags changed`,
  'member.unblocked': msg`Member unblocked`,
  'member.withdrew': msg`Account deleted`,
  'members.exported': msg`Members exported`,
  'note.added': msg`Note`,
  'notice.changed': msg`Notice changed`,
  'notice.created': msg`Notice created`,
  'notice.deleted': msg`Notice deleted`,
  'operator-token.created': msg`Token created`,
  'operator-token.revoked': msg`Token revoked`,
  'order.given': msg`Complimentary order created`,
  'order.receipt-sent': msg`Receipt sent again`,
  'order.refunded': msg`Refunded by the store`,
  'orders.exported': msg`Orders exported`,
  'page.changed': msg`Page changed`,
  'page.created': msg`Page created`,
  'page.deleted': msg`Page deleted`,
  'page.moved': msg`Order of pages changed`,
  'partnership.ended': msg`Partnership ended`,
  'partnership.granted': msg`Partnership granted`,
  'payment-provider.chosen': msg`Payment provider chosen`,
  'plan.changed': msg`Plan changed`,
  'plan.created': msg`Plan created`,
  'plan.deleted': msg`Plan deleted`,
  'plan.moved': msg`Order of plans changed`,
  'play.closed': msg`Playback closed`,
  'play.leaked': msg`Leaked stream closed`,
  'poster.chosen': msg`Poster changed`,
  'product.changed': msg`Product changed`,
  'product.created': msg`Product created`,
  'product.duplicated': msg`Product duplicated`,
  'product.preview-created': msg`Preview link created`,
  'refund.transferred': msg`Refund transferred`,
  'settings.changed': msg`Settings changed`,
  'staff-role.changed': msg`Role changed`,
  'staff-role.created': msg`Role created`,
  'staff-role.deleted': msg`Role deleted`,
  'staff.changed': msg`Profile changed`,
  'staff.invitation-revoked': msg`Invitation revoked`,
  'staff.invited': msg`Staff invited`,
  'staff.joined': msg`Invitation accepted`,
  'staff.passkey-added': msg`Passkey added`,
  'staff.passkey-removed': msg`Passkey removed`,
  'staff.password-changed': msg`Password changed`,
  'staff.password-reset': msg`Password reset by email`,
  'staff.recovery-code-used': msg`Recovery code used`,
  'staff.removed': msg`Staff removed`,
  'staff.role-changed': msg`Role of a person changed`,
  'staff.second-factor-removed': msg`Authenticator app removed`,
  'staff.second-factor-set': msg`Authenticator app set up`,
  'store.closed': msg`Store closed`,
  'store.created': msg`Store created`,
  'store.opened': msg`Store opened`,
  'store.preview-created': msg`Preview link created`,
  'subscription.cancelled': msg`Subscription canceled`,
  'subscription.ended': msg`Subscription ended`,
  'subscription.extended': msg`Subscription extended`,
  'subscription.refunded': msg`Subscription refunded`,
  'subscription.retried': msg`Overdue payment tried again`,
  'subscriptions.exported': msg`Subscriptions exported`,
  'title.granted': msg`Title granted`,
  'title.revoked': msg`Title revoked`,
  'video.added': msg`Video added`,
  'video.cancelled': msg`Encoding canceled`,
  'video.removed': msg`Video removed`,
  'video.retried': msg`Video encoded again`,
  'webhook.changed': msg`Webhook endpoint changed`,
  'webhook.created': msg`Webhook endpoint created`,
  'webhook.deleted': msg`Webhook endpoint deleted`,
  'webhook.disabled': msg`Webhook endpoint disabled`,
  'webhook.replayed': msg`Webhooks sent again`,
  'webhook.secret-rotated': msg`Webhook secret replaced`,
} satisfies Record<AuditAction, MessageDescriptor>

const nameOf = new Map<string, MessageDescriptor>(Object.entries(names))

/** The names of actions in the audit log. One without a name is shown by its code. */
export const useActionName = () => {
  const { i18n } = useLingui()
  return (action: string): string => {
    const name = nameOf.get(action)
    return name ? i18n._(name) : action
  }
}

/** All named actions to choose from, in the order of the alphabet. */
export const useActionOptions = () => {
  const { i18n } = useLingui()
  return [...nameOf]
    .map(([value, name]) => ({ value, label: i18n._(name) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, i18n.locale))
}
