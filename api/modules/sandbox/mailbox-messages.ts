import type { MailHead } from '#api/modules/mail/mail.queries.ts'
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
    about: 'Every email the demo stores send, to any recipient.',
    address: 'Email address',
    example: 'Email address, such as member@example.com',
    show: 'Show emails',
    none: 'No emails yet. Sign up at a store and your verification code arrives here.',
    noneTo: (to) => `No emails to ${to} yet.`,
    all: 'All emails',
    from: 'From',
    to: 'To',
    toWhom: (to) => `To ${to}`,
    written: 'Date',
    state: 'Status',
    asHtml: 'Email as HTML',
    asText: 'Plain text',
    missing: 'Email not found',
    whyMissing: 'It belongs to another store or was deleted with the recipient’s account.',
    status: {
      QUEUED: 'Waiting to be sent',
      SENT: 'Sent',
      FAILED: 'Could not be sent',
      KEPT: 'Not sent: no mail server is configured',
    },
  },
  ko: {
    title: '메일함',
    about: '데모 스토어에서 보낸 모든 메일을 볼 수 있어요.',
    address: '이메일 주소',
    example: '이메일 주소 (예: member@example.com)',
    show: '메일 보기',
    none: '메일이 없어요. 스토어에 가입하면 인증번호가 여기로 와요.',
    noneTo: (to) => `${to} 주소로 온 메일이 없어요.`,
    all: '모든 메일',
    from: '보낸 사람',
    to: '받는 사람',
    toWhom: (to) => `받는 사람: ${to}`,
    written: '날짜',
    state: '상태',
    asHtml: 'HTML로 본 메일',
    asText: '텍스트로 보기',
    missing: '메일을 찾을 수 없어요',
    whyMissing: '다른 스토어의 메일이거나 받는 사람의 계정과 함께 삭제된 메일이에요.',
    status: {
      QUEUED: '발송 대기 중',
      SENT: '발송 완료',
      FAILED: '발송 실패',
      KEPT: '보내지 않음: 메일 서버가 설정되지 않음',
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
