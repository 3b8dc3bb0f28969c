import type { I18n } from '#api/platform/i18n/messages.ts'
import { type MailContent, type MailFormats, type MailTemplate, titled } from '#api/platform/mail/render.ts'

interface Goodbye {
  name: string
  /** The number of orders whose records the law requires to retain. */
  retainedOrders: number
}

/** Sent after a withdrawal. */
export const goodbyeMail: MailTemplate<Goodbye> = {
  name: 'goodbye',
  // The person has asked that their data is deleted.
  isErased: true,
  samples: [
    { name: 'Sora', retainedOrders: 3 },
    { name: 'Sora', retainedOrders: 1 },
    { name: '', retainedOrders: 0 },
  ],
  content: ({ name, retainedOrders }, { i18n, store }) => {
    const title = i18n._('Your {store} account has been deleted', { store })
    const text = i18n._(
      '{hasName, select, yes {Hi {name}} other {Hi}}, we’ve deleted your account and personal data as you requested. Thank you for being with us.',
      { hasName: name ? 'yes' : 'no', name },
    )
    const retention = i18n._(
      'We keep the {orders, plural, one {record of one order} other {records of {orders} orders}}, without your name, for as long as the law requires.',
      { orders: retainedOrders },
    )
    return titled(title, [
      { kind: 'text', text },
      ...(retainedOrders > 0 ? [{ kind: 'note' as const, text: retention }] : []),
    ])
  },
}

interface AccountsMerged {
  /** ISO 8601. */
  at: string
}

/** The texts of a mail about accounts that support has merged. */
const mergedMail =
  (textsOf: (i18n: I18n, given: { store: string; at: string }) => { title: string; text: string }) =>
  ({ at }: AccountsMerged, { i18n, store, dateTime }: MailFormats): MailContent => {
    const { title, text } = textsOf(i18n, { store, at: dateTime(at) })
    return titled(title, [
      { kind: 'text', text },
      { kind: 'note', text: i18n._('If you didn’t request this, contact our support team right away.') },
    ])
  }

/** Tells the owner of an account that support has merged another one into it. */
export const accountsMergedMail: MailTemplate<AccountsMerged> = {
  name: 'accounts-merged',
  samples: [{ at: '2026-11-21T03:04:05.000Z' }],
  content: mergedMail((i18n, given) => ({
    title: i18n._('Your {store} accounts are now one', given),
    text: i18n._(
      'On {at}, our support team merged your other {store} account into this one. Its orders, titles, and watch history are here now, and its email address no longer signs in.',
      given,
    ),
  })),
}

/** Tells the address of an account that support has merged into another one. */
export const mergedAccountMail: MailTemplate<AccountsMerged> = {
  name: 'merged-account',
  // The address belongs to no account any more.
  isErased: true,
  samples: [{ at: '2026-11-21T03:04:05.000Z' }],
  content: mergedMail((i18n, given) => ({
    title: i18n._('This {store} account is closed', given),
    text: i18n._(
      'On {at}, our support team merged the {store} account with this email address into your other one. Sign in there: your orders, titles, and watch history have moved.',
      given,
    ),
  })),
}

/** Replaces the code if somebody tries to join with the email of an existing account. */
export const haveAccountMail: MailTemplate<Record<never, never>> = {
  name: 'have-account',
  samples: [{}],
  content: (_, { i18n, store }) => {
    const title = i18n._('You already have an account at {store}', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._(
          'Someone tried to create an account at {store} with this email address, but one already exists. If it was you, sign in.',
          { store },
        ),
      },
      { kind: 'link', label: i18n._('Sign in'), path: '/login' },
      {
        kind: 'link',
        label: i18n._('Reset password', {}, { context: 'forgotten password' }),
        path: '/reset-password',
      },
      {
        kind: 'note',
        text: i18n._('If it wasn’t you, you can ignore this email. Your account hasn’t changed.'),
      },
    ])
  },
}

interface Welcome {
  name: string
}

/** After a join. */
export const welcomeMail: MailTemplate<Welcome> = {
  name: 'welcome',
  samples: [{ name: 'Sora' }, { name: '' }],
  content: ({ name }, { i18n, store }) => {
    const title = i18n._('Welcome to {store}', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._(
          '{hasName, select, yes {Hi {name}} other {Hi}}, your account is ready. Your purchases, wish list, and watch history stay with you on every device.',
          { hasName: name ? 'yes' : 'no', name },
        ),
      },
      { kind: 'link', label: i18n._('Go to {store}', { store }), path: '/' },
      { kind: 'link', label: i18n._('View profile'), path: '/mypages/profile' },
    ])
  },
}

interface PasswordReset {
  accessKey: string
  minutes: number
}

