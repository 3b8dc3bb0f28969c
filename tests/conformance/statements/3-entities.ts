import { by, decidedIn, inData, inErrors, inSession, inShell, section } from './statement.ts'

/** Entities, their fields, and the enumerations. */
export const entities = section(3, [
  ['Customer contract status: useCustomer (boolean)', inData],
  ['Customer contract status: useSite (boolean)', inData],
  ['Site settings: order.useFree, order.usePayment, order.useSubscribe, order.useInquiry', inData],
  ['Site settings: operation.useLogin', inData],
  ['Site settings: seo.title, seo.description, seo.publicUrl, seo.use', inData],
  ['Site settings: base.name, base.faviconPublicUrl', inData],
  ['User: usePlan.partnership', inData],
  [
    'User: usePlan.regular',
    by(
      'api/subscriptions.test.ts',
      'with a stored card charges once, grants access to the plan’s products and records the consent',
    ),
  ],
  ['Other user fields not shown', decidedIn('contract/identity.ts')],
  [
    "Login response: tokenType ('Bearer') plus token data",
    by(
      'api/sign-in.test.ts',
      'sign-in with the right password returns a Bearer token that authorizes the member’s requests',
    ),
  ],
  ['Category: id, parentId, level', inData],
  ["Category: isChild is derived when the category's id is the parentId of another category", inShell],
  [
    'Error payload: code, errors (map of field to errors)',
    by('api/http.test.ts', 'the error payload names each invalid field with 422'),
  ],
  [
    'Modal event detail: name, visible, data',
    by(
      'e2e/conformance.spec.ts',
      '§2 App shell: a modal container opens a named modal on a global event and closes it on a close event',
    ),
  ],
  ['Toast message: severity, summary, detail, life, closable', inErrors],
  ['Error object: statusCode, message', inErrors],
  ['Product field list: not shown', decidedIn('contract/catalog.ts')],
  ['Comment field list: not shown', decidedIn('contract/engagement.ts')],
  ['Order field list: not shown', decidedIn('contract/orders.ts')],
  ['Plan field list: not shown', decidedIn('contract/subscriptions.ts')],
  ['Cart field list: not shown', decidedIn('contract/orders.ts')],
  ['Card field list: not shown', decidedIn('contract/billing.ts')],
  ['Inquiry field list: not shown', decidedIn('contract/support.ts')],
  ['Notice, FAQ and banner field lists: not shown', decidedIn('contract/content.ts')],

  ['Order/payment statuses: PAYMENT_COMPLETE, PAYMENT_FAIL, DEPOSIT_WAITING, CANCEL_REQUEST, CANCEL_COMPLETE', inData],
  ['Other status-like values: PENDING, ACCEPT, REFUND', inData],
  [
    'Other status-like values: PROCEEDING and PENDING',
    by(
      'api/subscriptions.test.ts',
      'that fail are retried on days 1, 3, 5 and 7 with access until the last, then end; one mail is sent at the first',
    ),
  ],
  [
    'Other status-like values: WAIT and COMPLETE',
    by('e2e/inquiries.spec.ts', 'a member reports a problem with a file, is answered, and writes again'),
  ],
  ['Display types: TEXT, LOGO, LOGO_TEXT', inData],
  ['Payment methods: CARD, BANK', inData],
  ['Process types: WAIT, COMPLETE, INQUIRY, WITHDRAWAL, ORDER_CANCEL, CUSTOM', inData],
  ['Product kinds: PAY, FREE, VOD', inData],
  [
    'Sort options: sort,DESC; createdAt,DESC/ASC; countOfViews,DESC/ASC; countOfPlays,DESC/ASC; duration,DESC/ASC',
    by('api/catalog.test.ts', 'search sorts products by %s'),
  ],
  ['Result values: success, error', inSession],
  ['Banner types: HEADER_BANNER, MAIN_SLIDER_BANNER, BANNER, CUSTOM, GRID, NONE', inData],
  ['Link targets: CATEGORY, PRODUCT, PLAN', inData],
  ['User kinds: GUEST, USER', inData],
])
