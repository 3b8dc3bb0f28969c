import type { I18n } from '#api/platform/i18n/messages.ts'
import { type Fact, type MailTemplate, titled } from '#api/platform/mail/render.ts'

export interface PartnershipMail {
  /** What the partnership is called; null without a name. */
  name: string | null
  /** ISO 8601. */
  until: string
}

interface MemberInvitation {
  name: string
  accessKey: string
  days: number
}

/** Sent to a member whom the store has created, with the link to set the first password. */
export const memberInvitationMail: MailTemplate<MemberInvitation> = {
  name: 'member-invitation',
  validMinutes: 7 * 24 * 60,
  samples: [
    { name: 'Sora', accessKey: 'sample', days: 7 },
    { name: '', accessKey: 'sample', days: 7 },
  ],
  content: ({ name, accessKey, days }, { i18n, store }) => {
    const title = i18n._('Your account at {store}', { store })
    return titled(title, [
      {
        kind: 'text',
        text: i18n._(
          '{hasName, select, yes {Hi {name}} other {Hi}}, {store} has created an account for you. Choose a password to use it.',
          { hasName: name ? 'yes' : 'no', name, store },
        ),
      },
      {
        kind: 'link',
        label: i18n._('Choose a password'),
        path: `/reset-password?key=${encodeURIComponent(accessKey)}`,
      },
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

/** What a mail calls a partnership. */
const nameFacts = (i18n: I18n, name: string | null): Fact[] => (name ? [[i18n._('Partnership'), name]] : [])

/** Sent when a partnership begins, with its last day. */
export const partnershipStartedMail: MailTemplate<PartnershipMail> = {
  name: 'partnership-started',
  samples: [
    { name: 'Harbour Ltd', until: '2027-11-20T14:59:59.000Z' },
    { name: null, until: '2027-11-20T14:59:59.000Z' },
  ],
  content: ({ name, until }, { i18n, store, day }) =>
    titled(i18n._('Your partnership with {store} has begun', { store }), [
      {
        kind: 'text',
        text: i18n._('You can watch every title that plans include, at no cost. You don’t need a subscription.'),
      },
      { kind: 'facts', facts: [...nameFacts(i18n, name), [i18n._('Until'), day(until)]] },
      { kind: 'link', label: i18n._('View subscription'), path: '/mypages/subscription' },
    ]),
}

/** Sent when a partnership ends: by staff, or after its last day. */
export const partnershipEndedMail: MailTemplate<PartnershipMail> = {
  name: 'partnership-ended',
  samples: [
    { name: 'Harbour Ltd', until: '2026-11-20T14:59:59.000Z' },
    { name: null, until: '2026-11-20T14:59:59.000Z' },
  ],
  content: ({ name, until }, { i18n, store, day }) =>
    titled(i18n._('Your partnership with {store} has ended', { store }), [
      {
        kind: 'text',
        text: i18n._(
          'The titles of plans are no longer included for you. What you have bought or subscribed to stays yours to watch.',
        ),
      },
      { kind: 'facts', facts: [...nameFacts(i18n, name), [i18n._('Ended on'), day(until)]] },
      { kind: 'link', label: i18n._('Go to {store}', { store }), path: '/' },
    ]),
}
