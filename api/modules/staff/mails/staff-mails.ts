import { type MailTemplate, titled } from '#api/platform/mail/render.ts'
import type { WebhookDisabledReason } from '#contract/admin/webhooks.ts'

interface WebhookDisabled {
  url: string
  reason: Exclude<WebhookDisabledReason, 'STAFF'>
  path: string
}

/** Tells staff that an endpoint is sent nothing any more. */
export const webhookDisabledMail: MailTemplate<WebhookDisabled> = {
  name: 'webhook-disabled',
  samples: [
    { url: 'https://example.com/webhooks', reason: 'FAILING', path: '/admin/webhooks' },
    { url: 'https://example.com/webhooks', reason: 'GONE', path: '/admin/webhooks' },
  ],
  content: ({ url, reason, path }, { i18n, store }) => {
    const title = i18n._('A webhook endpoint of {store} was disabled', { store })
    const why =
      reason === 'GONE'
        ? i18n._('The endpoint answered that it no longer exists (status 410).')
        : i18n._('Every delivery to the endpoint has failed for 5 days.')
    return titled(title, [
      { kind: 'text', text: i18n._('{store} no longer sends webhooks to {url}.', { store, url }) },
      { kind: 'text', text: why },
      {
        kind: 'text',
        text: i18n._('Once the endpoint works again, enable it and replay the failed deliveries.'),
      },
      { kind: 'link', label: i18n._('Open the endpoint'), path },
    ])
  },
}

interface StaffInvitation {
  path: string
  days: number
}

/** Invites a person to the staff of a store. */
export const staffInvitationMail: MailTemplate<StaffInvitation> = {
  name: 'staff-invitation',
  isAboutStaffAccount: true,
  validMinutes: 7 * 24 * 60,
  samples: [{ path: '/admin/invitation?store=aurora&key=sample', days: 7 }],
  content: ({ path, days }, { i18n, store }) => {
    const title = i18n._('Join the {store} team', { store })
    return titled(title, [
      { kind: 'text', text: i18n._('You were invited to manage {store}. Accept to set up your account.', { store }) },
      { kind: 'link', label: i18n._('Accept invitation'), path },
      {
        kind: 'note',
        text: i18n._(
          'This link expires in {days} days and works only once. If you didn’t expect it, you can ignore this email.',
          { days },
        ),
      },
    ])
  },
}

interface StaffPasswordReset {
  path: string
  minutes: number
}

