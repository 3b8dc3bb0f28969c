import type { MailTemplate } from '#api/platform/mail/render.ts'

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
