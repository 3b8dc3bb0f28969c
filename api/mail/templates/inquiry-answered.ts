import { mailTemplate } from '#api/mail/template.ts'

interface InquiryAnswered {
  code: string
  title: string
  answer: string
}

const path = (code: string) => `/mypages/inquiries/${code}`

/** The desk has answered an inquiry. */
export const inquiryAnswered = mailTemplate<InquiryAnswered>('inquiry-answered', {
  en: ({ code, title, answer }, { store }) => ({
    subject: `${store} has answered “${title}”`,
    title: 'Your inquiry has an answer',
    blocks: [
      { kind: 'text', text: `You asked us about “${title}”. This is our answer.` },
      { kind: 'quote', text: answer },
      { kind: 'link', label: 'Read it and reply', path: path(code) },
      { kind: 'note', text: 'A reply opens the inquiry again; this mail itself cannot be answered.' },
    ],
  }),
  ko: ({ code, title, answer }, { store }) => ({
    subject: `${store}에서 “${title}” 문의에 답변했습니다`,
    title: '문의에 답변이 등록되었습니다',
    blocks: [
      { kind: 'text', text: `“${title}” 문의에 대한 답변입니다.` },
      { kind: 'quote', text: answer },
      { kind: 'link', label: '답변 보고 이어서 문의하기', path: path(code) },
      { kind: 'note', text: '문의 페이지에서 다시 글을 남기면 문의가 다시 열립니다. 이 메일에는 회신할 수 없습니다.' },
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