/** Contains the link to set a new password. */
export const passwordResetMail: MailTemplate<PasswordReset> = {
  name: 'password-reset',
  validMinutes: 10,
  samples: [{ accessKey: 'sample', minutes: 10 }],
  content: ({ accessKey, minutes }, { i18n, store }) => {
    const title = i18n._('Reset your {store} password', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._(
          'We received a request to reset the password for your {store} account. Use the link below to set a new one.',
          { store },
        ),
      },
      {
        kind: 'link',
        label: i18n._('Reset password', {}, { context: 'requested by email' }),
        path: `/reset-password?key=${encodeURIComponent(accessKey)}`,
      },
      {
        kind: 'note',
        text: i18n._(
          'This link expires in {minutes} minutes and works only once. If you didn’t request it, you can ignore this email. Your password won’t change.',
          { minutes },
        ),
      },
    ])
  },
}

interface PasswordChanged {
  /** ISO 8601. */
  at: string
}

/** Alerts the owner after a password was reset or changed. */
export const passwordChangedMail: MailTemplate<PasswordChanged> = {
  name: 'password-changed',
  samples: [{ at: '2026-11-21T03:04:05.000Z' }],
  content: ({ at }, { i18n, store, dateTime }) => {
    const title = i18n._('Your {store} password was changed', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._('The password for your {store} account was changed on {at}. Your other devices were signed out.', {
          store,
          at: dateTime(at),
        }),
      },
      {
        kind: 'note',
        text: i18n._('If this wasn’t you, reset your password right away and contact our support team.'),
      },
      { kind: 'link', label: i18n._('Reset password', {}, { context: 'changed password' }), path: '/reset-password' },
    ])
  },
}

interface EmailChanged {
  /** ISO 8601. */
  at: string
  /** Whether the reader is at the new address. */
  isNew: boolean
}

/** Tells the former and the new address that support has changed the email of an account. */
export const emailChangedMail: MailTemplate<EmailChanged> = {
  name: 'email-changed',
  samples: [
    { at: '2026-11-21T03:04:05.000Z', isNew: false },
    { at: '2026-11-21T03:04:05.000Z', isNew: true },
  ],
  content: ({ at, isNew }, { i18n, store, dateTime }) => {
    const title = i18n._('The email address of your {store} account was changed', { store })
    const text = isNew
      ? i18n._(
          'On {at}, our support team made this the email address of your {store} account. Sign in with it from now on. Your password hasn’t changed.',
          { store, at: dateTime(at) },
        )
      : i18n._(
          'On {at}, our support team changed the email address of your {store} account. This address no longer belongs to it, and all devices were signed out.',
          { store, at: dateTime(at) },
        )
    return titled(title, [
      { kind: 'text', text },
      {
        kind: 'note',
        text: i18n._('If you didn’t request this, contact our support team right away.'),
      },
      ...(isNew ? [{ kind: 'link' as const, label: i18n._('Sign in'), path: '/login' }] : []),
    ])
  },
}

interface SignInLink {
  key: string
  minutes: number
}

/** Lets the owner sign in on a new device while others try wrong passwords. */
export const signInLinkMail: MailTemplate<SignInLink> = {
  name: 'sign-in-link',
  validMinutes: 10,
  samples: [{ key: 'sample', minutes: 10 }],
  content: ({ key, minutes }, { i18n, store }) => {
    const title = i18n._('Sign in to {store} on a new device', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._(
          'Someone is trying to sign in to your {store} account on a new device. If it’s you, open the link below on that device and enter your password.',
          { store },
        ),
      },
      { kind: 'link', label: i18n._('Sign in on this device'), path: `/login?key=${encodeURIComponent(key)}` },
      {
        kind: 'note',
        text: i18n._(
          'This link expires in {minutes} minutes. If it wasn’t you, you can ignore this email. Nobody can sign in without your password.',
          { minutes },
        ),
      },
    ])
  },
}

interface JoinCode {
  code: string
  minutes: number
}

/**
 * Contains the code of a join. It omits the form's data, because its sender may not own the
 * address.
 */
export const joinCodeMail: MailTemplate<JoinCode> = {
  name: 'join-code',
  validMinutes: 10,
  samples: [{ code: '123456', minutes: 10 }],
  content: ({ code, minutes }, { i18n, store }) => {
    const title = i18n._('Your {store} verification code', { store })
    return {
      subject: `${title}: ${code}`,
      title,
      blocks: [
        { kind: 'text', text: i18n._('Enter this code on the {store} sign-up page.', { store }) },
        { kind: 'code', label: i18n._('Verification code'), code },
        {
          kind: 'note',
          text: i18n._(
            'This code expires in {minutes} minutes. If you didn’t request it, you can ignore this email. No account is created without the code.',
            { minutes },
          ),
        },
      ],
    }
  },
}