/** Contains the link with which a person of the staff sets a new password. */
export const staffPasswordResetMail: MailTemplate<StaffPasswordReset> = {
  name: 'staff-password-reset',
  isAboutStaffAccount: true,
  validMinutes: 30,
  samples: [{ path: '/admin#reset=sample', minutes: 30 }],
  content: ({ path, minutes }, { i18n, store }) => {
    const title = i18n._('Reset your password for the {store} console', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._(
          'We received a request to reset the password of your staff account at {store}. Use the link below to set a new one.',
          { store },
        ),
      },
      { kind: 'link', label: i18n._('Set a new password'), path },
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

interface StaffAccountChanged {
  /** ISO 8601. */
  at: string
}

/** What has happened to an account, and what to do about it if nobody expected it. */
const alert = (title: string, { text, note, console }: { text: string; note: string; console: string }) =>
  titled(title, [
    { kind: 'text' as const, text },
    { kind: 'note' as const, text: note },
    { kind: 'link' as const, label: console, path: '/admin' },
  ])

/** Alerts a person of the staff after their password was reset or changed. */
export const staffPasswordChangedMail: MailTemplate<StaffAccountChanged> = {
  name: 'staff-password-changed',
  isAboutStaffAccount: true,
  samples: [{ at: '2026-11-21T03:04:05.000Z' }],
  content: ({ at }, { i18n, store, dateTime }) =>
    alert(i18n._('Your password for the {store} console was changed', { store }), {
      text: i18n._(
        'The password of your staff account at {store} was changed on {at}. Your other sessions were signed out.',
        { store, at: dateTime(at) },
      ),
      note: i18n._('If this wasn’t you, reset your password right away and tell an owner of the store.'),
      console: i18n._('Open the console'),
    }),
}

interface StaffEmailChange {
  path: string
  minutes: number
}

/** Asks at a new address whether it belongs to a person of the staff. */
export const staffEmailChangeMail: MailTemplate<StaffEmailChange> = {
  name: 'staff-email-change',
  validMinutes: 30,
  samples: [{ path: '/admin#email=sample', minutes: 30 }],
  content: ({ path, minutes }, { i18n, store }) =>
    titled(i18n._('Confirm your new email address for the {store} console', { store }), [
      {
        kind: 'text',
        text: i18n._('Use the link below to sign in to the {store} console with this email address from now on.', {
          store,
        }),
      },
      { kind: 'link', label: i18n._('Confirm the address'), path },
      {
        kind: 'note',
        text: i18n._(
          'This link expires in {minutes} minutes and works only once. If you didn’t request it, you can ignore this email. Nothing changes without the link.',
          { minutes },
        ),
      },
    ]),
}

/** Alerts the former address of a person of the staff. */
export const staffEmailChangedMail: MailTemplate<StaffAccountChanged> = {
  name: 'staff-email-changed',
  samples: [{ at: '2026-11-21T03:04:05.000Z' }],
  content: ({ at }, { i18n, store, dateTime }) =>
    alert(i18n._('Your email address for the {store} console was changed', { store }), {
      text: i18n._(
        'The email address of your staff account at {store} was changed on {at}. This address no longer signs in.',
        { store, at: dateTime(at) },
      ),
      note: i18n._('If this wasn’t you, tell an owner of the store right away.'),
      console: i18n._('Open the console'),
    }),
}

/** Alerts a person of the staff after a passkey was added, with which one signs in. */
export const staffPasskeyAddedMail: MailTemplate<StaffAccountChanged & { name: string }> = {
  name: 'staff-passkey-added',
  isAboutStaffAccount: true,
  samples: [{ name: 'Phone', at: '2026-11-21T03:04:05.000Z' }],
  content: ({ name, at }, { i18n, store, dateTime }) =>
    alert(i18n._('A passkey was added to your account at the {store} console', { store }), {
      text: i18n._('The passkey “{name}” was added to your staff account at {store} on {at}. It signs you in.', {
        name,
        store,
        at: dateTime(at),
      }),
      note: i18n._('If this wasn’t you, reset your password right away and tell an owner of the store.'),
      console: i18n._('Open the console'),
    }),
}

/** Alerts a person of the staff after an administrator removed their authenticator app. */
export const staffSecondFactorRemovedMail: MailTemplate<StaffAccountChanged> = {
  name: 'staff-second-factor-removed',
  isAboutStaffAccount: true,
  samples: [{ at: '2026-11-21T03:04:05.000Z' }],
  content: ({ at }, { i18n, store, dateTime }) =>
    alert(i18n._('Your authenticator app was removed from the {store} console', { store }), {
      text: i18n._(
        'The authenticator app of your staff account at {store} was removed on {at}. Sign in with your password and set up a new app.',
        { store, at: dateTime(at) },
      ),
      note: i18n._('If you didn’t ask for this, reset your password right away and tell an owner of the store.'),
      console: i18n._('Open the console'),
    }),
}

/** Shows staff that the emails of their store arrive. */
export const testMail: MailTemplate<null> = {
  name: 'test',
  samples: [null],
  content: (_, { i18n, store }) => {
    const title = i18n._('Test email of {store}', { store })
    const text = i18n._('If you can read this, the emails of {store} arrive. Members’ emails are sent the same way.', {
      store,
    })
    return { subject: title, title, blocks: [{ kind: 'text', text }] }
  },
}
