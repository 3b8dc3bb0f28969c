import { storeMemberPath } from '../admin/members.ts'
import {
  memberChargeRefund,
  memberPlanChange,
  memberPlanChangeNow,
  memberSubscription,
  memberSubscriptionCancel,
  memberSubscriptionExtend,
  memberSubscriptionPause,
  planChanged,
  planChangeQuery,
  planChangeQuote,
  subscriptionEnded,
  subscriptionResumed,
} from '../admin/subscriptions.ts'
import { procedure } from './procedure.ts'

const members = { tag: 'Admin: members', permission: 'members:read' } as const

/** What staff do with the subscription of a member. */
export const memberSubscriptionProcedures = {
  subscription: procedure('operator', 'GET', '/admin/members/{id}/subscription', {
    ...members,
    summary: 'Retrieve a member’s subscription and its charges',
  })
    .input(storeMemberPath)
    .output(memberSubscription),
  cancelSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/cancel', {
    ...members,
    permission: 'members:write',
    summary: 'Cancel a member’s subscription at the end of the paid period',
    versioned: true,
    description: 'An overdue subscription ends at once.',
    status: 204,
  }).input(memberSubscriptionCancel),
  revokeCancellation: procedure('operator', 'POST', '/admin/members/{id}/subscription/revoke-cancellation', {
    ...members,
    permission: 'members:write',
    summary: 'Revoke the cancellation of a member’s subscription',
    versioned: true,
    description: 'It is renewed and charged as before. The member gets an email.',
    status: 204,
  }).input(memberSubscriptionCancel),
  refundCharge: procedure('operator', 'POST', '/admin/members/{id}/charges/{chargeId}/refund', {
    ...members,
    permission: 'refunds:write',
    summary: 'Refund a charge of a member’s subscription, or a part of it',
    versioned: true,
    description:
      'The subscription continues. More than the refund rule gives is refunded only with `overridesRule`; without it the answer is REFUND_AGAINST_RULE. The member gets an email.',
  })
    .input(memberChargeRefund)
    .output(subscriptionEnded),
  extendSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/extend', {
    ...members,
    permission: 'members:write',
    summary: 'Add free days to a member’s subscription',
    versioned: true,
    description: 'The trial or paid period ends later, and so does whatever follows it. The member gets an email.',
    status: 204,
  }).input(memberSubscriptionExtend),
  retryCharge: procedure('operator', 'POST', '/admin/members/{id}/subscription/retry', {
    ...members,
    permission: 'members:write',
    secondFactor: true,
    summary: 'Charge a member’s overdue renewal now',
    versioned: true,
    description: 'Answers CARD_REFUSED if the provider declines the card.',
    status: 204,
  }).input(memberSubscriptionCancel),
  pauseSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/pause', {
    ...members,
    permission: 'members:write',
    summary: 'Pause a member’s subscription',
    versioned: true,
    description:
      'Nothing is charged, and access ends with the paid period; for an overdue subscription at once. A paused one gets another day. The member gets an email.',
    status: 204,
  }).input(memberSubscriptionPause),
  resumeSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/resume', {
    ...members,
    permission: 'members:write',
    summary: 'Resume a member’s paused subscription',
    versioned: true,
    description: 'Where the paid period is over, the next one begins now and is charged. The member gets an email.',
  })
    .input(memberSubscriptionCancel)
    .output(subscriptionResumed),
  quotePlanChange: procedure('operator', 'POST', '/admin/members/{id}/subscription/quote', {
    ...members,
    summary: 'Calculate a change of a member’s plan',
    description: 'Returns what changes at the renewal, and what a change now charges or refunds. Valid for 15 minutes.',
  })
    .input(planChangeQuery)
    .output(planChangeQuote),
  changePlan: procedure('operator', 'POST', '/admin/members/{id}/subscription/plan', {
    ...members,
    permission: 'members:write',
    summary: 'Change a member’s plan at the next renewal',
    versioned: true,
    description: 'The present plan revokes a scheduled change. The member gets an email.',
    status: 204,
  }).input(memberPlanChange),
  changePlanNow: procedure('operator', 'POST', '/admin/members/{id}/subscription/plan-now', {
    ...members,
    permission: 'refunds:write',
    summary: 'Change a member’s plan now',
    versioned: true,
    description:
      'Needs a quote. Charges the card of the member or refunds to it, as quoted. Answers CARD_REFUSED if the provider declines the card. The member gets an email.',
  })
    .input(memberPlanChangeNow)
    .output(planChanged),
  endSubscription: procedure('operator', 'POST', '/admin/members/{id}/subscription/end', {
    ...members,
    permission: 'refunds:write',
    summary: 'End a member’s subscription now and refund its unused share',
    versioned: true,
    description: 'Access ends at once. Nothing is refunded in a trial or for an overdue subscription.',
  })
    .input(memberSubscriptionCancel)
    .output(subscriptionEnded),
}
