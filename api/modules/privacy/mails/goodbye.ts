import { type MailContent, mailTemplate } from '#api/platform/mail/template.ts'

interface Goodbye {
  name: string
  /** Orders whose records the law asks to keep. */
  keptOrders: number
}

const mail = (title: string, text: string, kept: string | null): MailContent => ({
  subject: title,
  title,
  blocks: [{ kind: 'text', text }, ...(kept ? [{ kind: 'note' as const, text: kept }] : [])],
})

/** The last mail, after a withdrawal. */
export const goodbyeMail = mailTemplate<Goodbye>('goodbye', {
  en: ({ name, keptOrders }, { store }) =>
    mail(
      `Your ${store} account has been deleted`,
      `${name ? `Hi ${name}` : 'Hi'}, we’ve deleted your account and personal data as you requested. Thank you for being with us.`,
      keptOrders > 0
        ? `We keep the ${keptOrders === 1 ? 'record of one order' : `records of ${keptOrders} orders`}, without your name, for as long as the law requires.`
        : null,
    ),
  ko: ({ name, keptOrders }, { store }) =>
    mail(
      `${store} 회원 탈퇴가 완료됐어요`,
      `${name ? `${name}님, ` : ''}요청하신 대로 회원 탈퇴를 완료하고 개인정보를 삭제했어요. 그동안 이용해 주셔서 감사해요.`,
      keptOrders > 0 ? `주문 ${keptOrders}건의 거래 기록은 법에서 정한 기간 동안 이름을 지운 상태로 보관돼요.` : null,
    ),
  ja: ({ name, keptOrders }, { store }) =>
    mail(
      `${store}の退会手続きが完了しました`,
      `${name ? `${name}様、` : ''}お申し出のとおり退会手続きを行い、個人情報を削除しました。これまでのご利用ありがとうございました。`,
      keptOrders > 0 ? `ご注文${keptOrders}件の取引記録は、法律で定められた期間、お名前を除いて保管されます。` : null,
    ),
  ar: ({ name, keptOrders }, { store }) =>
    mail(
      `أُغلق حسابك في ${store}`,
      `${name ? `إلى اللقاء ${name}` : 'إلى اللقاء'}. أُغلق حسابك كما رغبت ومُحيت بياناتك الشخصية.`,
      keptOrders > 0 ? `تُحفظ سجلات طلباتك (${keptOrders}) من دون اسمك طوال المدة التي يفرضها القانون.` : null,
    ),
})
