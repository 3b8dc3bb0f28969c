import { type MailContent, mailTemplate } from '../template.ts'

interface Welcome {
  name: string
}

const mail = (title: string, text: string, open: string, profile: string): MailContent => ({
  subject: title,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'link', label: open, path: '/' },
    { kind: 'link', label: profile, path: '/mypages/profile' },
  ],
})

/** After a join. */
export const welcomeMail = mailTemplate<Welcome>('welcome', {
  en: ({ name }, { store }) =>
    mail(
      `Welcome to ${store}`,
      `${name ? `Hi ${name}` : 'Hi'}, your account is ready. Your purchases, wish list, and watch history stay with you on every device.`,
      `Go to ${store}`,
      'View profile',
    ),
  ko: ({ name }, { store }) =>
    mail(
      `${store} 회원이 되신 것을 환영해요`,
      `${name ? `${name}님, ` : ''}회원가입이 완료됐어요. 구매한 상품, 찜한 상품, 시청 기록을 모든 기기에서 볼 수 있어요.`,
      `${store} 바로가기`,
      '프로필 보기',
    ),
  ja: ({ name }, { store }) =>
    mail(
      `${store}へようこそ`,
      `${name ? `${name}様、` : ''}会員登録が完了しました。購入、お気に入り、視聴の記録は、どの端末でもご利用いただけます。`,
      `${store}を開く`,
      '会員情報を見る',
    ),
  ar: ({ name }, { store }) =>
    mail(
      `أهلًا بك في ${store}`,
      `${name ? `مرحبًا ${name}` : 'مرحبًا'}، اكتملت عضويتك. ما تشتريه وتضيفه إلى المفضلة وتشاهده يبقى مع حسابك على كل أجهزتك.`,
      `افتح ${store}`,
      'عرض ملفي الشخصي',
    ),
})
