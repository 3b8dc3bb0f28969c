import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { suppressedFailure } from '#contract/admin/mails.ts'
import type { MailStatus } from '#contract/enumerations.ts'
import type { Statuses } from '../../ui/status'

/** What the emails of each template are about. One without a label is shown by its name. */
export const templateLabels: Readonly<Record<string, MessageDescriptor>> = {
  'card-expiring': msg`Card expires soon`,
  'deposit-expired': msg`Deposit period over`,
  'deposit-issued': msg`Account for the deposit`,
  'deposit-reminder': msg`Reminder of a deposit`,
  'deposit-reversed': msg`Deposit reversed`,
  'accounts-merged': msg`Accounts merged`,
  'email-changed': msg`Email address changed`,
  goodbye: msg`Account deleted`,
  'member-invitation': msg`Invitation of a member`,
  'merged-account': msg`Account merged into another one`,
  'have-account': msg`Sign-up with an existing account`,
  'inquiry-answered': msg`Inquiry answered`,
  'inquiries-assigned': msg`Inquiries assigned`,
  'join-code': msg`Sign-up code`,
  'partnership-ended': msg`Partnership ended`,
  'partnership-started': msg`Partnership began`,
  'password-changed': msg`Password changed`,
  'password-reset': msg`Password reset`,
  receipt: msg`Receipt`,
  'refund-account': msg`Bank account for a refund`,
  'refund-done': msg`Refunded`,
  'refund-rejected': msg`Refund request rejected`,
  'renewal-failed': msg`Renewal failed`,
  'sign-in-link': msg`Sign-in link`,
  'staff-email-change': msg`Confirmation of a staff email address`,
  'staff-email-changed': msg`Email address of a staff account changed`,
  'staff-invitation': msg`Staff invitation`,
  'staff-passkey-added': msg`Passkey added to a staff account`,
  'staff-password-changed': msg`Password of a staff account changed`,
  'staff-password-reset': msg`Password reset of a staff account`,
  'staff-second-factor-removed': msg`Authenticator app removed`,
  'subscription-cancelled': msg`Subscription canceled`,
  'subscription-continued': msg`Cancellation of a subscription revoked`,
  'subscription-extended': msg`Subscription extended`,
  'subscription-paused': msg`Subscription paused`,
  'subscription-plan-changed': msg`Plan of a subscription changed`,
  'subscription-receipt': msg`Subscription receipt`,
  'subscription-refunded': msg`Payment of a subscription refunded`,
  'subscription-resumed': msg`Subscription resumed`,
  'subscription-unpaid': msg`Subscription unpaid`,
  test: msg`Test email`,
  'trial-ending': msg`Trial ends soon`,
  'trial-started': msg`Trial started`,
  'unapplied-returned': msg`Unapplied payment refunded`,
  'webhook-disabled': msg`Webhook endpoint disabled`,
  welcome: msg`Welcome`,
}

/** Returns a function that says what the emails of a template are about. */
export const useTemplateName = () => {
  const { i18n } = useLingui()
  return (template: string): string => {
    const label = templateLabels[template]
    return label ? i18n._(label) : template
  }
}

/** Says why an email was not sent: the email server's own words, or ours. */
export const useFailureText = () => {
  const { i18n } = useLingui()
  return ({ status, failure }: { status: MailStatus; failure: string | null }): string | null => {
    if (status === 'NOT_SENT') return i18n._(msg`This installation has no email server.`)
    return failure === suppressedFailure ? i18n._(msg`The address is suppressed.`) : failure
  }
}

export const mailStatuses = {
  QUEUED: { label: msg`Queued`, tone: 'info' },
  SENT: { label: msg`Sent`, tone: 'success' },
  FAILED: { label: msg`Failed`, tone: 'danger' },
  NOT_SENT: { label: msg`Not sent`, tone: 'neutral' },
} as const satisfies Statuses<MailStatus>
