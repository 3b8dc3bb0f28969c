import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** What the emails of each template are about. One without a label is shown by its name. */
export const templateLabels: Readonly<Record<string, MessageDescriptor>> = {
  'card-expiring': msg`Card expires soon`,
  'deposit-expired': msg`Deposit period over`,
  'deposit-issued': msg`Account for the deposit`,
  'deposit-reminder': msg`Reminder of a deposit`,
  'deposit-reversed': msg`Deposit reversed`,
  goodbye: msg`Account deleted`,
  'have-account': msg`Sign-up with an existing account`,
  'inquiry-answered': msg`Inquiry answered`,
  'join-code': msg`Sign-up code`,
  'password-changed': msg`Password changed`,
  'password-reset': msg`Password reset`,
  receipt: msg`Receipt`,
  'refund-account': msg`Bank account for a refund`,
  'refund-done': msg`Refunded`,
  'refund-rejected': msg`Refund request rejected`,
  'renewal-failed': msg`Renewal failed`,
  'sign-in-link': msg`Sign-in link`,
  'staff-invitation': msg`Staff invitation`,
  'staff-password-changed': msg`Password of a staff account changed`,
  'staff-password-reset': msg`Password reset of a staff account`,
  'staff-second-factor-removed': msg`Authenticator app removed`,
  'subscription-cancelled': msg`Subscription cancelled`,
  'subscription-receipt': msg`Subscription receipt`,
  'subscription-unpaid': msg`Subscription unpaid`,
  'trial-ending': msg`Trial ends soon`,
  'trial-started': msg`Trial started`,
  'unapplied-returned': msg`Unapplied payment refunded`,
  welcome: msg`Welcome`,
}
