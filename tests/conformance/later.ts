/**
 * Parts of the product that are yet to come. A statement of the specification that waits for one of them says so by its
 * key; a part nothing waits for any more is taken out here.
 */
export const waitsFor = {
  join: 'Joining: the form, the code by e-mail, the welcome, and the password meter.',
  reset: 'Resetting a password: the findPassword modal, the mail, and the page behind its key.',
  plans: 'Plans and subscriptions: lists, payment, renewal, the plan check and the subscribe check.',
  bank: 'Payment by bank deposit, and what a member is told about it.',
  refunds: 'Cancelling an order, and refunds by the desk.',
  inquiries: 'Inquiries with replies and files.',
  cards: 'Registered cards.',
  profile: 'The profile page with the address search.',
  withdrawal: 'Withdrawal of an account.',
  cases: 'The operator’s desk and its cases.',
  dateField: 'A form that asks for a date; the measures stand ready in app/platform/constants.ts.',
} as const
