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
      `Hello ${name}, you are a member now. What you buy, like and watch stays with your account on every device.`,
      `Open ${store}`,
      'See my profile',
    ),
  ko: ({ name }, { store }) =>
    mail(
      `${store} 회원이 되신 것을 환영합니다`,
      `${name}님, 회원가입이 완료되었습니다. 구매하고 좋아하고 시청한 내용은 어느 기기에서나 이어집니다.`,
      `${store} 열기`,
      '내 프로필 보기',
    ),
  ja: ({ name }, { store }) =>
    mail(
      `${store}へようこそ`,
      `${name}様、会員登録が完了しました。購入、お気に入り、視聴の記録は、どの端末でもご利用いただけます。`,
      `${store}を開く`,
      '会員情報を見る',
    ),
  ar: ({ name }, { store }) =>
    mail(
      `أهلًا بك في ${store}`,
      `مرحبًا ${name}، اكتملت عضويتك. ما تشتريه وتضيفه إلى المفضلة وتشاهده يبقى مع حسابك على كل أجهزتك.`,
      `افتح ${store}`,
      'عرض ملفي الشخصي',
    ),
})
