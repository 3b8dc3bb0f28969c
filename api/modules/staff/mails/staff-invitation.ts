import type { MailTemplate } from '#api/platform/mail/template.ts'

interface StaffInvitation {
  path: string
  days: number
}

/** Invites a person to the staff of a store. */
export const staffInvitationMail: MailTemplate<StaffInvitation> = {
  name: 'staff-invitation',
  validMinutes: 7 * 24 * 60,
  samples: [{ path: '/admin/invitation?store=aurora&key=sample', days: 7 }],
  content: ({ path, days }, { i18n, store }) => {
    const title = i18n._('Join the {store} team', { store })
    return {
      subject: title,
      title,
      blocks: [
        { kind: 'text', text: i18n._('You were invited to manage {store}. Accept to set up your account.', { store }) },
        { kind: 'link', label: i18n._('Accept invitation'), path },
        {
          kind: 'note',
          text: i18n._(
            'This link expires in {days} days and works only once. If you didn’t expect it, you can ignore this email.',
            { days },
          ),
        },
      ],
    }
  },
}
