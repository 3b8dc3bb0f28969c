import { mailTemplate } from '#api/platform/mail/template.ts'

interface InquiryAnswered {
  code: string
  title: string
  answer: string
}

const path = (code: string) => `/mypages/inquiries/${code}`

/** The desk has answered an inquiry. */
export const inquiryAnswered = mailTemplate<InquiryAnswered>('inquiry-answered', {
  en: ({ code, title, answer }, { store }) => ({
    subject: `${store} answered your inquiry “${title}”`,
    title: 'We’ve answered your inquiry',
    blocks: [
      { kind: 'text', text: `Here is our answer to “${title}”.` },
      { kind: 'quote', text: answer },
      { kind: 'link', label: 'View and reply', path: path(code) },
      {
        kind: 'note',
        text: 'To continue the conversation, reply on the inquiry page. Replies to this email aren’t monitored.',
      },
    ],
  }),
  ko: ({ code, title, answer }, { store }) => ({
    subject: `[${store}] ‘${title}’ 문의에 답변이 등록됐어요`,
    title: '문의에 답변이 등록됐어요',
    blocks: [
      { kind: 'text', text: `‘${title}’ 문의에 대한 답변이에요.` },
      { kind: 'quote', text: answer },
      { kind: 'link', label: '답변 보기', path: path(code) },
      { kind: 'note', text: '더 궁금한 점은 문의 페이지에 남겨 주세요. 이 메일은 발신 전용이라 회신할 수 없어요.' },
    ],
  }),
  ja: ({ code, title, answer }, { store }) => ({
    subject: `${store}から「${title}」への回答が届きました`,
    title: 'お問い合わせに回答しました',
    blocks: [
      { kind: 'text', text: `「${title}」へのご回答です。` },
      { kind: 'quote', text: answer },
      { kind: 'link', label: '回答を読んで返信する', path: path(code) },
      { kind: 'note', text: '返信するとお問い合わせが再び開きます。このメールには返信できません。' },
    ],
  }),
  ar: ({ code, title, answer }, { store }) => ({
    subject: `أجاب ${store} عن استفسارك «${title}»`,
    title: 'وصل الرد على استفسارك',
    blocks: [
      { kind: 'text', text: `سألتنا عن «${title}»، وهذا ردنا.` },
      { kind: 'quote', text: answer },
      { kind: 'link', label: 'اقرأ الرد وأجب عنه', path: path(code) },
      { kind: 'note', text: 'يفتح ردك الاستفسار من جديد، ولا يمكن الرد على هذه الرسالة نفسها.' },
    ],
  }),
})
