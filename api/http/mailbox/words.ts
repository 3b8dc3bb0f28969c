import type { MailHead } from '#api/db/queries/mails.ts'
import type { Locale } from '#contract/enumerations.ts'

interface MailboxWords {
  title: string
  about: string
  address: string
  example: string
  show: string
  none: string
  noneTo: (to: string) => string
  all: string
  from: string
  to: string
  toWhom: (to: string) => string
  written: string
  state: string
  asHtml: string
  asText: string
  missing: string
  whyMissing: string
  status: Record<MailHead['status'], string>
}

export const mailboxWords: Record<Locale, MailboxWords> = {
  en: {
    title: 'Mailbox',
    about: 'Every mail the demo’s stores write, to whomever it goes.',
    address: 'Address',
    example: 'Address, such as member@example.com',
    show: 'Show its mails',
    none: 'There is no mail yet. Join a store, and the code arrives here.',
    noneTo: (to) => `There is no mail to ${to} yet.`,
    all: 'All mails',
    from: 'From',
    to: 'To',
    toWhom: (to) => `To ${to}`,
    written: 'Written',
    state: 'State',
    asHtml: 'The mail as HTML',
    asText: 'As text',
    missing: 'There is no such mail',
    whyMissing: 'It belongs to another store, or was erased with its reader’s account.',
    status: {
      QUEUED: 'Waiting to be sent',
      SENT: 'Sent',
      FAILED: 'Could not be sent',
      KEPT: 'Kept here: there is no mail server',
    },
  },
  ko: {
    title: '메일함',
    about: '데모 스토어가 보내는 모든 메일이 받는 사람과 관계없이 여기에 모입니다.',
    address: '이메일 주소',
    example: '이메일 주소 (예: member@example.com)',
    show: '메일 보기',
    none: '아직 메일이 없습니다. 스토어에 가입하면 인증번호가 여기로 옵니다.',
    noneTo: (to) => `${to} 주소로 온 메일이 아직 없습니다.`,
    all: '모든 메일',
    from: '보낸 곳',
    to: '받는 사람',
    toWhom: (to) => `받는 사람: ${to}`,
    written: '작성',
    state: '상태',
    asHtml: 'HTML로 본 메일',
    asText: '텍스트로 보기',
    missing: '메일을 찾을 수 없습니다',
    whyMissing: '다른 스토어의 메일이거나, 받는 사람의 계정과 함께 지워졌습니다.',
    status: {
      QUEUED: '발송 대기 중',
      SENT: '발송됨',
      FAILED: '발송하지 못함',
      KEPT: '메일 서버가 없어 여기에 보관됨',
    },
  },
  ja: {
    title: 'メールボックス',
    about: 'デモのストアが送るすべてのメールを、宛先にかかわらずここで見られます。',
    address: 'メールアドレス',
    example: 'メールアドレス（例：member@example.com）',
    show: 'メールを表示',
    none: 'まだメールはありません。ストアに登録すると、確認コードがここに届きます。',
    noneTo: (to) => `${to} 宛てのメールはまだありません。`,
    all: 'すべてのメール',
    from: '差出人',
    to: '宛先',
    toWhom: (to) => `宛先：${to}`,
    written: '作成日時',
    state: '状態',
    asHtml: 'HTML形式のメール',
    asText: 'テキスト形式',
    missing: 'メールが見つかりません',
    whyMissing: 'ほかのストアのメールか、受信者のアカウントとともに削除されたメールです。',
    status: {
      QUEUED: '送信待ち',
      SENT: '送信済み',
      FAILED: '送信できませんでした',
      KEPT: 'メールサーバーがないため、ここに保管されています',
    },
  },
  ar: {
    title: 'صندوق البريد',
    about: 'كل رسالة تكتبها متاجر العرض، أيًّا كان من تُرسل إليه.',
    address: 'العنوان',
    example: 'عنوان بريد، مثل member@example.com',
    show: 'عرض رسائله',
    none: 'لا رسائل بعد. أنشئ حسابًا في متجر وسيصل الرمز إلى هنا.',
    noneTo: (to) => `لا رسائل إلى ${to} بعد.`,
    all: 'كل الرسائل',
    from: 'من',
    to: 'إلى',
    toWhom: (to) => `إلى ${to}`,
    written: 'كُتبت',
    state: 'الحالة',
    asHtml: 'الرسالة بصيغة HTML',
    asText: 'كنص',
    missing: 'لا توجد رسالة كهذه',
    whyMissing: 'إنها لمتجر آخر، أو مُحيت مع حساب قارئها.',
    status: {
      QUEUED: 'بانتظار الإرسال',
      SENT: 'أُرسلت',
      FAILED: 'تعذّر إرسالها',
      KEPT: 'محفوظة هنا: لا يوجد خادم بريد',
    },
  },
}
