import { type MailTemplate, titled } from '#api/platform/mail/render.ts'

interface InquiryAnswered {
  code: string
  title: string
  answer: string
  /** How many files the answer has. */
  files: number
}

/** The store's team has answered an inquiry. */
export const inquiryAnswered: MailTemplate<InquiryAnswered> = {
  name: 'inquiry-answered',
  samples: [
    {
      code: 'Q-7K3M9P',
      title: 'Subtitles in the second episode',
      answer: 'Thank you for telling us.\nThe subtitles are in time again.',
      files: 1,
    },
  ],
  content: ({ code, title, answer, files }, { i18n, store }) => ({
    subject: i18n._('{store} answered your inquiry “{title}”', { store, title }),
    title: i18n._('We’ve answered your inquiry'),
    blocks: [
      { kind: 'text', text: i18n._('Here is our answer to “{title}”.', { title }) },
      { kind: 'quote', text: answer },
      ...(files > 0
        ? [{ kind: 'text', text: i18n._('The answer has attached files. Download them on the inquiry page.') } as const]
        : []),
      { kind: 'link', label: i18n._('View and reply'), path: `/mypages/inquiries/${code}` },
      {
        kind: 'note',
        text: i18n._(
          'To continue the conversation, reply on the inquiry page. Replies to this email aren’t monitored.',
        ),
      },
    ],
  }),
}

interface InquiriesAssigned {
  /** The number of a single one. */
  code: string | null
  count: number
  path: string
}

/** Somebody has assigned inquiries to a person of the staff. */
export const inquiriesAssigned: MailTemplate<InquiriesAssigned> = {
  name: 'inquiries-assigned',
  samples: [
    { code: 'Q-7K3M9P', count: 1, path: '/admin/inquiries/Q-7K3M9P' },
    { code: null, count: 3, path: '/admin/inquiries' },
  ],
  content: ({ code, count, path }, { i18n, store }) => {
    const title = code
      ? i18n._('Inquiry {code} was assigned to you', { code })
      : i18n._('{count} inquiries were assigned to you', { count })
    return titled(title, [
      { kind: 'text', text: i18n._('Answer in the console of {store}.', { store }) },
      { kind: 'link', label: i18n._('Open the console'), path },
    ])
  },
}
